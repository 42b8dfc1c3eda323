/** The history of a page: its versions in the corpus, and the moments when its URL gave no page. */
import { isoTime } from '../../base/core/clock.ts';
import { UsageError } from '../../base/core/errors.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Absence, CanonicalUrl, CorpusRecord, EpochMs, IsoTime, RecordId, Unit } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { isWrittenDate, lastMomentOf } from '../../base/text/written-date.ts';
import { withoutRoute } from '../../base/web/url.ts';
import { ABSENCES_FILE, readAbsences } from '../../corpus/records/absences.ts';
import { RECORDS_FILE, recordsWith } from '../../corpus/records/records.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';
import { type WordPart, wordParts } from '../../corpus/search/word-diff.ts';
import type { HarvestedPage } from '../../corpus/select/harvested-page.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { givenUrl } from './given-url.ts';

/** A version of a page in the corpus, compared with the one before. */
export interface HistoryVersion {
  /** Judgement of the model of the day of its request. */
  readonly state: 'kept' | 'off-topic';
  /** Number of the version, from 1. */
  readonly version: number;
  /** Start of its request. */
  readonly at: IsoTime;
  readonly recordId: RecordId;
  readonly title: string;
  readonly relevance: Unit;
  /** Words of its main text. */
  readonly words: number;
  /** Words that the version before does not have at their place, and the reverse; null for the first version. */
  readonly wordsAdded: number | null;
  readonly wordsRemoved: number | null;
}

/** A change of state between two versions, or after the last one; `version` is the number of the newest version by then. */
export interface HistoryAbsence extends Pick<Absence, 'at' | 'state' | 'to' | 'recordId'> {
  readonly version: number;
  /** null in a harvest, which has the time alone. */
  readonly status: number | null;
}

export type HistoryEntry = HistoryVersion | HistoryAbsence;

export interface PageHistory {
  readonly url: CanonicalUrl;
  /** Time of the last request that got an answer. */
  readonly lastSeen: IsoTime;
  /** Versions and absences in the order of time. */
  readonly entries: readonly HistoryEntry[];
}

/** The place of a version in the history of its page. */
export type VersionPlace = Pick<HistoryVersion, 'version' | 'at' | 'recordId'>;

/** Two versions of a page, compared by the words of their main texts. */
export interface VersionDiff {
  readonly url: CanonicalUrl;
  readonly from: VersionPlace;
  readonly to: VersionPlace;
  /** Absent if the title is the same. */
  readonly title?: { readonly from: string; readonly to: string };
  readonly wordsAdded: number;
  readonly wordsRemoved: number;
  readonly parts: readonly WordPart[];
}

/** A record as the history uses it, with its number among the versions of its page. */
export interface StoredVersion extends Pick<CorpusRecord, 'id' | 'fetchedAt' | 'title' | 'text' | 'relevance' | 'threshold'> {
  readonly version: number;
}

/** The stored facts about one page; its versions are in the order of time. */
export interface PagePast {
  readonly url: CanonicalUrl;
  readonly lastSeen: IsoTime;
  readonly versions: readonly StoredVersion[];
  readonly absences: readonly Omit<HistoryAbsence, 'version'>[];
}

/**
 * Reads the past of a page of an open crawl, as of its last commit. Searches the records as bytes, a gigabyte a second; memory: all versions of the page.
 * @throws UsageError for a URL without a version; DataError
 */
export async function pastIn({ frontier, paths }: Pick<OpenCrawl, 'frontier' | 'paths'>, given: string): Promise<PagePast> {
  const asked = givenUrl(given);
  const found = frontier.find(asked) ?? frontier.find(withoutRoute(asked));
  if (found === null) throw new UsageError(`${given}: this crawl never discovered it; see ${commandOn('ledger', paths.dir)}`);
  const { url } = found.entry;
  const sizes = frontier.committedOffsets();
  const versions: CorpusRecord[] = [];
  for await (const record of recordsWith(paths.corpus, url, sizes[RECORDS_FILE] ?? 0)) if (record.url === url) versions.push(record);
  if (versions.length === 0 || Withdrawals.at(paths.withdrawn).has(url))
    throw new UsageError(`${url}: has no version in this crawl; ${commandOn('why', paths.dir)} ${url} explains it`);
  const absences: Absence[] = [];
  for await (const absence of readAbsences(paths.corpus, sizes[ABSENCES_FILE] ?? 0)) if (absence.url === url) absences.push(absence);
  const times = [found.line.revisit?.at ?? 0, ...versions.map(({ fetchedAt }) => Date.parse(fetchedAt))];
  return { url, lastSeen: isoTime(Math.max(...times)), versions: numbered(versions), absences };
}

