/** The share of a budget that failed: visits alone are counted, since other requests spend nothing of it. */
import { expect, test } from 'vitest';
import type { Fate } from '../../../src/base/core/types.ts';
import { failedVisitsText } from '../../../src/study/inspect/failed-visits.ts';
import { FateTally } from '../../../src/study/inspect/tally.ts';

const fate: Fate = {
  state: 'failed',
  reason: 'timeout',
  relevance: null,
  status: null,
  fetchedAt: 1,
  recordId: null,
  payloadSha256: null,
  page: null,
  visited: true,
};

test('pages that do not answer, dead links and broken hosts are counted by cause; files that are no visit and refusals are not', () => {
  const tally = new FateTally({ threshold: 0.5, topics: [] });
  const ends: Partial<Fate>[] = [
    { reason: 'timeout' },
    { reason: 'http-4xx', status: 410 },
    { reason: 'http-4xx', status: 410 },
    { reason: 'tls' },
    { reason: 'connect' },
    { reason: 'timeout', visited: false },
    { state: 'refused', reason: 'content-type', status: 200 },
    { state: 'kept', reason: 'content-type', relevance: 0.9, status: 200 },
  ];
  for (const end of ends) tally.add({ ...fate, ...end });
  expect(failedVisitsText(8, tally.counts().failures)).toBe('5 of 8 visits failed (62.5 %): 2 HTTP 410, 1 connect, 1 timeout, 1 other');
});
