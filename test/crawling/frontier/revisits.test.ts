/** Kept pages that are asked for again: politely, before all else, and without a change of state. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { InvariantError } from '../../../src/base/core/errors.ts';
import type { Frontier, Settlement } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { Lease, RecordId, Revisit } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { FrontierOptions } from '../../../src/crawling/frontier/frontier-parts.ts';
import { rejudgeFrontier } from '../../../src/crawling/frontier/rejudge.ts';
import { runs } from '../../support/extent.ts';
import { fate, link, outlinks, report, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
const opened: Frontier[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((frontier) => frontier.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-revisits-'));
  folders.push(folder);
  return folder;
}

const KINDS = {
  memory: (options: FrontierOptions) => openMemoryFrontier(options),
  lmdb: (options: FrontierOptions) => openLmdbFrontier(newFolder(), options),
};
const ready = Promise.resolve();
const DAY = 86_400_000;
const idOf = (url: string) => `urn:uuid:${url}` as RecordId;
const version = (name: string, known: Partial<NonNullable<Revisit['version']>> = {}) => ({
  recordId: idOf(name),
  payloadSha256: name,
  relevance: 0.7,
  modelId: 'm',
  ...known,
});
const revisited = (revisit: Revisit | null, known: Partial<Extract<Settlement, { kind: 'revisited' }>> = {}): Settlement => ({
  kind: 'revisited',
  revisit,
  discovered: null,
  host: WELL,
  ...known,
});
const asItWas = (at: number, result: Revisit['result'] = 'not-modified'): Revisit => ({ at, status: 304, result, version: null });

function lease(frontier: Frontier, only?: 'revisits'): Lease {
  const next = frontier.next(only);
  if (next.kind !== 'lease') throw new Error(`expected a lease, got ${JSON.stringify(next)}`);
  return next.lease;
}

/** Keep a page of the best that waits. */
function keep(frontier: Frontier, at: number): string {
  const one = lease(frontier);
  const { url } = one.entry;
  const kept = fate('kept', { relevance: 0.9, fetchedAt: at, recordId: idOf(url), payloadSha256: url });
  frontier.settle(one, { kind: 'done', fate: kept, discovered: null, host: WELL });
  return url;
}

