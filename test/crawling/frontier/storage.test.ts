/** The file under a frontier: it grows, is looked through for damage, survives a power cut, and is compacted. */
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { openLmdbFrontier, openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { refuseBrokenTrees } from '../../../src/crawling/frontier/lmdb-check.ts';
import { compactFrontier } from '../../../src/crawling/frontier/lmdb-compact.ts';
import { refuseDamagedLmdb } from '../../../src/crawling/frontier/lmdb-file.ts';
import { activeMeta } from '../../../src/crawling/frontier/lmdb-meta.ts';
import { fate, link, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { wholeTest } from '../../support/whole-test.ts';

const PAGE = 4096;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-storage-'));
  folders.push(folder);
  return folder;
}

const clock = new VirtualClock();
const OPTIONS = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
const open = (folder: string) => openLmdbFrontier(folder, OPTIONS);
const rng = seededRng(5);
const noise = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + Math.floor(rng() * 26))).join('');

/** Visit the next `count` URLs: each brings three new ones, and a text that does not compress well. */
function visit(frontier: Frontier, count: number, textLength: number): void {
  for (let i = 0; i < count; i++) {
    const next = frontier.next();
    if (next.kind !== 'lease') throw new Error('no lease');
    const { url } = next.lease.entry;
    const discovered = outlinks(
      url,
      [0, 1, 2].map((k) => link(`${url}/${k}`, 0.5)),
    );
    const page = { title: 'noise', text: noise(textLength), lang: null };
    frontier.settle(next.lease, { kind: 'done', fate: fate('off-topic', { relevance: 0.1, page }), discovered, host: WELL });
  }
}

async function written(commits: number, each = 20, textLength = 2000): Promise<string> {
  const folder = newFolder();
  const frontier = open(folder);
  frontier.add(seeds(...Array.from({ length: 10 }, (_, i) => link(`http://h${i}.test/`, 1))));
  for (let i = 0; i < commits; i++) {
    visit(frontier, each, textLength);
    await frontier.commit({ 'records.jsonl': i }, Promise.resolve());
  }
  await frontier.close();
  return folder;
}

async function shown(folder: string): Promise<string> {
  const frontier = open(folder);
  const lines = [...frontier.ledger()].map((line) => `${line.url} ${line.state} ${frontier.find(line.url)?.fate?.page?.text ?? ''}`);
  const offsets = JSON.stringify(frontier.committedOffsets());
  await frontier.close();
  return `${lines.join('\n')}\n${offsets}`;
}

const database = (folder: string) => join(folder, 'data.mdb');

wholeTest('it grows far beyond its first map, while another reads it', async () => {
  const folder = newFolder();
  const frontier = open(folder);
  frontier.add(seeds(...Array.from({ length: 10 }, (_, i) => link(`http://h${i}.test/`, 1))));
  visit(frontier, 1, 100);
  await frontier.commit({}, Promise.resolve());
  const first = used(folder);
  const seen: string[] = [];
  for (let i = 0; i < 12; i++) {
    visit(frontier, 20, 60_000);
    await frontier.commit({ 'records.jsonl': i }, Promise.resolve());
    seen.push(frontier.find(urlOf('http://h0.test/'))?.fate?.page?.text ?? '');
  }
  expect(new Set(seen).size).toBe(1);
  // lmdb-js maps 128 KB at first.
  expect(first).toBeLessThan(131_072);
  expect(used(folder)).toBeGreaterThan(64 * 131_072);
  const counts = frontier.counts();
  await frontier.close();
  const again = open(folder);
  expect(again.counts()).toEqual({ ...counts });
  await again.close();
});

/** Bytes of its pages. */
function used(folder: string): number {
  const fd = openSync(database(folder), 'r');
  const meta = activeMeta(fd);
  closeSync(fd);
  return meta ? (meta.lastPage + 1) * meta.pageSize : 0;
}

test('while it is written to, the file has room for the next commit; closed, it ends with its last page', async () => {
  const folder = newFolder();
  const frontier = open(folder);
  frontier.add(seeds(...Array.from({ length: 10 }, (_, i) => link(`http://h${i}.test/`, 1))));
  for (const length of [100, 100_000, 1_000_000]) {
    const before = existsSync(database(folder)) ? used(folder) : 0;
    visit(frontier, 3, length);
    await frontier.commit({}, Promise.resolve());
    // LMDB wrote within what was there, or the file has grown by more.
    expect(statSync(database(folder)).size).toBeGreaterThanOrEqual(Math.max(used(folder), before + 256 * 1024));
  }
  const counts = frontier.counts();
  await frontier.close();
  expect(statSync(database(folder)).size).toBe(used(folder));
  const again = open(folder);
  expect(again.counts()).toEqual({ ...counts });
  await again.close();
});

