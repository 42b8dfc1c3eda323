/** The labels of a crawl, and answers of language models to its pages: a file that only grows, one line an answer, on disk before the next page is shown. */
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { DamageError, type DataError, UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { completeLines, contentOfFile, cutTo, fieldsOf } from '../../corpus/records/checked-lines.ts';
import { CorpusFile } from '../../corpus/records/corpus-file.ts';
import type { TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { type Answer, DECISION, type LabelState, QUEUES } from './label-queue.ts';
import { linesTrained, noteWritten, refuseLostLabels, refuseShorterLabels, type Written, writtenOf } from './label-witness.ts';

const FORMAT = 'forager-labels';
/** Start of a label file. */
export const LABEL_FILE = `{"format":"${FORMAT}"`;
const VERSION = 1;

const headSchema = z.strictObject({ format: z.literal(FORMAT), version: z.literal(VERSION), seed: z.number() });

const answerSchema = z.strictObject({
  url: z.string(),
  answer: z.enum(['y', 'n', 'skip']),
  /**
   * Reason why the page was asked about; `import` for a label that was brought from elsewhere, `place` for one of all pages of a host or
   * directory, `decision` for one that counts before all answers of people who disagree.
   */
  queue: z.enum([...QUEUES, 'spread', 'import', 'place', DECISION]),
  /** The person, where the session had a name. */
  name: z.string().optional(),
  /** True where the page was drawn at random and had been labelled before: it was not asked about again. */
  known: z.literal(true).optional(),
  /**
   * Time of the newest page that the draw of this page could have chosen. Only for pages drawn at random; earlier versions of Forager did
   * not store it.
   */
  newest: z.string().optional(),
  /** Relevance of the page at that time, by the active model. */
  relevance: z.number(),
  modelId: z.string(),
  /** The labelled text: digest of title and text as JSON, hex. */
  sha256: z.string(),
  at: z.string(),
});

/** An answer of a language model. It is no label: estimates, thresholds and comparisons of models do not read it. */
const modelAnswerSchema = z.strictObject({
  by: z.literal('model'),
  url: z.string(),
  answer: z.enum(['y', 'n']),
  reason: z.string(),
  /** Reason why the page was asked about; `labelled` for a page that a person has answered. */
  queue: z.enum([...QUEUES, 'labelled']),
  /** Names the language model with its rubric. */
  judge: z.string(),
  languageModel: z.string(),
  /** Relevance and model, as for an answer of a person. */
  relevance: z.number(),
  modelId: z.string(),
  sha256: z.string(),
  at: z.string(),
});

/** The last so many answers do not count; or those of some lines, from 1, where somebody else has answered since. */
const undoSchema = z.strictObject({
  undo: z.union([z.number().int().positive(), z.array(z.number().int().positive()).nonempty()]),
  at: z.string(),
});
/** A person asks the running crawl to train with the answers before this line. */
const trainSchema = z.strictObject({ train: z.literal(true), at: z.string() });
const lineSchema = z.union([answerSchema, modelAnswerSchema, undoSchema, trainSchema]);

export type LabelEntry = z.infer<typeof answerSchema>;

/** An answer of a language model. */
export type ModelAnswer = z.infer<typeof modelAnswerSchema>;

/** A label of a page, as training needs it. */
export type Label = Pick<LabelEntry, 'url' | 'sha256'> & { readonly answer: Exclude<Answer, 'skip'> };

/** Arguments of `LabelLog.open`. */
type Asked = [seed: number | undefined, warn: (message: string) => void, only?: number];

/** A label file as it is on disk, with the note beside it. */
interface Stored {
  readonly path: string;
  readonly written: Written | null;
  readonly content: Buffer;
}

export class LabelLog {
  readonly path: string;
  /** Seed of the random third: the pages that it draws in every session. */
  readonly seed: number;
  readonly #file: CorpusFile;
  /** Number of lines of the file, the head included. */
  #lines: number;
  /** CRC-32 of the complete lines. */
  #sum: number;
  /** Start of an append that a crash interrupted, to be cut off before the next append; null without one. */
  #torn: Bytes | null;
  /** Valid answers, oldest first. */
  readonly #entries: LabelEntry[];
  /** The line of each of them, from 1. */
  readonly #places: number[];
  /** Lines that ask for a training, from 1. */
  readonly #requests: number[];
  /** Answers of language models with their lines, oldest first. */
  readonly #modelAnswers: Placed<ModelAnswer>[];

  private constructor(path: string, read: { seed: number; lines: number; bytes: Bytes; sum: number; torn: boolean } & Valid) {
    this.path = path;
    this.seed = read.seed;
    this.#file = new CorpusFile(path, read.bytes);
    this.#lines = read.lines;
    this.#sum = read.sum;
    this.#torn = read.torn ? read.bytes : null;
    this.#entries = read.entries;
    this.#places = read.places;
    this.#requests = read.requests;
    this.#modelAnswers = read.modelAnswers;
  }

  /**
   * The labels of a file, which need not exist. Writes nothing yet.
   * @param seed undefined for the seed of the file, or 1
   * @param warn called if an answer was lost in a crash
   * @param only number of lines to read; the result is then for reading only. Default: all
   * @throws UsageError if the file has another seed; DataError naming the invalid line; DamageError if it lacks answers that were stored
   */
  static open(path: string, ...asked: Asked): LabelLog {
    return LabelLog.#of(storedAt(path), ...asked);
  }

  /** The labels of a topic, as `open`. @throws DamageError also if there are fewer lines than a model of the crawl was trained with */
  static ofTopic({ paths, manifest }: Pick<TopicPart, 'paths' | 'manifest'>, ...asked: Partial<Asked>): LabelLog {
    const [seed, warn = () => undefined, only] = asked;
    const stored = storedAt(paths.labels);
    if (linesTrained(manifest) > 0) refuseLostLabels(paths, manifest, completeLines(stored.content).length);
    return LabelLog.#of(stored, seed, warn, only);
  }

  static #of({ path, written, content }: Stored, ...[seed, warn, only = Number.POSITIVE_INFINITY]: Asked): LabelLog {
    const bytes = content.lastIndexOf('\n') + 1;
    const sum = crc32(content.subarray(0, bytes));
    const [head, ...lines] = completeLines(content.subarray(0, bytes)).slice(0, only);
    if (head === undefined && !LABEL_FILE.startsWith(content.toString('latin1', 0, LABEL_FILE.length)))
      throw damaged(`${path}:1`, 'it begins otherwise');
    const torn = bytes < content.length;
    if (torn) warn(`${path}: the last line broke off and is dropped; answer that page again`);
    if (head === undefined) refuseShorterLabels(path, content, written);
    if (head === undefined) return new LabelLog(path, { seed: seed ?? 1, lines: 0, bytes: 0, sum: 0, torn, ...NOTHING_VALID() });
    const checked = new LabelLines(path);
    const known = checked.parse(headSchema, head).seed;
    if (seed !== undefined && seed !== known)
      throw new UsageError(`${path}: was started with --seed-rng ${known}, which its random pages depend on; omit --seed-rng`);
    const valid = validIn(checked, lines);
    // After the lines: a damaged one is named by its number.
    refuseShorterLabels(path, content, written);
    return new LabelLog(path, { seed: known, lines: lines.length + 1, bytes, sum, torn, ...valid });
  }

  get lines(): number {
    return this.#lines;
  }

  /** Has nobody answered since the file had that many lines? Draws of pages with labels are not answers. */
  isUnansweredSince(lines: number): boolean {
    const since = this.#lines - lines - this.#requests.filter((line) => line > lines).length;
    const drawn = this.#entries.length - 1 - this.#entries.findLastIndex(({ known }) => known !== true);
    return since >= 0 && since <= drawn;
  }

  /** Did a person ask for a training after the first `lines` lines? */
  isTrainingWanted(lines: number): boolean {
    return (this.#requests.at(-1) ?? 0) > lines;
  }

  get entries(): readonly LabelEntry[] {
    return this.#entries;
  }

  /** The answer that counts for each URL: the last decision, or else the last answer. */
  get counting(): ReadonlyMap<string, LabelEntry> {
    return countingIn(this.#entries);
  }

  /** The facts that the next turn depends on. Imported labels, and those of a whole host, took no turn. */
  get state(): LabelState {
    return stateAfter(this.#entries);
  }

  /** The state by the answers of one person, and by those without a name; a decision is no answer of theirs. */
  stateOf(person: string): LabelState {
    return stateAfter(this.#entries.filter(({ name, queue }) => (name === undefined || name === person) && queue !== DECISION));
  }

  get labels(): Label[] {
    return labelsOf(this.#entries);
  }

  /** The labels from the answers that the first `lines` lines give under some models. */
  labelsUnder(models: ReadonlySet<string>, lines = Number.POSITIVE_INFINITY): Label[] {
    return labelsOf(this.#entries.filter(({ modelId }, i) => models.has(modelId) && (this.#places[i] ?? 0) <= lines));
  }

  /**
   * The answers of the language model and rubric that answered last, the last one to each URL: another model or rubric is another judge.
   * @param lines reads only so many lines
   */
  modelAnswers(lines = Number.POSITIVE_INFINITY): ModelAnswer[] {
    const read = this.#modelAnswers.filter(({ line }) => line <= lines).map(({ entry }) => entry);
    const judge = read.at(-1)?.judge;
    return [...new Map(read.filter((entry) => entry.judge === judge).map((entry) => [entry.url, entry])).values()];
  }

  /** Stores an answer of a language model; it is on disk when this resolves. @throws StoreError */
  async appendModelAnswer(entry: ModelAnswer): Promise<void> {
    this.#modelAnswers.push({ entry, line: Math.max(1, this.#lines) + 1 });
    await this.#write([entry]);
  }

  /** Stores answers; they are on disk when this resolves. Answers that could not be written are written by the next call. @throws StoreError */
  async append(entries: readonly LabelEntry[]): Promise<void> {
    const first = Math.max(1, this.#lines) + 1;
    for (const [i, entry] of entries.entries()) {
      this.#entries.push(entry);
      this.#places.push(first + i);
    }
    await this.#write(entries);
  }

  /** Asks the running crawl to train with all answers so far. @throws StoreError */
  async requestTraining(at: string): Promise<void> {
    this.#requests.push(Math.max(1, this.#lines) + 1);
    await this.#write([{ train: true, at }]);
  }

  /**
   * Makes the last so many answers invalid, and later draws that needed no answer.
   * @returns false if there are not as many after the first `kept` entries.
   * @throws StoreError
   */
  async undo(kept: number, at: string, answers = 1): Promise<boolean> {
    const last = this.#entries.flatMap(({ known }, i) => (known === true ? [] : [i])).at(-answers);
    if (last === undefined || last < kept) return false;
    const undo = this.#entries.length - last;
    this.#entries.length = last;
    this.#places.length = last;
    await this.#write([{ undo, at }]);
    return true;
  }

  /**
   * Makes the answers of some lines invalid, and later draws that these lines answered.
   * @returns false if there is none of them, or if one of them is among the first `kept` entries.
   * @throws StoreError
   */
  async undoLines(lines: readonly number[], kept: number, at: string): Promise<boolean> {
    const own = new Set(lines);
    const first = this.#places.findIndex((place) => own.has(place));
    if (first < 0 || first < kept) return false;
    const isOwn = (i: number) => own.has(this.#places[i] ?? 0);
    const later = this.#entries.slice(first).map((entry, i) => ({ ...entry, place: this.#places[first + i] ?? 0, own: isOwn(first + i) }));
    const answers = later.filter(({ known }) => known !== true);
    if (answers.every((entry) => entry.own)) return this.undo(kept, at, answers.length);
    const urls = new Set(later.filter((entry) => entry.own).map(({ url }) => url));
    const undo = later.filter((entry) => entry.own || (entry.known === true && urls.has(entry.url))).map(({ place }) => place);
    drop(this.#entries, this.#places, undo);
    await this.#write([{ undo, at }]);
    return true;
  }

  async close(): Promise<void> {
    await this.#file.release();
  }

  async #write(lines: readonly z.infer<typeof lineSchema>[]): Promise<void> {
    if (this.#lines === 0) this.#put({ format: FORMAT, version: VERSION, seed: this.seed });
    for (const line of lines) this.#put(line);
    if (this.#torn !== null) await cutTo(this.path, this.#torn);
    this.#torn = null;
    await this.#file.write();
    noteWritten(this.path, { lines: this.#lines, bytes: this.#file.size, sum: this.#sum });
  }

  #put(value: object): void {
    const line = checksummedLine(value);
    this.#file.append(line);
    this.#sum = crc32(line, this.#sum);
    this.#lines += 1;
  }
}

function storedAt(path: string): Stored {
  // The note first: another process may write both.
  const written = writtenOf(path);
  return { path, written, content: contentOfFile(path) };
}

/** No queue in which a question is asked. */
const TURNLESS: ReadonlySet<LabelEntry['queue']> = new Set(['import', 'place', DECISION]);

function countingIn(entries: readonly LabelEntry[]): Map<string, LabelEntry> {
  const counting = new Map<string, LabelEntry>();
  for (const entry of entries) if (entry.queue === DECISION || counting.get(entry.url)?.queue !== DECISION) counting.set(entry.url, entry);
  return counting;
}

function stateAfter(entries: readonly LabelEntry[]): LabelState {
  const counting = countingIn(entries);
  const draws = entries.filter(({ queue }) => queue === 'random');
  return {
    unseen: new Set([...counting.values()].filter(({ queue }) => queue === 'place').map(({ url }) => url)),
    answers: new Map([...counting].map(([url, { answer }]) => [url, answer])),
    drawn: new Set(draws.map(({ url }) => url)),
    newest: new Map(draws.map((draw) => [draw.url, Date.parse(draw.newest ?? draw.at)])),
    turns: entries.filter(({ queue }) => !TURNLESS.has(queue)).length,
  };
}

/** Takes the entries of some lines out, in place. @returns how many */
function drop(entries: LabelEntry[], places: number[], lines: readonly number[]): number {
  const gone = new Set(lines);
  const left = entries.flatMap((entry, i) => (gone.has(places[i] ?? 0) ? [] : [{ entry, place: places[i] ?? 0 }]));
  const dropped = entries.length - left.length;
  entries.splice(0, entries.length, ...left.map(({ entry }) => entry));
  places.splice(0, places.length, ...left.map(({ place }) => place));
  return dropped;
}

/** The answer that counts for each URL, without skipped pages. */
function labelsOf(entries: readonly LabelEntry[]): Label[] {
  return [...countingIn(entries).values()].flatMap(({ url, sha256, answer }) => (answer === 'skip' ? [] : [{ url, sha256, answer }]));
}

/** The valid content of a label file. */
interface Valid {
  readonly entries: LabelEntry[];
  readonly places: number[];
  readonly requests: number[];
  readonly modelAnswers: Placed<ModelAnswer>[];
}

/** An entry, and its line in the file, from 1. */
interface Placed<T> {
  readonly entry: T;
  readonly line: number;
}

const NOTHING_VALID = (): Valid => ({ entries: [], places: [], requests: [], modelAnswers: [] });

/** The content that is valid after all lines below the head. */
function validIn(checked: LabelLines, lines: readonly Buffer[]): Valid {
  const { entries, places, requests, modelAnswers } = NOTHING_VALID();
  for (const [i, text] of lines.entries()) {
    const line = checked.parse(lineSchema, text);
    if ('train' in line) requests.push(i + 2);
    else if ('by' in line) modelAnswers.push({ entry: line, line: i + 2 });
    else if (!('undo' in line)) {
      entries.push(line);
      places.push(i + 2);
    } else if (typeof line.undo !== 'number') {
      if (drop(entries, places, line.undo) === 0) throw damaged(checked.where, 'it takes back answers that are not there');
    } else if (line.undo > entries.length) throw damaged(checked.where, 'it takes back more answers than there are');
    else {
      entries.length -= line.undo;
      places.length = entries.length;
    }
  }
  return { entries, places, requests, modelAnswers };
}

/** Lines in order, each checked against its checksum. */
class LabelLines {
  readonly #path: string;
  #number = 0;
  /** Lines of Forager 0.1 have no checksum, and come before all others. */
  #haveChecksums = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The line parsed last. */
  get where(): string {
    return `${this.#path}:${this.#number}`;
  }

  /** @throws DataError naming the line */
  parse<T>(schema: z.ZodType<T>, line: Buffer): T {
    this.#number += 1;
    const check = checkOf(line);
    if (check === 'right') this.#haveChecksums = true;
    else if (check === 'wrong' || this.#haveChecksums) throw damaged(this.where, 'its checksum is wrong');
    return parsed(schema, line.toString('utf8'), this.where);
  }
}

function parsed<T>(schema: z.ZodType<T>, line: string, where: string): T {
  const checked = schema.safeParse(fieldsOf(line, (why) => damaged(where, why)));
  if (checked.success) return checked.data;
  throw damaged(where, checked.error.issues[0]?.message ?? 'not understood');
}

function damaged(where: string, why: string): DataError {
  return new DamageError(
    `${where}: is not a line of a label file (${why}); restore the file from a copy, or move it elsewhere and start again`,
  );
}
