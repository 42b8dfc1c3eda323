/** Exit codes and last lines of commands that the machine fails. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { outputFailed } from '../../../src/faces/cli/ending.ts';
import { MAIN, refused } from './forager.ts';
import { smallWeb } from './small-web.ts';

const { path } = smallWeb();
const page = path('page.html');
mkdirSync(path(), { recursive: true });
writeFileSync(page, '<title>Tides</title><p>The tide comes in, and the birds go up the river with it, as they do in spring.</p>');

/** As Node reports a write that failed. */
function writeFault(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: some reason, write`), { code, syscall: 'write' });
}

describe('standard output', () => {
  test.skipIf(!existsSync('/dev/full')).each([['extract', page], ['--help'], ['completion', 'bash']])(
    'that is full ends %s with exit code 3 and one line',
    (...words) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
      closeSync(full);
      expect({ status, stderr }).toEqual({
        status: 3,
        stderr: expect.stringMatching(/^forager: standard output: cannot be written \([^\n]+\); free some space[^\n]+\n$/),
      });
    },
  );

  test('that nobody reads any more is no fault; a failing disk is, and a closed terminal is not', () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const ends = (code: string, isTerminal: boolean) => outputFailed(writeFault(code), isTerminal);
    const seen = [ends('EPIPE', false), ends('EPIPE', true), ends('EIO', true)];
    const lines = told.mock.calls.length;
    const lost = ['EIO', 'ENOSPC', 'EDQUOT', 'ENXIO', 'EBADF'].map((code) => ends(code, false));
    const last = told.mock.calls.map(([line]) => String(line));
    told.mockRestore();
    expect({ seen, lines, lost }).toEqual({ seen: [null, null, null], lines: 0, lost: [3, 3, 3, 3, 3] });
    for (const line of last) expect(line).toMatch(/^forager: standard output: [^\n]+; [^\n]+\n$/);
  });
});

describe('a path that the file system refuses', () => {
  const circle = path('circle');
  symlinkSync(circle, circle);
  const long = path('n'.repeat(300));
  const below = `${page}/below`;

  test.each([
    ['status', 'links lead in a circle', circle],
    ['verify', 'links lead in a circle', circle],
    ['ledger', 'a shorter one', long],
    ['seeds', 'a shorter one', long],
  ])('%s ends with exit code 3 and says: %s', async (command, remedy, dir) => refused(3, [dir, remedy], command, dir));

  test.each(['repair', 'compact'])('%s below a file is a wrong path, and names the file', (command) =>
    refused(2, [below, `${page} is a file`], command, below),
  );

  test('so does a file that an option names', async () => {
    await refused(2, [path(), 'a folder'], 'extract', page, '--fields', path());
    await refused(3, [circle, 'in a circle'], 'extract', page, '--fields', circle);
    await refused(3, [long, 'a shorter one'], 'crawl', path('new'), '--log', long);
  });
});
