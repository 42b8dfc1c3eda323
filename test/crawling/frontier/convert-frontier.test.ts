/** A frontier of an earlier layout becomes a log that says the same. */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { RecordId, Revisit } from '../../../src/base/core/types.ts';
import { CONVERTING, isFormerDatabase } from '../../../src/crawling/frontier/convert-frontier.ts';
import { FormerTables } from '../../../src/crawling/frontier/former-tables.ts';
import { HEALTHY } from '../../../src/crawling/frontier/host-health.ts';
import { storedHeadOf } from '../../../src/crawling/frontier/lmdb-opening.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { packDiscovery, unpackDiscovery } from '../../../src/crawling/frontier/packed-discovery.ts';
import { noMount } from '../../corpus/records/small-disk.ts';
import { type FormerFrontier, writeFormer } from '../../support/former-frontier.ts';
import { fate, link, outlinks, seeds } from '../../support/frontier-values.ts';

const SOURCES = join(import.meta.dirname, '../../../src/crawling/frontier');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-convert-'));
  folders.push(folder);
  return folder;
}

const PAGE = { title: 'Peat', text: 'bog '.repeat(40), lang: 'en' };
const stored = (order: number, known: Parameters<typeof fate>[1] = {}, state: Parameters<typeof fate>[0] = 'off-topic') => ({
  fate: fate(state, { relevance: 0.25, ...known }),
  order,
  priority: 0.5,
  learnedFrom: order,
});
const REVISIT: Revisit = { at: 9, status: 200, result: 'same', version: null };
const RECORD = 'urn:uuid:1' as RecordId;

/** Something of each kind. Settled out of the order of discovery. */
const EVERYTHING: FormerFrontier = {
  discoveries: [
    { ...seeds(link('http://a.test/', 1), link('http://b.test/', 0.9)), shorterWayOnly: [] },
    { ...outlinks('http://b.test/', [link('http://c.test/x', 0.4), link('http://a.test/', 0.1)]), shorterWayOnly: [1] },
  ],
  fates: [
    [0, stored(3, { recordId: RECORD, payloadSha256: 'a' }, 'kept')],
    [1, stored(1, { page: PAGE })],
  ],
  retries: [[2, { attempts: 2, notBefore: 77, pause: 5, reason: 'timeout' }]],
  revisits: [[0, REVISIT]],
  hosts: [[1, { ...HEALTHY, faults: 3 }]],
  lost: [[0, RECORD]],
  priorities: [[1, { priorities: Float32Array.of(0.75, Number.NaN), learnedFrom: Uint32Array.of(8, 0) }]],
  rejudgements: [
    [['model', 'head', 0], Buffer.from(JSON.stringify({ threshold: 0.5, settled: 3 }))],
    [['model', 'pages', 0], new Uint8Array(Float64Array.of(0.7, 0.2, Number.NaN).buffer)],
  ],
  unparkings: [
    { settled: 2, pattern: 'all' },
    { settled: 9, pattern: 'host a.test' },
  ],
  offsets: { 'records.jsonl': 42 },
  runs: 3,
  crawl: 'crawl-1',
};

async function expectEverything(store: LmdbStore): Promise<void> {
  expect([0, 1].map((index) => unpackDiscovery(packDiscovery(store.discovery(index))))).toEqual(EVERYTHING.discoveries);
  expect([...store.discoveries()].length).toBe(2);
  expect(store.fate(0)).toMatchObject({ order: 3, fate: { state: 'kept', recordId: RECORD } });
  expect(store.fate(1)).toMatchObject({ order: 1, learnedFrom: 1, fate: { state: 'off-topic', page: null } });
  expect([store.page(0), store.page(1)]).toEqual([null, PAGE]);
  expect([...store.retries()]).toEqual(EVERYTHING.retries);
  expect([...store.revisits()]).toEqual(EVERYTHING.revisits);
  expect([...store.hosts()]).toEqual(EVERYTHING.hosts);
  expect(store.reopened(0)).toBe(0.25);
  expect(store.priorities(1)?.learnedFrom).toEqual(Uint32Array.of(8, 0));
  expect(store.unparkings()).toEqual(EVERYTHING.unparkings);
  expect([store.lastCommit(), store.runs]).toEqual([{ number: 4, offsets: { 'records.jsonl': 42 } }, 3]);
  expect([...store.faults()].filter((fault) => fault !== null)).toEqual([]);
  await store.close();
}

