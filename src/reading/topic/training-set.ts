import { createHash } from 'node:crypto';
import { DataError } from '../../base/core/errors.ts';
import type { JudgedPageText, JudgedWords } from '../../base/core/parts/reading.ts';
import { seededRng, shuffled } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { canonicalize, hostNameOf } from '../../base/web/url.ts';
import type { Background } from './background.ts';
import { FeatureCounter, type FeatureCounts, kindOf } from './features.ts';
import { named } from './named.ts';
import { punctuationOf } from './punctuation.ts';
import { type LineHash, lineHashesOf, templateOf, withoutTemplate } from './template.ts';

/** A page to learn from. `id` names it in messages: a file, a URL, a line. */
export interface TrainingPage extends JudgedWords {
  readonly id: string;
  readonly url: string | null;
  /** Language of the page, ISO 639-1; null if unknown. */
  readonly language: string | null;
  /** Kind of the document, for the rule. Absent for HTML and plain text. */
  readonly document?: JudgedPageText['document'] & {};
}

/** The origin of a row in the training matrix. */
export type Role = PageRole | 'background';
type PageRole = 'example' | 'irrelevant' | 'extra';

export interface TrainingRow {
  readonly role: Role;
  /** null if unknown. */
  readonly host: string | null;
  /** ISO 639-1; null if unknown. */
  readonly language: string | null;
  readonly counts: FeatureCounts;
  /** null for bundled background pages, which are hashes only. */
  readonly page: TrainingPage | null;
  /**
   * Weight of a row whose role a program guessed, from 0 to 1. Such a row teaches, and counts in no figure, calibration or threshold.
   * Absent: it is certain.
   */
  readonly weight?: Unit;
  /** The lines of its other text, also those of the template that are not counted. Absent: none. */
  readonly lines?: readonly LineHash[];
  /** Punctuation of a page in Han characters, which not all trainings count. Absent: none, and for rows of earlier versions. */
  readonly punctuation?: FeatureCounts;
  /** Name of the page in messages, where the page was not kept. */
  readonly name?: string;
}

export interface TrainingPages {
  readonly examples: readonly TrainingPage[];
  readonly irrelevant: readonly TrainingPage[];
  readonly extraBackground: readonly TrainingPage[];
}

export interface TrainingSet {
  /** Examples first; without the bundled background. */
  readonly rows: readonly TrainingRow[];
  /** The lines that the pages of a host repeat; they are not counted. */
  readonly template: readonly LineHash[];
  readonly duplicates: number;
  readonly empty: number;
  readonly warnings: readonly string[];
}

/** The training matrix has n² entries: 3,000 rows take 36 MB and some ten seconds, 5,300 take 112 MB. Pages beyond a share are omitted at random. */
export const MAX_ROWS: Readonly<Record<Role, number>> = { example: 1500, irrelevant: 1000, extra: 2000, background: 800 };

/**
 * Counts the features of all pages; drops pages without words and pages with the same title and text as an earlier one. Deterministic for equal
 * `seed`.
 * @throws DataError if no example has words, if several examples all have one text, or if a page is both example and irrelevant
 */
export function trainingSet(pages: TrainingPages, seed: number): TrainingSet {
  const counter = new FeatureCounter();
  const report = new Report();
  const take = (role: PageRole, given: readonly TrainingPage[]) =>
    limited(role, report.distinct(role, given), seed, report).map((page) => uncounted(role, page));
  const uncountedRows = [
    ...take('example', pages.examples),
    ...take('irrelevant', pages.irrelevant),
    ...take('extra', pages.extraBackground),
  ];
  const template = templateOf(uncountedRows);
  const lines = new Set(template);
  const rows = uncountedRows.map((row) => countedRow(row, counter, lines)).filter((row) => report.hasWords(row));
  if (!rows.some(({ role }) => role === 'example'))
    throw new DataError(`none of the ${pages.examples.length} examples has a word of text; give pages with main text`);
  const distinct = uncountedRows.filter(({ role }) => role === 'example').length;
  if (distinct === 1 && pages.examples.length > 1)
    throw new DataError(`all ${pages.examples.length} examples have the same title and text; give different pages of the topic`);
  return { rows, template, duplicates: report.duplicates, empty: report.empty, warnings: report.warnings() };
}

/** Share of the background in the languages of the examples, if it has that many pages: pages in other languages differ from the examples in every word. */
const OWN_LANGUAGE_SHARE = 0.75;

