import { test } from 'vitest';
import { IS_WHOLE } from './extent.ts';

/** A test of some seconds beside shorter ones of the same behaviour: skipped by `npm test`, run by `npm run check -- tests`. */
export const wholeTest = test.skipIf(!IS_WHOLE);
