/** One suite for every frontier. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Frontier, HostReport, Settlement } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { Lease, Ms, RecordId, RefusalReason } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openLoggedFrontier, openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import { runs } from '../../support/extent.ts';
import { MemoryLog } from '../../support/frontier-log.ts';
import { fate, hostOf, link, outlinks, report, seeds, upTo, urlOf, WELL } from '../../support/frontier-values.ts';
import { rescored } from '../../support/rescored.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
const opened: Frontier[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((frontier) => frontier.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-frontier-'));
  folders.push(folder);
  return folder;
}

const KINDS = {
  memory: (options: FrontierOptions) => openMemoryFrontier(options),
  lmdb: (options: FrontierOptions) => openLmdbFrontier(newFolder(), options),
  logged: (options: FrontierOptions) =>
    openLoggedFrontier(
      newFolder(),
      options,
      null,
      new MemoryLog().end(() => [0]),
      { isAway: () => false, held: () => [0] },
    ),
};

const done = (known: Partial<Settlement & { kind: 'done' }> = {}): Settlement => ({
  kind: 'done',
  fate: fate('kept'),
  discovered: null,
  host: WELL,
  ...known,
});

/** @param rest what the host asked for; 0 nothing, null where no request was made */
function told(rest: number | null): HostReport | null {
  return rest === null ? null : report(rest > 0 ? 'busy' : 'well', { retryAfter: rest || null });
}

