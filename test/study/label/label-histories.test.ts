import { expect, test } from 'vitest';
import { size } from '../../support/extent.ts';
import { coverageOf } from './histories-coverage.ts';

const HISTORIES = size(200, 8);

/** `npm run check -- estimates` takes 200 histories, and other bounds. */
test('in random histories each random answer counts, and the intervals hold the truth', { timeout: 120_000 }, async () => {
  const { coverage, uncounted } = await coverageOf(5000, HISTORIES);
  expect(uncounted).toEqual([]);
  const [held, figures] = (['held', 'figures'] as const).map((name) => coverage.reduce((sum, one) => sum + one[name], 0));
  expect(figures).toBeGreaterThan(HISTORIES);
  // Of 50 figures, an interval that holds 95 of 100 truths holds fewer than 42 once in 2,000 times. The histories are the same each time.
  expect((held ?? 0) / (figures ?? 1)).toBeGreaterThan(0.84);
});
