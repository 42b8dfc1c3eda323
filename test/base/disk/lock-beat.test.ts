import { spawn } from 'node:child_process';
import fs, { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BEAT_EVERY, Beat, givesSignOfLife, SILENT_FOR } from '../../../src/base/disk/lock-beat.ts';
import { OwnLockFile, readLock } from '../../../src/base/disk/lock-file.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { wholeTest } from '../../support/whole-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-beat-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A lock file and what is seen of it. */
function beating() {
  const own = new OwnLockFile(join(folder, 'lock'), null);
  own.linkTo(join(folder, 'lock'));
  const look = () => readLock(join(folder, 'lock'), null)?.beat;
  const end = () => {
    own.close();
    rmSync(join(folder, 'lock'));
  };
  return { own, beat: new Beat(own), look, end };
}

test.each([
  ['goes on', 2000],
  ['stands still', 0],
  ['goes back by a day each time', -86_400_000],
])('each beat is seen, when the clock of the owner %s; the line that names it stays', (_, step) => {
  const { own, beat, look, end } = beating();
  const seen = new Set([look()]);
  for (let i = 0; i < 20; i++) {
    beat.once(Date.now() + i * step);
    seen.add(look());
  }
  expect(seen.size).toBe(21);
  expect(own.isAt(join(folder, 'lock'))).toBe(true);
  end();
});

test('where the time of a file cannot be set a number in it is raised, over bytes that are there', () => {
  const { own, beat, look, end } = beating();
  const before = statSync(join(folder, 'lock')).size;
  const { futimesSync } = fs;
  fs.futimesSync = () => {
    throw Object.assign(new Error('not implemented'), { code: 'ENOSYS' });
  };
  syncBuiltinESMExports();
  const seen = new Set([look()]);
  for (let i = 0; i < 12; i++) {
    beat.once(0);
    seen.add(look());
  }
  fs.futimesSync = futimesSync;
  syncBuiltinESMExports();
  expect(seen.size).toBe(13);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(`${own.line}\n0000000012\n`);
  expect(statSync(join(folder, 'lock')).size).toBe(before);
  end();
});

test('an owner that beats as it should is seen within the time, by whatever moment the watching begins', async () => {
  for (let phase = 0; phase < BEAT_EVERY; phase += 250) {
    const clock = new VirtualClock(phase, true);
    const look = () => String(Math.floor(clock.now() / BEAT_EVERY));
    expect(await givesSignOfLife(look, clock, new AbortController().signal, () => undefined)).toBe(true);
    expect(clock.now() - phase).toBeLessThanOrEqual(BEAT_EVERY + 1000);
  }
});

test('an owner that misses nine beats is alive, one that misses ten is not', async () => {
  for (const [beatsAt, alive] of [
    [SILENT_FOR, true],
    [SILENT_FOR + 1, false],
  ] as const) {
    const clock = new VirtualClock(0, true);
    const look = () => String(clock.now() >= beatsAt);
    expect(await givesSignOfLife(look, clock, new AbortController().signal, () => undefined)).toBe(alive);
  }
});

wholeTest('a process beats though its main thread is busy for longer than others wait', async () => {
  const path = join(folder, 'busy');
  const lock = new URL('../../../dist/base/disk/lock.js', import.meta.url).href;
  const script = `import { takeLock } from ${JSON.stringify(lock)};
    await takeLock(${JSON.stringify(path)}, 'x');
    process.stdout.write('taken');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  const busy = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => busy.stdout.once('data', resolve));
  const before = readLock(path, null)?.beat;
  await new Promise((resolve) => {
    const watcher = fs.watch(path, () => {
      watcher.close();
      resolve(null);
    });
  });
  expect(readLock(path, null)?.beat).not.toBe(before);
  busy.kill('SIGKILL');
});

test('a lock that grew beyond what an owner writes is read no further', () => {
  const path = join(folder, 'large');
  writeFileSync(path, Buffer.alloc(50_000_000, 'x'));
  expect(readLock(path, null)).toMatchObject({ owner: null, line: 'x'.repeat(4096) });
  rmSync(path);
});
