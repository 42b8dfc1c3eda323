/** The lock of a crawl directory: who gets it, who is refused, and what is left. In other PID namespaces: lock-containers.test.ts. */
import { spawn } from 'node:child_process';
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type HeldLock, isLocked, type LockOptions, lockState, takeLock } from '../../../src/base/disk/lock.ts';
import { type LockFile, stateOf } from '../../../src/base/disk/lock-file.ts';
import { isOfThisBoot, type LockOwner, thisProcess } from '../../../src/base/disk/lock-owner.ts';
import { isOfOneMachine, osLock } from '../../../src/base/disk/os-lock.ts';
import { findCrawl } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { sample, size } from '../../support/extent.ts';
import { LockTaker } from '../../support/lock-taker.ts';

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
    await takenAndLeft({ os: () => null });
  });

  test('of a process that was killed', async () => {
    for (const os of [true, false]) {
      const taker = await LockTaker.start();
      expect(await taker.take(path, { os })).toBe('taken');
      expect(lockState(path)).toBe('held');
      await taker.kill();
      expect(lockState(path)).toBe('free');
      await takenAndLeft({});
    }
  });

  test('of a process that has ended, and whose parent has not asked how', async () => {
    const parent = spawn('bash', ['-c', 'sleep 0.2 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))));
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    while (stat()[0] !== 'Z') await new Promise((resolve) => setImmediate(resolve));
    leave({ pid, started: stat()[19] ?? '' });
    await takenAndLeft({ os: () => null });
    parent.kill();
  });
});

