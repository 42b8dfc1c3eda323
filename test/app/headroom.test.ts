import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { concurrencyWithin, descriptorLimit } from '../../src/app/descriptors.ts';
import { type DiskLimits, defaultLimits } from '../../src/app/disk-watch.ts';
import { heapUse, MachineHeadroom, sizeOfFile, spaceAt } from '../../src/app/headroom.ts';
import { MemoryWatch } from '../../src/app/memory-watch.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MB = 1_000_000;
const LIMITS: DiskLimits = { minFree: 200 * MB, patience: 600_000 };

/** A machine whose disk, writing and heap are numbers. */
async function machine(options: { readonly free?: number; readonly limits?: DiskLimits | null; readonly size?: number } = {}) {
  const state = { free: options.free ?? 1000 * MB, written: 0, used: 0, looks: 0, broken: false };
  const clock = new VirtualClock(0);
  const warnings: string[] = [];
  const headroom = await MachineHeadroom.open({
    clock,
    limits: options.limits === undefined ? LIMITS : options.limits,
    dir: 'crawls/moss',
    space: async () => {
      state.looks += 1;
      if (state.broken) throw new Error('EIO');
      return { free: state.free, size: options.size ?? 100_000 * MB };
    },
    written: () => state.written,
    heap: () => ({ used: state.used, limit: 1000 }),
    warn: (message) => warnings.push(message),
  });
  /** The verdict after a look, five seconds later. */
  const later = async (ms = 5000) => {
    clock.advance(ms);
    headroom.verdict();
    await new Promise((resolve) => setImmediate(resolve));
    return headroom.verdict();
  };
  return { state, warnings, headroom, later };
}

test('with space enough it goes on, and looks no more than every five seconds', async () => {
  const { state, headroom, later, warnings } = await machine();
  for (let i = 0; i < 1000; i++) expect(headroom.verdict()).toBe('go');
  expect(state.looks).toBe(1);
  await later(4999);
  expect(state.looks).toBe(1);
  expect(await later(1)).toBe('go');
  expect([state.looks, warnings]).toEqual([2, []]);
});

test('below the reserve it holds, with one warning; with a tenth more it goes on, with one', async () => {
  const { state, later, warnings } = await machine();
  state.free = 199 * MB;
  expect(await later()).toBe('hold');
  expect(await later()).toBe('hold');
  expect(warnings).toEqual([
    'crawls/moss: 199 MB free, less than the 200 MB to be left (--min-free): no new request until there are; free some',
  ]);
  state.free = 219 * MB;
  expect(await later()).toBe('hold');
  state.free = 220 * MB;
  expect(await later()).toBe('go');
  expect(warnings.slice(1)).toEqual(['crawls/moss: 220 MB free again: the crawl goes on']);
});

test('who begins without space holds at once', async () => {
  const { headroom } = await machine({ free: 10 * MB });
  expect(headroom.verdict()).toBe('hold');
});

test('after ten minutes without space it ends', async () => {
  const { state, later } = await machine();
  state.free = 0;
  await later();
  for (let waited = 5000; waited < LIMITS.patience; waited += 5000) expect(await later()).toBe('hold');
  expect(await later()).toBe('disk-full');
});

test('a crawl that writes fast leaves ten looks of it; the wait is for that much, though nothing is written meanwhile', async () => {
  const { state, later, warnings } = await machine();
  state.written = 99 * MB;
  expect(await later()).toBe('go');
  state.written += 101 * MB;
  expect(await later()).toBe('hold');
  expect(warnings[0]).toContain('less than the 1,010 MB to be left');
  expect(await later()).toBe('hold');
  state.free = 1200 * MB;
  expect(await later()).toBe('go');
});

test('the default is 200 MB, and a twentieth of a small disk; 0 never holds', async () => {
  expect(defaultLimits({ free: 0, size: 1e12 })).toEqual(LIMITS);
  expect(defaultLimits({ free: 0, size: 20 * MB }).minFree).toBe(MB);
  const small = await machine({ limits: null, size: 100 * MB, free: 4 * MB });
  expect(small.headroom.verdict()).toBe('hold');
  const off = await machine({ limits: { minFree: 0, patience: 0 }, free: 0 });
  expect([off.headroom.verdict(), await off.later()]).toEqual(['go', 'go']);
});

test('a disk that cannot be looked at is one warning, and not looked at again', async () => {
  const { state, later, warnings } = await machine();
  state.broken = true;
  expect(await later()).toBe('go');
  expect(await later()).toBe('go');
  expect(warnings).toEqual(['crawls/moss: how much space is left cannot be told (EIO); it is not watched']);
  expect(state.looks).toBe(2);
});

test('memory: a heap that a collection could not empty ends the crawl, one that only awaits a collection does not', async () => {
  const { state, later, warnings } = await machine();
  for (const used of [500, 900, 950, 990, 400, 900, 940]) {
    state.used = used;
    expect([used, await later()]).toEqual([used, 'go']);
  }
  state.used = 920; // collected, and still as full
  expect(await later()).toBe('go');
  state.used = 930;
  expect(await later()).toBe('low-memory');
  state.used = 100;
  expect(await later()).toBe('low-memory');
  expect(warnings.length).toBe(1);
  expect(warnings[0]).toContain('--max-old-space-size');
});

test('a collection that empties the heap for a moment only', () => {
  const watch = new MemoryWatch();
  expect([860, 855, 840, 990, 995].map((used) => watch.isFull({ used, limit: 1000 }))).toEqual([false, false, false, false, false]);
});

test('the machine itself: disk, files and heap', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-headroom-'));
  const { free, size } = await spaceAt(dir);
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThanOrEqual(free);
  writeFileSync(join(dir, 'file'), 'twelve bytes');
  expect([sizeOfFile(join(dir, 'file')), sizeOfFile(join(dir, 'none'))]).toEqual([12, 0]);
  rmSync(dir, { recursive: true });
  const { used, limit } = heapUse();
  expect(used).toBeGreaterThan(1_000_000);
  expect(limit).toBeGreaterThan(used);
});

test('descriptors: what proc says, and the requests they allow for', () => {
  expect(descriptorLimit('Max processes  7 7 processes\nMax open files            1024                 4096                 files\n')).toBe(
    1024,
  );
  expect(descriptorLimit('Max open files            unlimited            unlimited            files\n')).toBeNull();
  expect(descriptorLimit('')).toBeNull();
  expect(concurrencyWithin(null, 5000, 4)).toBe(5000);
  expect(concurrencyWithin(20_000, 1000, 8)).toBe(1000);
  expect(concurrencyWithin(1024, 1000, 4)).toBe(178);
  expect(concurrencyWithin(64, 1000, 4)).toBe(1);
});
