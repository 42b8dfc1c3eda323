/** What a frontier does with URLs of parked patterns, in memory and in LMDB. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { DiscoveredLink, Lease } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import { runs, size } from '../../support/extent.ts';
import { fate, link, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-parked-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(root, String(++folders));

const clock = new VirtualClock();
const OPTIONS: FrontierOptions = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true };
const KINDS = {
  memory: (known: Partial<FrontierOptions>) => openMemoryFrontier({ ...OPTIONS, ...known }),
  lmdb: (known: Partial<FrontierOptions>) => openLmdbFrontier(newFolder(), { ...OPTIONS, ...known }),
};

const DAY = 'http://a.test/day/';
const day = (n: number, priority = 0.5) => link(`${DAY}${n}`, priority);

function lease(frontier: Frontier): Lease | null {
  const next = frontier.next();
  return next.kind === 'lease' ? next.lease : null;
}

/** An off-topic page whose links are these. */
function settleOff(frontier: Frontier, taken: Lease, links: readonly DiscoveredLink[]): void {
  const discovered = outlinks(taken.entry.url, links, { depth: taken.entry.depth + 1, offTopicDepth: 1 });
  frontier.settle(taken, { kind: 'done', fate: fate('off-topic', { relevance: 0.1 }), discovered, host: WELL });
}

function settleOn(frontier: Frontier, taken: Lease, links: readonly DiscoveredLink[]): void {
  frontier.settle(taken, {
    kind: 'done',
    fate: fate('kept', { relevance: 0.9 }),
    discovered: outlinks(taken.entry.url, links),
    host: WELL,
  });
}

/** Walks into a calendar that links two days on, until none of its days is given any more. @returns the days visited. */
function walk(frontier: Frontier): number[] {
  const visited: number[] = [];
  for (let taken = lease(frontier); taken?.entry.url.startsWith(DAY); taken = lease(frontier)) {
    const n = Number(taken.entry.url.slice(DAY.length));
    visited.push(n);
    settleOff(frontier, taken, [day(2 * n), day(2 * n + 1)]);
    expect(visited.length).toBeLessThan(100);
  }
  return visited;
}

const parkedUrls = (frontier: Frontier) => [...frontier.ledger()].filter(({ state }) => state === 'parked').map(({ url }) => url);

describe.each(Object.entries(KINDS))('%s frontier', (_kind, open) => {
  test('URLs of a parked pattern are not leased, and told in the ledger; there is no reason to wait for them', async () => {
    const frontier = open({});
    frontier.add(seeds(day(1)));
    expect(walk(frontier)).toHaveLength(24);
    expect(frontier.next()).toEqual({ kind: 'drained' });
    const { discovered, waiting, offTopic, parked } = frontier.counts();
    expect({ discovered, waiting, offTopic, parked }).toEqual({ discovered: 49, waiting: 25, offTopic: 24, parked: 25 });
    expect(parkedUrls(frontier)).toHaveLength(25);
    expect(frontier.find(urlOf(`${DAY}49`))?.line).toMatchObject({
      state: 'parked',
      reason: 'pattern http://a.test/day/#: 24 off-topic pages that lead only to more of them, of 24 in a row',
    });
    await frontier.close();
  });

  test('other URLs of the host go on', async () => {
    const frontier = open({});
    frontier.add(outlinks('http://p.test/', [link('http://a.test/other', 0.1), day(1)], { offTopicDepth: 1 }));
    walk(frontier);
    const left = frontier.find(urlOf('http://a.test/other'))?.line;
    expect(left?.state).toBe('leased');
    await frontier.close();
  });

  test('a better link from an on-topic page is another matter, and so is a worse one', async () => {
    for (const priority of [0.9, 0.1]) {
      const frontier = open({});
      frontier.add(seeds(day(1)));
      walk(frontier);
      const [parked = urlOf(DAY)] = parkedUrls(frontier);
      frontier.add(outlinks('http://good.test/', [link(parked, priority)]));
      expect(frontier.counts().parked).toBe(24);
      expect(lease(frontier)?.entry.url).toBe(parked);
      await frontier.close();
    }
  });

  test('an on-topic page in it lets the pattern go, with all that waits', async () => {
    const frontier = open({});
    frontier.add(seeds(day(1)));
    walk(frontier);
    const [parked = urlOf(DAY)] = parkedUrls(frontier);
    frontier.add(outlinks('http://good.test/', [link(parked, 0.9)]));
    const taken = lease(frontier);
    if (taken) settleOn(frontier, taken, []);
    expect(parkedUrls(frontier)).toEqual([]);
    expect(frontier.counts()).toMatchObject({ waiting: 24, parked: 0 });
    expect(walk(frontier).length).toBeGreaterThan(20);
    await frontier.close();
  });

  test('seeds, redirected seeds and URLs of the past day are not held back', async () => {
    const frontier = open({});
    frontier.add(seeds(day(1)));
    walk(frontier);
    frontier.add(seeds(day(1_000_000)));
    expect(lease(frontier)?.entry.url).toBe(`${DAY}1000000`);
    await frontier.close();
  });

  test('a host that meets its page cap meanwhile is counted once', async () => {
    const frontier = open({ maxPagesPerHost: 25 });
    frontier.add(seeds(day(1)));
    walk(frontier);
    expect(frontier.next()).toEqual({ kind: 'drained' });
    frontier.add(seeds(link('http://a.test/other', 1), link('http://a.test/more', 1)));
    const other = lease(frontier);
    if (other) settleOff(frontier, other, []);
    expect(frontier.next()).toEqual({ kind: 'drained' });
    expect(frontier.counts()).toMatchObject({ waiting: 26, parked: 26 });
    expect(frontier.unpark('all')).toEqual([`${DAY}#`]);
    expect(frontier.next()).toEqual({ kind: 'drained' });
    expect(frontier.counts()).toMatchObject({ waiting: 26, parked: 26 });
    await frontier.close();
  });

  test('with traps off nothing is parked', async () => {
    const frontier = open({ traps: false });
    frontier.add(seeds(day(1)));
    for (let i = 0; i < 90; i++) {
      const taken = lease(frontier);
      if (taken) settleOff(frontier, taken, [day(1000 + 2 * i), day(1001 + 2 * i)]);
    }
    expect(frontier.counts()).toMatchObject({ offTopic: 90, parked: 0 });
    expect([parkedUrls(frontier), frontier.unpark('all')]).toEqual([[], []]);
    await frontier.close();
  });
});

