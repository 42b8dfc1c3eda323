/**
 * `npm run bench -- align-noise [--dir DIR] [--use tuning|report] [--langs fr,ja] [--cut 0.5,0.7] [--fit]`
 *
 * Filtering by score: a fifth of the pages of all manuals of a language get another page as their partner. Prints the share of their sentence pairs that
 * the score filters where it keeps 90 % of those of the other pages; by the page and the pair (`score` of a bead), and by the pair alone (`pairScore`).
 * The last columns have the shares below the scores of `--cut`. `--fit` prints the weights of `src/corpus/align/pair-score.ts`.
 */
import { parseArgs } from 'node:util';
import { readBuilt } from '../../datasets/built-parts.ts';
import type { BuiltManual } from '../../datasets/parallel-text/builder.ts';
import { DEFAULT_DIR, readEntries } from '../../datasets/parallel-text/store.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { type AlignSide, alignTexts, type TextAlignment } from '../../src/corpus/align/aligned-text.ts';
import { beadOdds, type PairEvidence, pageOdds, pairEvidence, pairScore } from '../../src/corpus/align/pair-score.ts';
import type { TranslationTable } from '../../src/corpus/align/translation-table.ts';
import { goldPages } from './align/gold.ts';
import { learnedFrom } from './align/learned.ts';
import { fitted } from './align/logistic.ts';

const SEED = 48;
const WRONG = 0.2;
const RECALL = 0.9;
/** One of so many pairs of a right page is shifted for `--fit`. */
const SHIFTED = 5;

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: DEFAULT_DIR },
    use: { type: 'string', default: 'report' },
    langs: { type: 'string' },
    cut: { type: 'string', default: '0.5,0.7' },
    fit: { type: 'boolean', default: false },
  },
});

interface PairedPages {
  readonly sides: readonly [AlignSide, AlignSide];
  readonly isRight: boolean;
}

/** Pages of all manuals in a language; partners of a fifth of them are moved on by one. */
function noisyPages(manuals: readonly string[], lang: string): PairedPages[] {
  const rng = seededRng(SEED);
  const pages = manuals.flatMap((manual) => goldPages(readEntries(values.dir, `${manual}.${lang}`), 'paragraphs', ['en', lang], rng));
  const wrong = shuffled([...pages.keys()], rng).slice(0, Math.round(WRONG * pages.length));
  const partners = new Map(wrong.map((page, k) => [page, wrong[(k + 1) % wrong.length]]));
  return pages.map(({ left, right }, k) => ({
    sides: [
      { text: left, lang: 'en' },
      { text: pages[partners.get(k) ?? k]?.right ?? right, lang: lang.replace(/-.*/, '') },
    ],
    isRight: !partners.has(k),
  }));
}

/** A sentence pair with the numbers that its score is made of. */
interface ScoredPair {
  readonly evidence: PairEvidence;
  readonly page: number;
  readonly score: number;
  readonly alone: number;
  readonly isRight: boolean;
}

function scoredPairs({ sides: [left, right], isRight }: PairedPages, table: TranslationTable | null): ScoredPair[] {
  const alignment = alignTexts(left, right, table === null ? {} : { table });
  const ratio = right.text.length / left.text.length;
  const pairs = alignment.beads.flatMap(({ left: [from, to], right: [first, end], score }) => {
    if (from === to || first === end) return [];
    const sides = [sideOf(left, alignment.left, [from, to]), sideOf(right, alignment.right, [first, end])] as const;
    const evidence = pairEvidence(...sides, table, ratio);
    return [{ sides, evidence, score, odds: beadOdds(evidence, table), sentences: to - from + end - first }];
  });
  const page = pageOdds(pairs, alignment.beads.length - pairs.length);
  const scored = pairs.map(({ sides, evidence, score }) => ({ evidence, page, score, alone: pairScore(...sides, table), isRight }));
  if (!values.fit || !isRight) return scored;
  // Some pairs of a right page are wrong too: the left side of one, and the right side of the next.
  const shifted = pairs.flatMap(({ sides: [side] }, k) => {
    const other = k % SHIFTED === 0 ? pairs[k + 1]?.sides[1] : undefined;
    return other === undefined ? [] : [{ evidence: pairEvidence(side, other, table, ratio), page, score: 0, alone: 0, isRight: false }];
  });
  return [...scored, ...shifted];
}

