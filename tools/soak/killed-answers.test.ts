/** Two moments of the soak; `npm run check -- kill-answers` has twenty. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { size } from '../../test/support/extent.ts';
import { wholeTest } from '../../test/support/whole-test.ts';
import { killedAnswers } from './killed-answers.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-killed-answers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

wholeTest('kill -9 while a person labels on the page: each confirmed answer is stored, and the crawl is sound and resumes', async () => {
  const moments = size(20, 2);
  const { faults, confirmed, inTraining } = await killedAnswers({ folder, moments, seed: 1, say: () => undefined });
  expect(faults).toEqual([]);
  expect(confirmed).toBeGreaterThan(moments);
  expect(inTraining).toBeGreaterThan(0);
});
