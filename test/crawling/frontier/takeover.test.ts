import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Settlement } from '../../../src/base/core/parts/queueing.ts';
import type { CanonicalUrl, HostKey, Lease, LedgerLine, RecordId } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openLoggedFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import type { LoggedFrontier } from '../../../src/crawling/frontier/logged-frontier.ts';
import { runs } from '../../support/extent.ts';
import { type LogEnd, MemoryLog, PARTITIONS, partitionOf } from '../../support/frontier-log.ts';
import { ALTERNATE, fate, hostOf, link, outlinks, report, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-takeover-'));
  folders.push(folder);
  return folder;
}

const ALL = Array.from({ length: PARTITIONS }, (_, i) => i);
const ready = Promise.resolve();
const page = { title: 'A title', text: 'Some text.', lang: 'en' };

/** One worker: its frontier, and the partitions it holds. */
class TestWorker {
  readonly #log: MemoryLog;
  readonly #end: LogEnd;
  readonly clock: VirtualClock;
  readonly folder: string;
  frontier: LoggedFrontier;
  held: number[] = [];

  constructor(log: MemoryLog, clock = new VirtualClock(), folder = newFolder(), options: Partial<FrontierOptions> = {}) {
    this.#log = log;
    this.clock = clock;
    this.folder = folder;
    const share = { isAway: (host: HostKey) => !this.held.includes(partitionOf(host)), held: () => this.held };
    this.#end = log.end(share.held);
    const whole = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true, ...options };
    this.frontier = openLoggedFrontier(folder, whole, null, this.#end, share);
  }

