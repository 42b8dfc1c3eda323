/** A continuous crawl's revisits: as many as the budget allows, those that gain the most first, and politely. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { RefreshPlan } from '../../../src/base/core/refresh-plan.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl, HostKey, Lease, RecordId, RevisitResult } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { fate, link, outlinks, report, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const opened: Frontier[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((frontier) => frontier.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const aDay = (count: number): RefreshPlan => ({ target: 'age', budget: { kind: 'a-day', count } });

/** A clock whose date somebody sets. */
class DatedClock extends VirtualClock {
  ahead = 0;

  date(): number {
    return this.now() + this.ahead;
  }
}

/** A crawl that has kept pages, all at once, a minute ago. */
class Crawl {
  readonly clock = new DatedClock(BEGIN);
  frontier: Frontier;
  /** URLs of revisits, in order, with the hour of each. */
  readonly asked: { readonly url: string; readonly hour: number }[] = [];

  constructor(
    urls: readonly string[],
    open = (clock: VirtualClock): Frontier => openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: 1e9 }),
  ) {
    this.frontier = open(this.clock);
    opened.push(this.frontier);
    this.frontier.add(seeds(...urls.map((url) => link(url, 0.5))));
    for (const _ of urls) this.keep();
    this.clock.advance(MINUTE);
  }

  keep(): void {
    const one = this.lease();
    const kept = {
      relevance: 0.9,
      fetchedAt: this.clock.now(),
      recordId: one.entry.url as string as RecordId,
      payloadSha256: one.entry.url,
    };
    this.frontier.settle(one, { kind: 'done', fate: fate('kept', kept), discovered: null, host: WELL });
  }

  lease(): Lease {
    const next = this.frontier.next();
    if (next.kind === 'lease') return next.lease;
    if (next.kind === 'drained') throw new Error('expected a lease');
    this.clock.advance(next.until - this.clock.now());
    return this.lease();
  }

  /** Answers all revisits for some days. @param answer null: the request shows nothing */
  run(days: number, answer: (url: CanonicalUrl) => RevisitResult | null, what: 'all' | 'revisits' = 'all'): void {
    const end = this.clock.now() + days * DAY;
    for (;;) {
      const next = this.frontier.next(what);
      if (next.kind === 'drained') throw new Error('a continuous crawl is never drained');
      if (next.kind === 'wait') {
        if (next.until >= end) break;
        expect(next.until).toBeGreaterThan(this.clock.now());
        this.clock.advance(next.until - this.clock.now());
      } else {
        const { url, task } = next.lease.entry;
        if (task.kind !== 'revisit') throw new Error(`${url} is no revisit`);
        this.asked.push({ url, hour: (this.clock.now() - BEGIN) / HOUR });
        const result = answer(url);
        const revisit = result && { at: this.clock.date(), status: 200, result, version: null };
        this.frontier.settle(next.lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
      }
    }
    this.clock.advance(end - this.clock.now());
  }

  times(part: string): number {
    return this.asked.filter(({ url }) => url.includes(part)).length;
  }
}

const pages = (count: number, name = 'p') => Array.from({ length: count }, (_, i) => `http://${name}${i}.test/`);
const pagesOf = (host: string, count: number) => Array.from({ length: count }, (_, i) => `http://${host}/${i}`);
const atDelay = (clock: VirtualClock): Frontier => openMemoryFrontier({ clock, delay: 1000, maxPagesPerHost: 1e9 });

test('a budget of a number a day is that number, spread over the day', () => {
  const crawl = new Crawl(pages(10));
  crawl.frontier.refresh(aDay(24));
  crawl.run(10, () => 'same');
  // Its pages are new.
  expect(crawl.asked.filter(({ hour }) => hour < 0.9)).toEqual([]);
  expect(crawl.asked.length).toBeGreaterThanOrEqual(24 * 10 - 2);
  expect(crawl.asked.length).toBeLessThanOrEqual(24 * 10);
  const ofThird = crawl.asked.filter(({ hour }) => hour >= 48 && hour < 72).map(({ hour }) => hour);
  for (const [i, hour] of ofThird.entries()) if (i > 0) expect(hour - (ofThird[i - 1] ?? 0)).toBeCloseTo(1, 1);
});

test.each([
  [0.5, 12],
  [30, 24],
])('a crawl that is %d days old begins with the revisits of that time, of a day at most', (days, revisits) => {
  const crawl = new Crawl(pages(10));
  crawl.clock.advance(days * DAY - MINUTE);
  crawl.frontier.refresh(aDay(24));
  crawl.run(0.02, () => 'same');
  expect(crawl.asked).toHaveLength(revisits);
});

