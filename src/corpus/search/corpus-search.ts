/** Full-text search in the SQLite file of a corpus. */
import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Database } from 'node-sqlite3-wasm';
import * as z from 'zod';
import { DamageError, DataError, messageOf, UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, IsoTime, RecordId, Unit } from '../../base/core/types.ts';
import { pageNumberAt } from '../../base/text/page-numbers.ts';
import { WORD_BREAK, withWordBreaks } from '../../base/text/word-breaks.ts';
import { DATABASE_FILE, DATABASE_VERSION } from './corpus-database.ts';
import { Stems } from './stems.ts';

export interface CorpusQuery {
  /**
   * Words, of which a page has all; `OR` between two of them, `-word` for pages without it, `word*` for words that begin so, "words in quotes" next to
   * each other. A word without quotes also finds words with the same stem. At most 1,000 characters.
   */
  readonly query: string;
  /** Primary language subtags; empty for all. `de` includes `de-AT`. */
  readonly languages: readonly string[];
  /** Host name with its port, if that is not the default one; absent for all. */
  readonly host?: string;
  /** Number of pages to return, from 1. */
  readonly top: number;
}

export interface SearchHit {
  readonly id: RecordId;
  readonly url: CanonicalUrl;
  readonly title: string;
  readonly lang: string;
  readonly fetchedAt: IsoTime;
  readonly relevance: Unit;
  /** BM25 (k1 1.2, b .75), title by 4, stems by .5: larger is better. */
  readonly score: number;
  /** Words of the text around the first matches, each match between `mark.start` and `mark.end`; the title if the text has none. */
  readonly snippet: string;
  /** Page of a PDF that has the first match, from 1: `url#page=N` opens it. Absent for other pages. */
  readonly pageNumber?: number;
}

export interface SearchAnswer {
  /** Number of pages that match. */
  readonly total: number;
  /** The best first. */
  readonly hits: readonly SearchHit[];
}

/** Around matches in a snippet. */
export const MARK = { start: '\u0002', end: '\u0003' } as const;
const SNIPPET_WORDS = 24;
/** Characters of a snippet on each side of a word, which are about as many words. */
const SNIPPET_CHARS = 80;
const MAX_QUERY_CHARS = 1000;
const MAX_WORDS = 50;

/**
 * @param corpus folder of a harvest, or its `corpus.sqlite`
 * @throws UsageError if there is no such file, or for a query without words; DataError if the file is damaged or of another version
 */
export async function searchDatabase(corpus: string, query: CorpusQuery): Promise<SearchAnswer> {
  const stems = Stems.load();
  return withDatabase(await databasePath(corpus), (db) => {
    const { stemmed = '' } = factsOf(db);
    const languages = stemmed.split(',').filter((language) => language !== '' && isWanted(language, query.languages));
    const match = matchOf(query.query, languages, stems);
    const { where, values } = conditionsOf(query);
    const from = `FROM search JOIN pages ON pages.n = search.rowid WHERE search MATCH ?${where}`;
    const total = Number(db.get(`SELECT count(*) AS total ${from}`, [match, ...values])?.['total'] ?? 0);
    const rows = db.all(
      `SELECT id, url, pages.title AS title, lang, fetchedAt, relevance, -search.rank AS score, pages.n AS n,
       snippet(search, 1, ?, ?, '…', ${SNIPPET_WORDS}) AS snippet ${from} ORDER BY search.rank, pages.n LIMIT ?`,
      [MARK.start, MARK.end, match, ...values, query.top],
    );
    return { total, hits: rows.map((row) => hitOf(row as unknown as Row, db, languages, stems, query.query)) };
  });
}

type Row = SearchHit & { readonly n: number };