  /** Takes partitions over: what their log has beyond the view, and the links that others found for them. */
  async take(...partitions: number[]): Promise<this> {
    const heads = partitions.map((one) => [one, this.#log.last] as const);
    this.frontier.take([...this.#log.entriesAfter(this.frontier.heads, partitions)], heads);
    this.held = [...this.held, ...partitions];
    this.frontier.shareChanged(() => 0);
    this.receive();
    await this.commit();
    return this;
  }

  receive(): void {
    for (const discovery of this.#end.received()) this.frontier.add(discovery);
  }

  async release(...partitions: number[]): Promise<void> {
    await this.commit();
    this.held = this.held.filter((one) => !partitions.includes(one));
    this.frontier.shareChanged(() => 0);
  }

  commit(): Promise<void> {
    return this.frontier.commit({}, ready);
  }

  next(): Lease | null {
    const next = this.frontier.next();
    return next.kind === 'lease' ? next.lease : null;
  }
}

const done = (known: Partial<Settlement & { kind: 'done' }> = {}): Settlement => ({
  kind: 'done',
  fate: fate('off-topic', { relevance: 0.2, page }),
  discovered: null,
  host: WELL,
  ...known,
});

const gist = ({ url, state, reason, priority, depth }: LedgerLine) => `${url} ${state} ${reason} ${priority.toFixed(3)} ${depth}`;

test('a view that is lost is made again from the log, equal in lines, order, texts, retries and troubles', async () => {
  const log = new MemoryLog();
  const first = await new TestWorker(log).take(...ALL);
  first.frontier.add(seeds(link('http://a.test/', 1), link('http://b.test/', 0.9), link('http://c.test/', 0.8)));
  const visit = (settlement: Settlement) => {
    const lease = first.next();
    if (lease === null) throw new Error('no lease');
    first.frontier.settle(lease, settlement);
    return lease.entry.url;
  };
  visit(
    done({
      discovered: outlinks('http://a.test/', [link('http://a.test/x', 0.3), link('http://d.test/y', 0.7), link('http://b.test/z', 0.4)]),
    }),
  );
  visit({ kind: 'retry', reason: 'http-5xx', notBefore: 10_000, host: report('fault') });
  visit(done({ fate: fate('kept', { relevance: 0.9 }) }));
  await first.commit();
  visit(done());
  await first.commit();

  const second = await new TestWorker(log, first.clock).take(...ALL);
  expect([...second.frontier.ledger()]).toEqual([...first.frontier.ledger()]);
  expect(second.frontier.counts()).toEqual(first.frontier.counts());
  const settled = ({ frontier }: TestWorker) => [...frontier.settled()].map(({ entry, fate: { state }, order }) => [entry, state, order]);
  expect(settled(second)).toEqual(settled(first));
  expect(second.frontier.find(urlOf('http://a.test/'))?.fate?.page).toEqual(page);
  await Promise.all([first.frontier.close(), second.frontier.close()]);
});

test('links to hosts of another worker reach it once, and again when they are better', async () => {
  const log = new MemoryLog();
  const [here, there] = [await new TestWorker(log).take(partitionOf(hostOf('http://a.test/'))), await new TestWorker(log).take(2)];
  const found = (priority: number) => here.frontier.add(seeds(link('http://a.test/', 1), link('http://b.test/', priority)));
  found(0.5);
  found(0.4);
  await here.commit();
  expect(log.inbox).toHaveLength(1);
  there.receive();
  expect([...there.frontier.ledger()].map(gist)).toEqual(['http://b.test/ waiting  0.500 0']);
  found(0.75);
  await here.commit();
  there.receive();
  expect([...there.frontier.ledger()].map(gist)).toEqual(['http://b.test/ waiting  0.750 0']);
  expect([...here.frontier.ledger()].map(({ url }) => url)).toEqual(['http://a.test/']);
  await Promise.all([here.frontier.close(), there.frontier.close()]);
});

test('an alternate reaches the worker of its host after a better link, once, and is visited again if it was off topic; so do statements of lists', async () => {
  const log = new MemoryLog();
  const clock = new VirtualClock();
  const [here, there] = [await new TestWorker(log, clock).take(1), await new TestWorker(log, clock).take(2)];
  const found = (...links: ReturnType<typeof link>[]) => here.frontier.add(outlinks('http://a.test/', links));
  const alternate = link('http://b.test/', 0.5, null, {}, ALTERNATE);
  const stated = [{ lang: 'fr', url: urlOf('http://fr.test/') }];
  found(link('http://b.test/', 0.75), link('http://b.test/listed', 0.25));
  found({ ...link('http://b.test/listed', 0.125), alternates: stated });
  await here.commit();
  there.receive();
  expect(there.frontier.alternatesOf(urlOf('http://b.test/listed'))).toEqual(stated);
  const lease = there.next();
  if (lease) there.frontier.settle(lease, done());
  await there.commit();
  found(alternate);
  found(alternate);
  await here.commit();
  expect(log.inbox).toHaveLength(1);
  there.receive();
  await there.commit();
  const again = await new TestWorker(log, clock).take(2);
  for (const { frontier } of [there, again]) {
    expect(frontier.find(urlOf('http://b.test/'))?.entry).toMatchObject({ task: ALTERNATE, priority: 0.5 });
    expect(frontier.counts()).toMatchObject({ visited: 1, earlierVisits: 1, reopened: 1 });
  }
  expect(again.next()?.entry.url).toBe('http://b.test/');
  await Promise.all([here, there, again].map(({ frontier }) => frontier.close()));
});

test('a partition that went away is not asked; what came to it meanwhile is there when it is back', async () => {
  const log = new MemoryLog();
  const clock = new VirtualClock();
  const [a, b] = [await new TestWorker(log, clock).take(1, 2), await new TestWorker(log, clock).take(3)];
  a.frontier.add(seeds(link('http://a.test/', 0.5), link('http://b.test/', 0.9)));
  await a.release(2);
  await b.take(2);
  expect(a.next()?.entry.url).toBe('http://a.test/');
  expect(a.next()).toBeNull();
  expect(a.frontier.counts()).toMatchObject({ waiting: 1, parked: 1 });
  const lease = b.next();
  expect(lease?.entry.url).toBe('http://b.test/');
  if (lease) b.frontier.settle(lease, done({ discovered: outlinks('http://b.test/', [link('http://b.test/more', 0.6)]) }));
  await b.release(2);
  await a.take(2);
  expect(a.next()?.entry.url).toBe('http://b.test/more');
  expect(a.frontier.find(urlOf('http://b.test/'))?.fate?.state).toBe('off-topic');
  await Promise.all([a.frontier.close(), b.frontier.close()]);
});

test('a refused commit changes neither log nor view', async () => {
  const log = new MemoryLog();
  const worker = await new TestWorker(log).take(...ALL);
  worker.frontier.add(seeds(link('http://a.test/', 0.5)));
  await worker.commit();
  worker.frontier.add(seeds(link('http://b.test/', 0.5)));
  log.failure = new Error('fenced');
  await expect(worker.commit()).rejects.toThrow('fenced');
  const later = new TestWorker(log, worker.clock, worker.folder);
  expect([...later.frontier.ledger()].map(({ url }) => url)).toEqual(['http://a.test/']);
  expect(later.frontier.heads.get(1)).toBe(2);
  await later.frontier.close();
});

test('steps that are taken during a commit are not in it, and neither is the note that they are there', async () => {
  const log = new MemoryLog();
  const [first, second] = [await new TestWorker(log).take(2), await new TestWorker(log).take(1)];
  first.frontier.add(seeds(link('http://b.test/', 0.5)));
  await first.release(2);
  second.frontier.add(seeds(link('http://a.test/', 0.5)));
  const flushed: (() => void)[] = [];
  const committing = second.frontier.commit({}, new Promise<void>((resolve) => flushed.push(resolve)));
  second.frontier.take([...log.entriesAfter(second.frontier.heads, [2])], [[2, log.last]]);
  flushed[0]?.();
  await committing;
  // Killed before the next commit.
  const folder = newFolder();
  cpSync(second.folder, folder, { recursive: true });
  const again = await new TestWorker(log, second.clock, folder).take(1, 2);
  expect([...again.frontier.ledger()].map(({ url }) => url).sort()).toEqual(['http://a.test/', 'http://b.test/']);
  await Promise.all([first, second, again].map(({ frontier }) => frontier.close()));
});

test('a page whose record is lost waits again by its relevance, in any view; its new record is no longer lost', async () => {
  const log = new MemoryLog();
  const first = await new TestWorker(log).take(...ALL);
  first.frontier.add(seeds(link('http://a.test/', 1), link('http://b.test/', 0.5)));
  const keep = async (worker: TestWorker, recordId: string): Promise<string> => {
    const lease = worker.next();
    if (lease === null) throw new Error('no lease');
    const kept = fate('kept', { relevance: 0.75, recordId: recordId as RecordId });
    worker.frontier.settle(lease, done({ fate: kept }));
    await worker.commit();
    return lease.entry.url;
  };
  expect(await keep(first, 'one')).toBe('http://a.test/');
  await first.release(...ALL);
  const entry = { kind: 'lost', host: hostOf('http://a.test/'), url: urlOf('http://a.test/') } as const;
  log.append({ ...entry, record: 'one' as RecordId }, { ...entry, record: 'another' as RecordId });
  await first.take(...ALL);
  const fresh = new TestWorker(log, first.clock);
  await fresh.take(...ALL);
  const counts = { waiting: 2, kept: 0, visited: 1, earlierVisits: 1, reopened: 1 };
  for (const { frontier } of [first, fresh]) {
    expect(frontier.counts()).toMatchObject(counts);
    expect(frontier.find(urlOf('http://a.test/'))).toMatchObject({ line: { state: 'waiting', priority: 0.75 }, reopened: true });
  }
  await fresh.frontier.close();
  const again = new TestWorker(log, first.clock, fresh.folder);
  expect(again.frontier.counts()).toMatchObject(counts);
  await again.frontier.close();

  expect(await keep(first, 'two')).toBe('http://a.test/');
  const later = await new TestWorker(log, first.clock).take(...ALL);
  for (const { frontier } of [first, later]) {
    expect(frontier.counts()).toMatchObject({ waiting: 1, kept: 1, visited: 2, earlierVisits: 1, reopened: 0 });
    expect(frontier.find(urlOf('http://a.test/'))?.fate?.recordId).toBe('two');
  }
  await Promise.all([first.frontier.close(), later.frontier.close()]);
});

/** A web of `size` pages on some hosts: page i links to i * 2 + 1, i * 2 + 2 and back. */
const pageUrl = (i: number) => `http://${'abcdefgh'[i % 8]}.test/${i}`;
const linksOf = (i: number, size: number) =>
  [i * 2 + 1, i * 2 + 2, i >> 1, (i * 7) % size].filter((to) => to < size).map((to) => link(pageUrl(to), ((to * 37) % 100) / 100));

test('random histories of workers that come, die, lose their disks and pass partitions on: each page is visited, none twice after a commit', async () => {
  const step = fc.record({
    who: fc.nat(2),
    what: fc.constantFrom('visit', 'visit', 'visit', 'visit', 'commit', 'pass', 'die', 'wreck'),
    partition: fc.nat(PARTITIONS - 1),
  });
  // A takeover commits the visits of the worker, which then loses its disk.
  const visitedAndTaken = [
    { who: 0, what: 'visit', partition: 0 },
    { who: 1, what: 'pass', partition: 3 },
    { who: 1, what: 'visit', partition: 0 },
    { who: 1, what: 'pass', partition: 2 },
    { who: 1, what: 'wreck', partition: 0 },
  ];
  // The last visit finds only links for others: they are on their way when nobody has a page any more.
  const passedOnLast = [
    { who: 1, what: 'pass', partition: 1 },
    { who: 1, what: 'visit', partition: 0 },
  ];
  const examples = [visitedAndTaken, passedOnLast].map((steps): [typeof steps, number] => [steps, 10]);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), fc.integer({ min: 10, max: 60 }), async (steps, size) => {
      const log = new MemoryLog();
      const clock = new VirtualClock();
      const workers = [await new TestWorker(log, clock).take(...ALL), new TestWorker(log, clock), new TestWorker(log, clock)];
      const committed = new Set<string>();
      const fresh = workers.map(() => new Set<string>());
      const noteCommit = (who: number) => {
        for (const url of fresh[who] ?? []) committed.add(url);
        fresh[who]?.clear();
      };
      const commit = async (who: number) => {
        await workers[who]?.commit();
        noteCommit(who);
      };
      const visit = (who: number): boolean => {
        const worker = workers[who];
        worker?.receive();
        const lease = worker?.next();
        if (!worker || !lease) return false;
        expect(committed.has(lease.entry.url)).toBe(false);
        fresh[who]?.add(lease.entry.url);
        const i = Number(lease.entry.url.split('/').at(-1));
        worker.frontier.settle(lease, done({ discovered: outlinks(lease.entry.url, linksOf(i, size)) }));
        return true;
      };
      workers[0]?.frontier.add(seeds(link(pageUrl(0), 1)));
      await commit(0);
      for (const { who, what, partition } of steps) {
        const worker = workers[who] as TestWorker;
        if (what === 'visit') visit(who);
        else if (what === 'commit') await commit(who);
        else if (what === 'pass') {
          const owner = workers.findIndex(({ held }) => held.includes(partition));
          if (owner === who || owner < 0) continue;
          await commit(owner);
          await workers[owner]?.release(partition);
          await worker.take(partition);
          noteCommit(who);
        } else {
          // What it had not committed never happened, also what it received.
          const { held } = worker;
          await worker.frontier.close();
          const again = new TestWorker(log, clock, what === 'die' ? worker.folder : newFolder());
          workers[who] = again;
          fresh[who]?.clear();
          await again.take(...held);
        }
      }
      for (let moved = true; moved || log.inbox.length > 0; ) {
        moved = false;
        for (const who of workers.keys()) {
          moved = visit(who) || moved;
          await commit(who);
        }
      }
      expect(committed.size).toBe(reachable(size));
      expect(visitsIn(log)).toEqual([...committed].sort());
      await Promise.all(workers.map(({ frontier }) => frontier.close()));
    }),
    { numRuns: examples.length + runs(12), examples },
  );
});

/** The URLs of all fates in the log. */
function visitsIn(log: MemoryLog): string[] {
  return [...log.entriesAfter(new Map(), ALL)].flatMap((entry) => (entry.kind === 'fate' ? [entry.url] : [])).sort();
}

function reachable(size: number): number {
  const seen = new Set([0]);
  for (const i of seen) for (const { url } of linksOf(i, size)) seen.add(Number(url.split('/').at(-1)));
  return seen.size;
}

test('a crawl through the log has the ledger of one without it', async () => {
  const crawlAll = async (frontier: LoggedFrontier | ReturnType<typeof openLmdbFrontier>): Promise<string[]> => {
    const order: string[] = [];
    frontier.add(seeds(link(pageUrl(0), 1)));
    for (let next = frontier.next(); next.kind === 'lease'; next = frontier.next()) {
      const { url } = next.lease.entry;
      order.push(url);
      frontier.settle(next.lease, done({ discovered: outlinks(url, linksOf(Number(url.split('/').at(-1)), 50)) }));
      if (order.length % 7 === 0) await frontier.commit({}, ready);
    }
    await frontier.commit({}, ready);
    return [...order, ...[...frontier.ledger()].map(gist)];
  };
  const clock = new VirtualClock();
  const plain = openLmdbFrontier(newFolder(), { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true });
  const { frontier } = await new TestWorker(new MemoryLog(), clock).take(...ALL);
  expect(await crawlAll(frontier)).toEqual(await crawlAll(plain));
  await Promise.all([plain.close(), frontier.close()]);
});

test('the order of revisits moves with a partition: its new worker asks as its former one would have', async () => {
  const DAY = 86_400_000;
  const plan = { target: 'age', budget: { kind: 'a-day', count: 4 } } as const;
  const urls = Array.from({ length: 8 }, (_, i) => `http://h${i}.test/`);
  const isBusy = (url: string) => /h[0-3]/.test(url);
  const log = new MemoryLog();
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  const first = await new TestWorker(log, clock).take(...ALL);
  first.frontier.add(seeds(...urls.map((url) => link(url, 0.5))));
  for (let lease = first.next(); lease !== null; lease = first.next()) {
    const recordId = lease.entry.url as string as RecordId;
    first.frontier.settle(lease, done({ fate: fate('kept', { fetchedAt: clock.now(), recordId, payloadSha256: lease.entry.url }) }));
  }
  /** The URLs that a worker asks in some days. */
  const asked = ({ frontier, clock: own }: TestWorker, days: number) => {
    const order: string[] = [];
    for (const end = own.now() + days * DAY; own.now() < end; ) {
      const next = frontier.next();
      if (next.kind === 'drained') throw new Error('a continuous crawl is never drained');
      if (next.kind === 'wait') own.advance(Math.min(next.until, end) - own.now());
      else {
        order.push(next.lease.entry.url);
        const result = isBusy(next.lease.entry.url) ? 'changed' : 'same';
        const revisit = { at: own.now(), status: 200, result, version: null } as const;
        frontier.settle(next.lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
      }
    }
    return order;
  };
  first.frontier.refresh(plan);
  expect(asked(first, 20).length).toBeGreaterThan(60);
  await first.commit();
  // One begins its order before it takes the partitions, one behind that.
  const second = new TestWorker(log, clock);
  second.frontier.refresh(plan);
  await second.take(...ALL);
  const third = await new TestWorker(log, new VirtualClock(clock.now())).take(...ALL);
  third.frontier.refresh(plan);
  const bySecond = asked(second, 10);
  expect(bySecond.filter(isBusy).length).toBeGreaterThan(bySecond.filter((url) => !isBusy(url)).length);
  expect(asked(third, 10)).toEqual(bySecond);
  await Promise.all([first, second, third].map(({ frontier }) => frontier.close()));
});

test('a URL of another worker counts as known, so that a list with it has nothing new each time', async () => {
  const worker = await new TestWorker(new MemoryLog()).take(ALL[0] as number);
  const urls = Array.from({ length: 40 }, (_, i) => urlOf(`http://h${i}.test/`));
  const isOwn = (url: CanonicalUrl) => worker.held.includes(partitionOf(new URL(url).origin as HostKey));
  expect(urls.map((url) => worker.frontier.knows(url))).toEqual(urls.map((url) => !isOwn(url)));
  expect(urls.some(isOwn)).toBe(true);
  await worker.frontier.close();
});

test('a share of the pages a day is one of the pages of the own partitions', async () => {
  const DAY = 86_400_000;
  const urls = Array.from({ length: 40 }, (_, i) => `http://h${i}.test/`);
  const log = new MemoryLog();
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  const worker = await new TestWorker(log, clock).take(...ALL);
  worker.frontier.add(seeds(...urls.map((url) => link(url, 0.5))));
  for (let lease = worker.next(); lease !== null; lease = worker.next()) {
    const recordId = lease.entry.url as string as RecordId;
    worker.frontier.settle(lease, done({ fate: fate('kept', { fetchedAt: clock.now(), recordId, payloadSha256: lease.entry.url }) }));
  }
  worker.frontier.refresh({ target: 'age', budget: { kind: 'of-pages-a-day', share: 0.5 } });
  const askedIn = (days: number) => {
    let count = 0;
    for (const end = clock.now() + days * DAY; clock.now() < end; ) {
      const next = worker.frontier.next();
      if (next.kind === 'drained') throw new Error('a continuous crawl is never drained');
      if (next.kind === 'wait') clock.advance(Math.min(next.until, end) - clock.now());
      else {
        count += 1;
        const revisit = { at: clock.now(), status: 200, result: 'same', version: null } as const;
        worker.frontier.settle(next.lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
      }
    }
    return count;
  };
  askedIn(1);
  expect(askedIn(4) / 4).toBeCloseTo(20, 0);
  await worker.release(...ALL.slice(1));
  const own = urls.filter((url) => worker.held.includes(partitionOf(new URL(url).origin as HostKey))).length;
  expect(own).toBeGreaterThan(0);
  expect(own).toBeLessThan(40);
  askedIn(1);
  expect(askedIn(4) / 4).toBeCloseTo(own / 2, 0);
  await worker.take(...ALL.slice(1));
  askedIn(1);
  expect(askedIn(4) / 4).toBeCloseTo(20, 0);
  await worker.frontier.close();
});
