/** The number of labels that a relabelling needs, and that a comparison of two models needs. Pure. */

/** Labels of pages, without skipped ones. */
export interface LabelKinds {
  readonly yes: number;
  readonly no: number;
}

/** Labels that are missing before a model trained with them can be activated. */
export interface MissingLabels extends LabelKinds {
  /** Labels of either kind that are missing in addition to those. */
  readonly any: number;
}

/**
 * Fewer labels know less than the model that they would change: two removed 77 of 78 pages from a corpus. Equal to the number that `few-examples`
 * calls too few.
 */
const LEAST = 5;
/** A topic of keywords has no pages yet, and the labels will replace the query: the smallest number that leaves two of a kind after one is held out. */
const LEAST_OF_KEYWORDS = 3;

/**
 * Number of labelled pages of each kind that a comparison needs: with five and five, a random ranking is right once in 252 times; with three and
 * three, once in 20.
 */
export const LEAST_COMPARED = 5;

/** The labels that are missing before a topic can be trained again; null if there are enough. */
export function missingLabels({ yes, no }: LabelKinds, ofKeywords: boolean): MissingLabels | null {
  const least = ofKeywords ? LEAST_OF_KEYWORDS : 0;
  const missing = { yes: Math.max(0, least - yes), no: Math.max(0, least - no) };
  const any = Math.max(0, LEAST - yes - no - missing.yes - missing.no);
  return missing.yes + missing.no + any === 0 ? null : { ...missing, any };
}

/** `2 more y and 1 more n`. */
export function missingText({ yes, no, any }: MissingLabels): string {
  const parts = [yes > 0 ? `${yes} more y` : [], no > 0 ? `${no} more n` : [], any > 0 ? `${any} more y or n` : []].flat();
  return parts.join(' and ');
}
