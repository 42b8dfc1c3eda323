import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { FrontierEntry } from '../../../src/base/core/types.ts';
import { Exploration } from '../../../src/crawling/frontier/exploration.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import { fate, link, outlinks, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-explore-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HOSTS = 10;
const PAGES = 2000;
const clock = new VirtualClock();
const OPTIONS: FrontierOptions = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };

/** Page 0 has the greatest priority. */
const WEB = seeds(...Array.from({ length: PAGES }, (_, i) => link(`http://h${i % HOSTS}.test/${i}`, 1 - i / PAGES)));

function visit(frontier: Frontier, visits: number): FrontierEntry[] {
  return Array.from({ length: visits }, () => {
    const next = frontier.next();
    if (next.kind !== 'lease') throw new Error(`expected a lease, got ${next.kind}`);
    frontier.settle(next.lease, { kind: 'done', fate: fate('off-topic'), discovered: null, host: WELL });
    return next.lease.entry;
  });
}

function numberOf({ url }: FrontierEntry): number {
  return Number(url.slice(url.lastIndexOf('/') + 1));
}

function explored(share: number, seed: number, visits: number): FrontierEntry[] {
  const frontier = openMemoryFrontier({ ...OPTIONS, explore: { share, seed } });
  frontier.add(WEB);
  return visit(frontier, visits);
}

test('the share of visits is drawn from all that waits, the others go by priority', () => {
  const visits = explored(0.2, 1, 1000);
  const [chance, best] = [visits.filter((entry) => entry.explored), visits.filter((entry) => !entry.explored)];
  expect(chance.length).toBeGreaterThan(150);
  expect(chance.length).toBeLessThan(250);
  const places = best.map(numberOf);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  // Uniform over what waits: the best ones are gone, so the mean lies in the worse half.
  const mean = chance.reduce((sum, entry) => sum + numberOf(entry), 0) / chance.length;
  expect(mean).toBeGreaterThan(1000);
  expect(mean).toBeLessThan(1500);
});

test('no URL is visited twice, and all are in the end', () => {
  const visits = explored(0.5, 3, PAGES).map(numberOf);
  expect(new Set(visits).size).toBe(PAGES);
});

test('without a share nothing is by chance; the same seed draws the same, another others', () => {
  expect(explored(0, 1, 500).some((entry) => entry.explored)).toBe(false);
  const order = (seed: number) => explored(0.3, seed, 500).map(numberOf);
  expect(order(1)).toEqual(order(1));
  expect(order(1)).not.toEqual(order(2));
});

test('a host that rests, is leased or has its fill is not drawn', () => {
  const frontier = openMemoryFrontier({ ...OPTIONS, delay: 1000, maxPagesPerHost: 1, explore: { share: 1, seed: 1 } });
  frontier.add(WEB);
  const first = frontier.next();
  if (first.kind !== 'lease') throw new Error(first.kind);
  const others = visit(frontier, HOSTS - 1).map(({ host }) => host);
  expect(new Set([first.lease.entry.host, ...others]).size).toBe(HOSTS);
  frontier.settle(first.lease, { kind: 'done', fate: fate('kept'), discovered: null, host: WELL });
  clock.advance(5000);
  expect(frontier.next().kind).toBe('drained');
});

test('a crawl that is opened again draws what it would have drawn, and remembers which visits were by chance', async () => {
  const explore = { share: 0.3, seed: 5 };
  const whole = openMemoryFrontier({ ...OPTIONS, explore });
  whole.add(WEB);
  const expected = visit(whole, 400);
  const first = openLmdbFrontier(folder, { ...OPTIONS, explore });
  first.add(WEB);
  const begun = visit(first, 170);
  await first.commit({}, Promise.resolve());
  await first.close();
  const again = openLmdbFrontier(folder, { ...OPTIONS, explore });
  const went = [...begun, ...visit(again, 230)];
  expect(went.map(numberOf)).toEqual(expected.map(numberOf));
  const settled = [...again.settled()].map(({ entry }) => entry.explored ?? false);
  expect(settled).toEqual(expected.map((entry) => entry.explored ?? false));
  await again.close();
});

test('what a seed draws does not change from one version to the next, or a crawl that goes on would draw otherwise', () => {
  const exploration = new Exploration({ share: 0.5, seed: 7 });
  const urls = { size: 1000, isFree: (slot: number) => slot % 3 === 0, isListed: () => false, directoryOf: String };
  const drawn = Array.from({ length: 12 }, (_, turn) => exploration.draw(turn, urls)?.slot ?? null);
  expect(drawn).toEqual([543, null, 942, null, null, null, 894, null, 675, 762, 615, 294]);
});

/** The visits of a warm-up of ten. */
const isWarm = (turn: number) => turn < 40 && turn % 4 === 3;

