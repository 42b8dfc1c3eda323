/** The answers of language models: a file that only grows, one line an answer, on disk before the next call. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { checkOf, checksummedLine } from '../../../base/core/checksum.ts';
import { DamageError } from '../../../base/core/errors.ts';
import type { Bytes } from '../../../base/core/types.ts';
import { makeDirectory } from '../../../base/disk/directories.ts';
import { CorpusFile } from '../../../corpus/records/corpus-file.ts';
import type { CrawlPaths } from '../../../crawling/crawl-dir/crawl-directory.ts';
import { completeLines, contentOfFile, cutTo, fieldsOf } from '../checked-lines.ts';
import { type Prompt, TEMPLATE_VERSION } from './judge-prompt.ts';

const lineSchema = z.strictObject({
  /** SHA-256, hex: see `answerKey`. */
  key: z.string(),
  model: z.string(),
  onTopic: z.boolean(),
  reason: z.string(),
  /** Tokens that the call cost; null if the server did not report them. */
  tokens: z.number().nullable(),
  at: z.string(),
});

export type StoredAnswer = z.infer<typeof lineSchema>;

/** The name of a stored answer: a digest of the messages and the model. */
export function answerKey(model: string, { system, user }: Prompt): string {
  return digest([TEMPLATE_VERSION, model, system, user]);
}

/** Names the judge that answers under one rubric: the rubric and the model. Its first 16 digits are enough to tell a crawl's judges apart. */
export function judgeId(model: string, system: string): string {
  return digest([TEMPLATE_VERSION, model, system]).slice(0, 16);
}

function digest(value: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

export class AnswerCache {
  readonly #path: string;
  readonly #file: CorpusFile;
  readonly #answers: Map<string, StoredAnswer>;
  /** Start of an append that a crash interrupted, to be cut off before the next append; null without one. */
  #torn: Bytes | null;

  private constructor(path: string, bytes: Bytes, torn: boolean, answers: Map<string, StoredAnswer>) {
    this.#path = path;
    this.#file = new CorpusFile(path, bytes);
    this.#torn = torn ? bytes : null;
    this.#answers = answers;
  }

  /** The stored answers of a crawl; the file need not exist. Writes nothing yet. @throws DamageError naming the invalid line */
  static open({ labelling }: Pick<CrawlPaths, 'labelling'>): AnswerCache {
    const path = join(labelling, 'model-answers.jsonl');
    const content = contentOfFile(path);
    const bytes = content.lastIndexOf('\n') + 1;
    const answers = completeLines(content.subarray(0, bytes)).map((line, i) => answerOf(line, `${path}:${i + 1}`));
    return new AnswerCache(path, bytes, bytes < content.length, new Map(answers.map((answer) => [answer.key, answer])));
  }

  get(key: string): StoredAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Stores an answer; it is on disk when this resolves. @throws StoreError */
  async add(answer: StoredAnswer): Promise<void> {
    this.#answers.set(answer.key, answer);
    this.#file.append(checksummedLine(answer));
    makeDirectory(dirname(this.#path));
    if (this.#torn !== null) await cutTo(this.#path, this.#torn);
    this.#torn = null;
    await this.#file.write();
  }

  async close(): Promise<void> {
    await this.#file.release();
  }
}

function answerOf(line: Buffer, where: string): StoredAnswer {
  const damaged = (why: string) =>
    new DamageError(`${where}: is not a stored answer (${why}); delete the line, and the language model is asked again`);
  if (checkOf(line) !== 'right') throw damaged('its checksum is wrong');
  const parsed = lineSchema.safeParse(fieldsOf(line.toString('utf8'), damaged));
  if (parsed.success) return parsed.data;
  throw damaged(parsed.error.issues[0]?.message ?? 'not understood');
}
