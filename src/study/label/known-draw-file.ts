/** A file of pages drawn at random from a list, with the answers to them: those on topic are known pages. It only grows, one line an answer. */
import * as z from 'zod';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { DamageError, DataError, UsageError } from '../../base/core/errors.ts';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { completeLines, contentOfFile, cutTo, fieldsOf } from '../../corpus/records/checked-lines.ts';
import { CorpusFile } from '../../corpus/records/corpus-file.ts';
import type { DrawFacts } from '../../corpus/select/recall-facts.ts';
import type { KnownPages } from '../../crawling/crawl-dir/known-pages.ts';
import type { Answer } from './label-queue.ts';

/** Start of such a file. */
export const KNOWN_DRAW = '{"format":"forager-known"';

const headSchema = z.strictObject({
  format: z.literal('forager-known'),
  version: z.literal(1),
  /** `sitemap`, or the file that the list is of. */
  from: z.string(),
  origin: z.enum(['independent', 'listed']),
  /** The crawl finds the pages of the list without a link: it reads the sitemaps too. Absent otherwise. */
  followed: z.literal(true).optional(),
  seed: z.number(),
});
/** URLs drawn at a time, in random order. `listed`: number of URLs of the list, without those that the crawl was given. */
const drawSchema = z.strictObject({ draw: z.array(z.string()), listed: z.number(), at: z.string() });
const answerSchema = z.strictObject({
  url: z.string(),
  answer: z.enum(['y', 'n', 'skip']),
  /** Reason why there is no text to ask about; absent for an answer of a person. */
  unread: z.string().optional(),
  /** The person, where the session had a name. */
  name: z.string().optional(),
  /** The text: digest of title and text as JSON, hex. */
  sha256: z.string().optional(),
  at: z.string(),
});
/** The answer to this page does not count. */
const undoSchema = z.strictObject({ undo: z.string(), at: z.string() });
const lineSchema = z.union([drawSchema, answerSchema, undoSchema]);

export type DrawHead = Omit<z.infer<typeof headSchema>, 'format' | 'version'>;
export type DrawnAnswer = z.infer<typeof answerSchema>;

/** The draw, and its answers so far. */
export class KnownDrawFile {
  readonly path: string;
  readonly #file: CorpusFile;
  #head: DrawHead | null = null;
  readonly #drawn: CanonicalUrl[] = [];
  /** Answers in the order in which they were given. */
  readonly #answers = new Map<string, DrawnAnswer>();
  #listed = 0;
  #at = '';
  #torn: Bytes | null;

  private constructor(path: string, content: Buffer) {
    const bytes = content.lastIndexOf('\n') + 1;
    this.path = path;
    this.#file = new CorpusFile(path, bytes);
    this.#torn = bytes < content.length ? bytes : null;
    for (const [i, line] of completeLines(content.subarray(0, bytes)).entries()) this.#read(line, i + 1);
  }

  /** The file need not exist. Writes nothing. @throws UsageError for another file; DamageError naming the line */
  static open(path: string): KnownDrawFile {
    const content = contentOfFile(path);
    if (!KNOWN_DRAW.startsWith(content.toString('utf8', 0, KNOWN_DRAW.length)))
      throw new UsageError(`${path}: is not a file of drawn pages; give another --out, or move it elsewhere`);
    return new KnownDrawFile(path, content);
  }

  /** null before the first draw. */
  get head(): DrawHead | null {
    return this.#head;
  }

  /** The drawn URLs in random order. */
  get drawn(): readonly CanonicalUrl[] {
    return this.#drawn;
  }

  answerTo(url: string): DrawnAnswer | null {
    return this.#answers.get(url) ?? null;
  }

  /** Drawn pages, and their answers so far. `unread`: pages without a text to ask about. */
  get counts(): Pick<DrawFacts, 'drawn' | 'yes' | 'no' | 'skipped' | 'unread'> {
    const answers = [...this.#answers.values()];
    const of = (wanted: Answer) => answers.filter(({ answer, unread }) => answer === wanted && unread === undefined).length;
    const unread = answers.filter((answer) => answer.unread !== undefined).length;
    return { drawn: this.#drawn.length, yes: of('y'), no: of('n'), skipped: of('skip'), unread };
  }

  /** The drawn pages on topic, and how they were drawn. @throws DataError without any */
  get known(): KnownPages {
    const urls = this.#drawn.filter((url) => this.answerTo(url)?.answer === 'y');
    if (this.#head === null || urls.length === 0)
      throw new DataError(`${this.path}: has no page with the answer y; answer more of its ${this.#drawn.length} pages`);
    return { origin: this.#head.origin, from: this.path, urls, drawn: this.#facts(this.#head) };
  }

  /** Begins the file, or draws more. It is on disk when this resolves. @throws StoreError */
  async draw(head: DrawHead, urls: readonly CanonicalUrl[], listed: number, at: string): Promise<void> {
    const draw = { draw: [...urls], listed, at };
    const first = this.#head === null ? [{ format: 'forager-known' as const, version: 1 as const, ...head }] : [];
    this.#head ??= head;
    this.#take(draw);
    await this.#write([...first, draw]);
  }

  /** @throws StoreError */
  async answer(answer: DrawnAnswer): Promise<void> {
    this.#take(answer);
    await this.#write([answer]);
  }

  /** Makes the last answer of a person invalid. @returns its page; null if there is none. @throws StoreError */
  async undo(at: string): Promise<CanonicalUrl | null> {
    const last = [...this.#answers.values()].findLast(({ unread }) => unread === undefined);
    if (last === undefined) return null;
    this.#take({ undo: last.url, at });
    await this.#write([{ undo: last.url, at }]);
    return canonicalizeWithRoute(last.url);
  }

  close(): Promise<void> {
    return this.#file.release();
  }

  #facts({ from, followed, seed }: DrawHead): DrawFacts {
    const names = [...new Set([...this.#answers.values()].flatMap(({ name }) => name ?? []))];
    return {
      from,
      seed,
      listed: this.#listed,
      ...this.counts,
      at: this.#at,
      ...(names.length > 0 && { names }),
      ...(followed && { followed }),
    };
  }

  #read(bytes: Buffer, number: number): void {
    const damaged = (why: string) =>
      new DamageError(`${this.path}:${number}: is damaged (${why}); restore the file from a copy, or begin another --out`);
    if (checkOf(bytes) !== 'right') throw damaged('its checksum is wrong');
    const fields = fieldsOf(bytes.toString('utf8'), damaged);
    const parsed = number === 1 ? headSchema.safeParse(fields) : lineSchema.safeParse(fields);
    if (!parsed.success) throw damaged(parsed.error.issues[0]?.message ?? 'not understood');
    if ('format' in parsed.data) {
      const { format: _, version: __, ...head } = parsed.data;
      this.#head = head;
    } else this.#take(parsed.data);
  }

  #take(line: z.infer<typeof lineSchema>): void {
    if ('draw' in line) {
      for (const url of line.draw) this.#drawn.push(...[canonicalizeWithRoute(url)].filter((one) => one !== null));
      [this.#listed, this.#at] = [line.listed, line.at];
      return;
    }
    const url = 'undo' in line ? line.undo : line.url;
    this.#answers.delete(url);
    if ('answer' in line) this.#answers.set(url, line);
  }

  async #write(lines: readonly object[]): Promise<void> {
    if (this.#torn !== null) await cutTo(this.path, this.#torn);
    this.#torn = null;
    for (const line of lines) this.#file.append(checksummedLine(line));
    await this.#file.write();
  }
}
