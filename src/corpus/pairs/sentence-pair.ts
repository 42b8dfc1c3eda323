import type { CanonicalUrl, RecordId, Unit } from '../../base/core/types.ts';
import type { Member } from '../select/corpus-columns.ts';
import type { SplitPart } from '../select/harvested-page.ts';
import type { PairedBy } from './page-evidence.ts';

/** One side of a sentence pair: a place in the main text of a page, and its text in one line. */
export interface PairSide {
  readonly text: string;
  readonly id: RecordId;
  readonly url: CanonicalUrl;
  /** Offsets of UTF-16 code units in the main text. */
  readonly start: number;
  readonly end: number;
}

/** A sentence pair as it is written, in all formats. */
export interface SentencePair {
  /** Follows from the records and the offsets of both sides. */
  readonly id: string;
  readonly left: PairSide;
  readonly right: PairSide;
  /** Probability that both texts translate each other, by the table that was learned from these pages. */
  readonly score: Unit;
  /** Numbers of sentences on both sides, such as `2-1`. */
  readonly kind: string;
  readonly pagesBy: PairedBy;
  readonly pagesScore: Unit;
  /** Absent without a split. */
  readonly split?: SplitPart;
}

/** A sentence pair as a row of a table. */
export type PairRow = Readonly<Record<string, string | number>>;

/** The columns of the tables. @param hasSplit are the pairs in parts? */
export function pairColumns(hasSplit: boolean): readonly Member[] {
  const column = (name: string, type: 'string' | 'text' | 'int32' | 'double', help: string): Member => ({
    name,
    type,
    nullable: false,
    help,
  });
  const ofSide = (side: 'left' | 'right') => [
    column(`${side}Id`, 'string', `id of the record of the ${side} page`),
    column(`${side}Url`, 'string', 'its URL'),
    column(`${side}Start`, 'int32', 'offset of the text in its main text, in UTF-16 units'),
    column(`${side}End`, 'int32', 'offset behind the text'),
  ];
  return [
    column('left', 'text', 'text in the first language'),
    column('right', 'text', 'text in the second language'),
    column('score', 'double', 'how likely both translate each other, from 0 to 1, by the model alone'),
    column('kind', 'string', 'numbers of sentences on both sides'),
    column('id', 'string', 'id of the pair'),
    ...ofSide('left'),
    ...ofSide('right'),
    column('pagesBy', 'string', 'evidence by which the pages are a pair'),
    column('pagesScore', 'double', 'score of the page pair, from 0 to 1'),
    ...(hasSplit ? [column('split', 'string', 'part of the split')] : []),
  ];
}

export function pairRow({ left, right, score, kind, id, pagesBy, pagesScore, split }: SentencePair): PairRow {
  return {
    left: left.text,
    right: right.text,
    score,
    kind,
    id,
    leftId: left.id,
    leftUrl: left.url,
    leftStart: left.start,
    leftEnd: left.end,
    rightId: right.id,
    rightUrl: right.url,
    rightStart: right.start,
    rightEnd: right.end,
    pagesBy,
    pagesScore,
    ...(split && { split }),
  };
}
