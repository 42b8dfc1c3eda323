import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Frontier, Settlement } from '../../../src/base/core/parts/queueing.ts';
import type { LedgerLine } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { StoredVisits } from '../../../src/crawling/frontier/stored-visits.ts';
import { runs } from '../../support/extent.ts';
import { writeFormer } from '../../support/former-frontier.ts';
import { fate, link, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-durability-'));
  folders.push(folder);
  return folder;
}

const clock = new VirtualClock();
const open = (folder: string, delay = 0) => openLmdbFrontier(folder, { clock, delay, maxPagesPerHost: Number.POSITIVE_INFINITY });
const done = (discovered: (Settlement & { kind: 'done' })['discovered'] = null): Settlement => ({
  kind: 'done',
  fate: fate('kept', { relevance: 0.5 }),
  discovered,
  host: WELL,
});
const ready = Promise.resolve();

test('what was committed is found again, with its corpus offsets; what was not never happened', async () => {
  const folder = newFolder();
  const before = open(folder);
  before.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.5)));
  const first = before.next();
  if (first.kind !== 'lease') throw new Error('no lease');
  before.settle(first.lease, done(outlinks('http://a.test/1', [link('http://b.test/', 0.7)])));
  await before.commit({ 'records.jsonl': 42 }, ready);
  const second = before.next();
  if (second.kind !== 'lease') throw new Error('no lease');
  before.settle(second.lease, done(outlinks('http://b.test/', [link('http://c.test/', 0.9)])));
  await before.close();

  const after = open(folder);
  expect(after.committedOffsets()).toEqual({ 'records.jsonl': 42 });
  expect([...after.ledger()].map(({ url, state, order }) => [url, state, order])).toEqual([
    ['http://a.test/1', 'kept', 1],
    ['http://a.test/2', 'waiting', null],
    ['http://b.test/', 'waiting', null],
  ]);
  expect(after.next()).toMatchObject({ kind: 'lease', lease: { entry: { url: 'http://b.test/', priority: Math.fround(0.7) } } });
  await after.close();
});

test('a commit waits for the corpus, and fails with it', async () => {
  const frontier = open(newFolder());
  frontier.add(seeds(link('http://a.test/1', 1)));
  await expect(frontier.commit({}, Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  await frontier.close();
});

test('after a reopen every known host rests its delay first', async () => {
  const folder = newFolder();
  const before = open(folder, 1000);
  before.add(seeds(link('http://a.test/1', 1)));
  await before.commit({}, ready);
  await before.close();
  const after = open(folder, 1000);
  expect(after.next()).toEqual({ kind: 'wait', until: clock.now() + 1001 });
  await after.close();
});

test('a directory of another layout version is refused', async () => {
  const folder = newFolder();
  const { open: openLmdb } = await import('lmdb');
  const database = openLmdb({ path: folder, maxDbs: 4 });
  await database.put('format', 99);
  await database.close();
  expect(() => open(folder)).toThrow(/another version/);
});

test.each([1, 2, 3] as const)('a crawl of layout version %d is continued, and opened again', async (version) => {
  const [folder, fresh] = [newFolder(), newFolder()];
  const discovery = outlinks('http://p.test/', [link('http://a.test/1', 0.9), link('http://a.test/2', 0.5, 'robots')]);
  const made = open(fresh);
  made.add(discovery);
  const was = [...made.ledger()];
  await made.close();
  await writeFormer(folder, version, { discoveries: [{ ...discovery, shorterWayOnly: [] }], offsets: { 'records.jsonl': 3 } });
  const after = open(folder);
  expect([...after.ledger()]).toEqual(was);
  expect(after.committedOffsets()).toEqual({ 'records.jsonl': 3 });
  after.add(outlinks('http://q.test/', [link('http://b.test/', 0.7)]));
  await after.commit({}, ready);
  await after.close();
  const again = open(folder);
  expect([...again.ledger()].map(({ url }) => url)).toEqual(['http://a.test/1', 'http://a.test/2', 'http://b.test/']);
  await again.close();
});

/** What a frontier shows of itself, but for the clock. */
function shown(frontier: Frontier): { ledger: LedgerLine[]; settled: string[] } {
  return {
    ledger: [...frontier.ledger()].map((line) => (line.state === 'leased' ? { ...line, state: 'waiting' as const } : line)),
    settled: [...frontier.settled()].map(({ entry, fate: ended }) => `${entry.url} ${entry.edge?.link.anchorText} ${ended.state}`),
  };
}

test('any run, reopened after any commit, shows the ledger of the commit: priorities, edges, depths, states, order', async () => {
  const action = fc.oneof(
    fc.record({
      do: fc.constant('add' as const),
      path: fc.integer({ min: 0, max: 8 }),
      priority: fc.double({ min: 0, max: 1, noNaN: true }),
      depth: fc.integer({ min: 1, max: 5 }),
      refusal: fc.constantFrom(null, null, 'tunnel' as const, 'scope' as const),
      anchor: fc.string({ maxLength: 5 }),
    }),
    fc.record({ do: fc.constant('visit' as const) }),
    fc.record({ do: fc.constant('retry' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), fc.array(action, { maxLength: 6 }), async (actions, lost) => {
      const folder = newFolder();
      const frontier = open(folder);
      const act = (one: (typeof actions)[number]) => {
        if (one.do === 'add') {
          const links = [link(`http://h${one.path % 3}.test/${one.path}`, one.priority, one.refusal, { anchorText: one.anchor })];
          frontier.add(outlinks('http://p.test/', links, { depth: one.depth, offTopicDepth: one.depth }));
          return;
        }
        const next = frontier.next();
        if (next.kind !== 'lease') return;
        frontier.settle(next.lease, one.do === 'visit' ? done() : { kind: 'retry', reason: 'timeout', notBefore: clock.now(), host: null });
      };
      for (const one of actions) act(one);
      const expected = shown(frontier);
      await frontier.commit({}, ready);
      for (const one of lost) act(one);
      await frontier.close();
      const again = open(folder);
      expect(shown(again)).toEqual(expected);
      await again.close();
      rmSync(folder, { recursive: true, force: true });
    }),
    { numRuns: runs(40) },
  );
});

test('relevances to several topics are found again to the bit, in fates, the ledger and stored visits', async () => {
  const folder = newFolder();
  const relevances = [0.1, 1 / 3, 1 - Number.EPSILON];
  const before = open(folder);
  before.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.5)));
  for (const known of [{ relevance: 0.5, relevances }, { relevance: 0.5 }]) {
    const next = before.next();
    if (next.kind !== 'lease') throw new Error('no lease');
    before.settle(next.lease, { kind: 'done', fate: fate('off-topic', known), discovered: null, host: null });
  }
  await before.commit({}, ready);
  await before.close();

  const after = open(folder);
  expect(after.find(urlOf('http://a.test/1'))?.fate?.relevances).toEqual(relevances);
  expect([...after.ledger()].map((line) => line.relevances)).toEqual([relevances, undefined]);
  expect([...after.ledger()].map((line) => 'relevances' in line)).toEqual([true, false]);
  expect([...after.settled()].map(({ fate }) => fate.relevances)).toEqual([relevances, undefined]);
  await after.close();

  const visits = StoredVisits.open(folder);
  expect([...visits].map(({ fate }) => fate.relevances)).toEqual([relevances, undefined]);
  await visits.close();
});
