import { createHash } from 'node:crypto';
import { DataError } from '../core/errors.ts';
import type { JudgedWords } from '../core/parts/reading.ts';
import { seededRng, shuffled } from '../core/rng.ts';
import type { Unit } from '../core/types.ts';
import { canonicalize, hostNameOf } from '../web/url.ts';
import type { Background } from './background.ts';
import { FeatureCounter, type FeatureCounts, kindOf } from './features.ts';
import { named } from './named.ts';

/** A page to learn from. `id` names it in messages: a file, a URL, a line. */
export interface TrainingPage extends JudgedWords {
  readonly id: string;
  readonly url: string | null;
  /** Its language, ISO 639-1; null if unknown. */
  readonly language: string | null;
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
  /** Of a row whose role a program guessed, from 0 to 1. Such a row teaches, and counts in no figure, calibration or threshold. Absent: it is certain. */
  readonly weight?: Unit;
}

export interface TrainingPages {
  readonly examples: readonly TrainingPage[];
  readonly irrelevant: readonly TrainingPage[];
  readonly extraBackground: readonly TrainingPage[];
}

export interface TrainingSet {
  /** Examples first; without the bundled background. */
  readonly rows: readonly TrainingRow[];
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
    limited(role, report.distinct(role, given), seed, report)
      .map((page) => rowOf(role, page, counter))
      .filter((row) => report.hasWords(row));
  const examples = take('example', pages.examples);
  if (examples.length === 0)
    throw new DataError(`none of the ${pages.examples.length} examples has a word of text; give pages with main text`);
  if (examples.length === 1 && pages.examples.length > 1 && report.empty === 0)
    throw new DataError(`all ${pages.examples.length} examples have the same title and text; give different pages of the topic`);
  const rows = [...examples, ...take('irrelevant', pages.irrelevant), ...take('extra', pages.extraBackground)];
  return { rows, duplicates: report.duplicates, empty: report.empty, warnings: report.warnings() };
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
        .update(JSON.stringify([page.title, page.text]))
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

  leftOut(role: Role, count: number): void {
    this.#notes.push(`${count} pages (${role}) omitted at random: at most ${MAX_ROWS[role]} are used`);
  }

  warnings(): string[] {
    const out = [...this.#notes];
    if (this.duplicates > 0) out.push(`${this.duplicates} duplicate pages omitted: ${named(this.#duplicateIds)}`);
    if (this.empty > 0) out.push(`${this.empty} pages without words omitted: ${named(this.#emptyIds)}`);
    return out;
  }
}

/** At most the role's share, drawn at random, in the given order. */
function limited<T>(role: PageRole, items: readonly T[], seed: number, report: Report): readonly T[] {
  const excess = items.length - MAX_ROWS[role];
  if (excess <= 0) return items;
  report.leftOut(role, excess);
  const kept = shuffled([...items.keys()], seededRng(seed)).slice(0, MAX_ROWS[role]);
  return kept.sort((a, b) => a - b).map((i) => items[i] as T);
}

/** The counted row of a page. */
export function rowOf(role: Role, page: TrainingPage, counter: FeatureCounter): TrainingRow {
  return { role, host: hostOf(page), language: page.language ?? null, counts: counter.snapshot(page), page };
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