test('what was asked in the last day counts for a crawl that goes on', () => {
  const crawl = new Crawl(pages(10));
  crawl.frontier.refresh(aDay(24));
  crawl.run(0.5, () => 'same');
  const before = crawl.asked.length;
  crawl.frontier.refresh(aDay(24));
  crawl.run(0.5, () => 'same');
  expect(crawl.asked.length - before).toBeLessThanOrEqual(13);
});

test('a share of the pages a day grows with the pages', () => {
  const crawl = new Crawl(pages(40));
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'of-pages-a-day', share: 0.1 } });
  crawl.run(5, () => 'same');
  expect(crawl.asked.length).toBeGreaterThanOrEqual(4 * 5 - 1);
  expect(crawl.asked.length).toBeLessThanOrEqual(4 * 5);
});

test('a share of the requests leaves the others to new pages; without any, it is one of the pages a day', () => {
  const crawl = new Crawl(pages(10));
  crawl.frontier.add(
    outlinks(
      'http://p0.test/',
      pages(90, 'new').map((url) => link(url, 0.4)),
    ),
  );
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'of-requests', share: 0.1 } });
  const kinds: string[] = [];
  for (let i = 0; i < 100; i++) {
    const one = crawl.lease();
    kinds.push(one.entry.task.kind);
    if (one.entry.task.kind === 'page') {
      const kept = {
        relevance: 0.9,
        fetchedAt: crawl.clock.now(),
        recordId: one.entry.url as string as RecordId,
        payloadSha256: one.entry.url,
      };
      crawl.frontier.settle(one, { kind: 'done', fate: fate('kept', kept), discovered: null, host: WELL });
    } else {
      const revisit = { at: crawl.clock.now(), status: 200, result: 'same', version: null } as const;
      crawl.frontier.settle(one, { kind: 'revisited', revisit, discovered: null, host: WELL });
    }
    crawl.clock.advance(HOUR);
  }
  expect(kinds.filter((kind) => kind === 'revisit').length).toBe(10);
  crawl.run(10, () => 'same');
  // A tenth of the 100 pages a day.
  expect(crawl.asked.length).toBeGreaterThanOrEqual(98);
  expect(crawl.asked.length).toBeLessThanOrEqual(102);
});

test('pages that change are asked more often than pages that do not, and none is left out', () => {
  const crawl = new Crawl([...pages(10, 'still'), ...pages(10, 'busy')]);
  const rng = seededRng(1);
  crawl.frontier.refresh(aDay(2));
  crawl.run(200, (url) => (url.includes('busy') && rng() < 0.7 ? 'changed' : 'same'));
  expect(crawl.times('busy')).toBeGreaterThan(2 * crawl.times('still'));
  for (const url of pages(10, 'still')) expect(crawl.times(url)).toBeGreaterThan(0);
});

test('a page that is gone is asked again, much less often than the others', () => {
  const crawl = new Crawl(pages(10));
  crawl.frontier.refresh(aDay(5));
  crawl.run(100, (url) => (url.includes('p3') ? 'gone' : 'changed'));
  const others = (crawl.asked.length - crawl.times('p3')) / 9;
  expect(crawl.times('p3')).toBeGreaterThan(2);
  expect(crawl.times('p3')).toBeLessThan(others / 2);
});

test('a page whose requests show nothing does not take the turns of the others', () => {
  const crawl = new Crawl(pages(10));
  crawl.frontier.refresh(aDay(10));
  crawl.run(20, (url) => (url.includes('p3') ? null : 'same'));
  expect(crawl.times('p3')).toBeLessThan(crawl.asked.length / 5);
});

test('a host that is given up is not asked, and its pages take no revisits from the others', () => {
  const crawl = new Crawl(['http://bad.test/1', 'http://bad.test/2', 'http://good.test/']);
  crawl.frontier.refresh(aDay(10));
  const end = crawl.clock.now() + 10 * DAY;
  while (crawl.clock.now() < end) {
    const next = crawl.frontier.next();
    if (next.kind === 'wait') crawl.clock.advance(Math.max(1, next.until - crawl.clock.now()));
    if (next.kind !== 'lease') continue;
    const isGood = next.lease.entry.url.includes('good');
    crawl.asked.push({ url: next.lease.entry.url, hour: (crawl.clock.now() - BEGIN) / HOUR });
    const revisit = isGood ? ({ at: crawl.clock.now(), status: 200, result: 'same', version: null } as const) : null;
    crawl.frontier.settle(next.lease, { kind: 'revisited', revisit, discovered: null, host: isGood ? WELL : report('fault') });
  }
  expect(crawl.frontier.counts().hostsGivenUp).toBe(1);
  expect(crawl.times('good')).toBeGreaterThan(80);
});

