/**
 * Dates and authors in the text of pages against those that their metas, JSON-LD and microdata state, which are hidden for it: for changes of
 * `reading/extract/times.ts` and `byline.ts`. Statements are not always right: read the disagreements (`--list wrong`).
 *
 *   npm run check -- credits [folder of *.jsonl.gz] [--half tuning|held-out|both] [--list right|wrong|absent|new] [--hide stated|times|text]
 */

import { parseArgs } from 'node:util';
import { type GoldPage, halfOf, readGold } from '../../datasets/extractor/gold.ts';
import type { Extraction, PageMetadata } from '../../src/base/core/types.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';

const DAY = 86_400_000;
const ANYWHERE = 'https://www.example.com/page';
/** After the youngest of the pages. */
const CRAWLED = Date.UTC(2026, 5, 1);
const OUTCOMES = ['right', 'wrong', 'absent', 'new'] as const;
type Outcome = (typeof OUTCOMES)[number];
type Field = 'published' | 'authors';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'both' },
    list: { type: 'string' },
    hide: { type: 'string', default: 'stated' },
  },
});
const extractor = pageExtractor({ productToken: 'forager', date: () => CRAWLED });

function credits(page: GoldPage, html: string): { readonly metadata: PageMetadata; readonly sources: Extraction['creditSources'] } {
  const url = canonicalize(page.url) ?? canonicalize(ANYWHERE);
  if (url === null) throw new Error('no URL');
  const { metadata, creditSources } = extractor.extract({
    url,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(html),
  });
  return { metadata, sources: creditSources };
}

const hideStatements = (html: string) =>
  html
    .replaceAll(/<meta\b/gi, '<x-meta')
    .replaceAll(/application\/ld\+json/gi, 'text/x-hidden')
    .replaceAll(/\bitem(?:prop|scope|type)\b(?=[\s=>/])/gi, 'data-hidden');
const hideTimes = (html: string) =>
  html.replaceAll(/<(\/?)time\b/gi, '<$1span').replaceAll(/\brel\s*=\s*(["'])([^"']*)\bauthor\b/gi, 'rel=$1$2');
/** What remains of a page without its text: the URL. */
const hideText = () => '<!doctype html><title>x</title>';
const HIDE: Readonly<Record<string, (html: string) => string>> = {
  stated: hideStatements,
  times: (html) => hideTimes(hideStatements(html)),
  text: hideText,
};

/** Equal days, as exact as the less exact of both, or neighbours because of time zones. */
function isSameDate(one: string, other: string): boolean {
  const chars = Math.min(one.length, other.length, 10);
  if (one.slice(0, chars) === other.slice(0, chars)) return true;
  return chars === 10 && Math.abs(Date.parse(one.slice(0, 10)) - Date.parse(other.slice(0, 10))) <= DAY;
}

function folded(names: readonly string[]): string {
  const words = (name: string) =>
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return names
    .map((name) => words(name).join(' '))
    .sort()
    .join('; ');
}

class Table {
  readonly #counts = new Map<string, Record<Outcome, number>>();

  add(row: string, outcome: Outcome): void {
    const counts = this.#counts.get(row) ?? { right: 0, wrong: 0, absent: 0, new: 0 };
    counts[outcome] += 1;
    this.#counts.set(row, counts);
  }

  print(title: string): void {
    console.log(`\n${title.padEnd(34)}${[...OUTCOMES, 'precision', 'recall'].map((name) => name.padStart(10)).join('')}`);
    for (const [row, counts] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { right, wrong, absent } = counts;
      const cells = [...OUTCOMES.map((name) => String(counts[name])), share(right, right + wrong), share(right, right + wrong + absent)];
      console.log(row.padEnd(34) + cells.map((cell) => cell.padStart(10)).join(''));
    }
  }
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(3);
}

function compared(page: GoldPage, field: Field): { outcome: Outcome; stated: string; found: string; source: string } | null {
  const truth = credits(page, hideTimes(page.html));
  const read = credits(page, (HIDE[values.hide] ?? hideStatements)(page.html));
  const isStated = truth.sources?.[field] == null;
  const source = read.sources?.[field] ?? 'time or rel';
  if (field === 'published') {
    const stated = isStated ? truth.metadata.published : null;
    const found = read.metadata.published;
    if (stated === null && found === null) return null;
    const outcome = stated === null ? 'new' : found === null ? 'absent' : isSameDate(stated, found) ? 'right' : 'wrong';
    return { outcome, stated: stated ?? '', found: found ?? '', source };
  }
  const stated = isStated ? truth.metadata.authors : [];
  const found = read.metadata.authors;
  if (stated.length === 0 && found.length === 0) return null;
  const outcome = stated.length === 0 ? 'new' : found.length === 0 ? 'absent' : folded(stated) === folded(found) ? 'right' : 'wrong';
  return { outcome, stated: stated.join('; '), found: found.join('; '), source };
}

const pages = readGold(positionals[0] ?? '../shared/data/extraction').filter(
  (page) => values.half === 'both' || (halfOf(page) === 0) === (values.half === 'tuning'),
);
console.log(`${pages.length} pages, half: ${values.half}; hidden: ${values.hide}`);
for (const field of ['published', 'authors'] as const) {
  const bySource = new Table();
  const byType = new Table();
  for (const page of pages) {
    const one = compared(page, field);
    if (one === null) continue;
    bySource.add('all', one.outcome);
    if (one.outcome !== 'absent') bySource.add(`by ${one.source}`, one.outcome);
    byType.add(page.type, one.outcome);
    if (one.outcome === values.list)
      console.log(`${field} ${one.outcome} ${one.source} | ${one.stated} | ${one.found} | ${page.file} ${page.id} ${page.url}`);
  }
  bySource.print(`${field}: source`);
  byType.print(`${field}: type of page`);
}
