import { test } from 'vitest';
import { IS_LONG_ALONE, IS_WHOLE } from './extent.ts';

/**
 * A test of some seconds beside shorter ones of the same behaviour: skipped by `npm test`, run by `npm run check -- tests`. With
 * `npm run check -- long-tests` it alone of its file runs.
 */
export const wholeTest = IS_LONG_ALONE ? test.only : test.skipIf(!IS_WHOLE);