test('rescored back and forth, a URL is set aside once: what waits and what is parked add up, and all else is leased', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0.2, 0.5, 0.8), { minLength: 2, maxLength: 8 }), fc.nat(40), (priorities, others) => {
      const frontier = openMemoryFrontier(OPTIONS);
      // Of so many the days are few, so that they are moved one by one and leave stale items behind.
      const far = Array.from({ length: 400 }, (_, i) => link(`http://far${i}.test/`, 0.01));
      frontier.add(outlinks('http://good.test/', [...far, day(1)], { learnedFrom: LATER }));
      for (let n = 1; n <= 24; n++) {
        const taken = lease(frontier);
        if (taken) settleOff(frontier, taken, [day(2 * n), day(2 * n + 1)]);
        for (const priority of priorities) rescoreDays(frontier, priority);
      }
      frontier.add(
        outlinks(
          'http://good.test/',
          Array.from({ length: others }, (_, i) => link(`http://a.test/other/${i}x`, 0.9)),
        ),
      );
      let leased = 0;
      for (let taken = lease(frontier); taken; taken = lease(frontier)) {
        leased += 1;
        frontier.settle(taken, { kind: 'done', fate: fate('kept', { relevance: 0.9 }), discovered: null, host: WELL });
      }
      const { waiting, parked } = frontier.counts();
      expect({ leased, waiting, parked: parkedUrls(frontier).length }).toEqual({ leased: 400 + others, waiting: parked, parked });
      expect(parked).toBe(25);
    }),
    { numRuns: runs(40) },
  );
});

/** Pages learned from when the pages far off were found: what is found later than so many is not rescored. */
const LATER = 9;

/** New priorities for the days. */
function rescoreDays(frontier: Frontier, priority: number): void {
  frontier.rescore({ score: ({ length }) => new Float32Array(length).fill(priority) }, LATER);
}

test('a link that a rule of the user refuses is no way out of a trap', async () => {
  const frontier = openMemoryFrontier(OPTIONS);
  frontier.add(seeds(day(1)));
  let visits = 0;
  for (let taken = lease(frontier); taken && visits < 90; taken = lease(frontier)) {
    visits += 1;
    settleOff(frontier, taken, [day(2 * visits), day(2 * visits + 1), link(`http://out${visits}.test/`, 0.5, 'scope')]);
  }
  expect(visits).toBe(24);
});

/** A crawl of a calendar, a shop and some pages on topic, in any order that chance gives. */
const action = fc.record({
  leadsTo: fc.array(fc.tuple(fc.constantFrom('day', 'day', 'day', 'day', 'day', 'day', 'shop'), fc.nat(300)), { maxLength: 2 }),
  text: fc.nat(2),
  isOnTopic: fc.nat(60).map((n) => n === 0),
  unpark: fc.nat(80).map((n) => n === 0),
});

test('any run, reopened after any commit, has the same parked, and goes on in the same order', async () => {
  let parkings = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 60, maxLength: 160 }), fc.nat(100), async (actions, percent) => {
      const act = (frontier: Frontier, some: readonly (typeof actions)[number][]) => {
        const order: string[] = [];
        for (const { leadsTo, text, isOnTopic, unpark } of some) {
          if (unpark) frontier.unpark('all');
          const taken = lease(frontier);
          if (taken === null) continue;
          order.push(taken.entry.url);
          const links = leadsTo.map(([where, n]) =>
            link(`http://h${n % 2}.test/${where}/${n}${text === 2 ? `?s=${n % 7}` : ''}`, (n % 10) / 10),
          );
          const ended = fate(isOnTopic ? 'kept' : 'off-topic', { relevance: 0.5, simhash: [text, 77] });
          const discovered = outlinks(taken.entry.url, links, { depth: 1, offTopicDepth: isOnTopic ? 0 : 1 });
          frontier.settle(taken, { kind: 'done', fate: ended, discovered, host: WELL });
        }
        return order;
      };
      const folder = newFolder();
      const cut = Math.floor((actions.length * percent) / 100);
      const [one, two] = [openMemoryFrontier(OPTIONS), openLmdbFrontier(folder, OPTIONS)];
      for (const frontier of [one, two]) {
        frontier.add(seeds(...Array.from({ length: 30 }, (_, i) => link(`http://h${i % 2}.test/day/${1000 + i}`, 0.4))));
        act(frontier, actions.slice(0, cut));
      }
      await two.commit({}, Promise.resolve());
      await two.close();
      const again = openLmdbFrontier(folder, OPTIONS);
      expect([...again.ledger()]).toEqual([...one.ledger()]);
      expect(act(again, actions.slice(cut))).toEqual(act(one, actions.slice(cut)));
      expect([...again.ledger()]).toEqual([...one.ledger()]);
      parkings += parkedUrls(one).length > 0 ? 1 : 0;
      await again.close();
    }),
    { numRuns: runs(30) },
  );
  expect(parkings).toBeGreaterThan(size(5, 0));
});
