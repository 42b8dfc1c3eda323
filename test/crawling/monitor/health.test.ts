import { expect, test } from 'vitest';
import { LONGEST_WAIT } from '../../../src/base/core/failure-policy.ts';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import { RunningCrawl } from '../../../src/crawling/crawl/running.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { HealthWatch } from '../../../src/crawling/monitor/health.ts';
import { listenAddress } from '../../../src/crawling/monitor/listen.ts';
import { link, seeds, urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function watched() {
  const clock = new VirtualClock(0);
  const running = new RunningCrawl(clock);
  const frontier = openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
  frontier.add(seeds(link('http://a.test/', 1)));
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  const watch = new HealthWatch();
  return { clock, running, lease: next.lease, watch, look: () => watch.look(running, clock.now()) };
}

function settledAt(at: number): CrawlEvent {
  return { type: 'settled', at, url: urlOf('http://a.test/'), settlement: 'done', fate: 'kept', reason: '', status: 200, relevance: 1 };
}

test('a crawl that is being opened is not healthy yet', () => {
  expect(new HealthWatch().look(null, 0)).toEqual({ healthy: false, reason: 'the crawl is being opened' });
});

test('healthy while visits begin, go on and end; not when nothing happens for longer than any step may take', () => {
  const { clock, running, lease, look } = watched();
  const visit = running.begin(lease);
  clock.advance(200_000);
  expect(look()).toEqual({ healthy: true, reason: '1 running visits' });
  clock.advance(1);
  expect(look()).toEqual({ healthy: false, reason: 'nothing has happened for 200 s, with 1 running visits' });
  visit.at('read');
  expect(look().healthy).toBe(true);
});

test('hosts that rest for hours are lawful, as long as nothing hangs besides', () => {
  const { clock, running, lease, look } = watched();
  running.waiting = { for: 'hosts', until: 5_000_000 };
  clock.advance(3_600_000);
  expect(look()).toEqual({ healthy: true, reason: '0 running visits, hosts are resting' });
  const visit = running.begin(lease);
  clock.advance(300_000);
  expect(look().healthy).toBe(false);
  running.end(visit);
  expect(look().healthy).toBe(true);
});

test('a wait that no rule has is told: a clock that was wrong, or a loop that did not go on', () => {
  const { clock, running, lease, watch, look } = watched();
  const start = clock.now();
  running.waiting = { for: 'hosts', until: start + LONGEST_WAIT + 10_000 };
  expect(look().healthy).toBe(true);
  running.waiting = { for: 'hosts', until: start + 400 * 24 * 3_600_000 };
  expect(look()).toMatchObject({ healthy: false, reason: expect.stringContaining('no host may be asked for 34560000 s') });
  expect(watch.look(running, start, 400 * 24 * 3_600_000).healthy).toBe(true);
  running.waiting = { for: 'hosts', until: Number.POSITIVE_INFINITY };
  expect(look()).toMatchObject({ healthy: false, reason: expect.stringContaining('no host may be asked for ever') });
  const visit = running.begin(lease);
  expect(look().healthy).toBe(true);
  running.end(visit);

  running.waiting = { for: 'hosts', until: clock.now() + 60_000 };
  clock.advance(60_000 + 200_000);
  expect(look().healthy).toBe(true);
  clock.advance(1);
  expect(look()).toEqual({ healthy: false, reason: 'a host was due 200 s ago, but nothing has happened' });
});

test('commits that stay out, a failed one, and a full disk', () => {
  const { clock, running, watch, look } = watched();
  watch.take(settledAt(clock.now()));
  clock.advance(30_000);
  watch.take(settledAt(clock.now()));
  expect(look().healthy).toBe(true);
  clock.advance(1);
  expect(look()).toEqual({ healthy: false, reason: 'no commit has succeeded for 30 s' });
  watch.take({ type: 'committed', at: clock.now(), settlements: 1, ms: 5 });
  expect(look().healthy).toBe(true);
  clock.advance(30_001);
  expect(look().reason).toContain('no commit has succeeded');
  watch.take({ type: 'committed', at: clock.now(), settlements: 1, ms: 5 });
  clock.advance(30_001);
  expect(look().healthy).toBe(true);
  running.waiting = { for: 'room' };
  expect(look().reason).toContain('the disk is nearly full');
  running.failure = 'no space left';
  expect(look()).toEqual({ healthy: false, reason: 'no space left' });
});

test('addresses', () => {
  expect(listenAddress('--metrics', '9464', 9464)).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(listenAddress('--metrics', '0.0.0.0:80', 9464)).toEqual({ host: '0.0.0.0', port: 80 });
  expect(listenAddress('--metrics', '[::1]:9464', 9464)).toEqual({ host: '::1', port: 9464 });
  expect(listenAddress('--metrics', 'my-host.example:0', 9464)).toEqual({ host: 'my-host.example', port: 0 });
  for (const wrong of ['', 'x', '1:2:3', '70000', '127.0.0.1', '127.0.0.1:', '-1', '80 '])
    expect(() => listenAddress('--metrics', wrong, 9464)).toThrow(/not a port/);
});

test('a paused crawl is healthy, however long it rests', () => {
  const { clock, running, look } = watched();
  running.waiting = { for: 'leave' };
  clock.advance(10_000_000);
  expect(look()).toEqual({ healthy: true, reason: '0 running visits, paused' });
});