describe.each(Object.entries(KINDS))('%s frontier', (_kind, openKind) => {
  const clock = new VirtualClock();
  const open = (options: Partial<FrontierOptions> = {}) => {
    const frontier = openKind({ clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, ...options });
    opened.push(frontier);
    return frontier;
  };

  test('what was last asked for before a moment is leased before what waits, and stays kept all the while', () => {
    const frontier = open();
    frontier.add(
      seeds(
        link('http://a.test/old', 1),
        link('http://b.test/new', 0.9),
        link('http://c.test/waits', 0.8),
        link('http://d.test/off', 0.95),
      ),
    );
    keep(frontier, 10);
    frontier.settle(lease(frontier), {
      kind: 'done',
      fate: fate('off-topic', { relevance: 0.1, fetchedAt: 10 }),
      discovered: null,
      host: WELL,
    });
    keep(frontier, 20);
    const counts = frontier.counts();
    expect(frontier.revisit(20)).toEqual([idOf('http://a.test/old')]);
    expect(frontier.revisit(20)).toEqual([]);
    expect(frontier.due).toBe(1);
    const again = lease(frontier);
    expect(again.entry).toMatchObject({
      url: 'http://a.test/old',
      priority: 1,
      task: { kind: 'revisit', kept: { recordId: idOf('http://a.test/old'), payloadSha256: 'http://a.test/old' } },
    });
    expect([frontier.counts(), frontier.due]).toEqual([counts, 0]);
    expect(lease(frontier).entry).toMatchObject({ url: 'http://c.test/waits' });
    frontier.settle(again, revisited(asItWas(30), { discovered: outlinks('http://a.test/old', [link('http://e.test/', 0.5)]) }));
    expect(frontier.counts()).toMatchObject({ kept: 2, visited: 3, discovered: 5 });
    const found = frontier.find(urlOf('http://a.test/old'));
    expect(found?.line).toMatchObject({ state: 'kept', order: 1, relevance: 0.9, fetchedAt: 10, revisit: asItWas(30) });
    expect([...frontier.settled()].map(({ entry, fate: { fetchedAt } }) => [entry.url, fetchedAt])).toEqual([
      ['http://a.test/old', 10],
      ['http://d.test/off', 10],
      ['http://b.test/new', 20],
    ]);
    expect([...frontier.revisits()]).toMatchObject([{ url: 'http://a.test/old', revisit: asItWas(30) }]);
    expect(frontier.revisit(30)).toEqual([idOf('http://b.test/new')]);
  });

  test('a version stays the newest until another comes; it is named and judged by then', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/', 1)));
    keep(frontier, 10);
    const second = version('second', { relevances: [0.7, 0.1] });
    frontier.revisit(20);
    frontier.settle(lease(frontier), revisited({ at: 20, status: 200, result: 'changed', version: second }));
    expect(frontier.revisit(30)).toEqual([idOf('second')]);
    const again = lease(frontier);
    expect(again.entry.task).toEqual({
      kind: 'revisit',
      of: 'page',
      kept: { recordId: idOf('second'), payloadSha256: 'second' },
      last: 'changed',
    });
    frontier.settle(again, revisited(asItWas(30, 'gone')));
    const found = frontier.find(urlOf('http://a.test/'));
    expect(found?.line).toMatchObject({ relevance: 0.7, relevances: [0.7, 0.1], revisit: { at: 30, result: 'gone', version: second } });
    expect(found?.fate).toMatchObject({ recordId: idOf('second'), payloadSha256: 'second', relevance: 0.9 });
  });

  test('hosts rest between, pause after trouble and are given up on, for these as for all', () => {
    const frontier = open({ delay: 1000 });
    frontier.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9), link('http://b.test/waits', 0.1)));
    for (let i = 0; i < 2; i++) {
      keep(frontier, 10);
      clock.advance(1001);
    }
    frontier.revisit(20);
    const first = lease(frontier);
    expect(first.entry.url).toBe('http://a.test/1');
    expect(lease(frontier).entry.url).toBe('http://b.test/waits');
    frontier.settle(first, revisited(null, { host: report('busy', { retryAfter: 60_000 }) }));
    expect(frontier.next('revisits')).toMatchObject({ kind: 'wait' });
    for (let i = 0; i < 10; i++) {
      clock.advance(4_000_000);
      const next = frontier.next('revisits');
      if (next.kind !== 'lease') break;
      frontier.settle(next.lease, { kind: 'released', host: report('fault') });
    }
    expect([frontier.due, frontier.next('revisits').kind]).toEqual([0, 'drained']);
    expect(frontier.readmitHosts()).toBe(1);
    expect(frontier.due).toBe(1);
  });

  test('one that is released is due again; what would change its state is our bug', () => {
    const frontier = open();
    frontier.add(seeds(link('http://a.test/', 1)));
    keep(frontier, 10);
    frontier.revisit(20);
    const first = lease(frontier);
    frontier.settle(first, { kind: 'released', host: null });
    expect(frontier.due).toBe(1);
    const again = lease(frontier);
    expect(again.entry.task).toEqual(first.entry.task);
    expect(() => frontier.settle(again, { kind: 'done', fate: fate('failed'), discovered: null, host: WELL })).toThrow(InvariantError);
    frontier.add(seeds(link('http://b.test/', 1)));
    expect(() => frontier.settle(lease(frontier), revisited(null))).toThrow(InvariantError);
  });

  test('a host over its page cap is asked for these alone', () => {
    const frontier = open({ maxPagesPerHost: 2 });
    frontier.add(seeds(link('http://a.test/1', 0.5), link('http://a.test/2', 0.4), link('http://a.test/3', 0.3)));
    for (let i = 0; i < 2; i++) keep(frontier, 10);
    expect([frontier.next().kind, frontier.counts().parked]).toEqual(['drained', 1]);
    frontier.revisit(20);
    const order: string[] = [];
    for (let next = frontier.next(); next.kind === 'lease'; next = frontier.next()) {
      order.push(next.lease.entry.url);
      frontier.settle(next.lease, revisited(asItWas(30)));
    }
    expect(order).toEqual(['http://a.test/1', 'http://a.test/2']);
    expect([frontier.next().kind, frontier.counts().parked, frontier.counts().waiting]).toEqual(['drained', 1, 1]);
  });

  test('nor are others of it drawn by chance meanwhile', () => {
    const frontier = open({ maxPagesPerHost: 1, explore: { share: 1, seed: 1 } });
    frontier.add(seeds(...[1, 2, 3, 4].map((i) => link(`http://a.test/${i}`, 0.5))));
    keep(frontier, 10);
    frontier.revisit(20);
    const next = frontier.next();
    if (next.kind !== 'lease') throw new Error('no lease');
    expect(next.lease.entry.task.kind).toBe('revisit');
    frontier.settle(next.lease, revisited(asItWas(30)));
    expect(frontier.next().kind).toBe('drained');
  });

  test('any run: no host is leased twice at once, what is due goes first on its host, states and counts stay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 4 }), (seed, hosts) => {
        const rng = seededRng(seed);
        const frontier = open({ delay: 100 });
        frontier.add(seeds(...Array.from({ length: 20 }, (_, i) => link(`http://h${i % hosts}.test/${i}`, rng()))));
        const held = new Map<string, Lease>();
        const due = new Set<string>();
        const kept = new Map<string, number>();
        for (let step = 0; step < 150; step++) {
          const pick = rng();
          if (pick < 0.1) {
            const before = clock.now() - Math.floor(rng() * 2000);
            for (const id of frontier.revisit(before)) due.add(id.slice('urn:uuid:'.length));
          } else if (pick < 0.5) {
            const next = frontier.next(rng() < 0.3 ? 'revisits' : undefined);
            if (next.kind === 'wait' && next.until < Number.POSITIVE_INFINITY) clock.advance(Math.max(0, next.until - clock.now()));
            if (next.kind !== 'lease') continue;
            const { entry } = next.lease;
            const isAgain = entry.task.kind === 'revisit';
            expect(held.has(entry.host)).toBe(false);
            expect([isAgain, due.has(entry.url)]).toEqual(isAgain ? [true, true] : [false, false]);
            const onHost = [...due].some((url) => url.startsWith(`${entry.host}/`));
            expect(isAgain || !onHost).toBe(true);
            due.delete(entry.url);
            held.set(entry.host, next.lease);
          } else {
            const [host, one] = [...held][Math.floor(rng() * held.size)] ?? [];
            if (!host || !one) continue;
            held.delete(host);
            const { url, task } = one.entry;
            if (task.kind === 'revisit' && rng() < 0.3) {
              due.add(url);
              frontier.settle(one, { kind: 'released', host: null });
            } else if (task.kind === 'revisit') frontier.settle(one, revisited(asItWas(clock.now())));
            else {
              kept.set(url, clock.now());
              const end = fate('kept', { relevance: 0.9, fetchedAt: clock.now(), recordId: idOf(url), payloadSha256: url });
              frontier.settle(one, { kind: 'done', fate: end, discovered: null, host: WELL });
            }
          }
          const counts = frontier.counts();
          expect([counts.kept, counts.visited, frontier.due]).toEqual([kept.size, kept.size, due.size]);
          expect(counts.discovered).toBe(counts.waiting + counts.leased + counts.kept);
        }
      }),
      { numRuns: runs(30) },
    );
  });
});

