/** What a frontier's database holds is checked when it is read: values against their checksums and keys, counts against the head. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { open as openLmdb, type RootDatabase } from 'lmdb';
import { Packr } from 'msgpackr';
import { afterEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { RecordId } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { HEALTHY } from '../../../src/crawling/frontier/host-health.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { packDiscovery, unpackDiscovery } from '../../../src/crawling/frontier/packed-discovery.ts';
import { unsettle } from '../../../src/crawling/frontier/unsettle.ts';
import { withoutJudgements } from '../../../src/crawling/frontier/write-rejudgement.ts';
import { fate, link, NAME, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-values-'));
  folders.push(folder);
  return folder;
}

const ready = Promise.resolve();
const MODEL = 'model';
const seedOf = (n: number) => ({ ...seeds(link(`http://a.test/${n}`, 1)), shorterWayOnly: [] });
const settled = (order: number) => ({
  fate: fate('off-topic', { relevance: 0.1, page: { title: 'Peat', text: `${order}`.repeat(50), lang: null } }),
  order,
  priority: 0.5,
  learnedFrom: 0,
});

/** Two values in each table but the log, which has ten. */
async function written(): Promise<string> {
  const folder = newFolder();
  const store = LmdbStore.open(folder, null, 'crawl-1');
  for (const n of [0, 1]) {
    store.appendDiscovery(n, seedOf(n));
    store.putFate(n, settled(n + 1), NAME);
    store.putRetry(n, { attempts: n, notBefore: 7, pause: 3, reason: 'timeout' }, NAME);
    store.putRevisit(n, { at: n, status: 200, result: 'same', version: null }, NAME);
    store.putHost(n, { ...HEALTHY, faults: n }, NAME.host);
  }
  for (const n of [0, 1]) store.putPriorities(n, { priorities: Float32Array.of(0.5), learnedFrom: Uint32Array.of(n) });
  store.noteRuns(3);
  await store.commit({ 'records.jsonl': 42 }, ready);
  const head = { settled: 2, threshold: 0.5 };
  await store.putRejudgement({ ...withoutJudgements(MODEL, 0.5), head, pages: Float64Array.of(0.7, 0.2) });
  await store.close();
  return folder;
}

const SIZES = { log: 10, texts: 2, priorities: 2, rejudgements: 2 } as const;
const TABLES = Object.keys(SIZES) as Table[];
const VALUES = Object.values(SIZES).reduce((sum, size) => sum + size, 0);
type Table = keyof typeof SIZES;

/** Do something to the database as LMDB has it. */
async function meddle(folder: string, how: (root: RootDatabase<unknown, string>) => Promise<unknown> | unknown): Promise<void> {
  const root = openLmdb<unknown, string>({ path: folder, maxDbs: 7 });
  await root.transaction(() => how(root));
  await root.close();
}

function tableOf(root: RootDatabase<unknown, string>, name: Table) {
  const key = name === 'rejudgements' ? {} : ({ keyEncoding: 'uint32' } as const);
  return root.openDB<Uint8Array, number>({ name, encoding: 'binary', ...key });
}

async function faultsOf(folder: string): Promise<(string | null)[]> {
  const store = LmdbStore.open(folder, null);
  try {
    return [...store.faults()];
  } finally {
    await store.close();
  }
}

