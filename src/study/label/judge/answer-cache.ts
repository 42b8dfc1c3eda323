/** The answers of language models: a file that only grows, one line an answer, on disk before the next call. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { GrowingLines, type LineForm } from '../../../corpus/records/growing-lines.ts';
import type { CrawlPaths } from '../../../crawling/crawl-dir/crawl-directory.ts';
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

const FORM: LineForm<StoredAnswer> = {
  parse: (value) => lineSchema.parse(value),
  name: 'a stored answer',
  remedy: 'delete the line, and the language model is asked again',
};

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
  readonly #file: GrowingLines<StoredAnswer>;
  readonly #answers: Map<string, StoredAnswer>;

  private constructor(file: GrowingLines<StoredAnswer>, answers: readonly StoredAnswer[]) {
    this.#file = file;
    this.#answers = new Map(answers.map((answer) => [answer.key, answer]));
  }

  /** The stored answers of a crawl; the file need not exist. Writes nothing yet. @throws DamageError naming the invalid line */
  static open({ labelling }: Pick<CrawlPaths, 'labelling'>): AnswerCache {
    const { file, lines } = GrowingLines.open(join(labelling, 'model-answers.jsonl'), FORM);
    return new AnswerCache(file, lines);
  }

  get(key: string): StoredAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Stores an answer; it is on disk when this resolves. @throws StoreError */
  async add(answer: StoredAnswer): Promise<void> {
    this.#answers.set(answer.key, answer);
    await this.#file.append([answer]);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
