/** One walk over the ledger, however many count in it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { type LedgerLine, type PageWall, REOPENED } from '../../../src/base/core/types.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import type { OpenCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { HostCounts } from '../../../src/study/inspect/host-counts.ts';
import type { CrawlLedgerLine } from '../../../src/study/inspect/ledger-lines.ts';
import { walkLedger, walkLines, walkSettled } from '../../../src/study/inspect/ledger-walk.ts';
import { leadsToLogin, wallsOf } from '../../../src/study/inspect/wall-tally.ts';
import { runs } from '../../support/extent.ts';
import { fate, link, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const STATES = ['kept', 'kept', 'off-topic', 'duplicate', 'failed', 'refused', 'fetched'] as const;
const WALLS: readonly PageWall[] = ['login', 'consent-wall', 'needs-javascript'];

/** A crawl of five hosts that has come some way; one URL is leased. */
function crawled(seed: number, steps: number) {
  const rng = seededRng(seed);
  const any = (most: number) => Math.floor(rng() * most);
  const frontier = openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: 12 });
  frontier.add(seeds(link('http://h0.test/', 1)));
  for (let step = 0; step < steps; step++) {
    const next = frontier.next();
    if (next.kind !== 'lease') break;
    if (step === steps - 1) break;
    const { lease } = next;
    const found = Array.from({ length: 4 }, () => link(`http://h${any(5)}.test/${any(90)}`, rng()));
    const state = STATES[any(STATES.length)] ?? 'kept';
    const reason = state === 'refused' ? (WALLS[any(3)] ?? 'login') : state === 'failed' ? 'timeout' : '';
    const end = fate(state, { reason, relevance: state === 'kept' ? 0.9 : null, visited: state !== 'fetched' });
    frontier.settle(lease, { kind: 'done', fate: end, discovered: outlinks(lease.entry.url, found), host: WELL });
  }
  return frontier;
}

const openOf = (frontier: ReturnType<typeof crawled>) =>
  ({ frontier, running: true, manifest: { topic: {}, topics: [], runs: [] }, paths: {} }) as unknown as OpenCrawl;

/** The same counts, made in the plainest way. */
function plainCounts(lines: readonly LedgerLine[]): Record<string, Record<string, number>> {
  const hosts: Record<string, Record<string, number>> = {};
  for (const { url, state, order } of lines) {
    const host = hostKeyOf(url);
    hosts[host] ??= { kept: 0, visited: 0, failed: 0, refused: 0, waiting: 0, parked: 0 };
    const counts = hosts[host];
    const name = state === 'leased' ? 'waiting' : state;
    if (name in counts) counts[name] = (counts[name] ?? 0) + 1;
    if (order !== null) counts['visited'] = (counts['visited'] ?? 0) + 1;
  }
  return hosts;
}

test('any crawl: hosts have the counts of their lines, and walls the visits of their hosts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 70 }), (seed, steps) => {
      const frontier = crawled(seed, steps);
      const counts = new HostCounts();
      walkSettled(frontier, [counts]);
      for (const line of frontier.ledger()) counts.line(line);
      const found = Object.fromEntries(counts.hosts().map(({ host, ...rest }) => [host, rest]));
      expect(found).toEqual(plainCounts([...frontier.ledger()]));
      const walls = wallsOf(frontier);
      expect(walls.reduce((sum, { pages }) => sum + pages, 0)).toBe(frontier.counts().refused);
      for (const { host, visited } of walls) expect(visited).toBe(found[host]?.visited);
    }),
    { numRuns: runs(60) },
  );
});

test('a redirect to the address of a login is a login', () => {
  const at = (from: string, to: string) => leadsToLogin(urlOf(from), fate('fetched', { reason: { kind: 'redirect', to: urlOf(to) } }));
  expect(at('http://a.test/item/4', 'http://a.test/login?next=%2Fitem%2F4')).toBe(true);
  expect(at('http://a.test/item/4', 'https://sso.test/oauth2/authorize?client=7')).toBe(true);
  expect(at('http://a.test/login', 'http://a.test/login/')).toBe(false);
  expect(at('http://a.test/item/4', 'http://a.test/authors/4')).toBe(false);
  expect(leadsToLogin(urlOf('http://a.test/login'), fate('kept'))).toBe(false);
  const frontier = openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: 12 });
  frontier.add(seeds(link('http://a.test/item/4', 1)));
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  const end = fate('fetched', { reason: { kind: 'redirect', to: urlOf('http://a.test/login') }, status: 302 });
  frontier.settle(next.lease, { kind: 'done', fate: end, discovered: null, host: WELL });
  expect(wallsOf(frontier)).toEqual([{ host: 'http://a.test', wall: 'login', pages: 1, visited: 1 }]);
});

test('a page that waits for another visit was visited; hosts come in the order of kept pages, visits, waiting URLs and names', () => {
  const counts = new HostCounts();
  const line = (url: string, state: CrawlLedgerLine['state'], reason = '') => counts.line({ url: urlOf(url), state, reason });
  line('http://c.test/1', 'waiting', REOPENED);
  line('http://b.test/1', 'waiting');
  line('http://b.test/2', 'waiting');
  line('http://d.test/1', 'leased');
  line('http://a.test/1', 'parked', 'host-unreachable');
  line('http://a.test/2', 'refused', 'robots');
  line('http://0.test/1', 'refused', 'scope');
  line('http://0.test/2', 'failed', 'dns');
  expect(
    counts
      .hosts()
      .map(({ host, visited, waiting, parked, refused, failed }) => [host.slice(7, 8), visited, waiting, parked, refused, failed]),
  ).toEqual([
    ['c', 1, 1, 0, 0, 0],
    ['b', 0, 2, 0, 0, 0],
    ['d', 0, 1, 0, 0, 0],
    ['0', 0, 0, 0, 1, 1],
    ['a', 0, 0, 1, 1, 0],
  ]);
});

test('several visitors: the crawl is read once, settled URLs before lines, and each visitor gets what it counts', () => {
  const frontier = crawled(7, 40);
  let [settledWalks, lineWalks] = [0, 0];
  const counted = {
    ...openOf(frontier),
    frontier: {
      settled: () => {
        settledWalks += 1;
        return frontier.settled();
      },
      ledger: () => {
        lineWalks += 1;
        return frontier.ledger();
      },
    },
  } as unknown as OpenCrawl;
  const met: string[] = [];
  const both = { settled: () => met.push('settled'), line: () => met.push('line') };
  const onlyLines = { line: ({ url }: CrawlLedgerLine) => met.push(`line ${url}`) };
  const onlySettled = { settled: () => met.push('settled alone') };
  walkLedger(counted, [both, onlyLines, onlySettled]);
  expect([settledWalks, lineWalks]).toEqual([1, 1]);
  const [settled, lines] = [[...frontier.settled()].length, [...frontier.ledger()].length];
  expect(met.filter((one) => one === 'settled')).toHaveLength(settled);
  expect(met.filter((one) => one === 'settled alone')).toHaveLength(settled);
  expect(met.filter((one) => one.startsWith('line '))).toHaveLength(lines);
  expect(met.findIndex((one) => one.startsWith('line'))).toBe(2 * settled);
  met.length = 0;
  walkLines(counted, [both]);
  expect(new Set(met)).toEqual(new Set(['line']));
});
