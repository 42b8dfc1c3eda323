/**
 * `npm run bench -- align [--dir DIR] [--use tuning|report] [--only manual.lang,…] [--arrangement joined]`
 *
 * Strict F1 of beads on translated manuals of Debian: by Gale and Church (1993), by lengths and paragraphs alone, with cues, and with a translation table
 * that was learned from the manual's own beads. Constants are chosen with `--use tuning`, and figures reported with `--use report`.
 */
import { parseArgs } from 'node:util';
import { readBuilt } from '../../datasets/built-parts.ts';
import type { BuiltManual } from '../../datasets/parallel-text/builder.ts';
import { DEFAULT_DIR, readEntries } from '../../datasets/parallel-text/store.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { type AlignSide, alignTexts, type TextAlignment } from '../../src/corpus/align/aligned-text.ts';
import { galeChurch } from './align/gale-church.ts';
import { ARRANGEMENTS, type Arrangement, type BeadCounts, countBeads, f1Of, type GoldPage, goldPages } from './align/gold.ts';
import { learnedFrom } from './align/learned.ts';

const SEED = 48;
const METHODS = ['gale-church', 'length', 'cues', 'table'] as const;
type Method = (typeof METHODS)[number];

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: DEFAULT_DIR },
    use: { type: 'string', default: 'report' },
    only: { type: 'string' },
    arrangement: { type: 'string' },
  },
});

function sidesOf(page: GoldPage, lang: string): readonly [AlignSide, AlignSide] {
  return [
    { text: page.left, lang: 'en' },
    { text: page.right, lang: lang.replace(/-.*/, '') },
  ];
}

function aligned(pages: readonly GoldPage[], lang: string): Record<Method, TextAlignment[]> {
  const all = pages.map((page) => sidesOf(page, lang));
  const cues = all.map(([left, right]) => alignTexts(left, right));
  const table = learnedFrom(all, cues);
  return {
    'gale-church': all.map(([left, right]) => galeChurch(left, right)),
    length: all.map(([left, right]) => alignTexts(left, right, { cues: 'length' })),
    cues,
    table: all.map(([left, right]) => alignTexts(left, right, { table })),
  };
}

function total(pages: readonly GoldPage[], alignments: readonly TextAlignment[]): BeadCounts {
  const sum = { right: 0, found: 0, gold: 0 };
  for (const [k, page] of pages.entries()) {
    const counts = countBeads(page, alignments[k] as TextAlignment);
    sum.right += counts.right;
    sum.found += counts.found;
    sum.gold += counts.gold;
  }
  return sum;
}

const arrangements = ARRANGEMENTS.filter((name) => values.arrangement === undefined || values.arrangement === name);
const sums = new Map<string, number[]>();

function report(manual: string, lang: string, arrangement: Arrangement): void {
  const pages = goldPages(readEntries(values.dir, `${manual}.${lang}`), arrangement, ['en', lang], seededRng(SEED));
  const alignments = aligned(pages, lang);
  const cells = METHODS.map((method) => {
    const counts = total(pages, alignments[method]);
    const key = `${arrangement} ${method}`;
    sums.set(key, [...(sums.get(key) ?? []), f1Of(counts)]);
    return f1Of(counts).toFixed(3);
  });
  const gold = total(pages, alignments.table).gold;
  console.log(`| ${manual} | ${lang} | ${arrangement} | ${gold} | ${cells.join(' | ')} |`);
}

console.log(
  `| manual | language | arrangement | beads | ${METHODS.join(' | ')} |\n|---|---|---|---:|${METHODS.map(() => '---:|').join('')}`,
);
for (const [manual, { use, languages }] of Object.entries(readBuilt<BuiltManual>(values.dir)))
  for (const lang of Object.keys(languages)) {
    const isWanted = values.only === undefined ? use === values.use : values.only.split(',').includes(`${manual}.${lang}`);
    if (isWanted) for (const arrangement of arrangements) report(manual, lang, arrangement);
  }
for (const arrangement of arrangements) {
  const means = METHODS.map((method) => {
    const all = sums.get(`${arrangement} ${method}`) ?? [];
    return (all.reduce((sum, f1) => sum + f1, 0) / Math.max(1, all.length)).toFixed(3);
  });
  console.log(`| mean | | ${arrangement} | | ${means.join(' | ')} |`);
}
