/** How many labels a relabelling takes, and a comparison of two models. Pure. */

/** Labels of pages, skipped ones aside. */
export interface LabelKinds {
  readonly yes: number;
  readonly no: number;
}

/** Labels that are missing before a model trained with them is put in force. */
export interface MissingLabels extends LabelKinds {
  /** Of either kind, besides those. */
  readonly any: number;
}

/**
 * Fewer labels say less than the model they would change: two took 77 of 78 pages out of a corpus. As many as `few-examples` calls too few
 * examples.
 */
const LEAST = 5;
/** A topic of keywords has no pages yet, and the labels are to take the place of the query: the least that leaves one of a kind out and has two. */
const LEAST_OF_KEYWORDS = 3;

/** Labelled pages of each kind that a comparison takes: of five and five a ranking by chance is right once in 252 times, of three and three once in 20. */
export const LEAST_COMPARED = 5;

/** What is missing of the labels a topic is trained again with; null when there are enough. */
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