function sideOf({ text, lang }: AlignSide, sentences: TextAlignment['left'], [from, to]: readonly [number, number]): AlignSide {
  return { text: text.slice(sentences[from]?.start, sentences[to - 1]?.end), lang };
}

/** Share of the wrong pairs below the score that keeps 90 % of the right ones. */
function filteredShare(pairs: readonly ScoredPair[], scoreOf: (pair: ScoredPair) => number): readonly [share: number, cut: number] {
  const right = pairs
    .filter(({ isRight }) => isRight)
    .map(scoreOf)
    .sort((a, b) => a - b);
  const cut = right[Math.floor((1 - RECALL) * right.length)] ?? 0;
  return [shareBelow(pairs, false, cut, scoreOf), cut];
}

/** Share of the right or of the wrong pairs whose score is below one. */
function shareBelow(pairs: readonly ScoredPair[], isRight: boolean, cut: number, scoreOf: (pair: ScoredPair) => number): number {
  const those = pairs.filter((pair) => pair.isRight === isRight);
  return those.filter((pair) => scoreOf(pair) < cut).length / Math.max(1, those.length);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function printWeights(name: string, pairs: readonly ScoredPair[], table: TranslationTable | null): void {
  const labels = pairs.map(({ isRight }) => isRight);
  const own = fitted(
    pairs.map(({ evidence }) => evidence),
    labels,
  );
  const page = fitted(
    pairs.map((pair) => [1, beadOdds(pair.evidence, table), pair.page]),
    labels,
  );
  console.log(
    `${name}: pair [${own.map((w) => w.toFixed(2)).join(', ')}], page by the present pair weights [${page.map((w) => w.toFixed(2)).join(', ')}]`,
  );
}

const built = Object.entries(readBuilt<BuiltManual>(values.dir)).filter(([, { use }]) => use === values.use);
const langs = values.langs?.split(',') ?? [...new Set(built.flatMap(([, { languages }]) => Object.keys(languages)))].sort();
const cuts = values.cut.split(',');
const all: Record<'plain' | 'table', ScoredPair[]> = { plain: [], table: [] };
console.log(
  `| language | method | right pairs | wrong pairs | filtered, pair and page | at score | filtered, pair alone | at score |${cuts.map((cut) => ` right below ${cut} | wrong |`).join('')}
|---|---|---:|---:|---:|---:|---:|---:|${cuts.map(() => '---:|---:|').join('')}`,
);
let last: TranslationTable | null = null;
for (const lang of langs) {
  const pages = noisyPages(
    built.filter(([, { languages }]) => lang in languages).map(([name]) => name),
    lang,
  );
  const plain = pages.map(({ sides: [left, right] }) => alignTexts(left, right));
  last = learnedFrom(
    pages.map(({ sides }) => sides),
    plain,
  );
  for (const [method, table] of [
    ['plain', null],
    ['table', last],
  ] as const) {
    const pairs = pages.flatMap((page) => scoredPairs(page, table));
    all[method].push(...pairs);
    const onPage = ({ score }: ScoredPair) => score;
    const cells = [filteredShare(pairs, onPage), filteredShare(pairs, ({ alone }) => alone)].flatMap(([share, cut]) => [
      percent(share),
      cut.toFixed(2),
    ]);
    cells.push(...cuts.flatMap((cut) => [true, false].map((isRight) => percent(shareBelow(pairs, isRight, Number(cut), onPage)))));
    const rights = pairs.filter(({ isRight }) => isRight).length;
    console.log(`| ${lang} | ${method} | ${rights} | ${pairs.length - rights} | ${cells.join(' | ')} |`);
  }
}
if (values.fit) {
  printWeights('plain', all.plain, null);
  printWeights('table', all.table, last);
}
