/**
 * The template of a site (Bar-Yossef and Rajagopalan 2002): lines that its pages repeat outside their main text, such as menus and footers. They say
 * nothing about one page.
 */
import { grouped } from '../../base/core/grouped.ts';
import type { Unit } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { FeatureCounter, type FeatureCounts, type PageText } from './features.ts';
import { punctuationOfPart } from './punctuation.ts';
import type { TrainingRow } from './training-set.ts';

/** A line of other text, as a hash: a whole number from 0 to 2^31 - 1. */
export type LineHash = number;

/** A line is of the template if at least so many pages of one host have it. */
const LEAST_PAGES = 3;
/**
 * Share of the host's unlabelled pages that must have the line as well, if there are enough of them. 24 subjects by chapter, keyword, index
 * or group of 7 flat manuals, 20 examples and 60 random pages of the manual, average precision inside the manual: .837 by the main text
 * alone, .895 by all visible text without the template. With 15 random pages .808 and .871.
 */
const LEAST_SHARE = 0.1;
/** A host with so many unlabelled pages has the template of these: lines that only its examples share may be about the topic. */
const LEAST_SAMPLE = 10;
/**
 * Otherwise this share of all its training pages. The same subjects without random pages: .707 by all visible text, .763 to .779 with shares of .1 to
 * .5, .760 with .7. Eight subjects by folder, where menus name the folder: .968, .909 to .916, .927.
 */
const LEAST_SHARE_OF_EXAMPLES = 0.5;
/** Long menus have some hundred lines; 20,000 hashes take 200 KB in a model. */
const MOST_LINES = 20_000;
/** Lines read of one page: lists and tables that are longer are no menu. */
const MOST_LINES_OF_PAGE = 2000;

/** A page that may repeat the template of its host. */
type LinedRow = Pick<TrainingRow, 'role' | 'host' | 'lines'>;

/** The lines of a page's other text, ascending; a repeated line is repeated. O(characters). */
export function lineHashesOf(otherText: string | undefined): LineHash[] {
  const lines: LineHash[] = [];
  eachLine(otherText ?? '', (hash) => lines.push(hash));
  return lines.slice(0, MOST_LINES_OF_PAGE).sort((a, b) => a - b);
}

/** The lines of the templates of all hosts, ascending: the most frequent ones if there are too many. O(lines). */
export function templateOf(rows: readonly LinedRow[]): LineHash[] {
  const hosts = grouped(rows, ({ host }) => host);
  const found = [...hosts.values()].flatMap((all) => {
    const sample = all.filter(({ role }) => role === 'extra');
    return sample.length >= LEAST_SAMPLE ? repeatedLines(sample, LEAST_SHARE) : repeatedLines(all, LEAST_SHARE_OF_EXAMPLES);
  });
  const most = found.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_LINES);
  return [...new Set(most.map(([line]) => line))].sort((a, b) => a - b);
}

/** The lines that a share of the pages of a host have, each with the number of its pages. */
function repeatedLines(rows: readonly LinedRow[], share: Unit): [LineHash, number][] {
  const counts = new Map<LineHash, number>();
  for (const { lines = [] } of rows) for (const line of new Set(lines)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= Math.max(LEAST_PAGES, share * rows.length));
}

/** The page without the lines of a template. O(characters of its other text). */
export function withoutTemplate<P extends PageText>(page: P, template: ReadonlySet<LineHash>): P {
  if (template.size === 0 || !page.otherText) return page;
  const own: string[] = [];
  eachLine(page.otherText, (hash, line) => {
    if (!template.has(hash)) own.push(line());
  });
  return { ...page, otherText: own.join('\n') };
}

/** Rows whose features no longer contain these lines. The pages that have a line give its features. O(rows + characters of the pages). */
export function rowsWithout<R extends Pick<TrainingRow, 'counts' | 'lines' | 'punctuation'>>(
  rows: readonly R[],
  lines: ReadonlySet<LineHash>,
  pages: readonly PageText[],
): R[] {
  const known = featuresOfLines(lines, pages);
  return rows.map((row) => {
    const own = (row.lines ?? []).flatMap((line) => known.get(line) ?? []);
    if (own.length === 0) return row;
    const { counts, punctuation } = row;
    const marks = punctuation && {
      punctuation: subtracted(
        punctuation,
        own.map((line) => line.punctuation),
      ),
    };
    return {
      ...row,
      counts: subtracted(
        counts,
        own.map((line) => line.counts),
      ),
      ...marks,
    };
  });
}

/** Features of a line. */
interface LineFeatures {
  readonly counts: FeatureCounts;
  readonly punctuation: FeatureCounts;
}

function featuresOfLines(lines: ReadonlySet<LineHash>, pages: readonly PageText[]): Map<LineHash, LineFeatures> {
  const counter = new FeatureCounter();
  const known = new Map<LineHash, LineFeatures>();
  for (const { otherText } of pages)
    eachLine(otherText ?? '', (hash, line) => {
      if (!lines.has(hash) || known.has(hash)) return;
      const text = line();
      known.set(hash, { counts: counter.snapshot({ title: '', text, url: null }), punctuation: punctuationOfPart(text) });
    });
  return known;
}

function subtracted({ buckets, counts }: FeatureCounts, others: readonly FeatureCounts[]): FeatureCounts {
  const sums = new Map<number, number>();
  for (const other of others)
    for (const [i, bucket] of other.buckets.entries()) sums.set(bucket, (sums.get(bucket) ?? 0) + (other.counts[i] ?? 0));
  const left = counts.map((count, i) => Math.max(0, count - (sums.get(buckets[i] ?? -1) ?? 0)));
  return { buckets: buckets.filter((_, i) => left[i] !== 0), counts: left.filter((count) => count !== 0) };
}

function eachLine(text: string, visit: (hash: LineHash, line: () => string) => void): void {
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const from = start;
    visit(hashText(text, from, end) >>> 1, () => text.slice(from, end));
    start = end + 1;
  }
}
