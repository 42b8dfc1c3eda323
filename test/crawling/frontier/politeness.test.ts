/** Whom the frontier lets be asked, and when: clocks of hosts and of groups, against a plain model of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { FIRST_HOST_PAUSE, HOST_PATIENCE, LONGEST_WAIT } from '../../../src/base/core/failure-policy.ts';
import type { Frontier, HostReport } from '../../../src/base/core/parts/queueing.ts';
import type { Fate, Lease, Ms } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { runs } from '../../support/extent.ts';
import { fate, hostOf, link, NAME, outlinks, report, seeds, upTo, WELL } from '../../support/frontier-values.ts';
import { rescored } from '../../support/rescored.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const DELAY = 1000;
const DAY = 86_400_000;
const HOSTS = 8;
const folder = mkdtempSync(join(tmpdir(), 'forager-politeness-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { delay: DELAY, maxPagesPerHost: Number.POSITIVE_INFINITY };

function leaseOf(frontier: Frontier, patience?: Ms): Lease {
  const next = frontier.next('all', patience === undefined ? undefined : upTo(patience));
  if (next.kind !== 'lease') throw new Error(`expected a lease, got ${JSON.stringify(next)}`);
  return next.lease;
}

const end = (frontier: Frontier, lease: Lease, host: HostReport | null = WELL) =>
  frontier.settle(lease, { kind: 'done', fate: fate('kept'), discovered: null, host });

const nameOf = (host: number) => `http://h${host}.test`;

/** Hosts 0 to 3 are one machine, 2 to 5 one domain; 6 and 7 are alone. */
function groupsOf(host: number): string[] {
  return [...(host < 4 ? ['machine'] : []), ...(host >= 2 && host < 6 ? ['domain'] : [])];
}

/** When hosts and groups may be asked, as the rules say it and without any queue. */
class Model {
  readonly waiting = new Map<string, { readonly host: number; readonly priority: number }>();
  /** When those that are to be tried later may start. */
  readonly notBefore = new Map<string, number>();
  readonly held = new Map<Lease, readonly string[]>();
  readonly freeAt = new Map<string, number>();
  readonly joined = new Set<number>();
  readonly takenAt = new Map<Lease, number>();

  /** A host, and the groups it is known to be in. */
  #keysOf(host: number): string[] {
    return [nameOf(host), ...(this.joined.has(host) ? groupsOf(host) : [])];
  }

  isFree(key: string, now: number): boolean {
    return (this.freeAt.get(key) ?? 0) <= now && ![...this.held.values()].some((keys) => keys.includes(key));
  }

  mayBeAsked(host: number, now: number): boolean {
    return this.#keysOf(host).every((key) => this.isFree(key, now));
  }

  best(now: number): number {
    const isFree = (url: string, host: number) => (this.notBefore.get(url) ?? 0) <= now && this.mayBeAsked(host, now);
    const free = [...this.waiting].filter(([url, { host }]) => isFree(url, host));
    return Math.max(Number.NEGATIVE_INFINITY, ...free.map(([, { priority }]) => priority));
  }

  /** When the next of those that wait may be asked, if no lease ends before; Infinity where only that can help. */
  earliest(now: number): number {
    const held = new Set([...this.held.values()].flat());
    const times = [...this.waiting].flatMap(([url, { host }]) => {
      const keys = this.#keysOf(host);
      if (keys.some((key) => held.has(key))) return [];
      return [Math.max(now, this.notBefore.get(url) ?? 0, ...keys.map((key) => this.freeAt.get(key) ?? 0))];
    });
    return Math.min(Number.POSITIVE_INFINITY, ...times);
  }

  /** Clearly better URLs that would be free but for leases and rests. */
  #betterThan(best: number, now: number) {
    const isBetter = (priority: number) => priority >= best + 0.15 || (priority >= 2 * best && priority >= best + 0.02);
    return [...this.waiting].filter(([url, { priority }]) => isBetter(priority) && (this.notBefore.get(url) ?? 0) <= now);
  }

  /** May a wait for something better be right? */
  mayWait(best: number, patience: number, now: number): boolean {
    return patience > 0 && this.#betterThan(best, now).some(([, { host }]) => !this.mayBeAsked(host, now));
  }

  /** Must it wait, for a host that is in no group? */
  mustWait(best: number, patience: number, now: number): boolean {
    const isAwaited = (host: number) => {
      const [lease] = [...this.held].find(([, keys]) => keys.includes(nameOf(host))) ?? [];
      if (lease) return DELAY <= patience && (this.takenAt.get(lease) ?? 0) + patience > now;
      const freeAt = this.freeAt.get(nameOf(host)) ?? 0;
      return freeAt > now && freeAt <= now + patience + 1;
    };
    return patience > 0 && this.#betterThan(best, now).some(([, { host }]) => groupsOf(host).length === 0 && isAwaited(host));
  }

  take(lease: Lease, now: number): void {
    const host = this.hostOf(lease);
    this.waiting.delete(lease.entry.url);
    this.held.set(lease, this.#keysOf(host));
    this.takenAt.set(lease, now);
  }

  hostOf(lease: Lease): number {
    return Number(/h(\d)/.exec(lease.entry.host)?.[1]);
  }

  rest(lease: Lease, told: HostReport, now: number): void {
    const sparing = Math.max(DELAY, Math.min(2 * told.ms, 30_000)) + 1;
    for (const key of this.held.get(lease) ?? []) this.freeAt.set(key, now + sparing);
    const backoff = told.sign === 'busy' ? now + (told.retryAfter ?? 0) + 1 : 0;
    this.freeAt.set(lease.entry.host, Math.max(now + sparing, backoff));
  }
}

