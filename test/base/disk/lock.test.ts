/** The lock of a crawl directory: who gets it, who is refused, and what is left. In other PID namespaces: lock-containers.test.ts. */
import { spawn } from 'node:child_process';
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { isLocked, type LockOptions, lockState, takeLock } from '../../../src/base/disk/lock.ts';
import { Beat, SILENT_FOR } from '../../../src/base/disk/lock-beat.ts';
import { heirOf } from '../../../src/base/disk/lock-file.ts';
import { type LockOwner, type SeenLock, thisProcess, verdictOn } from '../../../src/base/disk/lock-owner.ts';
import { isOfOneMachine, osLock } from '../../../src/base/disk/os-lock.ts';
import { findCrawl } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { sample, size } from '../../support/extent.ts';
import { LockTaker } from '../../support/lock-taker.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-lock-'));
const path = join(folder, 'lock');
afterEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** No process has it: Linux has none above 2^22. */
const NO_PID = 2 ** 22 + 1;
/** A process like this one, without an OS lock. */
const LIKE_US: LockOwner = { ...thisProcess(), token: 'f00', held: 'no', file: '' };
const FAR: LockOwner = { ...LIKE_US, pid: 7, boot: 'another', host: 'moss\u001b[1m-2' };

function leave(owner: Partial<LockOwner> | string, at = path): string {
  const line = typeof owner === 'string' ? owner : JSON.stringify({ ...LIKE_US, ...owner });
  writeFileSync(at, `${line}\n0000000000\n`);
  return line;
}

/** Waits are over at once, and by the clock of the test. */
function patient(known: LockOptions = {}) {
  const clock = new VirtualClock(1_000_000, true);
  const said: string[] = [];
  return { clock, said, options: { clock, warn: (message: string) => said.push(message), os: () => null, ...known } };
}

async function takenAndLeft(options: LockOptions): Promise<void> {
  const lock = await takeLock(path, 'crawls/moss', options);
  expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')).toMatchObject(thisProcess());
  await lock.release();
  expect(readdirSync(folder)).toEqual([]);
}

test.each([
  ['with an OS lock', osLock()],
  ['without one', null],
])('one holds it, a second is refused and told who does, and it can be taken again once let go (%s)', async (_, os) => {
  const lock = await takeLock(path, 'crawls/moss', { os: () => os });
  expect([isLocked(path), lockState(path, os), lock.isHeld()]).toEqual([true, 'held', true]);
  await expect(takeLock(path, 'crawls/moss', { os: () => os })).rejects.toThrow(
    `crawls/moss: process ${process.pid} is working on it; wait for it to end, or stop it (kill -INT ${process.pid})`,
  );
  expect(readdirSync(folder)).toEqual(['lock']);
  await lock.release();
  expect([isLocked(path), lockState(path, os)]).toEqual([false, 'free']);
  await takenAndLeft({ os: () => os });
});

test.each([
  ['with an OS lock', osLock()],
  ['without one', null],
])('a lock that was let go is neither held nor lost, and letting it go again leaves the next one alone (%s)', async (_, os) => {
  const lock = await takeLock(path, 'crawls/moss', { os: () => os });
  await lock.release();
  expect([lock.isHeld(), lock.lost.aborted]).toEqual([false, false]);
  expect(() => lock.check()).toThrow('released its lock');
  const next = await takeLock(path, 'crawls/moss', { os: () => os });
  await lock.release();
  expect([lock.isHeld(), lock.lost.aborted, next.isHeld(), lockState(path, os)]).toEqual([false, false, true, 'held']);
  await next.release();
});

test('the addon for OS locks is there on the machines that tests run on, and tells one open file from another of the same process', () => {
  const os = osLock();
  writeFileSync(path, '');
  const [one, two] = [fs.openSync(path, 'r+'), fs.openSync(path, 'r+')];
  expect([os?.hold(one), os?.isFree(two), os?.hold(two)]).toEqual([true, false, false]);
  fs.closeSync(fs.openSync(path, 'r'));
  expect(os?.isFree(two)).toBe(false);
  fs.closeSync(one);
  expect(os?.isFree(two)).toBe(true);
  fs.closeSync(two);
  expect(os?.isFree(one)).toBeNull();
  expect([isOfOneMachine('/proc'), isOfOneMachine(join(folder, 'none'))]).toEqual([false, false]);
});

