/** Number of examples that a topic model needs: one figure for every place that advises a person. */
import { DataError } from '../../base/core/errors.ts';

/**
 * Number of examples that are enough. With fewer, a model changes much from one draw of examples to the next (on 8 topics, 5 examples gave
 * average precision .854 inside the host, 20 gave .891, plain tag stripping).
 */
export const ENOUGH_EXAMPLES = 20;
/** Words of all examples together. 99 of 100 pages of the bundled background have more each; two lines of prose have some thirty. */
const LEAST_WORDS = 100;

/** @throws DataError if the texts of all examples have so few words that a model would be of chance */
export function refuseFewWords(pages: number, words: number): void {
  if (words >= LEAST_WORDS || pages === 0) return;
  const of = pages === 1 ? 'the only example has' : `all ${pages} examples have`;
  throw new DataError(
    `${of} ${words === 0 ? 'no word of text' : `${words} words`}, too few to learn from (at least ${LEAST_WORDS}); give whole pages, ${ENOUGH_EXAMPLES} or more, or words of the subject with --keywords "peat bog, sphagnum"`,
  );
}

/** The advice for so many pages with text; null if they are enough. */
export function fewExamplesText(pages: number): string | null {
  return pages >= ENOUGH_EXAMPLES ? null : `${pages} example pages with text are few; ${ENOUGH_EXAMPLES} or more make a steadier model`;
}
