/** The lock over PID namespaces, as containers on one volume have them: the same process ids, and none that the other can look up. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { lockState } from '../../../src/base/disk/lock.ts';
import { sample } from '../../support/extent.ts';
import { CONTAINED, insideOf, LockTaker, whyNotContained } from '../../support/lock-taker.ts';
import { wholeTest } from '../../support/whole-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-containers-'));
const path = join(folder, 'lock');
afterEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const why = whyNotContained();
if (why !== null) console.warn(`left out: the lock in PID namespaces of their own (${why})`);

const contained = () => LockTaker.start(CONTAINED);

describe.skipIf(why !== null)('in PID namespaces of their own', () => {
  test.each(
    sample(
      [
        ['by its OS lock', true],
        ['by the file that is there', false],
      ] as const,
      [0],
    ),
  )('the same process id in two containers: the second is refused, and so it is outside (%s)', async (_, os) => {
    const [first, second] = [await contained(), await contained()];
    expect([first.pid, second.pid]).toEqual([1, 1]);
    expect(await first.take(path, { os })).toBe('taken');
    const owner = '^STORE_LOCKED: x: process 1 of host \\S+ \\(another container, another machine, or before a restart\\)';
    const refusal = new RegExp(`${owner} ${os ? 'is working on it' : 'had the lock last, .* run the command again with --take-over$'}`);
    expect(await second.take(path, { os })).toMatch(refusal);
    const outside = await LockTaker.start();
    expect(await outside.take(path, { os })).toMatch(refusal);
    expect(lockState(path)).toBe(os ? 'held' : 'unclear');
    expect(await first.tell({ do: 'check' })).toBe('held');
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(await first.tell({ do: 'release' })).toBe('released');
    expect(await second.take(path, { os })).toBe('taken');
    await Promise.all([first, second, outside].map((taker) => taker.kill()));
  });

  wholeTest('a container that was killed: another takes over at once by the OS lock, and as it is told to without one', async () => {
    for (const os of [true, false]) {
      const [first, second] = [await contained(), await contained()];
      expect(await first.take(path, { os })).toBe('taken');
      await first.kill();
      expect(lockState(path)).toBe(os ? 'free' : 'unclear');
      expect(await second.take(path, { os, takeOver: !os })).toBe('taken');
      expect(readdirSync(folder)).toEqual(['lock']);
      await second.tell({ do: 'release' });
      await second.kill();
    }
  });

  test('a stopped process keeps an OS lock, whatever others are told; without one it loses the lock, and knows it before it writes', async () => {
    const [first, second] = [await contained(), await contained()];
    expect(await first.take(path)).toBe('taken');
    process.kill(insideOf(first.outerPid), 'SIGSTOP');
    expect(await second.take(path, { takeOver: true })).toMatch(/^STORE_LOCKED: x: process 1 of host/);
    process.kill(insideOf(first.outerPid), 'SIGCONT');
    expect(await first.tell({ do: 'check' })).toBe('held');
    await first.tell({ do: 'release' });

    expect(await first.take(path, { os: false })).toBe('taken');
    process.kill(insideOf(first.outerPid), 'SIGSTOP');
    expect(await second.take(path, { os: false, takeOver: true })).toBe('taken');
    process.kill(insideOf(first.outerPid), 'SIGCONT');
    expect(await first.tell({ do: 'check' })).toMatch(/^STORE_LOCKED: x: the lock of this process is gone/);
    expect(await first.tell({ do: 'release' })).toBe('released');
    expect(await second.tell({ do: 'check' })).toBe('held');
    await Promise.all([first, second].map((taker) => taker.kill()));
  });

  test('a process id of another namespace is not looked up in our own, also where /proc is that of another', async () => {
    const [first, second] = [await LockTaker.start(['unshare', '--pid', '--fork', '--kill-child']), await contained()];
    expect(await first.take(path, { os: false })).toBe('taken');
    // Process 1 is there in both, and outside.
    expect(lockState(path)).toBe('unclear');
    await first.kill();
    expect(lockState(path)).toBe('unclear');
    expect(await second.take(path, { os: false, takeOver: true })).toBe('taken');
    await second.kill();
  });

  const ways = [
    ['with OS locks, again and again', true, 10],
    ['as they are told to', false, 10],
  ] as const;
  wholeTest.each(ways)('of many in containers of their own, one takes over a stale lock (%s)', async (_, os, rounds) => {
    const takers = await Promise.all([contained(), contained(), LockTaker.start(), LockTaker.start()]);
    for (let round = 0; round < rounds; round++) {
      const dead = await contained();
      expect(await dead.take(path, { os })).toBe('taken');
      await dead.kill();
      const at = Date.now() + 5;
      const said = await Promise.all(takers.map((taker) => taker.take(path, { os, takeOver: !os, at })));
      expect({ round, taken: said.filter((text) => text === 'taken').length }).toEqual({ round, taken: 1 });
      await Promise.all(takers.map((taker) => taker.tell({ do: 'release' })));
    }
    expect(readdirSync(folder)).toEqual([]);
    await Promise.all(takers.map((taker) => taker.kill()));
  });
});