describe('a stale lock is taken over at once', () => {
  test.each<[string, Partial<LockOwner>]>([
    ['of a process that is gone', { pid: NO_PID }],
    ['of a process id that was used again', { started: '1' }],
  ])('%s', async (_, owner) => {
    leave(owner);
    expect(lockState(path, null)).toBe('free');
    await takenAndLeft({ os: () => null, signal: AbortSignal.abort() });
  });

  test('of a process that was killed', async () => {
    for (const os of [true, false]) {
      const taker = await LockTaker.start();
      expect(await taker.take(path, { os })).toBe('taken');
      expect(lockState(path)).toBe('held');
      await taker.kill();
      expect(lockState(path)).toBe('free');
      await takenAndLeft({ signal: AbortSignal.abort() });
    }
  });

  test('of a process that has ended, and whose parent has not asked how', async () => {
    const parent = spawn('bash', ['-c', 'sleep 0.2 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))));
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    while (stat()[0] !== 'Z') await new Promise((resolve) => setImmediate(resolve));
    leave({ pid, started: stat()[19] ?? '' });
    await takenAndLeft({ os: () => null, signal: AbortSignal.abort() });
    parent.kill();
  });
});

describe('what the system cannot tell is watched', () => {
  test.each<[string, Partial<LockOwner> | string, string]>([
    ['of another boot', FAR, 'process 7 of host moss??1m-2 (another container, another machine, or before a restart)'],
    ['of another PID namespace', { ...LIKE_US, namespace: 'pid:[1]' }, `process ${process.pid} of host`],
    [
      'of a version that tells less',
      JSON.stringify({ pid: process.pid, boot: LIKE_US.boot, started: LIKE_US.started }),
      `process ${process.pid} of host (unknown)`,
    ],
    ['that holds no owner', 'half a li', 'a process that left no name'],
    ['that is empty', '', 'a process that left no name'],
  ])('a lock %s, which gives no sign of life, is taken over after twenty seconds', async (_, owner, who) => {
    leave(owner);
    expect(lockState(path, null)).toBe('unclear');
    const { clock, said, options } = patient();
    await takenAndLeft(options);
    expect(clock.now()).toBe(1_000_000 + SILENT_FOR);
    expect(said).toHaveLength(5);
    expect(said[0]).toContain(`crawls/moss: ${who}`);
    expect(said[0]).toContain('had the lock last; watching for a sign of life, 0 of 20 s');
    expect(said[4]).toContain('no sign of life');
  });

  /** Beats in the last moment before ten are missing, by a clock that is 400 days behind and goes back. */
  test('a lock that beats is not, whatever the clock of its owner says', async () => {
    leave(FAR);
    const fd = fs.openSync(path, 'r+');
    const beat = new Beat({ fd, counterAt: 0 });
    const { clock, options } = patient();
    let date = Date.now() - 400 * 86_400_000;
    const beating = {
      now: () => clock.now(),
      sleep: async (ms: number, signal: AbortSignal) => {
        await clock.sleep(ms, signal);
        date -= 5000;
        if (clock.now() === 1_000_000 + SILENT_FOR - 1000) beat.once(date);
      },
    };
    await expect(takeLock(path, 'crawls/moss', { ...options, clock: beating })).rejects.toThrow(
      'crawls/moss: process 7 of host moss??1m-2 (another container, another machine, or before a restart) is working on it; wait for it to end, or stop it there',
    );
    fs.closeSync(fd);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('time in which the watcher was stopped itself does not count', async () => {
    leave(FAR);
    const { clock, options } = patient();
    let looks = 0;
    const asleep = {
      now: () => clock.now(),
      sleep: async (ms: number, signal: AbortSignal) => {
        looks += 1;
        await clock.sleep(ms, signal);
        clock.advance(3_600_000);
      },
    };
    await takenAndLeft({ ...options, clock: asleep });
    expect(looks).toBe(10);
  });

  test('a wait is ended by its signal; nothing is left of it', async () => {
    leave(FAR);
    const { options } = patient();
    const why = new Error('Ctrl-C');
    await expect(takeLock(path, 'crawls/moss', { ...options, signal: AbortSignal.abort(why) })).rejects.toBe(why);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('of a lock that changes hands meanwhile the new owner is asked for', async () => {
    leave(FAR);
    const { clock, options } = patient();
    const changing = {
      now: () => clock.now(),
      sleep: async (ms: number, signal: AbortSignal) => {
        await clock.sleep(ms, signal);
        leave({ token: 'new' });
      },
    };
    await expect(takeLock(path, 'crawls/moss', { ...options, clock: changing })).rejects.toThrow(`process ${process.pid} is working on it`);
  });
});

describe('what can be told of an owner', () => {
  const here = { ...thisProcess(), boot: 'b', namespace: 'n' };
  const owner: LockOwner = { ...here, pid: NO_PID, token: '', held: 'one machine', file: '1:2' };
  const seen: SeenLock = { owner, file: '1:2', isOfOneMachine: true, isFree: true };
  const far = { ...owner, namespace: 'm' };
  const rebooted = { ...owner, boot: 'a' };

  test.each<[string, Partial<SeenLock>, string]>([
    ['an OS lock that is held is the last word', { isFree: false, owner: { ...owner, started: '1' } }, 'alive'],
    ['also where nobody is named', { isFree: false, owner: null }, 'alive'],
    ['one that is free, on a disk of one machine: also of another container', { owner: far }, 'dead'],
    ['and of another boot', { owner: rebooted }, 'dead'],
    ['not where its owner saw the disk as one that may be shared', { owner: { ...rebooted, held: 'shared' } }, 'unclear'],
    ['nor where we do', { owner: rebooted, isOfOneMachine: false }, 'unclear'],
    ['nor where its owner had none', { owner: { ...rebooted, held: 'no' } }, 'unclear'],
    [
      'on a disk that may be shared: of another container of this boot',
      { owner: { ...far, held: 'shared' }, isOfOneMachine: false },
      'dead',
    ],
    ['not of a copy of the file', { owner: { ...far, held: 'shared' }, isOfOneMachine: false, file: '1:3' }, 'unclear'],
    ['nothing is known where the system has no such locks', { owner: far, isFree: null }, 'unclear'],
    ['but that a process of our own namespace is gone', { isFree: null }, 'dead'],
    ['a free lock that names nobody', { owner: null }, 'unclear'],
  ])('%s', (_, known, verdict) => {
    expect(verdictOn({ ...seen, ...known }, here)).toBe(verdict);
  });

  test('a copy of the lock of a living process is not its lock', () => {
    const ours = { ...thisProcess(), token: '', held: 'no' as const, file: '1:2' };
    expect(verdictOn({ ...seen, owner: ours, isFree: null })).toBe('alive');
    expect(verdictOn({ ...seen, owner: ours, isFree: null, file: '1:3' })).toBe('unclear');
  });
});

describe('of those who would take over a lock, one does', () => {
  /** What another process does at the moment before this one is the heir. */
  async function takeAfter(meddle: () => void): Promise<unknown> {
    const { linkSync } = fs;
    fs.linkSync = (from, to) => {
      if (String(to).endsWith('.heir')) {
        fs.linkSync = linkSync;
        syncBuiltinESMExports();
        meddle();
      }
      linkSync(from, to);
    };
    syncBuiltinESMExports();
    try {
      return await takeLock(path, 'crawls/moss', { os: () => null });
    } catch (error) {
      return error;
    } finally {
      fs.linkSync = linkSync;
      syncBuiltinESMExports();
    }
  }

  test('who comes late finds another in its place, though the way there is free again', async () => {
    leave({ pid: NO_PID });
    let other = '';
    const said = await takeAfter(() => {
      other = leave({ token: 'another' });
    });
    expect(said).toMatchObject({ code: 'STORE_LOCKED', message: expect.stringContaining(`process ${process.pid} is working on it`) });
    expect(readFileSync(path, 'utf8')).toContain(other);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('who comes late finds the lock let go, and takes it', async () => {
    leave({ pid: NO_PID });
    // In its place somebody else might have put his by then: it is not taken by a rename.
    const { renameSync } = fs;
    const renamed: unknown[] = [];
    fs.renameSync = (from, to) => {
      renamed.push(to);
      renameSync(from, to);
    };
    syncBuiltinESMExports();
    const lock = await takeAfter(() => rmSync(path));
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
    expect(renamed).toEqual([]);
    expect(lock).toMatchObject({ lost: { aborted: false } });
    expect(readdirSync(folder)).toEqual(['lock']);
    if (lock instanceof Object && 'release' in lock && typeof lock.release === 'function') await lock.release();
  });

  test('an heir that is alive has it; one that is gone has an heir of its own', async () => {
    const first = heirOf(path, leave({ pid: NO_PID }));
    const heir = leave({ token: 'heir' }, first);
    await expect(takeLock(path, 'crawls/moss', { os: () => null })).rejects.toThrow(`process ${process.pid} is working on it`);
    expect(readFileSync(path, 'utf8')).toContain(`"pid":${NO_PID}`);
    expect(readFileSync(first, 'utf8')).toContain(heir);
    leave({ token: 'heir', started: '1' }, first);
    await takenAndLeft({ os: () => null });
  });

  const ways = [
    ['with OS locks', true, LIKE_US],
    ['by their process ids', false, LIKE_US],
    ['by their silence', false, { ...LIKE_US, boot: 'another' }],
  ] as const;
  test.each(sample(ways, [0]))('many processes at once, again and again, %s', async (_, os, left) => {
    const takers = await Promise.all(Array.from({ length: 4 }, () => LockTaker.start()));
    try {
      for (let round = 0; round < size(60, 15); round++) {
        leave({ ...left, pid: NO_PID, token: String(round) });
        const at = Date.now() + 5;
        const said = await Promise.all(takers.map((taker) => taker.take(path, { os, hasty: true, at })));
        const codes = said.map((text) => text.split(':')[0]).sort();
        expect({ round, codes }).toEqual({ round, codes: ['STORE_LOCKED', 'STORE_LOCKED', 'STORE_LOCKED', 'taken'] });
        const held = await Promise.all(takers.map(async (taker, i) => (said[i] === 'taken' ? taker.tell({ do: 'check' }) : 'no')));
        expect(held.filter((one) => one === 'held')).toHaveLength(1);
        await Promise.all(takers.map((taker) => taker.tell({ do: 'release' })));
        expect(existsSync(path)).toBe(false);
      }
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      await Promise.all(takers.map((taker) => taker.kill()));
    }
  });
});

describe('a lock that was lost', () => {
  test.each<[string, () => void]>([
    ['to another process', () => leave({ token: 'another' })],
    ['since somebody deleted it', () => rmSync(path)],
  ])('%s: nothing may be written any more, and what is there stays', async (_, lose) => {
    const lock = await takeLock(path, 'crawls/moss');
    lock.check();
    lose();
    const left = readdirSync(folder);
    expect(() => lock.check()).toThrow('crawls/moss: the lock of this process is gone');
    expect(lock.lost.reason).toMatchObject({ code: 'STORE_LOCKED' });
    await lock.release();
    expect(readdirSync(folder)).toEqual(left);
  });

  test('is not looked for again within the time that the caller allows, by the date; a check before a write always looks', async () => {
    let date = 1_000_000;
    const clock = { now: () => 0, date: () => date, sleep: async () => undefined };
    const held = async () => {
      const lock = await takeLock(path, 'crawls/moss', { clock });
      expect(lock.isHeld(1000)).toBe(true);
      fs.rmSync(path);
      return lock;
    };
    const lock = await held();
    date += 999;
    expect([lock.isHeld(1000), lock.lost.aborted]).toEqual([true, false]);
    date += 1;
    expect([lock.isHeld(1000), lock.lost.aborted]).toEqual([false, true]);
    await lock.release();
    const later = await held();
    date -= 2000;
    expect(later.isHeld(1000)).toBe(false);
    await later.release();
    const writing = await held();
    expect(() => writing.check()).toThrow('is gone');
    await writing.release();
  });

  test('is lost for good, also when it is back: others worked meanwhile', async () => {
    const lock = await takeLock(path, 'crawls/moss');
    fs.renameSync(path, `${path}.aside`);
    expect(lock.isHeld()).toBe(false);
    fs.renameSync(`${path}.aside`, path);
    expect(lock.isHeld()).toBe(false);
    await lock.release();
  });

  test('a process without descriptors for another file has not lost it', async () => {
    const lock = await takeLock(path, 'crawls/moss');
    const { readFileSync: read } = fs;
    fs.readFileSync = (() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    }) as unknown as typeof read;
    syncBuiltinESMExports();
    const held = lock.isHeld();
    fs.rmSync(path);
    const gone = lock.isHeld();
    fs.readFileSync = read;
    syncBuiltinESMExports();
    expect([held, gone]).toEqual([true, false]);
    await lock.release();
  });
});

test.each(['lock', 'lock.4711', 'lock.4711.old', 'lock.0123456789abcdef', 'lock.0123456789abcdef.heir'])(
  'a crawl can begin where a process killed as it took the lock left %s',
  (name) => {
    const dir = mkdtempSync(join(tmpdir(), 'forager-lock-left-'));
    writeFileSync(join(dir, name), '');
    expect(findCrawl(dir)).toBeNull();
    writeFileSync(join(dir, 'lock.txt'), '');
    expect(() => findCrawl(dir)).toThrow('holds something other than a crawl (lock.txt)');
    rmSync(dir, { recursive: true });
  },
);

test('what dead processes left beside the lock is cleared up by the next, what others left is not', async () => {
  leave({ pid: NO_PID }, join(folder, 'lock.0123456789abcdef'));
  leave({ started: '1' }, join(folder, 'lock.0123456789abcdef.heir'));
  leave({ token: 'alive' }, join(folder, 'lock.fedcba9876543210'));
  leave({ pid: NO_PID }, join(folder, 'lock.txt'));
  const lock = await takeLock(path, 'crawls/moss', { os: () => null });
  expect(readdirSync(folder).sort()).toEqual(['lock', 'lock.fedcba9876543210', 'lock.txt']);
  await lock.release();
});