test('the order of a crawl that was closed and opened is that of one that was not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-refreshing-'));
  folders.push(folder);
  const open = (clock: VirtualClock) => openLmdbFrontier(folder, { clock, delay: 0, maxPagesPerHost: 1e9 });
  const changes = (url: string) => url.includes('busy');
  const answer = (url: string): RevisitResult => (changes(url) ? 'changed' : 'same');
  const [closed, whole] = [
    new Crawl([...pages(5, 'still'), ...pages(5, 'busy')], open),
    new Crawl([...pages(5, 'still'), ...pages(5, 'busy')]),
  ];
  for (const crawl of [closed, whole]) {
    crawl.frontier.refresh(aDay(3));
    crawl.run(30, answer);
  }
  await closed.frontier.commit({}, Promise.resolve());
  await opened.splice(opened.indexOf(closed.frontier), 1)[0]?.close();
  closed.frontier = open(closed.clock);
  opened.push(closed.frontier);
  for (const crawl of [closed, whole]) {
    crawl.asked.length = 0;
    crawl.frontier.refresh(aDay(3));
    crawl.run(30, answer);
  }
  expect(closed.asked).toEqual(whole.asked);
  expect(closed.asked.length).toBeGreaterThan(80);
});

test('a list of URLs is asked again as it is: a list', () => {
  const crawl = new Crawl(pages(3));
  const list = { kind: 'list', list: 'feed', level: 0 } as const;
  crawl.frontier.add(outlinks('http://p0.test/', [link('http://p0.test/feed', 1, null, {}, list)]));
  const read = fate('fetched', { reason: { kind: 'list', list: 'feed', links: 3 }, fetchedAt: crawl.clock.now(), visited: false });
  crawl.frontier.settle(crawl.lease(), { kind: 'done', fate: read, discovered: null, host: WELL });
  crawl.frontier.refresh(aDay(2));
  const tasks = new Map<string, unknown>();
  for (let i = 0; i < 8; i++) {
    const next = crawl.frontier.next();
    if (next.kind === 'wait') crawl.clock.advance(next.until - crawl.clock.now());
    if (next.kind !== 'lease') continue;
    tasks.set(next.lease.entry.url, next.lease.entry.task);
    const revisit = { at: crawl.clock.now(), status: 200, result: 'same', version: null } as const;
    crawl.frontier.settle(next.lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
  }
  expect(tasks.get('http://p0.test/feed')).toEqual({ kind: 'revisit', of: 'list', list });
  expect(tasks.get('http://p1.test/')).toMatchObject({ kind: 'revisit', of: 'page' });
  expect(crawl.frontier.standing(urlOf('http://p0.test/feed'))).toMatchObject({ state: 'fetched' });
});

test('a host with more due pages than it may be asked for makes nobody look again at once, also with --revisit', () => {
  for (const age of [null, 0]) {
    const crawl = new Crawl(pagesOf('one.test', 400), atDelay);
    if (age !== null) crawl.frontier.revisit(crawl.clock.now() - age);
    crawl.frontier.refresh(aDay(400));
    // `run` expects that each wait ends later than now.
    crawl.run(2, () => 'same');
    expect(crawl.asked.length).toBeGreaterThan(age === null ? 700 : 1100);
  }
});

test('a host that must rest for an hour after each request keeps no other waiting', () => {
  const crawl = new Crawl([...pagesOf('slow.test', 400), ...pages(100)], atDelay);
  crawl.frontier.setHostDelay('http://slow.test' as HostKey, HOUR);
  crawl.frontier.refresh(aDay(500));
  crawl.run(3, () => 'same');
  expect(crawl.asked.length - crawl.times('slow')).toBeGreaterThan(1000);
  expect(crawl.times('slow')).toBeGreaterThan(60);
});

test('where no new page may be visited, a share of the requests is one of the pages a day, although new ones wait', () => {
  const crawl = new Crawl(pages(50));
  const found = pages(20, 'new').map((url) => link(url, 0.4));
  crawl.frontier.add(outlinks('http://p0.test/', found));
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'of-requests', share: 0.1 } });
  crawl.run(10, () => 'same', 'revisits');
  expect(crawl.asked.length).toBeGreaterThanOrEqual(49);
  expect(crawl.asked.length).toBeLessThanOrEqual(51);
});