describe('a lock of which the system cannot tell', () => {
  const lefts: readonly [string, Partial<LockOwner> | string, string][] = [
    ['of another boot', FAR, 'process 7 of host moss??1m-2 (another container, another machine, or before a restart)'],
    ['of another PID namespace', { ...LIKE_US, namespace: 'pid:[1]' }, `process ${process.pid} of host`],
    ['of a copied directory', { ...LIKE_US, file: '1:2' }, `process ${process.pid} had`],
    [
      'of a version that tells less',
      JSON.stringify({ pid: process.pid, boot: LIKE_US.boot, started: LIKE_US.started }),
      `process ${process.pid} of host (unknown)`,
    ],
    ['that holds no owner', 'half a li', 'a process that left no name'],
    ['that is empty', '', 'a process that left no name'],
  ];

  test.each(lefts)('%s is refused with the way out, and stays', async (_, owner, who) => {
    const line = leave(owner);
    expect(lockState(path, null)).toBe('unclear');
    const refused = takeLock(path, 'crawls/moss', { os: () => null });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_LOCKED', message: expect.stringContaining(`crawls/moss: ${who}`) });
    await expect(refused).rejects.toThrow(
      'this system has no file locks here that tell whether it still runs; make sure that it has ended, then run the command again with --take-over',
    );
    expect(readFileSync(path, 'utf8')).toContain(line);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test.each(lefts)('%s is taken over by who asks for it', async (_, owner, who) => {
    leave(owner);
    const said: string[] = [];
    await takenAndLeft({ os: () => null, takeOver: true, warn: (message) => said.push(message) });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`crawls/moss: taking over the lock of ${who.replace(' had', '')}`);
  });

  test('an attempt is ended by its signal; nothing is left of it', async () => {
    leave(FAR);
    const why = new Error('Ctrl-C');
    await expect(takeLock(path, 'crawls/moss', { os: () => null, signal: AbortSignal.abort(why) })).rejects.toBe(why);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('a process that may take over takes nothing from one that lives, and nothing that the system holds', async () => {
    for (const os of [osLock(), null]) {
      const lock = await takeLock(path, 'crawls/moss', { os: () => os });
      await expect(takeLock(path, 'crawls/moss', { os: () => os, takeOver: true })).rejects.toThrow(
        `process ${process.pid} is working on it`,
      );
      lock.check();
      await lock.release();
    }
  });

  test('its former owner, if it lives after all, finds out before it writes', async () => {
    const taker = await LockTaker.start();
    expect(await taker.take(path, { os: false })).toBe('taken');
    fs.writeFileSync(path, readFileSync(path, 'utf8').replace(/"namespace":"[^"]*"/, '"namespace":"pid:[1]"'));
    const lock = await takeLock(path, 'crawls/moss', { os: () => null, takeOver: true });
    expect(await taker.tell({ do: 'check' })).toMatch(/^STORE_LOCKED: x: the lock of this process is gone/);
    expect(await taker.tell({ do: 'release' })).toBe('released');
    lock.check();
    await lock.release();
    await taker.kill();
  });
});

describe('the state of a lock', () => {
  const here = thisProcess();
  const owner: LockOwner = { ...here, pid: NO_PID, token: '', held: 'one machine', file: '1:2' };
  const seen: LockFile = { owner, file: '1:2', isOfOneMachine: true, isFree: true };
  const far = { ...owner, namespace: 'm' };
  const rebooted = { ...owner, boot: 'a' };
  const ours: LockOwner = { ...owner, pid: process.pid, held: 'no' };

  test.each<[string, Partial<LockFile>, string]>([
    ['an OS lock that is held is the last word', { isFree: false, owner: { ...owner, started: '1' } }, 'held'],
    ['also where nobody is named', { isFree: false, owner: null }, 'held'],
    ['one that is free, on a disk of one machine: also of another container', { owner: far }, 'free'],
    ['and of another boot', { owner: rebooted }, 'free'],
    ['and where a power cut left no owner', { owner: null }, 'free'],
    ['not where no owner is left on a disk that may be shared', { owner: null, isOfOneMachine: false }, 'unclear'],
    ['not where its owner saw the disk as one that may be shared', { owner: { ...rebooted, held: 'shared' } }, 'unclear'],
    ['nor where we do', { owner: rebooted, isOfOneMachine: false }, 'unclear'],
    ['nor where its owner had none', { owner: { ...rebooted, held: 'no' } }, 'unclear'],
    [
      'on a disk that may be shared: of another container of this boot',
      { owner: { ...far, held: 'shared' }, isOfOneMachine: false },
      'free',
    ],
    ['not of a copy of the file', { owner: { ...far, held: 'shared' }, isOfOneMachine: false, file: '1:3' }, 'unclear'],
    ['nothing is known where the system has no such locks', { owner: far, isFree: null }, 'unclear'],
    ['but that a process of our own namespace is gone', { isFree: null }, 'free'],
    ['or another one now', { isFree: null, owner: { ...ours, started: '1' } }, 'free'],
    ['or still there', { isFree: null, owner: ours }, 'held'],
    ['which a copy of its lock does not show', { isFree: null, owner: ours, file: '1:3' }, 'unclear'],
    ['a living process without an OS lock, on a system that has them', { owner: ours }, 'held'],
  ])('%s', (_, known, state) => {
    expect(stateOf({ ...seen, ...known })).toBe(state);
  });

  test('where systems do not tell their starts, one machine is known by its name', () => {
    const mac = { ...owner, boot: '', host: 'moss' };
    expect([isOfThisBoot(mac, { boot: '', host: 'moss' }), isOfThisBoot(mac, { boot: '', host: 'fern' })]).toEqual([true, false]);
    expect([isOfThisBoot(mac, { boot: 'b', host: 'moss' }), isOfThisBoot(owner, here)]).toEqual([false, true]);
  });
});

describe('of those who would take over a lock, one does', () => {
  /** What another process does right before this one calls a function of `node:fs`. */
  async function takeAfter(name: 'openSync' | 'renameSync', meddle: () => void, options: LockOptions): Promise<unknown> {
    const before = fs[name];
    let isFirst = true;
    fs[name] = ((...given: [string, never]) => {
      if (given[name === 'openSync' ? 0 : 1] === path && isFirst) {
        isFirst = false;
        meddle();
      }
      return (before as (...given: unknown[]) => unknown)(...given);
    }) as never;
    syncBuiltinESMExports();
    try {
      return await takeLock(path, 'crawls/moss', options);
    } catch (error) {
      return error;
    } finally {
      Object.assign(fs, { [name]: before });
      syncBuiltinESMExports();
    }
  }

  test('who comes late finds the lock of another', async () => {
    leave({ pid: NO_PID });
    let other = '';
    const meddle = () => {
      rmSync(path);
      other = leave({ token: 'another' });
    };
    const said = await takeAfter('openSync', meddle, { os: () => null });
    expect(said).toMatchObject({ code: 'STORE_LOCKED', message: expect.stringContaining(`process ${process.pid} is working on it`) });
    expect(readFileSync(path, 'utf8')).toContain(other);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('who comes late finds the lock let go, and takes it', async () => {
    leave({ pid: NO_PID });
    const lock = await takeAfter('openSync', () => rmSync(path), { os: () => null });
    expect(lock).toMatchObject({ lost: { aborted: false } });
    expect(readdirSync(folder)).toEqual(['lock']);
    await (lock as HeldLock).release();
  });

  test('without OS locks, the first of two who rename at one moment is told so before it begins', async () => {
    leave({ pid: NO_PID });
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      leave({ token: 'another' }, `${path}.other`);
      renameSync(`${path}.other`, path);
    };
    syncBuiltinESMExports();
    try {
      await expect(takeLock(path, 'crawls/moss', { os: () => null })).rejects.toThrow('another process has just taken the lock');
    } finally {
      fs.renameSync = renameSync;
      syncBuiltinESMExports();
    }
    expect(readFileSync(path, 'utf8')).toContain('"token":"another"');
  });

  test('a look at a dead lock at the same moment refuses nobody', async () => {
    leave({ pid: NO_PID, held: 'one machine' });
    const fd = fs.openSync(path, 'r');
    expect(osLock()?.isFree(fd)).toBe(true);
    setTimeout(() => fs.closeSync(fd), 5);
    await takenAndLeft({});
  });

  const ways = [
    ['with OS locks', true, { ...LIKE_US, held: 'one machine' }],
    ['by their process ids', false, LIKE_US],
    ['as they are told to', false, { ...LIKE_US, boot: 'another' }],
  ] as const;
  test.each(sample(ways, [0]))('many processes at once, again and again, %s', async (_, os, left) => {
    const takers = await Promise.all(Array.from({ length: 4 }, () => LockTaker.start()));
    try {
      for (let round = 0; round < size(60, 15); round++) {
        leave({ ...left, pid: NO_PID, token: String(round) });
        const at = Date.now() + 5;
        const said = await Promise.all(takers.map((taker) => taker.take(path, { os, takeOver: true, at })));
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
    const clock = { now: () => 0, date: () => date };
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
  leave('', join(folder, 'lock.00112233445566aa'));
  leave({ started: '1' }, join(folder, 'lock.0123456789abcdef.heir'));
  leave({ token: 'alive' }, join(folder, 'lock.fedcba9876543210'));
  leave({ pid: NO_PID }, join(folder, 'lock.txt'));
  const lock = await takeLock(path, 'crawls/moss', { os: () => null });
  expect(readdirSync(folder).sort()).toEqual(['lock', 'lock.00112233445566aa', 'lock.fedcba9876543210', 'lock.txt']);
  await lock.release();
});

test('version 0.2 and this one exclude each other, and its dead locks and heirs are no hindrance', async () => {
  const line = JSON.stringify({ ...LIKE_US, pid: NO_PID, token: 'f00', held: 'one machine', file: '1:2' });
  writeFileSync(path, `${line}\n0000000007\n`);
  writeFileSync(`${path}.0123456789abcdef.heir`, `${line}\n0000000000\n`);
  const fd = fs.openSync(path, 'r+');
  expect(osLock()?.hold(fd)).toBe(true);
  await expect(takeLock(path, 'crawls/moss', { takeOver: true })).rejects.toThrow('is working on it');
  fs.closeSync(fd);
  await takenAndLeft({});
});

test.each([
  ['held', /^crawls\/moss: process \d+ is working on it/],
  ['left', /EACCES: permission denied.* while reading the lock/],
])('the lock of another user, %s, is refused in words', async (what, message) => {
  const lock = what === 'held' ? await takeLock(path, 'crawls/moss') : null;
  if (lock === null) leave({ pid: NO_PID, held: 'one machine' });
  const { openSync } = fs;
  fs.openSync = (file, flags, mode) => {
    if (flags === 'r+') throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    return openSync(file, flags, mode);
  };
  syncBuiltinESMExports();
  try {
    await expect(takeLock(path, 'crawls/moss', { takeOver: true })).rejects.toThrow(message);
  } finally {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  }
  expect(readdirSync(folder)).toEqual(['lock']);
  await lock?.release();
});

test('a lock that grew beyond what an owner writes is read no further', () => {
  writeFileSync(path, Buffer.alloc(50_000_000, 'x'));
  expect(lockState(path, null)).toBe('unclear');
});
