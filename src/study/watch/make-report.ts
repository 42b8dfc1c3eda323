/** Makes the report of a watch from the corpus, between the place where the report before ended and the last commit. */
import { DataError, type OnDamaged } from '../../base/core/errors.ts';
import { isSameText, linesPrint } from '../../base/core/same-text.ts';
import type { Absence, CrawlRecord, IsoTime, TextPrint } from '../../base/core/types.ts';
import { simhash } from '../../base/text/simhash.ts';
import { ABSENCES_FILE, readAbsences } from '../../corpus/records/absences.ts';
import { RECORDS_FILE } from '../../corpus/records/records.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';
import { wordDiff } from '../../corpus/search/word-diff.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { changedAbsences } from './absent-pages.ts';
import { TermCounts } from './drifting-terms.ts';
import { linesBefore, placeAtEnd } from './growing-places.ts';
import { VersionLines } from './record-lines.ts';
import { ITEM_KINDS, type WatchItem, type WatchReport } from './watch-report.ts';

/** Pages of the corpus before whose terms are counted, evenly over it: shares of 20,000 pages differ from those of all by at most a point. */
const MOST_BEFORE = 20_000;
/** Edits of a changed page, and characters of each side. */
const MOST_EDITS = 10;
const MOST_EDIT_CHARS = 300;

export interface ReportMoment {
  /** The report before; null for the first one, which is the state at the start of the watch. */
  readonly previous: WatchReport | null;
  readonly startedAt: IsoTime;
  readonly now: IsoTime;
}

export interface ReportReading {
  readonly signal: AbortSignal;
  /** Receives damaged records, which are skipped. Without it they are errors. */
  readonly onDamaged?: OnDamaged | undefined;
}

type Crawl = Pick<OpenCrawl, 'manifest' | 'paths'> & { readonly frontier: Pick<OpenCrawl['frontier'], 'committedOffsets'> };

/**
 * Makes a report. Two calls for one commit have the same items. O(bytes of the records); memory: some 50 bytes a record, and the texts of one page at a time.
 * @throws DataError; the reason of the signal
 */
export async function makeReport(crawl: Crawl, { previous, startedAt, now }: ReportMoment, reading: ReportReading): Promise<WatchReport> {
  const { manifest, paths, frontier } = crawl;
  const committed = frontier.committedOffsets();
  const lines = await VersionLines.read(paths.corpus, committed[RECORDS_FILE] ?? 0, reading.onDamaged, reading.signal);
  const absences: Absence[] = [];
  for await (const one of readAbsences(paths.corpus, committed[ABSENCES_FILE] ?? 0)) absences.push(one);
  const period = previous === null ? EMPTY : new Period(lines, absences, previous, Withdrawals.at(paths.withdrawn), reading).report();
  return {
    format: 'forager-watch/1',
    number: previous === null ? 0 : previous.number + 1,
    crawl: manifest.id,
    startedAt,
    from: previous?.to ?? null,
    to: now,
    pages: lines.pages,
    covers: {
      records: placeAtEnd(lines.count, (line) => lines.record(line).id),
      absences: placeAtEnd(absences.length, (line) => absenceKey(absences[line])),
    },
    ...period,
  };
}

const EMPTY: Pick<WatchReport, 'items' | 'terms'> = { items: [], terms: { now: 0, before: 0, more: [], less: [] } };

function absenceKey(absence: Absence | undefined): string {
  return absence === undefined ? '' : `${absence.at} ${absence.url}`;
}

/** The pages of one period, compared with the corpus before. */
class Period {
  readonly #lines: VersionLines;
  readonly #absences: readonly Absence[];
  readonly #reading: ReportReading;
  readonly #withdrawals: Withdrawals;
  readonly #start: number;
  readonly #absentFrom: number;
  /** Newest line of each page before the period; -1 for none. */
  readonly #before: Int32Array;
  /** Newest line of each page. */
  readonly #newest: Int32Array;
  readonly #terms = new TermCounts();