const priority = fc.integer({ min: 0, max: 1024 }).map((n) => n / 1024);
const action = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), host: fc.nat(HOSTS - 1), path: fc.nat(20), priority }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('next' as const), patience: fc.constantFrom(0, 0, 0, 700, 1500, 40_000) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(3),
      how: fc.constantFrom('done', 'released', 'later'),
      pause: fc.constantFrom(0, 700, 20_000),
      ms: fc.constantFrom(0, 100, 900, 50_000),
      retryAfter: fc.constantFrom(null, null, null, 3000, 90_000),
      asked: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 500, 1001, 10_000, 31_000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rescore' as const), seed: fc.nat(3) }) },
);

describe.each(['memory', 'lmdb'] as const)('%s frontier', (kind) => {
  let opened = 0;
  const open = (options: FrontierOptions): Frontier =>
    kind === 'memory' ? openMemoryFrontier(options) : openLmdbFrontier(join(folder, String(++opened)), options);

  test('any run: the best URL is leased whose host and groups are rested and not leased, and all is leased in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(priority, { minLength: 40, maxLength: 40 }),
        fc.array(action, { maxLength: 150, size: 'max' }),
        async (begin, actions) => {
          const clock = new VirtualClock();
          const frontier = open({ ...OPTIONS, clock, delayFactor: 2 });
          const model = new Model();
          let added = 0;

          const next = (patience: Ms): boolean => {
            const now = clock.now();
            const given = frontier.next('all', upTo(patience));
            const best = model.best(now);
            if (given.kind !== 'lease') {
              if (best > Number.NEGATIVE_INFINITY) expect(model.mayWait(best, patience, now)).toBe(true);
              if (best > Number.NEGATIVE_INFINITY) expect(given).toMatchObject({ until: expect.any(Number) });
              if (given.kind === 'wait' && given.until < Number.POSITIVE_INFINITY) expect(given.until).toBeGreaterThan(now);
              // It looks again in time, and no sooner than something has rested.
              if (given.kind === 'wait' && best === Number.NEGATIVE_INFINITY) expect(given.until).toBeLessThanOrEqual(model.earliest(now));
              if (given.kind === 'drained') expect(model.waiting.size + model.held.size).toBe(0);
              return false;
            }
            const { lease } = given;
            const host = model.hostOf(lease);
            expect(lease.entry.priority).toBe(best);
            expect(model.mustWait(best, patience, now)).toBe(false);
            expect(model.mayBeAsked(host, now)).toBe(true);
            expect(lease.joined).toBe(model.joined.has(host));
            if (lease.joined) {
              model.take(lease, now);
              return true;
            }
            model.joined.add(host);
            const free = model.mayBeAsked(host, now);
            expect(frontier.join(lease, groupsOf(host))).toBe(free);
            if (free) model.take(lease, now);
            else frontier.settle(lease, { kind: 'released', host: null });
            return true;
          };

          const settle = (lease: Lease, told: HostReport | null, how: string, pause = 0) => {
            const now = clock.now();
            if (how === 'done') end(frontier, lease, told);
            else {
              if (how === 'later') frontier.settle(lease, { kind: 'retry', reason: 'timeout', notBefore: now + pause, host: told });
              else frontier.settle(lease, { kind: 'released', host: told });
              model.notBefore.set(lease.entry.url, how === 'later' ? now + pause : 0);
              model.waiting.set(lease.entry.url, { host: model.hostOf(lease), priority: lease.entry.priority });
            }
            if (told) model.rest(lease, told, now);
            model.held.delete(lease);
          };

          const add = (host: number, path: string | number, priority: number) => {
            const url = `${nameOf(host)}/${path}`;
            const isNew = frontier.add(seeds(link(url, priority))).added === 1;
            const known = model.waiting.get(url);
            if (isNew) added += 1;
            if (isNew || known) model.waiting.set(url, { host, priority: Math.max(known?.priority ?? 0, priority) });
          };

          for (const [i, priority] of begin.entries()) add(i % HOSTS, `first/${i}`, priority);
          for (const act of actions) {
            if (act.do === 'add') add(act.host, act.path, act.priority);
            else if (act.do === 'next') next(act.patience);
            else if (act.do === 'pass') clock.advance(act.ms);
            else if (act.do === 'rescore') {
              const fresh = (url: string) =>
                ((url.length * 389 + url.charCodeAt(8) * 97 + url.charCodeAt(url.length - 1) * act.seed) % 1024) / 1024;
              rescored(frontier, { learnedFrom: 1, score: (links) => Float32Array.from(links, ({ url }) => fresh(url)) }, 5);
              for (const line of frontier.ledger())
                if (line.state === 'waiting')
                  model.waiting.set(line.url, { host: Number(/h(\d)/.exec(line.url)?.[1]), priority: line.priority });
            } else {
              const lease = [...model.held.keys()][act.which];
              if (!lease) continue;
              const told =
                act.retryAfter === null ? report('well', { ms: act.ms }) : report('busy', { ms: act.ms, retryAfter: act.retryAfter });
              settle(lease, act.asked ? told : null, act.how, act.pause);
            }
          }
          for (const lease of [...model.held.keys()]) settle(lease, WELL, 'done');
          for (let given = true; model.waiting.size > 0; ) {
            given = next(1500);
            const [lease] = model.held.keys();
            if (lease) settle(lease, WELL, 'done');
            if (!given) clock.advance(1001);
          }
          expect(frontier.next()).toEqual({ kind: 'drained' });
          expect(frontier.counts()).toMatchObject({ kept: added, waiting: 0, leased: 0 });
          await frontier.close();
        },
      ),
      { numRuns: kind === 'memory' ? runs(200) : 15 },
    );
  });

  test('a thousand hosts of one machine are asked one by one, each after the delay, best first', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    const hosts = Array.from({ length: 1000 }, (_, i) => link(`http://h${i}.test/`, ((i * 7919) % 1000) / 1024));
    frontier.add(seeds(...hosts));
    const asked: number[] = [];
    for (let next = frontier.next(); next.kind !== 'drained'; next = frontier.next()) {
      if (next.kind === 'wait') {
        clock.advance(next.until - clock.now());
      } else if (next.lease.joined || frontier.join(next.lease, ['machine'])) {
        asked.push(next.lease.entry.priority);
        end(frontier, next.lease);
      } else frontier.settle(next.lease, { kind: 'released', host: null });
    }
    expect(asked).toEqual([...asked].sort((a, b) => b - a));
    expect(clock.now() - 1_000_000).toBe(999 * (DELAY + 1));
    await frontier.close();
  });

  test('patience also waits for a host whose group rests', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    frontier.add(seeds(link('http://a.test/', 1), link('http://b.test/', 0.9), link('http://b.test/2', 0.8), link('http://c.test/', 0.1)));
    const first = leaseOf(frontier);
    expect(frontier.join(first, ['machine'])).toBe(true);
    const second = leaseOf(frontier);
    expect(frontier.join(second, ['machine'])).toBe(false);
    frontier.settle(second, { kind: 'released', host: null });
    end(frontier, first);
    expect(frontier.next('all', upTo(DELAY))).toEqual({ kind: 'wait', until: clock.now() + DELAY + 1 });
    clock.advance(DELAY + 1);
    expect(leaseOf(frontier).entry.url).toBe('http://b.test/');
    await frontier.close();
  });

  test('patience does not wait for a host whose URLs have lost their priority while its group rested', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    const links = [link('http://a.test/', 1), link('http://b.test/', 0.9), link('http://b.test/2', 0.8), link('http://c.test/', 0.1)];
    frontier.add(outlinks('http://p.test/', links));
    const first = leaseOf(frontier);
    frontier.join(first, ['machine']);
    const second = leaseOf(frontier);
    frontier.join(second, ['machine']);
    frontier.settle(second, { kind: 'released', host: null });
    end(frontier, first);
    expect(frontier.next('all', upTo(DELAY)).kind).toBe('wait');
    rescored(frontier, { learnedFrom: 1, score: (entries) => new Float32Array(entries.length).fill(0.1) }, 9);
    expect(leaseOf(frontier, DELAY).entry.url).toBe('http://c.test/');
    await frontier.close();
  });

  test.each([0.1, 0.3])('one whose only URL fell to %d while its group rested has its turn all the same', async (priority) => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    frontier.add(outlinks('http://p.test/', [link('http://a.test/', 1), link('http://b.test/', 0.9), link('http://c.test/', 0.2)]));
    const first = leaseOf(frontier);
    frontier.join(first, ['machine']);
    const second = leaseOf(frontier);
    frontier.join(second, ['machine']);
    frontier.settle(second, { kind: 'released', host: null });
    end(frontier, first);
    rescored(
      frontier,
      { learnedFrom: 1, score: (entries) => Float32Array.from(entries, ({ url }) => (url.includes('b.') ? priority : 0.2)) },
      9,
    );
    expect(leaseOf(frontier, DELAY).entry.url).toBe('http://c.test/');
    expect(frontier.next('all', upTo(DELAY))).toEqual({ kind: 'wait', until: clock.now() + DELAY + 1 });
    clock.advance(DELAY + 1);
    expect(leaseOf(frontier, DELAY).entry).toMatchObject({ url: 'http://b.test/', priority: Math.fround(priority) });
    await frontier.close();
  });

  test('a host that is let go by one group and kept by another does not hold up those behind it', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    frontier.add(seeds(link('http://a.test/', 1), link('http://a.test/2', 0), link('http://b.test/', 0.9), link('http://c.test/', 0.8)));
    frontier.add(seeds(link('http://c.test/2', 0.1), link('http://d.test/', 0.7)));
    const a = leaseOf(frontier);
    frontier.join(a, ['machine', 'domain']);
    frontier.settle(a, { kind: 'retry', reason: 'http-5xx', notBefore: clock.now() + DELAY, host: null });
    const b = leaseOf(frontier);
    expect(frontier.join(b, ['domain'])).toBe(true);
    const c = leaseOf(frontier);
    expect(frontier.join(c, ['machine'])).toBe(true);
    clock.advance(DELAY);
    const d = leaseOf(frontier);
    expect(frontier.join(d, ['machine'])).toBe(false);
    frontier.settle(d, { kind: 'released', host: null });
    end(frontier, c, null);
    expect(leaseOf(frontier).entry.url).toBe('http://d.test/');
    await frontier.close();
  });

  test('the Crawl-delay of one host does not hold up the others of its machine', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), link('http://b.test/', 0.1)));
    const first = leaseOf(frontier);
    frontier.join(first, ['machine']);
    frontier.setHostDelay(hostOf('http://a.test/'), 60_000);
    end(frontier, first);
    const other = leaseOf(frontier);
    expect(frontier.join(other, ['machine'])).toBe(false);
    frontier.settle(other, { kind: 'released', host: null });
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + DELAY + 1 });
    clock.advance(DELAY + 1);
    end(frontier, leaseOf(frontier));
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() - DELAY + 60_000 });
    await frontier.close();
  });

  test('with less patience a host is given up on sooner', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock, hostPatience: { pauses: 1, trouble: 0, fruitless: 1 } });
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 1), link('http://a.test/3', 1)));
    end(frontier, leaseOf(frontier), report('busy'));
    clock.advance(FIRST_HOST_PAUSE + 1);
    end(frontier, leaseOf(frontier), report('busy'));
    expect([frontier.next().kind, frontier.counts().parked]).toEqual(['drained', 1]);
    await frontier.close();
  });

  test('a host that never gave a page rests after three URLs that are none, and is given up on after two more; one that gave a page is not', async () => {
    const asked = (hostPatience = HOST_PATIENCE, first: Fate['state'] = 'failed') => {
      const clock = new VirtualClock();
      const frontier = open({ ...OPTIONS, delay: 0, clock, hostPatience });
      frontier.add(seeds(...Array.from({ length: 12 }, (_, i) => link(`http://a.test/${i}`, 1))));
      const times: number[] = [];
      for (let next = frontier.next(); next.kind !== 'drained'; next = frontier.next()) {
        if (next.kind === 'wait') clock.advance(next.until - clock.now());
        else {
          const ended = fate(times.length === 0 ? first : 'failed');
          times.push(clock.now() - 1_000_000);
          frontier.settle(next.lease, {
            kind: 'done',
            fate: ended,
            discovered: null,
            host: report(ended.state === 'failed' ? 'nothing' : 'well'),
          });
        }
      }
      return times;
    };
    expect(asked()).toEqual([0, 0, 0, FIRST_HOST_PAUSE + 1, 3 * FIRST_HOST_PAUSE + 2]);
    for (const way of ['kept', 'off-topic', 'fetched'] as const) expect(asked(HOST_PATIENCE, way)).toEqual(Array(12).fill(0));
    expect(asked({ ...HOST_PATIENCE, fruitless: Number.POSITIVE_INFINITY })).toEqual(Array(12).fill(0));
  });

  test('a host given up on is passed over and told of; readmitted, it is asked again when its pause is over', async () => {
    const clock = new VirtualClock();
    const frontier = open({ ...OPTIONS, clock });
    frontier.add(seeds(...Array.from({ length: 30 }, (_, i) => link(`http://a.test/${i}`, 1))));
    let asked = 0;
    for (let next = frontier.next(); next.kind !== 'drained'; next = frontier.next()) {
      if (next.kind === 'wait') clock.advance(next.until - clock.now());
      else {
        asked += 1;
        end(frontier, next.lease, report('fault'));
      }
    }
    expect(asked).toBe(3 + 5);
    expect(frontier.counts()).toMatchObject({ waiting: 22, parked: 22 });
    frontier.add(seeds(link('http://a.test/more', 1)));
    expect(frontier.next()).toEqual({ kind: 'drained' });
    const parked = [...frontier.ledger()].filter(({ state }) => state === 'parked');
    expect([parked.length, parked[0]?.reason]).toEqual([23, 'host-unreachable']);

    expect(frontier.readmitHosts()).toBe(1);
    expect(frontier.counts().parked).toBe(0);
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + 32 * FIRST_HOST_PAUSE + 1 });
    clock.advance(32 * FIRST_HOST_PAUSE + 1);
    end(frontier, leaseOf(frontier));
    expect(frontier.counts().waiting).toBe(22);
    await frontier.close();
  });
});