/** Randomly drawn pages of the background, to contrast with `rows`. Deterministic for equal `seed`. */
export function backgroundRows(background: Background, rows: readonly TrainingRow[], seed: number): TrainingRow[] {
  const languages = new Set(rows.flatMap(({ role, language }) => (role === 'example' && language ? [language] : [])));
  const order = shuffled([...background.sample.keys()], seededRng(seed));
  const isOwn = (i: number) => languages.has(background.sample[i]?.language ?? '');
  const most = MAX_ROWS.background;
  const own = order.filter(isOwn).slice(0, Math.round(languages.size === 0 ? 0 : OWN_LANGUAGE_SHARE * most));
  const others = order.filter((i) => languages.size === 0 || !isOwn(i)).slice(0, most - own.length);
  return [...own, ...others]
    .sort((a, b) => a - b)
    .flatMap((i) => background.sample[i] ?? [])
    .map(({ host, language, counts }): TrainingRow => ({ role: 'background', host, language, counts, page: null }));
}

/** The omitted pages, with the reasons. */
class Report {
  duplicates = 0;
  empty = 0;
  readonly #seen = new Map<string, TrainingPage & { readonly role: Role }>();
  readonly #notes: string[] = [];
  readonly #emptyIds: string[] = [];
  readonly #duplicateIds: string[] = [];

  distinct(role: Role, pages: readonly TrainingPage[]): TrainingPage[] {
    return pages.filter((page) => {
      const key = createHash('sha256')
        .update(JSON.stringify([page.title, squeeze(page.text)]))
        .digest('base64');
      const first = this.#seen.get(key);
      if (first === undefined) {
        this.#seen.set(key, { ...page, role });
        return true;
      }
      if (role === 'irrelevant' && first.role === 'example')
        throw new DataError(`${page.id}: given as irrelevant, but the same as the example ${first.id}; take one of them out`);
      this.duplicates++;
      this.#duplicateIds.push(page.id);
      return false;
    });
  }

  hasWords(row: TrainingRow): boolean {
    if (row.counts.buckets.some((bucket) => kindOf(bucket) !== 'url')) return true;
    this.empty++;
    this.#emptyIds.push(row.page?.id ?? '');
    return false;
  }

  noteOmitted(role: Role, count: number): void {
    this.#notes.push(`${count} pages (${role}) omitted at random: at most ${MAX_ROWS[role]} are used`);
  }

  warnings(): string[] {
    const out = [...this.#notes];
    if (this.duplicates > 0) out.push(`${this.duplicates} duplicate pages omitted: ${named(this.#duplicateIds)}`);
    if (this.empty > 0) out.push(`${this.empty} pages without words omitted: ${named(this.#emptyIds)}`);
    return out;
  }
}

/** Rows up to the role's share, drawn at random, in the given order. */
function limited<T>(role: PageRole, items: readonly T[], seed: number, report: Report): readonly T[] {
  const excess = items.length - MAX_ROWS[role];
  if (excess <= 0) return items;
  report.noteOmitted(role, excess);
  const kept = shuffled([...items.keys()], seededRng(seed)).slice(0, MAX_ROWS[role]);
  return kept.sort((a, b) => a - b).map((i) => items[i] as T);
}

/** A page with all that its row has but the counts. */
export interface UncountedRow extends Omit<TrainingRow, 'counts' | 'punctuation'> {
  readonly page: TrainingPage;
}

export function uncounted(role: Role, page: TrainingPage): UncountedRow {
  return { role, host: hostOf(page), language: page.language ?? null, page, lines: lineHashesOf(page.otherText) };
}

/** The row, counted without the lines of a template. */
export function countedRow(row: UncountedRow, counter: FeatureCounter, template: ReadonlySet<LineHash>): TrainingRow {
  const own = withoutTemplate(row.page, template);
  const punctuation = punctuationOf(own);
  return { ...row, counts: counter.snapshot(own), ...(punctuation && { punctuation }) };
}

/** The host name of a page, or null if it has no usable URL. */
export function hostOf(page: TrainingPage): string | null {
  const url = page.url === null ? null : canonicalize(page.url);
  return url === null ? null : hostNameOf(url);
}

/** SHA-256, hex, of all rows in order except those of the background: of their pages, or of their counts if the text was not kept. */
export function dataDigest(rows: readonly TrainingRow[]): string {
  const hash = createHash('sha256');
  for (const { role, host, counts, page, weight } of rows) {
    if (role === 'background') continue;
    if (weight !== undefined) hash.update(JSON.stringify(weight));
    if (page !== null) hash.update(JSON.stringify([role, page.id, page.url, page.title, page.text]));
    else hash.update(JSON.stringify([role, host, [...counts.buckets], [...counts.counts]]));
  }
  return hash.digest('hex');
}