describe.each(Object.entries(KINDS))('%s frontier', (_kind, openKind) => {
  const clock = new VirtualClock();
  const open = (options: Partial<FrontierOptions> = {}) => {
    const frontier = openKind({ clock, delay: 1000, maxPagesPerHost: Number.POSITIVE_INFINITY, ...options });
    opened.push(frontier);
    return frontier;
  };
  const lease = (frontier: Frontier, patience?: Ms): Lease => {
    const next = frontier.next('all', patience === undefined ? undefined : upTo(patience));
    if (next.kind !== 'lease') throw new Error(`expected a lease, got ${JSON.stringify(next)}`);
    return next.lease;
  };
  /** Lease and settle everything, moving the clock as asked; the order of URLs. */
  const drain = (frontier: Frontier): string[] => {
    const order: string[] = [];
    for (let next = frontier.next(); next.kind !== 'drained'; next = frontier.next()) {
      if (next.kind === 'wait') {
        clock.advance(next.until - clock.now());
        continue;
      }
      order.push(next.lease.entry.url);
      frontier.settle(next.lease, done());
    }
    return order;
  };

  test('the higher priority is leased first; of equals the earlier discovered', () => {
    const frontier = open({ delay: 0 });
    frontier.add(
      seeds(
        link('http://a.test/low', 0.1),
        link('http://b.test/first', 0.5),
        link('http://a.test/high', 0.9),
        link('http://c.test/second', 0.5),
      ),
    );
    expect(drain(frontier)).toEqual(['http://a.test/high', 'http://b.test/first', 'http://c.test/second', 'http://a.test/low']);
  });

  test('with the tie "newest" of equals the later discovered goes first', () => {
    const frontier = open({ delay: 0, tie: 'newest' });
    frontier.add(seeds(link('http://a.test/1', 0.5), link('http://a.test/2', 0.5), link('http://b.test/3', 0.5)));
    expect(drain(frontier)).toEqual(['http://b.test/3', 'http://a.test/2', 'http://a.test/1']);
  });

  test('a URL is queued once, keeps its maximum priority and the edge that gave it', () => {
    const frontier = open();
    expect(frontier.add(outlinks('http://p.test/1', [link('http://a.test/', 0.4, null, { anchorText: 'weak' })]))).toEqual({
      added: 1,
      seen: 0,
    });
    expect(frontier.add(outlinks('http://p.test/2', [link('http://a.test/', 0.8, null, { anchorText: 'strong' })], { depth: 3 }))).toEqual({
      added: 0,
      seen: 1,
    });
    expect(frontier.add(outlinks('http://p.test/3', [link('http://a.test/', 0.6, null, { anchorText: 'late' })], { depth: 2 }))).toEqual({
      added: 0,
      seen: 1,
    });
    const { entry } = lease(frontier);
    expect(entry.priority).toBeCloseTo(0.8);
    expect(entry.edge?.link.anchorText).toBe('strong');
    expect(entry.edge?.referrer.url).toBe('http://p.test/2');
    expect(entry.depth).toBe(1);
    expect(frontier.counts()).toMatchObject({ discovered: 1, waiting: 0, leased: 1 });
  });

  test('one lease per host, and a host rests its delay after each, and the tick its clock may be late', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 0.9), link('http://a.test/2', 0.8), link('http://b.test/1', 0.1)));
    const first = lease(frontier);
    const other = lease(frontier);
    expect([first.entry.url, other.entry.url]).toEqual(['http://a.test/1', 'http://b.test/1']);
    expect(frontier.next()).toEqual({ kind: 'wait', until: Number.POSITIVE_INFINITY });
    frontier.settle(first, done());
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 1001 });
    clock.advance(1000);
    expect(frontier.next().kind).toBe('wait');
    clock.advance(1);
    expect(lease(frontier).entry.url).toBe('http://a.test/2');
  });

  test('an emptied host keeps its clock; a lease without a request does not start it', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 0.9), link('http://b.test/1', 0.8)));
    frontier.settle(lease(frontier), done());
    frontier.settle(lease(frontier), done({ fate: fate('refused', { visited: false }), host: null }));
    frontier.add(seeds(link('http://a.test/2', 0.9), link('http://b.test/2', 0.8)));
    expect(lease(frontier).entry.url).toBe('http://b.test/2');
    expect(frontier.next()).toMatchObject({ kind: 'wait' });
  });

  test('crawl delay raises a host delay and never lowers it below the configured one', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 1)));
    frontier.setHostDelay(hostOf('http://a.test/'), 10);
    frontier.settle(lease(frontier), done());
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 1001 });
    clock.advance(1001);
    frontier.setHostDelay(hostOf('http://a.test/'), 5000);
    frontier.settle(lease(frontier), done({ discovered: seeds(link('http://a.test/3', 1)) }));
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 5001 });
  });

  test('a retry waits its time and counts its attempts; a released URL waits again', () => {
    const frontier = open({ delay: 0 });
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.5)));
    frontier.settle(lease(frontier), { kind: 'retry', reason: 'timeout', notBefore: clock.now() + 60_000, host: WELL });
    const second = lease(frontier);
    expect(second.entry.url).toBe('http://a.test/2');
    frontier.settle(second, { kind: 'released', host: null });
    frontier.settle(lease(frontier), done());
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 60_000 });
    clock.advance(60_000);
    const again = lease(frontier);
    expect(again.entry).toMatchObject({ url: 'http://a.test/1', attempts: 1 });
    frontier.settle(again, done());
    expect(frontier.next()).toEqual({ kind: 'drained' });
  });

  test('a host has two clocks, delay and backoff, and is asked when both have run out', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 1), link('http://a.test/3', 1)));
    frontier.settle(lease(frontier), done({ host: report('busy', { retryAfter: 30_000 }) }));
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 30_001 });
    clock.advance(30_001);
    frontier.setHostDelay(hostOf('http://a.test/'), 60_000);
    frontier.settle(lease(frontier), done({ host: report('busy', { retryAfter: 30_000 }) }));
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 60_001 });
  });

  test('a host rests longer when it answers slowly, up to half a minute; crawl delay and delay are floors', () => {
    const frontier = open({ delayFactor: 2 });
    const restAfter = (ms: number) => {
      frontier.add(seeds(link(`http://a.test/${ms}`, 1), link(`http://a.test/${ms}/more`, 1)));
      frontier.settle(lease(frontier), done({ host: report('well', { ms }) }));
      const next = frontier.next();
      const rest = next.kind === 'wait' ? next.until - clock.now() : 0;
      clock.advance(rest);
      return rest;
    };
    expect([restAfter(100), restAfter(2_000.25), restAfter(100), restAfter(60_000)]).toEqual([1001, 4002, 1001, 30_001]);
    frontier.setHostDelay(hostOf('http://a.test/'), 45_000);
    expect(restAfter(3000)).toBe(45_001);
  });

  test('without a delay factor a slow answer is no reason to rest longer', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 1)));
    frontier.settle(lease(frontier), done({ host: report('well', { ms: 20_000 }) }));
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 1001 });
  });

  test('refused links are counted and never leased; a refusal of the way is lifted by a better way', () => {
    const frontier = open({ delay: 0 });
    frontier.add(
      outlinks('http://p.test/', [link('http://a.test/far', 0.9, 'tunnel'), link('http://a.test/out', 0.9, 'scope')], {
        depth: 9,
        offTopicDepth: 5,
      }),
    );
    expect(frontier.next()).toEqual({ kind: 'drained' });
    expect(frontier.counts()).toMatchObject({ discovered: 2, refused: 2 });
    frontier.add(outlinks('http://q.test/', [link('http://a.test/far', 0.2), link('http://a.test/out', 0.9)]));
    expect(lease(frontier).entry).toMatchObject({ url: 'http://a.test/far', depth: 1, offTopicDepth: 0, priority: Math.fround(0.2) });
    expect(frontier.counts()).toMatchObject({ discovered: 2, refused: 1, leased: 1 });
  });

  test('a host over its page cap is parked: not leased, told in the ledger, and no reason to wait', () => {
    const frontier = open({ delay: 0, maxPagesPerHost: 1 });
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 1), link('http://b.test/1', 0.1)));
    expect(drain(frontier)).toEqual(['http://a.test/1', 'http://b.test/1']);
    frontier.add(seeds(link('http://a.test/3', 1)));
    expect(frontier.next()).toEqual({ kind: 'drained' });
    expect([...frontier.ledger()].filter(({ state }) => state === 'parked').map(({ url, reason }) => [url, reason])).toEqual([
      ['http://a.test/2', 'max-pages-per-host'],
      ['http://a.test/3', 'max-pages-per-host'],
    ]);
  });

  test('patience waits for a clearly better URL of a resting host, and only so long', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), link('http://b.test/1', 0.1)));
    frontier.settle(lease(frontier), done());
    expect(frontier.next('all', upTo(1000))).toEqual({ kind: 'wait', until: clock.now() + 1001 });
    expect(lease(frontier, 999).entry.url).toBe('http://b.test/1');
    clock.advance(1001);
    expect(lease(frontier, 1000).entry.url).toBe('http://a.test/2');
  });

  test('patience waits for a host that is leased, until the lease ends or has gone on for as long', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), link('http://b.test/1', 0.6)));
    frontier.add(seeds(link('http://c.test/1', 0.62)));
    const busy = lease(frontier);
    expect(frontier.next('all', upTo(5000))).toMatchObject({ kind: 'wait', until: clock.now() + 5000 });
    expect(lease(frontier, 999).entry.url).toBe('http://c.test/1');
    clock.advance(4999);
    expect(frontier.next('all', upTo(5000))).toMatchObject({ kind: 'wait', until: clock.now() + 1 });
    clock.advance(1);
    expect(lease(frontier, 5000).entry.url).toBe('http://b.test/1');
    frontier.settle(busy, done());
    clock.advance(1001);
    expect(lease(frontier, 5000).entry.url).toBe('http://a.test/2');
  });

  test('a clearly better URL of another worker is waited for, if the pages are scarce', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 0.5)));
    const elsewhere = 0.7;
    expect(frontier.next('all', { ...upTo(5000), elsewhere })).toEqual({ kind: 'wait', until: Number.POSITIVE_INFINITY, outbid: true });
    for (const patience of [upTo(0), { longest: 5000, pace: 60_000 }]) {
      const next = frontier.next('all', { ...patience, elsewhere });
      if (next.kind !== 'lease') throw new Error(`not leased: ${JSON.stringify(patience)}`);
      frontier.settle(next.lease, { kind: 'released', host: null });
    }
    expect(frontier.next('all', { ...upTo(5000), elsewhere: 0.6 })).toMatchObject({ kind: 'lease' });
  });

  test('one that waits for a better URL of its own is not outbid', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), link('http://b.test/1', 0.1)));
    frontier.settle(lease(frontier), done());
    expect(frontier.next('all', { ...upTo(1000), elsewhere: 1 })).toEqual({ kind: 'wait', until: clock.now() + 1001 });
  });

  test('patience waits for the first URL of a crawl as for any other', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/1', 0.9), link('http://a.test/2', 1), link('http://b.test/1', 0.1)));
    frontier.settle(lease(frontier), done());
    expect(frontier.next('all', upTo(1000))).toEqual({ kind: 'wait', until: clock.now() + 1001 });
    clock.advance(1001);
    expect(lease(frontier, 1000).entry.url).toBe('http://a.test/1');
  });

  test('patience is not for what is hardly better, is of a full host or one given up on, or is asked for again', () => {
    const free = link('http://b.test/1', 0.5);
    const hardly = open();
    hardly.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.64), free));
    lease(hardly);
    expect(lease(hardly, 5000).entry.url).toBe(free.url);

    for (const [low, better, isAwaited] of [
      [0.06, 0.11, false],
      [0.06, 0.13, true],
      [0.01, 0.025, false],
      [0.01, 0.035, true],
    ] as const) {
      const poor = open();
      poor.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', better), link('http://b.test/1', low)));
      lease(poor);
      expect(poor.next('all', upTo(5000)).kind).toBe(isAwaited ? 'wait' : 'lease');
    }

    const full = open({ maxPagesPerHost: 1 });
    full.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), free));
    full.settle(lease(full), done());
    expect(lease(full, 5000).entry.url).toBe(free.url);

    const filling = open({ maxPagesPerHost: 3 });
    filling.add(
      seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), link('http://a.test/3', 0.8), link('http://a.test/4', 0.7), free),
    );
    filling.settle(lease(filling), done());
    clock.advance(1001);
    const second = lease(filling);
    expect(filling.next('all', upTo(5000)).kind).toBe('wait');
    filling.settle(second, done());
    clock.advance(1001);
    // With what is under way the host has all it may have.
    lease(filling);
    expect(lease(filling, 5000).entry.url).toBe(free.url);

    const again = open();
    again.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9)));
    for (let page = 0; page < 2; page++) {
      again.settle(lease(again), {
        kind: 'done',
        fate: fate('kept', { recordId: `urn:uuid:${page}` as RecordId, payloadSha256: `${page}` }),
        discovered: null,
        host: WELL,
      });
      clock.advance(1001);
    }
    again.add(seeds(free));
    expect(again.revisit(clock.now())).toHaveLength(2);
    lease(again);
    expect(lease(again, 5000).entry.url).toBe(free.url);
  });

  test('rescoring can lower and raise what waits', () => {
    const frontier = open({ delay: 0 });
    frontier.add(outlinks('http://p.test/', [link('http://a.test/1', 0.9), link('http://a.test/2', 0.5), link('http://b.test/3', 0.1)]));
    const fresh: Record<string, number> = { 'http://a.test/1': 0.2, 'http://a.test/2': 0.3, 'http://b.test/3': 0.8 };
    expect(frontier.rescore({ score: (links) => Float32Array.from(links, ({ url }) => fresh[url] ?? 0) }, 7)).toBe(3);
    const first = lease(frontier);
    expect(first.entry.edge?.learnedFrom).toBe(7);
    frontier.settle(first, done());
    expect([first.entry.url, ...drain(frontier)]).toEqual(['http://b.test/3', 'http://a.test/2', 'http://a.test/1']);
  });

  test('what is to be tried later waits for its time, however often it was given the priority it has', () => {
    const clock = new VirtualClock();
    const frontier = open({ delay: 0, clock });
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.5)));
    for (const priority of [0.7, 0.4, 0.7, 0.7]) frontier.rescore({ score: (links) => new Float32Array(links.length).fill(priority) }, 1);
    for (const priority of [0.4, 0.7])
      rescored(frontier, { learnedFrom: 1, score: (links) => new Float32Array(links.length).fill(priority) }, 9);
    for (let leases = 0; leases < 2; leases++)
      frontier.settle(lease(frontier), { kind: 'retry', reason: 'timeout', notBefore: clock.now() + 60_000, host: null });
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 60_000 });
    clock.advance(60_000);
    expect(new Set([lease(frontier).entry.url])).toEqual(new Set(['http://a.test/1']));
  });

  test('however few are rescored at a time, the best goes first', () => {
    const rescoring = fc.record({ limit: fc.integer({ min: 1, max: 30 }), seed: fc.nat(1000) });
    fc.assert(
      fc.property(fc.array(rescoring, { maxLength: 25 }), (rescorings) => {
        const frontier = open({ delay: 0 });
        for (let page = 0; page < 20; page++)
          frontier.add(
            outlinks(
              `http://p.test/${page}`,
              [0, 1, 2].map((i) => link(`http://h${i}.test/${page}`, 0.5 + page / 100)),
            ),
          );
        for (const { limit, seed } of rescorings) {
          const rng = seededRng(seed);
          rescored(frontier, { learnedFrom: 1, score: (links) => Float32Array.from(links, () => rng()) }, limit);
          const first = lease(frontier);
          frontier.settle(first, done());
        }
        const waiting = [...frontier.ledger()].filter(({ state }) => state === 'waiting');
        const best = waiting.map(({ url, priority }, at) => ({ url, priority, at })).sort((a, b) => b.priority - a.priority || a.at - b.at);
        expect(drain(frontier)).toEqual(best.map(({ url }) => url));
      }),
      { numRuns: runs(50) },
    );
  });

  test('any run: all that waits by a link has a new priority, and nothing else, whatever was refused and lifted before', () => {
    const sighting = fc.record({
      path: fc.nat(9),
      priority: fc.constantFrom(0.2, 0.5, 0.8),
      refusal: fc.constantFrom(null, null, 'tunnel', 'max-depth', 'scope'),
    });
    const step = fc.record({ links: fc.array(sighting, { maxLength: 4 }), end: fc.constantFrom('settle', 'release', 'nothing') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const frontier = open({ delay: 0 });
        for (const [i, { links, end }] of steps.entries()) {
          frontier.add(
            outlinks(
              `http://p.test/${i}`,
              links.map(({ path, priority, refusal }) => link(`http://a.test/${path}`, priority, refusal as RefusalReason | null)),
            ),
          );
          const next = end === 'nothing' ? null : frontier.next();
          if (next?.kind === 'lease') frontier.settle(next.lease, end === 'settle' ? done() : { kind: 'released', host: null });
          const waiting = () => [...frontier.ledger()].filter(({ state }) => state === 'waiting');
          const scored = frontier.rescore({ score: (entries) => new Float32Array(entries.length).fill((i + 1) / 64) }, i + 1);
          expect(scored).toBe(waiting().length);
          expect(waiting().every(({ priority }) => priority === (i + 1) / 64)).toBe(true);
        }
      }),
      { numRuns: openKind === KINDS.memory ? runs(150) : 15 },
    );
  });

  test('a link is wanted to what is not known, to what waits, and to what another way could lift', () => {
    const frontier = open({ delay: 0 });
    const refused = (['tunnel', 'max-depth', 'scope', 'robots'] as const).map((reason) => link(`http://${reason}.test/`, 0.1, reason));
    frontier.add(
      outlinks('http://p.test/', [link('http://a.test/', 1), link('http://b.test/', 0.9), link('http://c.test/', 0.8), ...refused]),
    );
    frontier.settle(lease(frontier), done());
    frontier.settle(lease(frontier), done({ fate: fate('refused', { reason: 'noindex' }) }));
    const wanted = (url: string) => frontier.wants(urlOf(url));
    expect(['http://new.test/', 'http://c.test/', 'http://tunnel.test/', 'http://max-depth.test/'].map(wanted)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    lease(frontier);
    const settled = ['http://a.test/', 'http://b.test/', 'http://c.test/', 'http://scope.test/', 'http://robots.test/'];
    expect(settled.map(wanted)).toEqual([false, false, false, false, false]);
  });

  test('any sighting of a waiting URL changes it if it improves it, and nothing otherwise', () => {
    const sighting = fc.record({
      path: fc.nat(2),
      priority: fc.constantFrom(0.2, 0.2 + 1e-9, 0.5, 0.8),
      depth: fc.integer({ min: 1, max: 3 }),
      offTopicDepth: fc.nat(2),
      refusal: fc.constantFrom(null, null, null, 'tunnel'),
    });
    fc.assert(
      fc.property(fc.array(sighting, { maxLength: 12 }), (sightings) => {
        const frontier = open();
        for (const [i, { path, priority, depth, offTopicDepth, refusal }] of sightings.entries()) {
          const url = urlOf(`http://a.test/${path}`);
          const [before, improved] = [frontier.find(url), frontier.improves(url, priority, { depth, offTopicDepth })];
          frontier.add(outlinks(`http://p.test/${i}`, [link(url, priority, refusal as RefusalReason | null)], { depth, offTopicDepth }));
          const after = frontier.find(url);
          if (!improved) expect(after).toEqual(before);
          else if (refusal === null) expect(after).not.toEqual(before);
        }
      }),
      { numRuns: openKind === KINDS.memory ? runs(150) : 15 },
    );
  });

  test('commits are numbered from one, each with the sizes it was given', async () => {
    const frontier = open();
    expect([frontier.lastCommit(), frontier.committedOffsets()]).toEqual([null, {}]);
    for (const number of [1, 2, 3]) {
      await frontier.commit({ 'records.jsonl': 10 * number }, Promise.resolve());
      expect(frontier.lastCommit()).toEqual({ number, offsets: { 'records.jsonl': 10 * number } });
    }
    frontier.noteRuns(4);
    expect([frontier.runs, frontier.committedOffsets()]).toEqual([4, { 'records.jsonl': 30 }]);
  });

  test('settling twice is our bug', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/', 1)));
    const only = lease(frontier);
    frontier.settle(only, done());
    expect(() => frontier.settle(only, done())).toThrow(/settled twice/);
  });

  test('the ledger has one line for each discovered URL, and finds fate and page again', () => {
    const frontier = open({ delay: 0 });
    frontier.add(seeds(link('http://a.test/1', 1)));
    const page = { title: 'Peat', text: 'Moss makes peat.', lang: 'en' };
    frontier.settle(
      lease(frontier),
      done({
        fate: fate('kept', { relevance: 0.9, page }),
        discovered: outlinks('http://a.test/1', [link('http://a.test/2', 0.7, null, { anchorText: 'bog' })]),
      }),
    );
    expect(
      [...frontier.ledger()].map(({ url, state, order, anchorText, referrer }) => ({ url, state, order, anchorText, referrer })),
    ).toEqual([
      { url: 'http://a.test/1', state: 'kept', order: 1, anchorText: '', referrer: null },
      { url: 'http://a.test/2', state: 'waiting', order: null, anchorText: 'bog', referrer: 'http://a.test/1' },
    ]);
    expect(frontier.find(urlOf('http://a.test/1'))?.fate?.page).toEqual(page);
    expect(frontier.find(urlOf('http://a.test/none'))).toBeNull();
  });

  test('any run: no host leased twice at once, every URL settled once, states sum to the discovered', () => {
    const action = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        host: fc.integer({ min: 0, max: 3 }),
        path: fc.integer({ min: 0, max: 12 }),
        priority: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({ do: fc.constant('next' as const) }),
      fc.record({
        do: fc.constant('settle' as const),
        as: fc.constantFrom('done', 'retry', 'released'),
        rest: fc.constantFrom(null, 0, 5000),
      }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 3000 }) }),
      fc.record({ do: fc.constant('rescore' as const), factor: fc.double({ min: 0, max: 1, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const frontier = openMemoryOrThis(openKind);
        const held: Lease[] = [];
        const settled = new Set<string>();
        const restUntil = new Map<string, number>();
        for (const act of actions) {
          if (act.do === 'add') frontier.add(outlinks('http://p.test/', [link(`http://h${act.host}.test/${act.path}`, act.priority)]));
          else if (act.do === 'pass') clock.advance(act.ms);
          else if (act.do === 'rescore')
            frontier.rescore({ score: (entries) => Float32Array.from(entries, ({ priority }) => priority * act.factor) }, 1);
          else if (act.do === 'next') {
            const next = frontier.next();
            if (next.kind !== 'lease') continue;
            const { url, host } = next.lease.entry;
            expect(held.map(({ entry }) => entry.host)).not.toContain(host);
            expect(settled.has(url)).toBe(false);
            expect(clock.now()).toBeGreaterThanOrEqual(restUntil.get(host) ?? 0);
            held.push(next.lease);
          } else {
            const ended = held.shift();
            if (!ended) continue;
            if (act.as === 'done') {
              frontier.settle(ended, done({ host: told(act.rest) }));
              settled.add(ended.entry.url);
            } else if (act.as === 'retry')
              frontier.settle(ended, { kind: 'retry', reason: 'timeout', notBefore: clock.now() + 700, host: told(act.rest) });
            else frontier.settle(ended, { kind: 'released', host: told(act.rest) });
            if (act.rest !== null) restUntil.set(ended.entry.host, clock.now() + Math.max(1000, act.rest));
          }
          const { discovered, waiting, leased, kept } = frontier.counts();
          expect(waiting + leased + kept).toBe(discovered);
          expect(leased).toBe(held.length);
        }
        for (const lease of held) frontier.settle(lease, done());
        const rest = drain(frontier);
        expect(new Set(rest).size).toBe(rest.length);
        expect(rest.some((url) => settled.has(url))).toBe(false);
        expect(frontier.counts()).toMatchObject({ waiting: 0, leased: 0, kept: frontier.counts().discovered });
      }),
      { numRuns: openKind === KINDS.memory ? runs(300) : 25 },
    );

    function openMemoryOrThis(kind: typeof openKind): Frontier {
      const frontier = kind({ clock, delay: 1000, maxPagesPerHost: Number.POSITIVE_INFINITY });
      opened.push(frontier);
      return frontier;
    }
  });
});
