import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findCrawl } from '../../src/app/crawl-directory.ts';
import { isLocked, takeLock } from '../../src/app/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-lock-'));
const path = join(folder, 'lock');
afterEach(() => rmSync(path, { force: true }));

test('one holds it, a second is refused and told who does, and it can be taken again once let go', () => {
  const release = takeLock(path, 'crawls/moss');
  expect(isLocked(path)).toBe(true);
  expect(() => takeLock(path, 'crawls/moss')).toThrow(`crawls/moss: process ${process.pid} is working on it`);
  release();
  expect(isLocked(path)).toBe(false);
  takeLock(path, 'crawls/moss')();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, boot: '', started: '' })],
  ['of a process id that was used again', JSON.stringify({ pid: process.pid, boot: 'another', started: '1' })],
  ['that holds no owner', 'half a li'],
  ['that is empty', ''],
])('a lock %s is taken over', (_what, content) => {
  writeFileSync(path, content);
  const release = takeLock(path, 'crawls/moss');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  release();
  expect(existsSync(path)).toBe(false);
});

/** Takes the lock, says whether it has it, and keeps it until its input ends. */
const TAKER = `
import { takeLock } from ${JSON.stringify(new URL('../../src/app/lock.ts', import.meta.url).href)};
await new Promise((resolve) => process.stdin.once('data', resolve));
let said = 'taken';
try { takeLock(${JSON.stringify(path)}, 'x'); } catch (error) { said = error.code; }
process.stdout.write(said);
await new Promise((resolve) => process.stdin.once('end', resolve));
`;

test('of many processes that find a stale lock at once, one gets it', { timeout: 60_000 }, async () => {
  writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, boot: '', started: '' }));
  const script = join(folder, 'taker.mts');
  writeFileSync(script, TAKER);
  const takers = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const said = Promise.all(
    takers.map(async ({ stdout }) => {
      let text = '';
      for await (const chunk of stdout) {
        text += String(chunk);
        if (text.length >= 5) return text;
      }
      return text;
    }),
  );
  for (const { stdin } of takers) stdin.write('go\n');
  expect((await said).sort()).toEqual([...Array.from({ length: 5 }, () => 'STORE_LOCKED'), 'taken'].sort());
  for (const { stdin } of takers) stdin.end();
  rmSync(script);
});

test.each(['lock', 'lock.4711', 'lock.4711.old'])('a crawl can begin where a process killed as it took the lock left %s', (name) => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-lock-left-'));
  writeFileSync(join(dir, name), '');
  expect(findCrawl(dir)).toBeNull();
  writeFileSync(join(dir, 'lock.txt'), '');
  expect(() => findCrawl(dir)).toThrow('holds something other than a crawl (lock.txt)');
  rmSync(dir, { recursive: true });
});