function hitOf({ n, snippet, ...hit }: Row, db: Database, languages: readonly string[], stems: Stems, query: string): SearchHit {
  const shown = (snippet.includes(MARK.start) ? snippet : stemSnippet(db, n, languages, stems, query)).replaceAll(WORD_BREAK, '');
  const pageNumber = pageOfMatch(db, n, shown);
  return { ...hit, snippet: shown.replace(/\s+/g, ' ').trim(), ...(pageNumber !== null && { pageNumber }) };
}

/** Number of the page with the first match of a snippet; null for a page without pages of its own. */
function pageOfMatch(db: Database, n: number, snippet: string): number | null {
  if (!db.all('PRAGMA table_info(pages)').some(({ name }) => name === 'document')) return null;
  const { text, document } = db.get('SELECT text, document FROM pages WHERE n = ?', [n]) ?? {};
  if (typeof document !== 'string') return null;
  const { pageOffsets } = storedPages.parse(JSON.parse(document));
  const part = snippet.split('…').find((one) => one.includes(MARK.start)) ?? '';
  const [before = ''] = part.split(MARK.start, 1);
  const place = String(text).indexOf(part.replaceAll(MARK.start, '').replaceAll(MARK.end, ''));
  return place < 0 ? null : pageNumberAt(pageOffsets, place + before.length);
}

const storedPages = z.object({ pageOffsets: z.array(z.number()) });

/** The index knows that a stem is in a text, but not where: finds the first word with such a stem. */
function stemSnippet(db: Database, n: number, languages: readonly string[], stems: Stems, query: string): string {
  const text = String(db.get('SELECT text FROM pages WHERE n = ?', [n])?.['text'] ?? '');
  const sought = termsOf(query).filter(({ quoted, not }) => !quoted && !not);
  for (const language of languages) {
    const wanted = new Set(sought.map(({ word }) => stems.stemOf(word, language)));
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]{1,40}/gu)) {
      if (!wanted.has(stems.stemOf(word, language))) continue;
      return `${textBefore(text, index)}${MARK.start}${word}${MARK.end}${textAfter(text, index + word.length)}`;
    }
  }
  return String(db.get('SELECT title FROM pages WHERE n = ?', [n])?.['title'] ?? '');
}

function textBefore(text: string, end: number): string {
  const start = end - SNIPPET_CHARS;
  return start <= 0 ? text.slice(0, end) : `…${text.slice(start, end).replace(/^\S*\s/, '')}`;
}

function textAfter(text: string, start: number): string {
  const end = start + SNIPPET_CHARS;
  return end >= text.length ? text.slice(start) : `${text.slice(start, end).replace(/\s\S*$/, '')}…`;
}

function conditionsOf({ languages, host }: CorpusQuery): { readonly where: string; readonly values: readonly string[] } {
  const ofLanguage = languages.map(() => "lower(lang) = ? OR lower(lang) LIKE ? || '-%'").join(' OR ');
  return {
    where: `${languages.length === 0 ? '' : ` AND (${ofLanguage})`}${host === undefined ? '' : ' AND host = ?'}`,
    values: [...languages.flatMap((language) => [language, language]), ...(host === undefined ? [] : [host])],
  };
}

function isWanted(language: string, languages: readonly string[]): boolean {
  return languages.length === 0 || languages.some((one) => Stems.languageOf(one) === language);
}

interface Term {
  readonly word: string;
  readonly quoted: boolean;
  readonly prefix: boolean;
  readonly not: boolean;
  /** Is it an alternative to the one before? */
  readonly or: boolean;
}

/** @throws UsageError for a query that is too long */
function termsOf(query: string): Term[] {
  if (query.length > MAX_QUERY_CHARS) throw new UsageError(`the query has ${query.length} characters; give at most ${MAX_QUERY_CHARS}`);
  const terms: Term[] = [];
  let or = false;
  for (const [, minus, phrase, plain = ''] of query.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    if (plain === 'OR' || plain === 'AND') {
      or = plain === 'OR' && terms.length > 0;
      continue;
    }
    const word = (phrase ?? plain).replace(/^-+/, '');
    const prefix = phrase === undefined && word.endsWith('*');
    if (/[\p{L}\p{N}]/u.test(word))
      terms.push({ word: word.replace(/\*+$/, ''), quoted: phrase !== undefined, prefix, not: minus === '-', or });
    or = false;
  }
  if (terms.length > MAX_WORDS) throw new UsageError(`the query has ${terms.length} words; give at most ${MAX_WORDS}`);
  return terms;
}

