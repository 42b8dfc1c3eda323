/** The second stage: the sentences of each page pair aligned twice, without a translation table and with the one learned from the first time. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import type { CanonicalUrl, CorpusRecord, RecordId, Unit } from '../../base/core/types.ts';
import { alignTexts, type Bead, type TextAlignment } from '../align/aligned-text.ts';
import { TableLearner } from '../align/table-learner.ts';
import type { TextSentence } from '../align/text-sentences.ts';
import { TranslationTable } from '../align/translation-table.ts';
import type { StoredSource } from '../select/stored-source.ts';
import { type FilterBasis, PAIR_FILTERS, sentenceKey, sentenceText } from './pair-filters.ts';
import type { PlacedPair } from './paired-pages.ts';
import type { PairsWork } from './pairs-work.ts';
import { WorkLines } from './work-lines.ts';

/**
 * Least number of pairs from which a table is learned. On 16 pairs of prose without numbers and names, the score without a table is above .5 for 14, and with it
 * for one; on 100 and more pairs of manuals, that with a table keeps as many right pairs or more.
 */
export const LEAST_LEARNED = 100;

/** Beads of a page pair from which the table is learned: four offsets each, in the main texts. */
interface LearningLine {
  readonly beads: readonly number[];
}

/**
 * A bead with both sides: offsets in both main texts, numbers of sentences, score, the number of the filter that drops it by its texts (-1 for none), and the
 * fingerprints of both keys.
 */
export type AlignedBead = readonly [
  leftStart: number,
  leftEnd: number,
  rightStart: number,
  rightEnd: number,
  leftCount: number,
  rightCount: number,
  score: Unit,
  filter: number,
  leftHi: number,
  leftLo: number,
  rightHi: number,
  rightLo: number,
];

/** A page pair with its beads. */
export interface AlignedPages {
  readonly left: AlignedPage;
  readonly right: AlignedPage;
  readonly by: PlacedPair['by'];
  readonly score: Unit;
  readonly isCapped: boolean;
  readonly beads: readonly AlignedBead[];
}

export interface AlignedPage {
  readonly id: RecordId;
  readonly url: CanonicalUrl;
  readonly place: PlacedPair['left'];
  readonly sentences: number;
  /** Sentences without a partner. */
  readonly alone: number;
  /** Characters of all sentences. */
  readonly chars: number;
}

export interface AligningOptions {
  readonly source: StoredSource;
  readonly langs: readonly [string, string];
  readonly detect: FilterBasis['detect'];
  /** Number of page pairs. */
  readonly pagePairs: number;
  /** Receives the number of page pairs that are done. Throws to end the work. */
  readonly onPair: (stage: 'align' | 'learn' | 'score', done: number, total: number) => void;
}

/**
 * Aligns the page pairs, unless that is done. Both passes continue behind the last page pair that is done. Memory: two pages, and that of the learner.
 * @returns number of pairs from which the table was learned; 0 if they were too few
 * @throws DataError, StoreError
 */
export async function alignPages(work: PairsWork, options: AligningOptions): Promise<number> {
  await alignFirst(work, options);
  const firsts = await firstSums(work);
  const learned = firsts.pairs < LEAST_LEARNED ? 0 : firsts.pairs;
  const lines = await WorkLines.open<AlignedPages>(work.path('aligned'));
  try {
    if (lines.count === options.pagePairs) return learned;
    const table = learned === 0 ? null : await learnedTable(work, options);
    const tests = PAIR_FILTERS.map((filter) => ('begin' in filter ? filter.begin({ ...options, ratio: firsts.ratio }) : () => false));
    for await (const { pair, left, right } of pagesFrom(work, options.source, lines.count)) {
      lines.append(alignedPages(pair, left, right, { table, tests, langs: options.langs }));
      options.onPair('score', lines.count, options.pagePairs);
      await turnOfLoop();
    }
    return learned;
  } finally {
    lines.close();
  }
}

/** The aligned page pairs, in their order. @throws DataError */
export async function* alignedPagesIn(work: PairsWork): AsyncGenerator<AlignedPages> {
  const lines = await WorkLines.open<AlignedPages>(work.path('aligned'));
  try {
    yield* lines.values();
  } finally {
    lines.close();
  }
}

/** Sums of the first alignment: its pairs, and characters of the right texts for one of the left. */
async function firstSums(work: PairsWork): Promise<{ readonly pairs: number; readonly ratio: number }> {
  const lines = await WorkLines.open<LearningLine>(work.path('learning'));
  let [pairs, left, right] = [0, 0, 0];
  try {
    for await (const { beads } of lines.values())
      for (let i = 0; i < beads.length; i += 4) {
        pairs++;
        left += (beads[i + 1] ?? 0) - (beads[i] ?? 0);
        right += (beads[i + 3] ?? 0) - (beads[i + 2] ?? 0);
      }
  } finally {
    lines.close();
  }
  return { pairs, ratio: left === 0 ? 1 : right / left };
}

