import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { tsvLine } from '../../base/text/table-cells.ts';
import type { PairFormatName } from '../formats/format-names.ts';
import type { SplitPart } from '../select/harvested-page.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import type { StoredSource } from '../select/stored-source.ts';
import type { AlignedBead, AlignedPage, AlignedPages } from './aligned-pages.ts';
import { PAIR_FILTERS, sentenceText } from './pair-filters.ts';
import type { PairsContext, PairWriter } from './pair-format.ts';
import { PAIR_FORMATS } from './pair-formats.ts';
import type { PairCounts } from './pairs-tally.ts';
import type { PairSide, SentencePair } from './sentence-pair.ts';

/** Pages that are in no pair, each with its reason; and the page pairs with their counts. */
const PAGES_TABLE = 'pages.tsv';
const PAGE_PAIRS_TABLE = 'page-pairs.tsv';

/** Sentence pairs of a page pair that are written. */
interface KeptPairs {
  readonly source: StoredSource;
  readonly isKept: (bead: number) => boolean;
  /** null without a split. */
  readonly part: SplitPart | null;
}

/** The tables of an output of sentence pairs, and its formats. */
export class PairsFiles {
  readonly #output: PairsContext;
  readonly #table: HashedFile;
  readonly #writers: readonly PairWriter[];

  private constructor(output: PairsContext, table: HashedFile, writers: readonly PairWriter[]) {
    [this.#output, this.#table, this.#writers] = [output, table, writers];
  }

  /** @throws StoreError */
  static async open(output: PairsContext, formats: readonly PairFormatName[]): Promise<PairsFiles> {
    const table = await output.folder.file(PAGE_PAIRS_TABLE);
    const reasons = PAIR_FILTERS.map(({ name }) => name);
    await table.write(
      tsvLine([
        ...['leftId', 'leftUrl', 'rightId', 'rightUrl', 'by', 'score', 'leftSentences', 'rightSentences', 'leftAlone', 'rightAlone'],
        ...['capped', 'aligned', ...reasons, 'written'],
      ]),
    );
    const writers: PairWriter[] = [];
    for (const name of formats) writers.push(await PAIR_FORMATS[name].open(output));
    return new PairsFiles(output, table, writers);
  }

  /** Writes a page pair with its counts, and its sentence pairs; null for none. @throws DataError, StoreError */
  async write(pages: AlignedPages, counts: PairCounts, kept: KeptPairs | null): Promise<void> {
    const { left, right, by, score } = pages;
    const numbers = [counts.sentences.left, counts.sentences.right, counts.alone.left, counts.alone.right, counts.capped, counts.aligned];
    const dropped = PAIR_FILTERS.map(({ name }) => counts.dropped[name] ?? 0);
    const names = [left.id, left.url, right.id, right.url, by, scoreText(score)];
    await this.#table.write(tsvLine([...names, ...[...numbers, ...dropped, counts.kept].map(String)]));
    if (kept === null) return;
    const texts = [kept.source.recordAt(left.place).text, kept.source.recordAt(right.place).text] as const;
    for (const [i, bead] of pages.beads.entries()) {
      if (!kept.isKept(i)) continue;
      const pair = sentencePair(pages, bead, texts, kept.part);
      for (const writer of this.#writers) await writer.write(pair);
    }
  }

  /** @param pagesTable path of the finished table of pages @throws StoreError */
  async finish(pagesTable: string): Promise<void> {
    const { folder } = this.#output;
    for (const writer of this.#writers) await writer.finish();
    await folder.finish(PAGE_PAIRS_TABLE);
    const copy = await folder.file(PAGES_TABLE);
    try {
      for await (const chunk of createReadStream(pagesTable)) await copy.write(chunk as Buffer);
    } catch (error) {
      throw storeErrorFrom(error, 'copying the table of pages', pagesTable);
    }
    await folder.finish(PAGES_TABLE);
  }
}

function sentencePair(
  { left, right, by, score: pagesScore }: AlignedPages,
  [leftStart, leftEnd, rightStart, rightEnd, leftCount, rightCount, score]: AlignedBead,
  [leftText, rightText]: readonly [string, string],
  part: SplitPart | null,
): SentencePair {
  return {
    id: createHash('sha256').update([left.id, leftStart, leftEnd, right.id, rightStart, rightEnd].join(' ')).digest('hex').slice(0, 16),
    left: sideOf(left, leftText, leftStart, leftEnd),
    right: sideOf(right, rightText, rightStart, rightEnd),
    score,
    kind: `${leftCount}-${rightCount}`,
    pagesBy: by,
    pagesScore: Number(scoreText(pagesScore)),
    ...(part !== null && { split: part }),
  };
}

function sideOf({ id, url }: AlignedPage, text: string, start: number, end: number): PairSide {
  return { text: sentenceText(text, start, end), id, url, start, end };
}

function scoreText(score: number): string {
  return String(Number(score.toFixed(4)));
}
