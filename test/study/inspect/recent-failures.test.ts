/** Only failures of the last ten minutes count, whatever came before. */
import { expect, test } from 'vitest';
import { RecentFailureTally } from '../../../src/study/inspect/recent-failures.ts';

const MINUTE = 60_000;
const failed = (at: number, reason: string, status: number | null = null) => ({ state: 'failed', reason, status, fetchedAt: at }) as const;

test('the last ten minutes before the last request, or before now', () => {
  const tally = new RecentFailureTally();
  tally.add(failed(1 * MINUTE, 'dns'));
  tally.add(failed(5 * MINUTE, 'timeout'));
  tally.add(failed(6 * MINUTE, 'http-client', 404));
  tally.add(failed(6 * MINUTE, 'http-client', 404));
  tally.add({ state: 'kept', reason: '', status: 200, fetchedAt: 11 * MINUTE });
  expect(tally.recent(null)).toEqual({ until: '1970-01-01T00:11:00.000Z', counts: { 'HTTP 404': 2, timeout: 1 } });
  expect(tally.recent(15 * MINUTE)).toEqual({ until: '1970-01-01T00:15:00.000Z', counts: { 'HTTP 404': 2 } });
  expect(tally.recent(16 * MINUTE).counts).toEqual({});
});

test('nothing was requested', () => {
  const tally = new RecentFailureTally();
  tally.add({ state: 'failed', reason: 'dns', status: null, fetchedAt: null });
  expect(tally.recent(null)).toEqual({ until: null, counts: {} });
});
