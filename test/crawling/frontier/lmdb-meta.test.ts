/** Which state of a database is in force, told from bytes that stand as LMDB writes them. */
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import { openLmdbFrontier, openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { activeMeta } from '../../../src/crawling/frontier/lmdb-meta.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { link, seeds } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const BOOT = 77n;
const NOT_FLUSHED = 0x1000;

interface State {
  readonly transaction: number;
  readonly isFlushed?: boolean;
  readonly boot?: bigint;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-meta-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function writeState(bytes: Buffer, at: number, pageSize: number, { transaction, isFlushed = true, boot = BOOT }: State): void {
  bytes.writeUInt32LE(0xbeefc0de, at + 24);
  bytes.writeUInt32LE(pageSize, at + 48);
  bytes.writeUInt16LE(isFlushed ? 0 : NOT_FLUSHED, at + 52);
  bytes.writeUInt16LE(3, at + 96 + 6);
  bytes.writeBigUInt64LE(9n, at + 96 + 32);
  bytes.writeBigUInt64LE(0xffffffffffffffffn, at + 48 + 40);
  bytes.writeBigUInt64LE(5n, at + 96 + 40);
  bytes.writeBigUInt64LE(8n, at + 144);
  bytes.writeBigUInt64LE(BigInt(transaction), at + 152);
  bytes.writeBigInt64LE(boot, at + 160);
}

/** The state in force of a file with two meta pages, and the word of what was flushed last in the middle of the first. */
function inForce(first: State, second: State, flushed: State | null, pageSize = 4096) {
  const bytes = Buffer.alloc(2 * pageSize);
  writeState(bytes, 0, pageSize, first);
  writeState(bytes, pageSize, pageSize, second);
  if (flushed) {
    writeState(bytes, pageSize / 2, pageSize, flushed);
    bytes.writeUInt32LE(0, pageSize / 2 + 24); // LMDB never writes it there
  }
  return read(bytes);
}

function read(bytes: Buffer) {
  const path = join(newFolder(), 'data.mdb');
  writeFileSync(path, bytes);
  const fd = openSync(path, 'r');
  try {
    return activeMeta(fd, BOOT);
  } finally {
    closeSync(fd);
  }
}

test('the newest counts, wherever it stands, with what hangs from it', () => {
  expect(inForce({ transaction: 7 }, { transaction: 8 }, null)).toEqual({
    pageSize: 4096,
    lastPage: 8,
    transaction: 8,
    isFlushed: true,
    boot: BOOT,
    free: { keys: 'bytes', root: null, depth: 0, entries: 0 },
    main: { keys: 'bytes', root: 5, depth: 3, entries: 9 },
  });
  expect(inForce({ transaction: 9 }, { transaction: 8 }, null)?.transaction).toBe(9);
  expect(inForce({ transaction: 1 }, { transaction: 0 }, null)?.transaction).toBe(1);
  expect(inForce({ transaction: 0 }, { transaction: 0 }, null)?.transaction).toBe(0);
});

test('of another boot, or of none that is known, only what was flushed counts', () => {
  const late = { transaction: 9, isFlushed: false };
  const flushed = { transaction: 8 };
  expect(inForce(flushed, late, flushed)?.transaction).toBe(9);
  for (const boot of [78n, 0n]) expect(inForce(flushed, { ...late, boot }, flushed)?.transaction).toBe(8);
  expect(inForce({ ...late, boot: 78n }, flushed, null)?.transaction).toBe(8);
  expect(inForce({ transaction: 7, isFlushed: false, boot: 78n }, { ...late, boot: 78n }, { transaction: 6 })?.transaction).toBe(6);
});

test('pages of 256 bytes to 64 KB there are; nothing else is a database', () => {
  for (const size of [256, 512, 32_768, 65_536]) expect(inForce({ transaction: 1 }, { transaction: 2 }, null, size)?.pageSize).toBe(size);
  for (const size of [0, 128, 255, 65_537]) {
    const bytes = Buffer.alloc(131_072);
    writeState(bytes, 0, size, { transaction: 1 });
    expect(read(bytes)).toBeNull();
  }
  expect(read(Buffer.alloc(0))).toBeNull();
  expect(read(Buffer.alloc(8192))).toBeNull();
  const one = Buffer.alloc(4096 + 167);
  writeState(one, 0, 4096, { transaction: 1 });
  expect(read(one)).toBeNull();
});

test.skipIf(!existsSync('/proc/self/fd'))('a frontier that cannot be read gives its database back', async () => {
  const folder = newFolder();
  const options = { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 };
  const frontier = openLmdbFrontier(folder, options);
  frontier.add(seeds(link('http://a.test/', 1)));
  await frontier.commit({}, Promise.resolve());
  await frontier.close();
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path);
  const at = bytes.lastIndexOf('http://a.test/');
  writeFileSync(path, bytes.fill(0xc1, at - 12, at));
  expect(() => openLmdbFrontier(folder, options)).toThrow(/damaged/);
  const opened = () => readdirSync('/proc/self/fd').filter((fd) => targetOf(`/proc/self/fd/${fd}`) === path);
  await vi.waitFor(() => expect(opened()).toEqual([]), { timeout: HANGS });
});

test.skipIf(!existsSync('/proc/self/fd')).each([
  ['read', openLmdbLedger],
  ['write', openLmdbFrontier],
])('so does one of another crawl, opened to %s', async (_, open) => {
  const folder = newFolder();
  const options = { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 };
  const frontier = openLmdbFrontier(folder, { ...options, crawl: 'one' });
  await frontier.commit({}, Promise.resolve());
  await frontier.close();
  expect(() => open(folder, { ...options, crawl: 'another' })).toThrow(/of crawl one/);
  const path = join(folder, 'data.mdb');
  const opened = () => readdirSync('/proc/self/fd').filter((fd) => targetOf(`/proc/self/fd/${fd}`) === path);
  await vi.waitFor(() => expect(opened()).toEqual([]), { timeout: HANGS });
  // Nothing of it is left that would keep a writer out.
  await openLmdbFrontier(folder, { ...options, crawl: 'one' }).close();
});

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // closed meanwhile
  }
}

test('a frontier whose file was cut is refused before LMDB maps it', async () => {
  const folder = newFolder();
  const options = { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 };
  const frontier = openLmdbFrontier(folder, options);
  for (let i = 0; i < 5; i++) {
    frontier.add(seeds(...Array.from({ length: 200 }, (_, k) => link(`http://h${i}.test/${k}`, 1))));
    await frontier.commit({}, Promise.resolve());
  }
  await frontier.close();
  truncateSync(join(folder, 'data.mdb'), 3 * 4096);
  expect(() => openLmdbFrontier(folder, options)).toThrow(StoreError);
  expect(() => openLmdbFrontier(folder, options)).toThrow(/damaged/);
});