describe('reopened', () => {
  const reopenedAfter = async (trouble: (frontier: Frontier, clock: VirtualClock) => void) => {
    const path = mkdtempSync(join(folder, 'reopened-'));
    const clock = new VirtualClock();
    const before = openLmdbFrontier(path, { ...OPTIONS, clock });
    before.add(seeds(...Array.from({ length: 20 }, (_, i) => link(`http://a.test/${i}`, 1)), link('http://b.test/', 0.1)));
    trouble(before, clock);
    await before.commit({}, Promise.resolve());
    await before.close();
    return { clock, frontier: openLmdbFrontier(path, { ...OPTIONS, clock }) };
  };

  test('a frontier goes on obeying Retry-After', async () => {
    const { clock, frontier } = await reopenedAfter((before) => {
      const lease = leaseOf(before);
      before.settle(lease, { kind: 'retry', reason: 'timeout', notBefore: 0, host: report('busy', { retryAfter: 600_000 }) });
    });
    clock.advance(DELAY + 1);
    expect(leaseOf(frontier).entry.url).toBe('http://b.test/');
    expect(frontier.next()).toEqual({ kind: 'wait', until: 1_000_000 + 600_001 });
    await frontier.close();
  });

  test('a clock that was 400 days ahead and is set right: a URL waits no longer than it was to', async () => {
    const path = mkdtempSync(join(folder, 'ahead-'));
    const ahead = new VirtualClock(1_000_000 + 400 * DAY);
    const before = openLmdbFrontier(path, { ...OPTIONS, clock: ahead });
    before.add(seeds(link('http://a.test/', 1), link('http://b.test/', 0.5), link('http://c.test/', 0.1)));
    for (const pause of [5000, DAY, 0])
      before.settle(leaseOf(before), { kind: 'retry', reason: 'http-5xx', notBefore: ahead.now() + pause, host: null });
    await before.commit({}, Promise.resolve());
    await before.close();

    const clock = new VirtualClock();
    const frontier = openLmdbFrontier(path, { ...OPTIONS, clock });
    clock.advance(DELAY + 1);
    const asked: (readonly [string, number])[] = [];
    while (asked.length < 3) {
      const next = frontier.next();
      if (next.kind === 'wait') clock.advance(next.until - clock.now());
      else if (next.kind === 'lease') {
        asked.push([next.lease.entry.url, clock.now() - 1_000_000]);
        end(frontier, next.lease, WELL);
      }
    }
    expect(asked).toEqual([
      ['http://c.test/', DELAY + 1],
      ['http://a.test/', 5000],
      ['http://b.test/', DAY],
    ]);
    await frontier.close();
  });

  test('a wait that an earlier version stored, without its length, ends within the longest that any rule has', async () => {
    const path = mkdtempSync(join(folder, 'earlier-'));
    const store = LmdbStore.open(path, null, null);
    const clock = new VirtualClock();
    store.appendDiscovery(0, { ...seeds(link('http://a.test/', 1)), shorterWayOnly: [] });
    store.putRetry(0, { attempts: 1, notBefore: clock.now() + 400 * DAY }, NAME);
    await store.commit({}, Promise.resolve());
    await store.close();
    const frontier = openLmdbFrontier(path, { ...OPTIONS, clock });
    clock.advance(DELAY + 1);
    expect(frontier.next()).toEqual({ kind: 'wait', until: 1_000_000 + LONGEST_WAIT });
    await frontier.close();
  });

  test('a frontier remembers which host was given up on, until it is readmitted', async () => {
    const { clock, frontier } = await reopenedAfter((before, time) => {
      for (let asked = 0; asked < 8; ) {
        const next = before.next();
        if (next.kind === 'wait') time.advance(next.until - time.now());
        else if (next.kind === 'lease') {
          const ofA = next.lease.entry.host === 'http://a.test';
          end(before, next.lease, ofA ? report('fault') : WELL);
          if (ofA) asked += 1;
        }
      }
    });
    expect(frontier.counts()).toMatchObject({ waiting: 12, parked: 12 });
    expect(frontier.next()).toEqual({ kind: 'drained' });
    expect(frontier.readmitHosts()).toBe(1);
    expect(frontier.next('all', upTo(DELAY)).kind).toBe('wait');
    clock.advance(3_600_001);
    expect(frontier.next().kind).toBe('lease');
    await frontier.close();
  });

  test('no group is asked within its delay of a request before: every host rests first, and tells its groups anew', async () => {
    const { clock, frontier } = await reopenedAfter((before) => {
      const lease = leaseOf(before);
      before.join(lease, ['machine']);
      end(before, lease);
    });
    expect(frontier.next()).toEqual({ kind: 'wait', until: clock.now() + DELAY + 1 });
    clock.advance(DELAY + 1);
    expect(leaseOf(frontier).joined).toBe(false);
    await frontier.close();
  });
});
