/** The journal of searches: JSON lines, so that another person can repeat them, and read the outcome of each result. */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import * as z from 'zod';
import { DataError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readGivenText } from '../../base/text/given-file.ts';
import { textLines } from '../../crawling/input/url-file.ts';

/** `seed`: its score is as asked. `refused`: less, or no page of the web. `duplicate`: a result of an earlier query. `visited`: by the crawl. */
export type ResultOutcome = 'seed' | 'refused' | 'duplicate' | 'visited';

const runSchema = z.object({
  type: z.literal('run'),
  at: z.string(),
  software: z.string(),
  engine: z.string(),
  topic: z.object({ name: z.string(), id: z.string() }),
  minScore: z.number(),
});
const searchSchema = z.object({
  type: z.literal('search'),
  at: z.string(),
  engine: z.string(),
  query: z.string(),
  results: z.number(),
  failure: z.string().nullable(),
  ignored: z.number(),
});
const resultSchema = z.object({
  type: z.literal('result'),
  at: z.string(),
  engine: z.string(),
  query: z.string(),
  rank: z.number(),
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  outcome: z.enum(['seed', 'refused', 'duplicate', 'visited']),
  /** Reason why it is no seed; '' for a seed. */
  reason: z.string(),
  score: z.number().nullable(),
});
const lineSchema = z.discriminatedUnion('type', [runSchema, searchSchema, resultSchema]);

/** One line. A run has its searches behind it, and a search its results. */
export type JournalLine = Readonly<z.infer<typeof lineSchema>>;
export type JournalResult = Readonly<z.infer<typeof resultSchema>>;

/** A query as it was asked, with the URLs that the engine gave. */
export interface JournalSearch {
  readonly engine: string;
  readonly query: string;
  readonly at: string;
  readonly urls: readonly string[];
}

/** A hundred thousand results. */
const MAX_BYTES: Bytes = 128 * 1024 * 1024;

/** Adds lines to a journal, new or not; they are on the disk when it returns. @throws StoreError */
export function addToJournal(path: string, lines: readonly JournalLine[]): void {
  try {
    appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true });
  } catch (error) {
    throw storeErrorFrom(error, 'writing the journal', path);
  }
}

/** Refuses a file that is no journal before anything is searched, and removes a line that a crash cut off. @throws UsageError, DataError, StoreError */
export function prepareJournal(path: string): void {
  if (!existsSync(path)) return;
  if (readJournal(path).length === 0) throw new UsageError(`${path}: is not a journal of searches; name a new file with --journal`);
  const content = readFileSync(path);
  const whole = content.lastIndexOf('\n') + 1;
  if (whole === content.length) return;
  try {
    truncateSync(path, whole);
  } catch (error) {
    throw storeErrorFrom(error, 'cutting a broken line off', path);
  }
}

/** The lines of a journal. One that a crash cut off at the end is skipped. @throws UsageError, DataError with the line */
export function readJournal(path: string): JournalLine[] {
  const text = readGivenText(path, { maxBytes: MAX_BYTES, what: 'searches', remedy: 'give a journal that seeds --search wrote' });
  const lines = textLines(Buffer.from(text));
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const parsed = lineSchema.safeParse(jsonOrNull(line));
    if (parsed.success) return [parsed.data];
    if (i === lines.length - 1) return [];
    throw new DataError(`${path}:${i + 1}: is not a line of a journal of searches; restore it, or name another file`);
  });
}

/** The searches of a journal in the order of their first time; of a repeated one its last answer. @throws DataError for a journal without any */
export function searchesIn(path: string): JournalSearch[] {
  const searches = new Map<string, JournalSearch & { readonly urls: string[] }>();
  for (const line of readJournal(path)) {
    if (line.type === 'run') continue;
    const { engine, query, at } = line;
    const key = JSON.stringify([engine, query]);
    if (line.type === 'search') searches.set(key, { engine, query, at, urls: [] });
    else searches.get(key)?.urls.push(line.url);
  }
  if (searches.size === 0) throw new DataError(`${path}: has no search; give a journal that seeds --search wrote`);
  return [...searches.values()];
}

function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