/** The query in the language of FTS5. @throws UsageError without a word */
function matchOf(query: string, languages: readonly string[], stems: Stems): string {
  const terms = termsOf(query);
  const wanted: string[][] = [];
  for (const term of terms.filter(({ not }) => !not)) {
    const sought = termMatch(term, languages, stems);
    const last = wanted.at(-1);
    if (term.or && last) last.push(sought);
    else wanted.push([sought]);
  }
  if (wanted.length === 0) throw new UsageError(`${query}: has no word to search for; give at least one without a minus`);
  const all = wanted.map((any) => `(${any.join(' OR ')})`).join(' AND ');
  const without = terms.filter(({ not }) => not).map((term) => termMatch(term, languages, stems));
  return without.length === 0 ? all : `(${all}) NOT (${without.join(' OR ')})`;
}

function termMatch({ word, quoted, prefix }: Term, languages: readonly string[], stems: Stems): string {
  const plain = `{title text} : ${phraseOf(word)}${prefix ? ' *' : ''}`;
  if (quoted || prefix) return `(${plain})`;
  // A stem is in its own column where it differs from the word of the text.
  const alike = new Set(languages.map((language) => stems.stemOf(word, language)));
  return `(${[plain, ...[...alike].map((stem) => phraseOf(stem))].join(' OR ')})`;
}

/** Quoted as FTS5 wants it; words of scripts without spaces are cut as in the index. */
function phraseOf(words: string): string {
  return `"${(withWordBreaks(words) ?? words).replaceAll('"', '""').replaceAll('\0', ' ')}"`;
}

function factsOf(db: Database): Readonly<Record<string, string>> {
  return Object.fromEntries(db.all('SELECT key, value FROM corpus').map(({ key, value }) => [String(key), String(value)]));
}

/** @throws UsageError that says how to get the file */
async function databasePath(corpus: string): Promise<string> {
  const found = await stat(corpus).catch(() => null);
  if (found === null) throw new UsageError(`${corpus}: does not exist; give the folder of a harvest`);
  if (!found.isDirectory()) return corpus;
  const path = join(corpus, DATABASE_FILE);
  if ((await stat(path).catch(() => null)) === null)
    throw new UsageError(`${corpus}: has no ${DATABASE_FILE} to search; harvest again with --format jsonl,sqlite`);
  return path;
}

/**
 * SQLite for WebAssembly locks a file by a folder next to it, also to read it. A link elsewhere keeps that folder away from the corpus: so a corpus on a
 * read-only disk can be searched, and a search that was killed leaves no lock.
 */
export async function withDatabase<T>(path: string, read: (db: Database) => T | Promise<T>): Promise<T> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const scratch = await mkdtemp(join(tmpdir(), 'forager-search-'));
  let db: Database | null = null;
  try {
    const link = join(scratch, DATABASE_FILE);
    await symlink(resolve(path), link);
    db = new sqlite.Database(link, { readOnly: true });
    const version = Number(db.get('PRAGMA user_version')?.['user_version'] ?? 0);
    if (version !== DATABASE_VERSION)
      throw new DataError(`${path}: is not a ${DATABASE_FILE} of this version of Forager; harvest again with --format sqlite`);
    return await read(db);
  } catch (error) {
    if (error instanceof UsageError || error instanceof DataError) throw error;
    throw new DamageError(`${path}: cannot be searched (${messageOf(error)}); harvest again with --format sqlite`, { cause: error });
  } finally {
    if (db?.isOpen) db.close();
    await rm(scratch, { recursive: true, force: true });
  }
}