test('a power cut that loses all since the last flush: the state of that flush is found, and not called damage', async () => {
  const folder = await written(3);
  const before = await shown(folder);
  const flushed = readFileSync(database(folder));
  const frontier = open(folder);
  visit(frontier, 200, 2000);
  await frontier.commit({ 'records.jsonl': 99 }, Promise.resolve());
  await frontier.close();
  const later = readFileSync(database(folder));
  expect(later.length).toBeGreaterThan(flushed.length + 100 * PAGE);
  // Both meta pages of the later commit reached the disk; none of its new pages, nor the word that they were flushed.
  const cut = Buffer.from(later.subarray(0, flushed.length));
  flushed.copy(cut, PAGE / 2, PAGE / 2, PAGE);
  for (const meta of [0, PAGE / 2, PAGE]) cut.writeBigInt64LE(4711n, meta + 160);
  for (const meta of [0, PAGE]) cut.writeUInt16LE(cut.readUInt16LE(meta + 52) | 0x1000, meta + 52);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(database(folder), cut);
  refuseDamagedLmdb(database(folder));
  refuseBrokenTrees(database(folder));
  // By one that reads it, too: LMDB would take the other state.
  const reader = openLmdbLedger(folder, OPTIONS);
  expect(reader.committedOffsets()).toEqual({ 'records.jsonl': 2 });
  await reader.close();
  expect(await shown(folder)).toBe(before);
});

test('a flipped bit anywhere in a tree page is named or does no harm to its structure; nothing else is thrown', async () => {
  const folder = await written(4, 30, 300);
  const path = database(folder);
  const good = readFileSync(path);
  const copy = join(newFolder(), 'data.mdb');
  writeFileSync(copy, good);
  expect(() => refuseBrokenTrees(copy)).not.toThrow();
  const fd = openSync(copy, 'r+');
  let named = 0;
  let tried = 0;
  for (let page = 2; page < good.length / PAGE; page++)
    for (let byte = 0; byte < 48; byte++) {
      const at = page * PAGE + byte;
      writeSync(fd, Buffer.of((good[at] ?? 0) ^ 4), 0, 1, at);
      tried += 1;
      try {
        refuseBrokenTrees(copy);
      } catch (error) {
        expect(error).toBeInstanceOf(StoreError);
        expect(String(error)).toMatch(/data\.mdb: damaged \(.*\); restore it from a copy/);
        named += 1;
      }
      writeSync(fd, Buffer.of(good[at] ?? 0), 0, 1, at);
    }
  closeSync(fd);
  // Pages that are free or hold one long value have no structure.
  expect(tried).toBeGreaterThan(1000);
  expect(named / tried).toBeGreaterThan(0.2);
});

test('page numbers, flags, counts, offsets and lengths: each is looked at', async () => {
  const folder = await written(4, 30, 300);
  const path = database(folder);
  const good = readFileSync(path);
  const leaf = leafOf(good);
  const lower = good.readUInt16LE(leaf + 20);
  const node = leaf + 24 + good.readUInt16LE(leaf + 24);
  const second = leaf + 24 + good.readUInt16LE(leaf + 26);
  const { separator, before } = separatorOf(good, leaf / PAGE);
  const last = before + 24 + good.readUInt16LE(before + 24 + good.readUInt16LE(before + 20) - 2);
  const faults: readonly (readonly [string, (bytes: Buffer) => void, RegExp])[] = [
    ['the number of the page', (bytes) => bytes.writeUInt8(bytes.readUInt8(leaf) ^ 1, leaf), /is a different page/],
    ['its kind', (bytes) => bytes.writeUInt16LE(1, leaf + 18), /is a different page/],
    ['how many entries it has', (bytes) => bytes.writeUInt16LE(lower - 2, leaf + 20), /has \d+ entries of \d+/],
    ['more entries than fit', (bytes) => bytes.writeUInt16LE(60_000, leaf + 20), /is too full/],
    ['where an entry stands', (bytes) => bytes.writeUInt16LE(60_000, leaf + 24), /has a broken entry/],
    ['the length of a key', (bytes) => bytes.writeUInt16LE(60_000, node + 6), /has a broken entry/],
    ['the length of a value', (bytes) => bytes.writeUInt16LE(60_000, node), /has a broken entry/],
    ['a key below the one before', (bytes) => bytes.writeUInt32LE(0, second + 8), /has keys that are out of order/],
    ['a key beyond those of the next page', (bytes) => bytes.writeUInt32LE(0xfffffff0, last + 8), /has keys that are out of order/],
    ['a key that a search would not come to', (bytes) => bytes.writeUInt32LE(0, separator + 8), /has keys that are out of order/],
    ['the kind of a value', (bytes) => bytes.writeUInt16LE(64, node + 4), /has a broken entry/],
  ];
  for (const [what, damage, message] of faults) {
    const bytes = Buffer.from(good);
    damage(bytes);
    writeFileSync(path, bytes);
    expect(() => refuseBrokenTrees(path), what).toThrow(message);
  }
});