  constructor(
    lines: VersionLines,
    absences: readonly Absence[],
    { covers, to }: WatchReport,
    withdrawals: Withdrawals,
    reading: ReportReading,
  ) {
    [this.#lines, this.#absences, this.#withdrawals, this.#reading] = [lines, absences, withdrawals, reading];
    this.#start = linesBefore(covers.records, (id) => lines.lineOf(id)) ?? linesUntil(lines, to);
    const keys = new Map(absences.map((one, i) => [absenceKey(one), i]));
    this.#absentFrom = linesBefore(covers.absences, (key) => keys.get(key)) ?? absences.filter(({ at }) => at <= to).length;
    this.#before = lines.newestBefore(this.#start);
    this.#newest = lines.newestBefore(lines.count);
  }

  report(): Pick<WatchReport, 'items' | 'terms'> {
    const versions = this.#versions();
    const absent = this.#absent(versions);
    const targets = new Set(absent.flatMap(({ to, after }) => (to === undefined || after === null ? [] : [to])));
    const items = [...versions.values(), ...absent].flatMap((item) =>
      item === null || (item.kind === 'new' && targets.has(item.url)) || this.#withdrawals.has(item.url) ? [] : [item],
    );
    this.#countBefore();
    return { items: items.toSorted(byKindAndTime), terms: this.#terms.drift() };
  }

  /** The new and changed pages by their numbers; null for one with the same text as before. */
  #versions(): Map<number, WatchItem | null> {
    const ends = new Map<number, { readonly first: number; last: number }>();
    for (let line = this.#start; line < this.#lines.count; line++) {
      const page = this.#lines.pageOf(line);
      const known = ends.get(page);
      if (known === undefined) ends.set(page, { first: line, last: line });
      else known.last = line;
    }
    const items = new Map<number, WatchItem | null>();
    for (const [page, { first, last }] of ends) {
      this.#reading.signal.throwIfAborted();
      items.set(
        page,
        this.#guarded(() => this.#versionItem(this.#before[page] ?? -1, first, last)),
      );
    }
    return items;
  }

  #versionItem(beforeLine: number, first: number, last: number): WatchItem | null {
    const after = this.#lines.record(last);
    const { fetchedAt: at } = first === last ? after : this.#lines.record(first);
    const { url, title, id, relevance, threshold } = after;
    const common = { url, title, at, after: id, onTopic: relevance >= threshold };
    if (beforeLine < 0) {
      this.#terms.addNow(textOf(after));
      return { kind: 'new', ...common, before: null };
    }
    const before = this.#lines.record(beforeLine);
    if (isSameText(printOfRecord(before), printOfRecord(after))) return null;
    this.#terms.addNow(textOf(after));
    const { wordsAdded: added, wordsRemoved: removed, edits, editCount } = wordDiff(before.text, after.text);
    const shown = edits.slice(0, MOST_EDITS).map((edit) => ({ removed: shortened(edit.removed), added: shortened(edit.added) }));
    return { kind: 'changed', ...common, before: before.id, words: { added, removed, edits: shown, editCount } };
  }

  /** Pages whose absence has changed in the period, without those that came back as another version. */
  #absent(versions: ReadonlyMap<number, WatchItem | null>): WatchItem[] {
    return changedAbsences(this.#absences, this.#absentFrom, (then) => this.#returned(then)).flatMap((absence) => {
      const page = this.#lines.page(absence.url);
      const later = versions.get(page);
      if (later && later.at > absence.at) return [];
      const line = this.#lines.lineOf(absence.recordId);
      const item = line === undefined ? null : this.#guarded(() => this.#absentItem(absence, this.#lines.record(line)));
      return item === null ? [] : [item];
    });
  }

  #returned({ url, at }: Absence): boolean {
    const line = this.#before[this.#lines.page(url)] ?? -1;
    return line >= 0 && (this.#guarded(() => this.#lines.record(line).fetchedAt > at) ?? false);
  }

  #absentItem({ url, at, status, state, to }: Absence, { id, title, text }: CrawlRecord): WatchItem {
    const target = to === null ? -1 : this.#lines.page(to);
    const moved = target < 0 ? null : this.#lines.record(this.#newest[target] ?? -1);
    const isThere = moved !== null && isSameText(printOfRecord({ text }), printOfRecord(moved));
    const after = state === 'back' ? id : isThere ? moved.id : null;
    return { kind: state, url, title, at, before: id, after, status, ...(to !== null && { to }) };
  }

  #countBefore(): void {
    const newest = this.#before.filter((line) => line >= 0).sort();
    const step = Math.max(1, newest.length / MOST_BEFORE);
    for (let i = 0; i < newest.length; i += step) {
      this.#reading.signal.throwIfAborted();
      const line = newest[Math.floor(i)] ?? -1;
      this.#guarded(() => this.#terms.addBefore(textOf(this.#lines.record(line))));
    }
  }

  /** @returns null for a damaged record, if there is an `onDamaged`. @throws DataError without one */
  #guarded<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      const { onDamaged } = this.#reading;
      if (!(error instanceof DataError) || onDamaged === undefined) throw error;
      onDamaged(error.message);
      return null;
    }
  }
}

/** Number of records up to a moment: records are nearly in the order of their requests. */
function linesUntil(lines: VersionLines, moment: IsoTime): number {
  let line = lines.count;
  while (line > 0 && lines.record(line - 1).fetchedAt > moment) line -= 1;
  return line;
}

function textOf({ title, text }: CrawlRecord): string {
  return `${title}\n${text}`;
}

function printOfRecord({ text }: Pick<CrawlRecord, 'text'>): TextPrint {
  return { simhash: simhash(text), lines: linesPrint(text) };
}

function shortened(words: string): string {
  return words.length <= MOST_EDIT_CHARS ? words : `${words.slice(0, MOST_EDIT_CHARS)}…`;
}

function byKindAndTime(a: WatchItem, b: WatchItem): number {
  return ITEM_KINDS.indexOf(a.kind) - ITEM_KINDS.indexOf(b.kind) || order(a.at, b.at) || order(a.url, b.url);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
