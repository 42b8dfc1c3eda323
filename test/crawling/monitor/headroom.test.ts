import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { concurrencyWithin, descriptorLimit } from '../../../src/crawling/monitor/descriptors.ts';
import { defaultLimits } from '../../../src/crawling/monitor/disk-watch.ts';
import { heapUse, MachineHeadroom, sizeOfFile, spaceAt } from '../../../src/crawling/monitor/headroom.ts';
import type { DiskLimits } from '../../../src/crawling/settings/crawl-kinds.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const MB = 1_000_000;
const LIMITS: DiskLimits = { minFree: 200 * MB, patience: 600_000 };

const none = (): void => undefined;

/** A machine whose disk, writing and heap are numbers. */
async function machine(options: { readonly free?: number; readonly limits?: DiskLimits | null; readonly size?: number } = {}) {
  const state = { free: options.free ?? 1000 * MB, written: 0, used: 0, looks: 0, broken: false, collected: none };
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
    onCollections: (told) => {
      state.collected = told;
      return () => {
        state.collected = none;
      };
    },
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
    'crawls/moss: 199 MB free, less than the 200 MB to keep free (--min-free); no new request until there is space; free some',
  ]);
  state.free = 219 * MB;
  expect(await later()).toBe('hold');
  state.free = 220 * MB;
  expect(await later()).toBe('go');
  expect(warnings.slice(1)).toEqual(['crawls/moss: 220 MB free again: the crawl resumes']);
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
  expect(warnings[0]).toContain('less than the 1,010 MB to keep free');
  // A look later it is half of that, and a tenth more.
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
  expect(warnings).toEqual(['crawls/moss: the free space cannot be read (EIO); the crawl does not watch it']);
  expect(state.looks).toBe(2);
});

test('memory: a heap that a collection could not empty ends the crawl, one that only awaits a collection does not', async () => {
  const { state, later, warnings } = await machine();
  for (const [used, left] of [
    [500, 500],
    [900, 400], // collected
    [860, 850],
  ] as const) {
    state.used = used;
    expect([used, await later()]).toEqual([used, 'go']);
    state.used = left;
    state.collected();
    expect([left, await later()]).toEqual([left, 'go']);
    expect(state.collected).toBe(none);
  }
  state.used = 990;
  expect(await later()).toBe('go');
  state.used = 851;
  state.collected();
  expect(await later()).toBe('low-memory');
  state.used = 100;
  expect(await later()).toBe('low-memory');
  expect(warnings.length).toBe(1);
  expect(warnings[0]).toContain('--max-old-space-size');
});

test('collections are not watched for any more once it is closed', async () => {
  const { state, later, headroom } = await machine();
  state.used = 990;
  await later();
  expect(state.collected).not.toBe(none);
  headroom.close();
  expect(state.collected).toBe(none);
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

/** A process with a heap of 160 MB that takes some memory, looks, and so on; it keeps all of it, or the last. */
async function heapOfChild(keep: boolean): Promise<string> {
  const script = `
    const { MachineHeadroom, heapUse } = await import(${JSON.stringify(new URL('../../../dist/crawling/monitor/headroom.js', import.meta.url).href)});
    let now = 0;
    const none = () => undefined;
    const space = async () => ({ free: 1e12, size: 1e12 });
    const headroom = await MachineHeadroom.open({ clock: { now: () => now }, limits: null, dir: '', space, written: () => 0, heap: heapUse, warn: none });
    const kept = [];
    for (let step = 0; step < 4800; step++) {
      const some = Array.from({ length: 1000 }, (_, i) => ({ step, i }));
      if (${keep} || step % 80 === 0) kept[${keep} ? step : 0] = some;
      now += 5000;
      const verdict = headroom.verdict();
      if (verdict !== 'go') { console.log(verdict); process.exit(0); }
      await new Promise((resolve) => setImmediate(resolve));
    }
    console.log('went through');
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=160', '--input-type=module', '-e', script]);
  return stdout;
}

test('in a real heap: full of what is needed it is told in time, full of garbage it is not', async () => {
  expect(await heapOfChild(true)).toBe('low-memory\n');
  expect(await heapOfChild(false)).toBe('went through\n');
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
