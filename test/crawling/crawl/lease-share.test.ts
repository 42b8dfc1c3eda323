import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LeaseShare } from '../../../src/crawling/crawl/lease-share.ts';

/** Number of leases of one turn. @param take takes the time of one */
function leasesOf(share: LeaseShare, take: () => void): number {
  for (let leases = 1; leases < 100; leases++) {
    take();
    if (share.isUsedUp()) return leases;
  }
  return Number.POSITIVE_INFINITY;
}

test('a turn has sixteen leases, or those of 5 ms after the first', async () => {
  let now = 0;
  const share = new LeaseShare(() => now);
  expect(leasesOf(share, () => undefined)).toBe(16);
  await turnOfLoop();
  expect(leasesOf(share, () => (now += 2))).toBe(4);
  await turnOfLoop();
  expect(leasesOf(share, () => (now += 50))).toBe(2);
});
