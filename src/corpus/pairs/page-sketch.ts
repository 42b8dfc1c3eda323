/** A page as the pairing remembers it: about a kilobyte, however long its text. */
import type { CanonicalUrl, CorpusRecord } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { alphabetLength, type TextMarks, textMarks } from './page-marks.ts';

/** 0 for the first language of a pair, 1 for the second. */
export type Side = 0 | 1;

export interface PageSketch extends TextMarks {
  readonly url: CanonicalUrl;
  readonly side: Side;
  /** Hash of the whole text: equal texts are no translations. */
  readonly textHash: number;
  /** Length of the text, in letters of an alphabet. */
  readonly length: number;
}

/** O(length of the text). */
export function pageSketch({ url, text }: Pick<CorpusRecord, 'url' | 'text'>, side: Side): PageSketch {
  return { url, side, textHash: hashText(text, 0, text.length), length: alphabetLength(text), ...textMarks(text) };
}