test('a new page that waits for long holds back a share of the requests for a day', () => {
  const crawl = new Crawl(pages(50));
  crawl.frontier.setHostDelay('http://new0.test' as HostKey, 5 * DAY);
  crawl.frontier.add(outlinks('http://p0.test/', [link('http://new0.test/1', 0.4), link('http://new0.test/2', 0.4)]));
  crawl.keep();
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'of-requests', share: 0.1 } });
  crawl.run(4, () => 'same');
  // A tenth of the 51 pages a day, from the second day.
  expect(crawl.asked[0]?.hour).toBeGreaterThan(23);
  expect(crawl.asked.length).toBeGreaterThanOrEqual(14);
  expect(crawl.asked.length).toBeLessThanOrEqual(16);
});

test('daily runs with a new page that waits for long revisit as one long run does', () => {
  const crawl = new Crawl(pages(50));
  crawl.frontier.setHostDelay('http://new0.test' as HostKey, 50 * DAY);
  crawl.frontier.add(outlinks('http://p0.test/', [link('http://new0.test/1', 0.4), link('http://new0.test/2', 0.4)]));
  crawl.keep();
  for (let day = 0; day < 10; day++) {
    crawl.frontier.refresh({ target: 'age', budget: { kind: 'of-requests', share: 0.1 } });
    crawl.run(0.9, () => 'same');
    crawl.clock.advance(0.1 * DAY);
  }
  // A tenth of the 51 pages a day.
  expect(crawl.asked.length).toBeGreaterThanOrEqual(40);
  expect(crawl.asked.length).toBeLessThanOrEqual(51);
});

test('a budget of one page a day is kept to by a crawl of many pages', () => {
  const crawl = new Crawl(pages(1500));
  crawl.frontier.refresh(aDay(1));
  crawl.run(20, () => 'same');
  expect(crawl.asked.length).toBeGreaterThanOrEqual(20);
  expect(crawl.asked.length).toBeLessThanOrEqual(21);
});

test.each([400, -400])('a date that somebody sets on or back by %d days stops no revisit, in this run or the next', (days) => {
  const crawl = new Crawl(pages(10));
  crawl.frontier.refresh(aDay(10));
  crawl.run(2, () => 'same');
  for (const ahead of [days * DAY, 0]) {
    crawl.clock.ahead = ahead;
    crawl.asked.length = 0;
    crawl.run(10, () => 'same');
    for (const url of pages(10)) expect(crawl.times(url)).toBeGreaterThan(5);
    crawl.frontier.refresh(aDay(10));
  }
});

test('a crawl that has kept few pages asks none of them more than once an hour by a share of the requests', () => {
  const crawl = new Crawl(pages(3));
  const found = pages(1000, 'new').map((url) => link(url, 0.4));
  crawl.frontier.add(outlinks('http://p0.test/', found));
  crawl.frontier.refresh({ target: 'age', budget: { kind: 'of-requests', share: 0.1 } });
  let revisits = 0;
  for (let i = 0; i < 1000; i++) {
    const one = crawl.lease();
    const at = crawl.clock.now();
    if (one.entry.task.kind === 'page')
      crawl.frontier.settle(one, { kind: 'done', fate: fate('off-topic', { relevance: 0, fetchedAt: at }), discovered: null, host: WELL });
    else {
      revisits += 1;
      const revisit = { at, status: 200, result: 'same', version: null } as const;
      crawl.frontier.settle(one, { kind: 'revisited', revisit, discovered: null, host: WELL });
    }
    crawl.clock.advance(10_000);
  }
  // 10,000 seconds.
  expect(revisits).toBeGreaterThanOrEqual(6);
  expect(revisits).toBeLessThanOrEqual(9);
});

test('visits are drawn at random also while a page that is due waits for its host', () => {
  const explored = (clock: VirtualClock) =>
    openMemoryFrontier({ clock, delay: HOUR, maxPagesPerHost: 1e9, explore: { share: 1, seed: 1 } });
  const crawl = new Crawl(pagesOf('one.test', 2), explored);
  crawl.clock.advance(DAY);
  // The host has just been asked.
  crawl.frontier.add(seeds(link('http://one.test/last', 0.5)));
  crawl.keep();
  const found = pages(20, 'new').map((url) => link(url, 0.4));
  crawl.frontier.add(outlinks('http://one.test/0', found));
  crawl.frontier.refresh(aDay(2));
  const isDrawn = found.slice(10).map(() => crawl.lease().entry.explored === true);
  expect(crawl.frontier.due).toBe(2);
  expect(isDrawn).toEqual(found.slice(10).map(() => true));
});