/** Sorts the versions of a page by their times; of one time, in the order that they have. A version of a corpus may have its number already. */
export function numbered(records: readonly (CorpusRecord & Pick<HarvestedPage, 'version'>)[]): StoredVersion[] {
  return records
    .toSorted((a, b) => Date.parse(a.fetchedAt) - Date.parse(b.fetchedAt))
    .map((record, i) => ({ ...record, version: record.version ?? i + 1 }));
}

/** Compares each version with the one before. O(words of all versions). */
export function historyOf({ url, lastSeen, versions, absences }: PagePast): PageHistory {
  const numbers = new Map(versions.map(({ id, version }) => [id, version]));
  const own = versions.map((version, i) => entryOf(version, versions[i - 1] ?? null));
  const others = absences.map(({ at, state, status, to, recordId }): HistoryAbsence => {
    return { state, version: numbers.get(recordId) ?? 0, at, status, to, recordId };
  });
  const entries = [...own, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.version - b.version);
  return { url, lastSeen, entries };
}

function entryOf(
  { id, fetchedAt, title, text, relevance, threshold, version }: StoredVersion,
  before: StoredVersion | null,
): HistoryVersion {
  const parts = wordParts(before?.text ?? '', text);
  const words = countIn(parts, 'same') + countIn(parts, 'added');
  return {
    state: isOnTopic(relevance, threshold) ? 'kept' : 'off-topic',
    ...{ version, at: fetchedAt, recordId: id, title, relevance, words },
    wordsAdded: before && countIn(parts, 'added'),
    wordsRemoved: before && countIn(parts, 'removed'),
  };
}

function countIn(parts: readonly WordPart[], kind: WordPart['kind']): number {
  return parts.reduce((sum, part) => sum + (part.kind === kind ? part.words.length : 0), 0);
}

/**
 * Compares two versions of a page.
 * @param between numbers of versions, or dates, of which the newest version by then counts; without the second one the newest; without any the last two
 * @throws UsageError
 */
export function diffOf({ url, versions }: PagePast, between: readonly string[]): VersionDiff {
  if (between.length > 2) throw new UsageError(`diff: compares two versions, not ${between.length}; give two numbers or dates`);
  const last = versions.length - 1;
  const [from, to] = between.length === 0 ? [last - 1, last] : between.map((word) => placeOf(word, url, versions));
  if (from === undefined || from < 0)
    throw new UsageError(`${url}: has one version, of ${versions[0]?.fetchedAt}; crawl with --revisit to look for another`);
  const [old, now] = [versions[from] as StoredVersion, versions[to ?? last] as StoredVersion];
  const parts = wordParts(old.text, now.text);
  return {
    url,
    from: placeIn(old),
    to: placeIn(now),
    ...(old.title !== now.title && { title: { from: old.title, to: now.title } }),
    wordsAdded: countIn(parts, 'added'),
    wordsRemoved: countIn(parts, 'removed'),
    parts,
  };
}

function placeIn({ version, fetchedAt, id }: StoredVersion): VersionPlace {
  return { version, at: fetchedAt, recordId: id };
}

/** Place of the version that a word names, from 0. A word of digits is its number. @throws UsageError */
function placeOf(word: string, url: CanonicalUrl, versions: readonly StoredVersion[]): number {
  const number = /^\d+$/.test(word) ? Number(word) : null;
  const named = versions.findIndex(({ version }) => version === number);
  if (named >= 0) return named;
  const remedy = `versions ${versions[0]?.version} to ${versions.at(-1)?.version} are there, the first of ${versions[0]?.fetchedAt}`;
  if (number !== null) throw new UsageError(`${word}: is not a version of ${url}; ${remedy}`);
  if (!isWrittenDate(word)) throw new UsageError(`${word}: is neither the number of a version nor a date; write e.g. 2 or 2026-11-01`);
  const until: EpochMs = lastMomentOf(word);
  const place = versions.findLastIndex(({ fetchedAt }) => Date.parse(fetchedAt) <= until);
  if (place < 0) throw new UsageError(`${word}: ${url} has no version by then; ${remedy}`);
  return place;
}