describe('faults', () => {
  test('there are none in what was written, value by value', async () => {
    expect(await faultsOf(await written())).toEqual(Array(VALUES).fill(null));
  });

  test.each(TABLES)(
    'a value of %s with a byte of it changed, cut or under the key of another is named, and the others are not',
    async (name) => {
      const folder = await written();
      const values: (readonly [number, Buffer])[] = [];
      await meddle(folder, (root) => {
        for (const { key, value } of tableOf(root, name).getRange()) values.push([key, Buffer.from(value)]);
      });
      expect(values).toHaveLength(SIZES[name]);
      const [[first, one] = [0, Buffer.alloc(0)], [, other] = [1, Buffer.alloc(0)]] = values;
      const flipped = (at: number) => Buffer.from(one.map((byte, i) => (i === at ? byte ^ 16 : byte)));
      const damages = [
        flipped(0),
        flipped(one.length >> 1),
        flipped(one.length - 1),
        one.subarray(0, -1),
        one.subarray(0, 4),
        one.subarray(0, 3),
        other,
      ];
      for (const damage of damages) {
        await meddle(folder, (root) => void tableOf(root, name).put(first, damage));
        const faults = await faultsOf(folder);
        expect(faults.filter((fault) => fault !== null)).toEqual([expect.stringMatching(new RegExp(`data\\.mdb: damaged \\(${name}: `))]);
        expect(faults).toHaveLength(VALUES);
      }
      await meddle(folder, (root) => void tableOf(root, name).put(first, one));
      expect((await faultsOf(folder)).every((fault) => fault === null)).toBe(true);
    },
  );

  test('a damaged text is not read, and what is whole beside it is', async () => {
    const folder = await written();
    await meddle(folder, (root) => {
      const texts = tableOf(root, 'texts');
      for (const key of [...texts.getKeys()].slice(0, 1)) void texts.put(key, Buffer.from('damaged value'));
    });
    const store = LmdbStore.open(folder, null);
    expect(() => store.page(0)).toThrow(StoreError);
    expect([store.page(1)?.title, store.fate(0)?.order, unpackDiscovery(packDiscovery(store.discovery(1)))]).toEqual([
      'Peat',
      1,
      seedOf(1),
    ]);
    await store.close();
  });

  test('of a log with a damaged entry nothing is read: nobody knows whose newest step it was', async () => {
    const folder = await written();
    await meddle(folder, (root) => void tableOf(root, 'log').put(3, Buffer.from('damaged value')));
    const store = LmdbStore.open(folder, null);
    for (const read of [() => store.fate(1), () => store.discovery(0), () => [...store.retries()], () => store.page(1)])
      expect(read).toThrow(/data\.mdb: damaged \(log: the checksum of entry 3 is wrong/);
    await store.close();
  });
});

describe('the head', () => {
  test('of a frontier says whose it is, its commit, its runs: another crawl is refused it, and who names none is not', async () => {
    for (const crawl of [null, 'crawl-1']) {
      const folder = await written();
      expect(() => LmdbStore.open(folder, null, 'crawl-2')).toThrow(/is the frontier of crawl crawl-1, but this is crawl crawl-2/);
      const store = LmdbStore.open(folder, null, crawl);
      expect([store.lastCommit(), store.runs]).toEqual([{ number: 1, offsets: { 'records.jsonl': 42 } }, 3]);
      await store.commit({ 'records.jsonl': 43 }, ready);
      await store.close();
      const again = LmdbStore.open(folder, null, 'crawl-1');
      expect(again.runs).toBe(3);
      await again.close();
      expect(() => LmdbStore.open(folder, null, 'crawl-2')).toThrow(StoreError);
    }
  });

  test('one of nobody becomes that of the crawl that first commits to it', async () => {
    const folder = newFolder();
    for (const crawl of [null, 'crawl-1']) {
      const store = LmdbStore.open(folder, null, crawl);
      await store.commit({}, ready);
      await store.close();
    }
    expect(() => LmdbStore.open(folder, null, 'crawl-2')).toThrow(/of crawl crawl-1/);
  });

  test.each([
    [
      'lacks an entry',
      /its log has 9 entries where 10 were committed/,
      (root: RootDatabase<unknown, string>) => void tableOf(root, 'log').remove(4),
    ],
    [
      'has an entry too many',
      /its log has 11 entries where 10 were committed/,
      (root: RootDatabase<unknown, string>) => void tableOf(root, 'log').put(11, Buffer.from('x')),
    ],
    ['has no head', /it has no head/, (root: RootDatabase<unknown, string>) => void root.remove('head')],
    [
      'has a head of something else',
      /its head has changed since it was written/,
      (root: RootDatabase<unknown, string>) => void root.put('head', 7),
    ],
    ['has a changed head', /its head has changed since it was written/, changeHead],
    ['is of a later version', /written by another version \(format 5/, (root: RootDatabase<unknown, string>) => void root.put('format', 5)],
    ['is of no version', /written by another version \(format x/, (root: RootDatabase<unknown, string>) => void root.put('format', 'x')],
  ])('a database that %s is refused', async (_what, message, how) => {
    const folder = await written();
    await meddle(folder, how);
    expect(() => LmdbStore.open(folder, null)).toThrow(message);
  });

  function changeHead(root: RootDatabase<unknown, string>): void {
    const head = String(root.get('head'));
    expect(head).toContain('"runs":3');
    void root.put('head', head.replace('"runs":3', '"runs":4'));
  }
});

test('a new database has neither head nor commit, and no value is missed in it', async () => {
  const store = LmdbStore.open(newFolder(), null);
  expect([store.lastCommit(), store.runs, store.unparkings(), [...store.faults()]]).toEqual([null, 0, [], []]);
  await store.close();
});

describe('decoded discoveries', () => {
  const links = (count: number) => Array.from({ length: count }, (_, i) => link(`http://a.test/${count}/${i}`, 0.5));
  const folderOf = async (...sizes: readonly number[]) => {
    const folder = newFolder();
    const before = LmdbStore.open(folder, null);
    for (const [n, size] of sizes.entries()) before.appendDiscovery(n, { ...outlinks('http://p.test/', links(size)), shorterWayOnly: [] });
    await before.commit({}, ready);
    await before.close();
    return folder;
  };
  const stored = async (...sizes: readonly number[]) => LmdbStore.open(await folderOf(...sizes), null);

  test('are kept as long as their links are no more than 8,192; then the oldest make way, and no others', async () => {
    const store = await stored(4000, 4000, 192, 1, 4000);
    const [a, b, c] = [store.discovery(0), store.discovery(1), store.discovery(2)];
    expect([store.discovery(0) === a, store.discovery(1) === b, store.discovery(2) === c]).toEqual([true, true, true]);
    const d = store.discovery(3);
    expect([store.discovery(1) === b, store.discovery(2) === c, store.discovery(3) === d]).toEqual([true, true, true]);
    // The first was to be decoded again; for it the second made way.
    const first = store.discovery(0);
    expect(first === a).toBe(false);
    expect([store.discovery(2) === c, store.discovery(3) === d, store.discovery(0) === first]).toEqual([true, true, true]);
    const last = store.discovery(4);
    expect([store.discovery(4) === last, store.discovery(3) === d, store.discovery(0) === first]).toEqual([true, true, true]);
    expect(store.discovery(2) === c).toBe(false);
    await store.close();
  });

  test('a reader keeps eight times as many: it goes through all of them in several orders', async () => {
    const store = LmdbStore.open(await folderOf(8192, 8192), null, null, 'read');
    const [a, b] = [store.discovery(0), store.discovery(1)];
    expect([store.discovery(0) === a, store.discovery(1) === b]).toEqual([true, true]);
    await store.close();
  });

  test("of more links than that are decoded once, and take nobody's room", async () => {
    const store = await stored(8193, 100, 8192);
    const [large, small] = [store.discovery(0), store.discovery(1)];
    expect([store.discovery(0) === large, store.discovery(1) === small]).toEqual([true, true]);
    const full = store.discovery(2);
    expect([store.discovery(0) === large, store.discovery(2) === full, store.discovery(1) === small]).toEqual([true, true, false]);
    await store.close();
  });

  test('that nobody stored are our bug', async () => {
    const store = await stored(1);
    expect(() => store.discovery(1)).toThrow(/discovery 1 is not in the store/);
    await store.close();
  });
});

describe('unsettled', () => {
  const clock = new VirtualClock();
  const open = (folder: string) =>
    openLmdbFrontier(folder, { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, crawl: 'crawl-1' });
  const URLS = ['http://a.test/', 'http://b.test/', 'http://c.test/', 'http://d.test/'];

  test('URLs wait as if they had never been asked for, on disk at once; all others are as they were', async () => {
    const folder = newFolder();
    const before = open(folder);
    before.add(seeds(...URLS.map((url, i) => link(url, 1 - i / 10))));
    for (let page = 0; page < 3; page++) {
      const next = before.next();
      if (next.kind !== 'lease') throw new Error('no lease');
      const known = {
        relevance: 0.9,
        recordId: `urn:uuid:${page}` as RecordId,
        payloadSha256: `${page}`,
        page: { title: 't', text: `${page}`, lang: null },
      };
      const discovered = outlinks(next.lease.entry.url, [link(`${next.lease.entry.url}more`, 0.1)]);
      before.settle(next.lease, { kind: 'done', fate: fate(page === 1 ? 'off-topic' : 'kept', known), discovered, host: WELL });
    }
    before.revisit(clock.now());
    const due = before.next('revisits');
    if (due.kind !== 'lease') throw new Error('nothing is due');
    before.settle(due.lease, {
      kind: 'revisited',
      revisit: { at: 5, status: 200, result: 'same', version: null },
      discovered: null,
      host: WELL,
    });
    await before.commit({ 'records.jsonl': 9 }, ready);
    const lines = [...before.ledger()];
    await before.close();

    await unsettle(folder, new Set([urlOf('http://a.test/'), urlOf('http://b.test/'), urlOf('http://unknown.test/')]));

    const after = open(folder);
    expect(after.lastCommit()).toEqual({ number: 1, offsets: { 'records.jsonl': 9 } });
    const now = [...after.ledger()];
    expect(now.map(({ url }) => url)).toEqual(lines.map(({ url }) => url));
    for (const [i, line] of now.entries()) {
      if (i > 1) expect(line).toEqual({ ...lines[i], ...(line.state === 'kept' && { order: 1 }) });
      else expect(line).toMatchObject({ state: 'waiting', order: null, relevance: null, priority: Math.fround(1 - i / 10) });
      expect(after.find(line.url)?.fate?.page ?? null).toEqual(i === 2 ? { title: 't', text: '2', lang: null } : null);
    }
    expect([...after.revisits()]).toEqual([]);
    const order: string[] = [];
    for (let next = after.next(); next.kind === 'lease'; next = after.next()) order.push(next.lease.entry.url);
    expect(order.slice(0, 3)).toEqual(['http://a.test/', 'http://b.test/', 'http://d.test/']);
    await after.close();
  });

  test('a page that was lost before waits with the priority of its link, not with its relevance', async () => {
    const folder = newFolder();
    const before = open(folder);
    before.add(seeds(link('http://a.test/', 0.25)));
    const settled = (recordId: string) => {
      const next = before.next();
      if (next.kind !== 'lease') throw new Error('no lease');
      const kept = fate('kept', { relevance: 0.75, recordId: recordId as RecordId });
      before.settle(next.lease, { kind: 'done', fate: kept, discovered: null, host: WELL });
      return next.lease.entry;
    };
    const { url, host } = settled('one');
    await before.commit({}, ready);
    await before.close();
    const store = LmdbStore.open(folder, null);
    store.push(0, { kind: 'lost', url, host, record: 'one' as RecordId });
    await store.commit({}, ready);
    await store.close();
    const priority = async (): Promise<number | undefined> => {
      const after = open(folder);
      const found = after.find(url)?.line;
      await after.close();
      return found?.state === 'waiting' ? found.priority : undefined;
    };
    expect(await priority()).toBe(0.75);
    await unsettle(folder, new Set([url]));
    expect(await priority()).toBe(0.25);
  });

  test('of a frontier that has none of them nothing changes, and one without a commit still has none', async () => {
    const folder = newFolder();
    await unsettle(folder, new Set([urlOf('http://a.test/')]));
    const store = LmdbStore.open(folder, null);
    expect([store.lastCommit(), [...store.fates()]]).toEqual([null, []]);
    await store.close();
  });
});

test('a rejudgement of no page is read again, as a repaired frontier has it', async () => {
  const folder = newFolder();
  const store = LmdbStore.open(folder, null, 'crawl-1');
  store.appendDiscovery(0, seedOf(0));
  await store.commit({}, ready);
  await store.putRejudgement(withoutJudgements(MODEL, 0.5));
  await store.close();
  const again = LmdbStore.open(folder, MODEL);
  expect([...again.faults()].filter((fault) => fault !== null)).toEqual([]);
  await again.close();
});

test.each([
  ['number 9', [9, 0, 0, 0, 0, ...new Packr({}).pack(['retry'])]],
  ['moved', [2, 0, 0, 0, 0, ...new Packr({}).pack(['moved', 'http://a.test', 'http://a.test/'])]],
])('a step of a kind of a later version, %s, is named wherever the log is read', async (kind, bytes) => {
  const folder = await written();
  await meddle(folder, (root) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(Uint8Array.from(bytes), 2));
    return tableOf(root, 'log').put(2, Buffer.concat([Uint8Array.from(bytes), sum]));
  });
  const named = expect.objectContaining({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining(`no step of this version is of kind ${kind}`),
  });
  const options = { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 };
  for (const open of [openLmdbFrontier, openLmdbLedger]) expect(() => open(folder, options)).toThrow(named);
  const store = LmdbStore.open(folder, null, null, 'read');
  expect(() => [...store.history()]).toThrow(named);
  await store.close();
});
