/** What a worker tells the others of its queue. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { HostKey, Lease, Ms } from '../../../src/base/core/types.ts';
import { openLoggedFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { LoggedFrontier } from '../../../src/crawling/frontier/logged-frontier.ts';
import { MemoryLog } from '../../support/frontier-log.ts';
import { fate, link, report, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const DELAY: Ms = 1_000;
const SOON: Ms = 20_000;
const AWAY = 'http://away.test';
const folder = mkdtempSync(join(tmpdir(), 'forager-best-'));
let frontier: LoggedFrontier;
let number = 0;
const clock = new VirtualClock();

function open(): void {
  const share = { isAway: (host: HostKey) => host === AWAY, held: () => [0] };
  const options = { clock, delay: DELAY, maxPagesPerHost: 3 };
  frontier = openLoggedFrontier(join(folder, String(++number)), options, null, new MemoryLog().end(share.held), share);
}

afterEach(() => frontier.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lease(): Lease {
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error(`nothing to lease: ${next.kind}`);
  return next.lease;
}

const done = { kind: 'done', fate: fate('kept'), discovered: null, host: WELL } as const;

test('the best priority is that of a URL that may be requested soon, or whose host is leased or rests until then', () => {
  open();
  expect(frontier.best(SOON)).toBeNull();
  expect(frontier.anyWaiting).toBe(false);
  frontier.add(seeds(link('http://a.test/1', 0.75), link('http://a.test/2', 0.5), link('http://b.test/1', 0.25)));
  expect(frontier.best(SOON)).toBe(0.75);
  const leased = lease();
  expect(frontier.best(SOON)).toBe(0.5);
  frontier.settle(leased, done);
  expect(frontier.best(SOON)).toBe(0.5);
  expect(frontier.best(DELAY - 1)).toBe(0.25);
  expect(frontier.anyWaiting).toBe(true);
});

test('neither hosts of others nor those that rest longer or are full have a best URL', () => {
  open();
  frontier.add(seeds(link(`${AWAY}/1`, 1), link('http://a.test/1', 0.75), link('http://a.test/2', 0.5)));
  expect(frontier.best(SOON)).toBe(0.75);
  frontier.settle(lease(), { ...done, host: report('busy', { retryAfter: 60_000 }) });
  expect(frontier.best(SOON)).toBeNull();
  expect(frontier.anyWaiting).toBe(true);
  // A rest ends a millisecond late: times are cut to whole ones.
  clock.advance(60_001 - SOON);
  expect(frontier.best(SOON)).toBe(0.5);
  clock.advance(SOON);
  frontier.settle(lease(), done);
  frontier.add(seeds(link('http://a.test/3', 0.5), link('http://a.test/4', 0.5)));
  clock.advance(DELAY + 1);
  expect(frontier.best(SOON)).toBe(0.5);
  frontier.settle(lease(), done);
  expect(frontier.best(SOON)).toBeNull();
});

test('hosts of one address have the best URL of all of them while one is asked', () => {
  open();
  frontier.add(seeds(link('http://a.test/1', 0.75), link('http://b.test/1', 0.5)));
  const first = lease();
  expect(frontier.join(first, ['ip 192.0.2.1'])).toBe(true);
  const second = lease();
  expect(frontier.join(second, ['ip 192.0.2.1'])).toBe(false);
  frontier.settle(second, { kind: 'released', host: null });
  expect(frontier.best(SOON)).toBe(0.5);
  frontier.settle(first, done);
  expect(frontier.best(SOON)).toBe(0.5);
});