const contents = (folder: string) => readFileSync(join(folder, 'data.mdb'));

test('everything that it had is in the log, settlements in their order; under a later model too', async () => {
  const folder = newFolder();
  await writeFormer(folder, 3, EVERYTHING);
  expect(isFormerDatabase(folder)).toBe(true);
  await expectEverything(LmdbStore.open(folder, null, 'crawl-1'));
  expect(isFormerDatabase(folder)).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock.mdb']);
  const kinds = LmdbStore.open(folder, null, null, 'read');
  expect([...kinds.history()].map(({ entry }) => entry.kind)).toEqual([
    ...['discovery', 'discovery', 'health', 'retry', 'fate', 'unparking', 'fate', 'revisit', 'lost', 'unparking'],
  ]);
  await kinds.close();
  const judged = LmdbStore.open(folder, 'model', null, 'read');
  expect(judged.fate(0)?.fate.relevance).toBe(0.7);
  await judged.close();
});

test('one who reads it changes nothing: another version may be using it', async () => {
  const folder = newFolder();
  await writeFormer(folder, 3, EVERYTHING);
  const before = contents(folder);
  await expectEverything(LmdbStore.open(folder, null, 'crawl-1', 'read'));
  expect((await storedHeadOf(folder, 'crawl-1')).runs).toBe(3);
  expect(contents(folder).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock.mdb']);
});

test('another crawl is refused it, by its own name, and it stays as it is: to read and to write', async () => {
  const folder = newFolder();
  await writeFormer(folder, 3, EVERYTHING);
  const before = contents(folder);
  const message = `${folder}: is the frontier of crawl crawl-1, but this is crawl crawl-2`;
  await expect(storedHeadOf(folder, 'crawl-2')).rejects.toThrow(message);
  expect(() => LmdbStore.open(folder, null, 'crawl-2', 'read')).toThrow(message);
  expect(() => LmdbStore.open(folder, null, 'crawl-2')).toThrow(message);
  expect(() => LmdbStore.open(folder, 'none', 'crawl-1', 'read')).toThrow(`${folder}: has no judgements of model none`);
  expect(contents(folder).equals(before)).toBe(true);
});

test('a process that reads it leaves nothing in the folder for temporary files, also if it is killed', async () => {
  const [folder, temporary] = [newFolder(), newFolder()];
  await writeFormer(folder, 3, EVERYTHING);
  const script = `
    const { LmdbStore } = await import(${JSON.stringify(join(SOURCES, 'lmdb-store.ts'))});
    const store = LmdbStore.open(${JSON.stringify(folder)}, null, null, 'read');
    if (store.page(1).title !== 'Peat' || [...store.history()].length !== 10) process.exit(1);
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: temporary },
    encoding: 'utf8',
  });
  expect([signal, stderr]).toEqual(['SIGKILL', '']);
  expect(readdirSync(temporary).filter((name) => name.startsWith('forager-'))).toEqual([]);
});

test('steps are of one commit, also where a crawl of that version commits meanwhile', async () => {
  const folder = newFolder();
  await writeFormer(folder, 3, EVERYTHING);
  const former = FormerTables.open(folder);
  const history = former.history();
  expect(history.next().value?.entry.kind).toBe('discovery');
  // Another process, and no turn of the event loop: it renews what a process reads.
  const script = `
    const { writeFormer } = await import(${JSON.stringify(join(SOURCES, '../../../test/support/former-frontier.ts'))});
    const { fate } = await import(${JSON.stringify(join(SOURCES, '../../../test/support/frontier-values.ts'))});
    const [stored, discoveries] = [{ fate: fate('failed'), order: 4, priority: 0, learnedFrom: 0 }, []];
    await writeFormer(${JSON.stringify(folder)}, 3, { discoveries, fates: [[7, stored]], offsets: {} });`;
  expect(spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect([...history].filter(({ entry }) => entry.kind === 'fate').map(({ key }) => key)).toEqual([1, 0]);
  former.close();
});

test('one with a fate of a URL that it has not is refused as damaged', async () => {
  const folder = newFolder();
  await writeFormer(folder, 3, { ...EVERYTHING, fates: [[7, stored(1)]], revisits: [], lost: [] });
  for (const use of ['read', 'write'] as const)
    expect(() => LmdbStore.open(folder, null, null, use)).toThrow(
      expect.objectContaining({
        code: 'STORE_CORRUPT',
        message: expect.stringMatching(/^\S+data\.mdb: damaged \(no discovery has its URL 7\)/),
      }),
    );
  expect(existsSync(join(folder, CONVERTING))).toBe(false);
});

test.skipIf(noMount)('without room on the disk it stays as it is, and the room that was there is there again', async () => {
  const disk = newFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=11m', 'tmpfs', disk]);
  try {
    const folder = join(disk, 'frontier');
    mkdirSync(folder);
    const page = (i: number) => ({ title: `${i}`, text: randomBytes(3000).toString('base64'), lang: null });
    const links = Array.from({ length: 2500 }, (_, i) => link(`http://a.test/${i}`, 0.5));
    const fates = links.map((_, i) => [i, stored(i + 1, { page: page(i) })] as const);
    await writeFormer(folder, 3, { discoveries: [{ ...seeds(...links), shorterWayOnly: [] }], fates, offsets: {} });
    const [before, free] = [contents(folder), statfsSync(disk).bfree];
    expect(() => LmdbStore.open(folder, null)).toThrow(
      expect.objectContaining({
        code: 'STORE_FULL',
        message: expect.stringMatching(/no space is left for its new form of about \d+ MB; free some/),
      }),
    );
    expect(contents(folder).equals(before)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock.mdb']);
    expect(free - statfsSync(disk).bfree).toBeLessThan(32);
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk;
    try {
      expect(() => LmdbStore.open(folder, null, null, 'read')).toThrow(
        /free some in .*, name another folder in TMPDIR, or convert it: .* compact /,
      );
    } finally {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    }
    expect(readdirSync(disk)).toEqual(['frontier']);
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test('what a killed conversion left is taken away, before the rename and after it', async () => {
  const folder = newFolder();
  await writeFormer(folder, 3, EVERYTHING);
  mkdirSync(join(folder, CONVERTING));
  writeFileSync(join(folder, CONVERTING, 'data.mdb'), contents(folder).subarray(0, 9000));
  cpSync(join(folder, 'lock.mdb'), join(folder, 'lock.before'));
  await expectEverything(LmdbStore.open(folder, null, 'crawl-1'));
  expect(existsSync(join(folder, CONVERTING))).toBe(false);
  // Killed between the rename and the removal of the lock table.
  cpSync(join(folder, 'lock.before'), join(folder, 'lock.mdb'));
  mkdirSync(join(folder, CONVERTING));
  await expectEverything(LmdbStore.open(folder, null, 'crawl-1'));
});

test.each(['discoveries', 'fates', 'pages', 'retries', 'revisits', 'hosts', 'priorities'])(
  'one with a damaged value of %s is refused, and stays as it is',
  async (name) => {
    const folder = newFolder();
    await writeFormer(folder, 3, EVERYTHING);
    const root = openLmdb<unknown, string>({ path: folder, maxDbs: 9 });
    const table = root.openDB<Uint8Array, number>({ name, encoding: 'binary', keyEncoding: 'uint32' });
    const [key = 0] = [...table.getKeys()];
    await table.put(key, Buffer.from('damaged'));
    await root.close();
    const before = contents(folder);
    expect(() => LmdbStore.open(folder, null, 'crawl-1')).toThrow(StoreError);
    expect(() => LmdbStore.open(folder, null, 'crawl-1')).toThrow(new RegExp(`data\\.mdb: damaged \\(${name}`));
    expect(contents(folder).equals(before)).toBe(true);
  },
);

test('one that lacks a fate or has no head is refused', async () => {
  for (const how of ['lacks', 'headless'] as const) {
    const folder = newFolder();
    await writeFormer(folder, 3, EVERYTHING);
    const root = openLmdb<unknown, string>({ path: folder, maxDbs: 9 });
    if (how === 'lacks') await root.openDB<Uint8Array, number>({ name: 'fates', encoding: 'binary', keyEncoding: 'uint32' }).remove(0);
    else await root.remove('head');
    await root.close();
    expect(() => LmdbStore.open(folder, null, 'crawl-1')).toThrow(
      how === 'lacks' ? /it has 1 fates where 2 were committed/ : /it has no head/,
    );
  }
});
