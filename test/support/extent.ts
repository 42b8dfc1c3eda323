/**
 * `npm test` runs a sample of what is long, the same on every machine. `npm run check -- tests` runs all of it, `npm run check -- long-tests` the
 * tests that `npm test` omits.
 */
const EXTENT = process.env['TEST_EXTENT'];

export const IS_LONG_ALONE = EXTENT === 'long';
export const IS_WHOLE = EXTENT === 'whole' || IS_LONG_ALONE;

/** Runs of a property. `npm test` draws the same inputs each time: the others would find nothing new after the first time. */
export function runs(whole: number): number {
  return IS_WHOLE ? whole : Math.ceil(whole / 10);
}

/** Rows of a table of tests, by their places in it. */
export function sample<T>(whole: readonly T[], places: readonly number[]): readonly T[] {
  return IS_WHOLE ? whole : whole.filter((_, place) => places.includes(place));
}

/** A size. */
export function size(whole: number, sampled: number): number {
  return IS_WHOLE ? whole : sampled;
}