async function learnedTable(work: PairsWork, options: AligningOptions): Promise<TranslationTable> {
  const known = work.read('table');
  if (known !== null) return TranslationTable.fromBytes(known);
  const learner = new TableLearner();
  const lines = await WorkLines.open<LearningLine>(work.path('learning'));
  try {
    await teach(learner, lines, work, options);
  } finally {
    lines.close();
  }
  const table = learner.learn();
  work.write('table', table.toBytes());
  return table;
}

async function alignFirst(work: PairsWork, { source, langs, pagePairs, onPair }: AligningOptions): Promise<void> {
  const lines = await WorkLines.open<LearningLine>(work.path('learning'));
  try {
    for await (const { left, right } of pagesFrom(work, source, lines.count)) {
      const found = alignTexts({ text: left.text, lang: langs[0] }, { text: right.text, lang: langs[1] });
      lines.append({ beads: [...bothSided(found)].flatMap((bead) => placeOf(found, bead)) });
      onPair('align', lines.count, pagePairs);
      await turnOfLoop();
    }
  } finally {
    lines.close();
  }
}

async function teach(
  learner: TableLearner,
  lines: WorkLines<LearningLine>,
  work: PairsWork,
  { source, pagePairs, onPair }: AligningOptions,
): Promise<void> {
  const pages = pagesFrom(work, source, 0);
  let done = 0;
  try {
    for await (const { beads } of lines.values()) {
      const next = await pages.next();
      if (next.done) return;
      const { left, right } = next.value;
      for (let i = 0; i < beads.length; i += 4)
        learner.add(left.text.slice(beads[i], beads[i + 1]), right.text.slice(beads[i + 2], beads[i + 3]));
      onPair('learn', ++done, pagePairs);
      await turnOfLoop();
    }
  } finally {
    await pages.return(undefined);
  }
}

interface ReadPages {
  readonly pair: PlacedPair;
  readonly left: CorpusRecord;
  readonly right: CorpusRecord;
}

/** The page pairs with their records, from a number on. @throws DataError */
async function* pagesFrom(work: PairsWork, source: StoredSource, first: number): AsyncGenerator<ReadPages> {
  const lines = await WorkLines.open<PlacedPair>(work.path('pairs'));
  try {
    let number = 0;
    for await (const pair of lines.values())
      if (number++ >= first) yield { pair, left: source.recordAt(pair.left), right: source.recordAt(pair.right) };
  } finally {
    lines.close();
  }
}

function alignedPages(
  { by, score, left: leftPlace, right: rightPlace }: PlacedPair,
  left: CorpusRecord,
  right: CorpusRecord,
  {
    table,
    tests,
    langs,
  }: {
    readonly table: TranslationTable | null;
    readonly tests: readonly ((texts: { readonly left: string; readonly right: string }) => boolean)[];
    readonly langs: readonly [string, string];
  },
): AlignedPages {
  const found = alignTexts({ text: left.text, lang: langs[0] }, { text: right.text, lang: langs[1] }, table === null ? {} : { table });
  const beads = [...bothSided(found)].map((bead): AlignedBead => {
    const place = placeOf(found, bead);
    const texts = { left: sentenceText(left.text, place[0], place[1]), right: sentenceText(right.text, place[2], place[3]) };
    const filter = tests.findIndex((drops) => drops(texts));
    const counts = [bead.left[1] - bead.left[0], bead.right[1] - bead.right[0]] as const;
    return [...place, ...counts, Number(bead.score.toFixed(4)), filter, ...keyOf(texts.left), ...keyOf(texts.right)];
  });
  return {
    left: pageOf(
      left,
      leftPlace,
      found.left,
      beads.reduce((sum, bead) => sum + bead[4], 0),
    ),
    right: pageOf(
      right,
      rightPlace,
      found.right,
      beads.reduce((sum, bead) => sum + bead[5], 0),
    ),
    by,
    score,
    isCapped: found.isCapped,
    beads,
  };
}

const print: Fingerprint = { hi: 0, lo: 0 };

function keyOf(text: string): [hi: number, lo: number] {
  fingerprint(sentenceKey(text), print);
  return [print.hi, print.lo];
}

function pageOf({ id, url }: CorpusRecord, place: PlacedPair['left'], sentences: readonly TextSentence[], partnered: number): AlignedPage {
  const chars = sentences.reduce((sum, { start, end }) => sum + end - start, 0);
  return { id, url, place, sentences: sentences.length, alone: sentences.length - partnered, chars };
}

/** The beads with sentences on both sides. */
function* bothSided({ beads }: TextAlignment): Generator<Bead> {
  for (const bead of beads) if (bead.left[1] > bead.left[0] && bead.right[1] > bead.right[0]) yield bead;
}

/** Offsets of a bead in both texts. */
function placeOf({ left, right }: TextAlignment, bead: Bead): [number, number, number, number] {
  return [
    left[bead.left[0]]?.start ?? 0,
    left[bead.left[1] - 1]?.end ?? 0,
    right[bead.right[0]]?.start ?? 0,
    right[bead.right[1] - 1]?.end ?? 0,
  ];
}