/** Where a leaf with values of its own begins: one of the fates, which are the most. */
function leafOf(bytes: Buffer): number {
  for (let at = bytes.length - PAGE; at > 0; at -= PAGE) {
    const isLeaf = Number(bytes.readBigUInt64LE(at)) === at / PAGE && bytes.readUInt16LE(at + 18) === 2;
    const node = at + 24 + bytes.readUInt16LE(at + 24);
    // A key of four bytes, a slot; and the value beside it. The newest of such pages is in use.
    if (
      isLeaf &&
      bytes.readUInt16LE(at + 20) > 8 &&
      bytes.readUInt16LE(node + 6) === 4 &&
      bytes.readUInt16LE(node + 4) === 0 &&
      isLive(bytes, at)
    )
      return at;
  }
  throw new Error('no leaf');
}

/** Where a branch has the key that a page begins with, and where the page before that one is. */
function separatorOf(bytes: Buffer, page: number): { readonly separator: number; readonly before: number } {
  for (let at = 2 * PAGE; at < bytes.length; at += PAGE) {
    if (bytes.readUInt16LE(at + 18) !== 1 || Number(bytes.readBigUInt64LE(at)) !== at / PAGE || !isLive(bytes, at)) continue;
    const count = bytes.readUInt16LE(at + 20) >> 1;
    for (let i = 1; i < count; i++) {
      const node = at + 24 + bytes.readUInt16LE(at + 24 + 2 * i);
      const before = at + 24 + bytes.readUInt16LE(at + 22 + 2 * i);
      if (bytes.readUInt32LE(node) === page && bytes.readUInt16LE(node + 6) === 4)
        return { separator: node, before: bytes.readUInt32LE(before) * PAGE };
    }
  }
  throw new Error('no branch');
}

/** Damage in its number is found. */
function isLive(bytes: Buffer, at: number): boolean {
  const path = join(newFolder(), 'data.mdb');
  const broken = Buffer.from(bytes);
  broken.writeUInt8(broken.readUInt8(at) ^ 1, at);
  writeFileSync(path, broken);
  try {
    refuseBrokenTrees(path);
    return false;
  } catch {
    return true;
  }
}

test('a stored value that cannot be read is named as damage', async () => {
  const folder = await written(2, 5, 300);
  const bytes = readFileSync(database(folder));
  // In pages that are free too; 0xc1 is a byte that msgpack never uses.
  for (const node of nodesWith(bytes, 'http://h0.test/')) bytes.fill(0xc1, node, node + 12);
  writeFileSync(database(folder), bytes);
  expect(() => refuseBrokenTrees(database(folder))).not.toThrow();
  expect(() => open(folder)).toThrow(/data\.mdb: damaged \(.*\); restore it from a copy/);
});

/** Some bytes before a text, each time that it is there. */
function nodesWith(bytes: Buffer, text: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found.push(at - 12);
  if (found.length === 0) throw new Error(`${text} is not there`);
  return found;
}

test('compaction: smaller, the same ledger, pages and offsets, and written to as before', async () => {
  const folder = await written(30, 5);
  const before = await shown(folder);
  const { before: old, after } = await compactFrontier(folder);
  expect(old).toBeGreaterThan(after);
  expect(statSync(database(folder)).size).toBe(after);
  expect(readdirSync(folder)).toEqual(['data.mdb']);
  expect(await shown(folder)).toBe(before);
  const frontier = open(folder);
  visit(frontier, 50, 2000);
  await frontier.commit({ 'records.jsonl': 77 }, Promise.resolve());
  const counts = frontier.counts();
  await frontier.close();
  const again = open(folder);
  expect(again.counts()).toEqual(counts);
  expect(again.committedOffsets()).toEqual({ 'records.jsonl': 77 });
  await again.close();
  refuseBrokenTrees(database(folder));
});

test('what a killed compaction leaves behind harms nobody, and is taken away by the next', async () => {
  const folder = await written(5);
  const before = await shown(folder);
  mkdirSync(join(folder, 'compact'));
  writeFileSync(join(folder, 'compact', 'data.mdb'), readFileSync(database(folder)).subarray(0, 30_000));
  expect(await shown(folder)).toBe(before);
  await compactFrontier(folder);
  expect(existsSync(join(folder, 'compact'))).toBe(false);
  expect(await shown(folder)).toBe(before);
});

test('killed between the rename and the removal of the lock table: the new file is opened all the same', async () => {
  const folder = await written(5);
  const before = await shown(folder);
  const lock = join(newFolder(), 'lock.mdb');
  cpSync(join(folder, 'lock.mdb'), lock);
  await compactFrontier(folder);
  cpSync(lock, join(folder, 'lock.mdb'));
  expect(await shown(folder)).toBe(before);
});

test('a damaged database is not compacted, and stays as it is', async () => {
  const folder = await written(3, 30, 300);
  const bytes = readFileSync(database(folder));
  bytes.writeUInt16LE(60_000, leafOf(bytes) + 20);
  writeFileSync(database(folder), bytes);
  await expect(compactFrontier(folder)).rejects.toThrow(/data\.mdb: damaged/);
  expect(readFileSync(database(folder)).equals(bytes)).toBe(true);
});
