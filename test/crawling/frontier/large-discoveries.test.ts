/** Discoveries of more links than are kept decoded: crawls of Forager 0.1 stored all their seeds as one. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { DiscoveredLink } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { MOST_LINKS_STORED } from '../../../src/crawling/frontier/sightings.ts';
import { fate, link, outlinks, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'forager-large-')), 'frontier');
  mkdirSync(folder);
  folders.push(join(folder, '..'));
  return folder;
}

const clock = new VirtualClock();
const open = (folder: string) => openLmdbFrontier(folder, { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
const manySeeds = (count: number): DiscoveredLink[] => Array.from({ length: count }, (_, i) => link(`http://seeds.test/${i}`, 1));

/** Visit all; the first few pages have a link as good as a seed, so that leases go to and fro between discoveries. */
function visitAll(frontier: Frontier): string[] {
  const visited: string[] = [];
  for (;;) {
    const next = frontier.next();
    if (next.kind === 'drained') return visited;
    if (next.kind === 'wait') throw new Error('nothing rests here');
    const { url } = next.lease.entry;
    visited.push(url);
    const discovered = visited.length <= 300 ? outlinks(url, [link(`http://found.test/${visited.length}`, 1)]) : null;
    frontier.settle(next.lease, { kind: 'done', fate: fate('kept'), discovered, host: WELL });
  }
}

test('a store that has 70,000 seeds as one discovery goes on: each is visited once, and it is decoded once, not for each', async () => {
  const folder = newFolder();
  const links = manySeeds(70_000);
  const store = LmdbStore.open(folder, null, null);
  store.appendDiscovery(0, { ...seeds(...links), shorterWayOnly: [] });
  await store.commit({}, Promise.resolve());
  await store.close();
  const frontier = open(folder);
  const visited = visitAll(frontier);
  await frontier.close();
  expect(visited.length).toBe(70_300);
  expect(new Set(visited)).toEqual(
    new Set([...links.map(({ url }) => url), ...Array.from({ length: 300 }, (_, i) => `http://found.test/${i + 1}`)]),
  );
});

test('what is added at once is stored in pieces, and is there again when the frontier is opened', async () => {
  const folder = newFolder();
  const links = manySeeds(2 * MOST_LINKS_STORED + 1);
  const frontier = open(folder);
  expect(frontier.add(seeds(...links))).toEqual({ added: links.length, seen: 0 });
  expect(frontier.add(seeds(...links))).toEqual({ added: 0, seen: links.length });
  await frontier.commit({}, Promise.resolve());
  await frontier.close();
  const store = LmdbStore.open(folder, null, null);
  expect([...store.discoveries()].map(([index, discovery]) => [index, discovery.links.length])).toEqual([
    [0, MOST_LINKS_STORED],
    [1, MOST_LINKS_STORED],
    [2, 1],
  ]);
  await store.close();
  const again = open(folder);
  expect(visitAll(again).slice(0, 3)).toEqual(links.slice(0, 3).map(({ url }) => url));
  await again.close();
});