test('a page that a clock far ahead has dated is due again, and is dated anew', () => {
  const frontier = openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
  const [now, age] = [1_000_000, 30_000];
  frontier.add(seeds(link('http://a.test/ahead', 1), link('http://b.test/new', 0.9)));
  keep(frontier, now + 400 * DAY);
  keep(frontier, now + age);
  expect(frontier.revisit(now - age)).toEqual([idOf('http://a.test/ahead')]);
  frontier.settle(lease(frontier), revisited(asItWas(now)));
  expect(frontier.revisit(now - age)).toEqual([]);
});

test('what was learned is committed with the rest; what was due when the process ended is not due any more', async () => {
  const clock = new VirtualClock();
  const folder = newFolder();
  const options = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
  const before = openLmdbFrontier(folder, options);
  before.add(seeds(link('http://a.test/', 1), link('http://b.test/', 0.9), link('http://c.test/', 0.8)));
  for (let i = 0; i < 3; i++) keep(before, 10);
  before.revisit(20);
  before.settle(lease(before), revisited({ at: 20, status: 200, result: 'changed', version: version('second') }));
  const ledger = [...before.ledger()];
  await before.commit({ 'records.jsonl': 4 }, ready);
  before.settle(lease(before), revisited(asItWas(20)));
  await before.close();

  const after = openLmdbFrontier(folder, options);
  expect([...after.ledger()]).toEqual(ledger);
  expect([after.due, after.next().kind, [...after.revisits()].length]).toEqual([0, 'drained', 1]);
  expect(after.revisit(20)).toEqual([idOf('http://b.test/'), idOf('http://c.test/')]);
  expect(after.revisit(20 + DAY)).toEqual([idOf('second')]);
  await after.close();
});

test('another model judges the newest version; one that came under that model has its own judgement', async () => {
  const clock = new VirtualClock();
  const folder = newFolder();
  const options = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
  const before = openLmdbFrontier(folder, options);
  before.add(seeds(link('http://a.test/', 1), link('http://b.test/', 0.9)));
  for (let i = 0; i < 2; i++) keep(before, 10);
  before.revisit(20);
  before.settle(lease(before), revisited({ at: 20, status: 200, result: 'changed', version: version('second') }));
  await before.commit({}, ready);
  await before.close();
  const kept = new Map([
    [idOf('http://a.test/'), { relevance: 0.11 }],
    [idOf('second'), { relevance: 0.22 }],
    [idOf('http://b.test/'), { relevance: 0.33 }],
  ]);
  const words = () => ({ anchorScore: null, contextScore: null });
  await rejudgeFrontier(folder, {
    modelId: 'new',
    threshold: 0.2,
    active: null,
    kept,
    payloads: new Map(),
    judge: () => ({ relevance: 0 }),
    scoresOf: words,
  });
  const after = openLmdbFrontier(folder, options, 'new');
  const relevanceOf = (url: string) => after.find(urlOf(url))?.line.relevance;
  expect(['http://a.test/', 'http://b.test/'].map(relevanceOf)).toEqual([0.22, 0.33]);
  after.revisit(30);
  after.settle(
    lease(after),
    revisited({ at: 30, status: 200, result: 'changed', version: version('third', { relevance: 0.44, modelId: 'new' }) }),
  );
  expect(relevanceOf('http://a.test/')).toBe(0.44);
  await after.close();
});