test('a warm-up that cannot walk draws every fourth visit, spread over directories; the rest of the crawl is as without it', () => {
  // Nine of ten URLs are in one directory.
  const directoryOf = (slot: number) => (slot % 10 === 0 ? `d${slot % 7}` : 'large');
  const urls = { size: 1000, isFree: () => true, isListed: () => false, directoryOf };
  const exploration = new Exploration({ share: 0.5, seed: 7, warmUp: 10 });
  const drawn = Array.from({ length: 60 }, (_, turn) => exploration.draw(turn, urls));
  const warmUp = drawn.filter((_, turn) => isWarm(turn));
  expect(warmUp.every((visit) => visit?.warmUp === true)).toBe(true);
  expect(warmUp.filter((visit) => visit && directoryOf(visit.slot) === 'large').length).toBeLessThan(5);
  const without = new Exploration({ share: 0.5, seed: 7 });
  const others = [...drawn.keys()].filter((turn) => !isWarm(turn));
  expect(others.map((turn) => drawn[turn])).toEqual(others.map((turn) => without.draw(turn, urls)));
});

test('a warm-up is told from random visits, and is told so again after a restart', async () => {
  const path = join(folder, 'warm-up');
  const options = { ...OPTIONS, explore: { share: 0.2, seed: 5, warmUp: 10 } };
  const frontier = openLmdbFrontier(path, options);
  frontier.add(WEB);
  const visits = visit(frontier, 100);
  expect(visits.map(({ warmUp }) => warmUp ?? false)).toEqual(visits.map((_, i) => isWarm(i)));
  expect(visits.filter((_, i) => isWarm(i)).some(({ explored: byChance }) => byChance)).toBe(false);
  await frontier.commit({}, Promise.resolve());
  await frontier.close();
  const again = openLmdbFrontier(path, options);
  expect([...again.settled()].map(({ entry }) => entry.warmUp ?? false)).toEqual(visits.map((_, i) => isWarm(i)));
  await again.close();
});

/** Page `n` links to the pages `3n + 1` to `3n + 3`, whose priority is low; those divisible by 5 link to nothing. Beside them lie pages of high priority. */
const linksOf = (n: number) => (n % 5 === 0 && n > 0 ? [] : [1, 2, 3].map((i) => 3 * n + i));
const treeUrl = (n: number) => `http://tree.test/${n}`;

function walked(frontier: Frontier, visits: number): FrontierEntry[] {
  return Array.from({ length: visits }, () => {
    const next = frontier.next();
    if (next.kind !== 'lease') throw new Error(`expected a lease, got ${next.kind}`);
    const { entry } = next.lease;
    const links = entry.url.startsWith(treeUrl(0).slice(0, -1)) ? linksOf(numberOf(entry)) : [];
    const discovered =
      links.length > 0
        ? outlinks(
            entry.url,
            links.map((n) => link(treeUrl(n), 0.01)),
          )
        : null;
    frontier.settle(next.lease, { kind: 'done', fate: fate('off-topic'), discovered, host: WELL });
    return entry;
  });
}

const WALK = { ...OPTIONS, explore: { share: 0, seed: 5, warmUp: 10 } };
const ROOT = seeds(link(treeUrl(0), 1), ...Array.from({ length: 100 }, (_, i) => link(`http://best.test/a/${i}`, 0.9 - i / 1000)));

test('each step of a warm-up follows a link of the step before, and one without links leads back to its page', () => {
  const frontier = openMemoryFrontier(WALK);
  frontier.add(ROOT);
  const visits = walked(frontier, 40);
  const steps = visits.filter(({ warmUp }) => warmUp).map(numberOf);
  expect(steps.length).toBe(10);
  let here = 0;
  for (const step of steps) {
    expect(linksOf(here)).toContain(step);
    if (linksOf(step).length > 0) here = step;
  }
  expect(here).toBeGreaterThan(100);
  expect(steps.some((step) => linksOf(step).length === 0)).toBe(true);
});

test.each([2, 9, 21, 39])('a crawl that is opened again after %i visits walks on as one that was not closed', async (visits) => {
  const path = join(folder, `walk-${visits}`);
  const whole = openMemoryFrontier(WALK);
  whole.add(ROOT);
  const expected = walked(whole, 60).map(({ url }) => url);
  const first = openLmdbFrontier(path, WALK);
  first.add(ROOT);
  const begun = walked(first, visits);
  await first.commit({}, Promise.resolve());
  await first.close();
  const again = openLmdbFrontier(path, WALK);
  expect([...begun, ...walked(again, 60 - visits)].map(({ url }) => url)).toEqual(expected);
  await again.close();
});

test('where lists have named most of the waiting URLs, the warm-up draws from these', () => {
  const listed = Array.from({ length: 300 }, (_, n) => link(`http://tree.test/list/${n}`, 0.005, null, { tagPath: 'urlset>url>loc' }));
  const frontier = openMemoryFrontier(WALK);
  frontier.add(ROOT);
  frontier.add(outlinks('http://tree.test/sitemap.xml', listed));
  const steps = walked(frontier, 40).filter(({ warmUp }) => warmUp);
  expect(steps.length).toBe(10);
  expect(steps.every(({ url }) => url.includes('/list/'))).toBe(true);
});
