/** No command is silent on a terminal: within two seconds it says something, also while it waits for a slow input. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ms } from '../../../src/base/core/types.ts';
import { shellLine } from '../../../src/base/text/shell-line.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { sample } from '../../support/extent.ts';
import { MAIN } from './forager.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-working-'));
/** It takes connections and answers nothing. */
const slow = createServer(() => undefined);
let url: string;

beforeAll(async () => {
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
});
afterAll(() => {
  slow.closeAllConnections();
  slow.close();
  rmSync(folder, { recursive: true, force: true });
});

/** util-linux' `script` gives a command a terminal. */
const HAS_SCRIPT = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();

interface First {
  readonly text: string;
  /** Until it begins. */
  readonly ms: Ms;
}

/** What a command shows first on a terminal, and the output that follows before it ends or is ended. */
async function firstOf(words: readonly string[]): Promise<First> {
  const startedAt = performance.now();
  const line = shellLine([process.execPath, MAIN, ...words]);
  const child = spawn('script', ['-qefc', line, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  let [text, ms] = ['', Number.POSITIVE_INFINITY];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (text === '') {
      ms = performance.now() - startedAt;
      // A command that ends by itself does so at once.
      setTimeout(() => child.kill('SIGTERM'), 1000);
    }
    text += chunk;
  });
  const late = setTimeout(() => child.kill('SIGTERM'), HANGS);
  await once(child, 'close');
  clearTimeout(late);
  return { text, ms };
}

test.skipIf(!HAS_SCRIPT).each(
  sample(
    [
      ['train', (of: string) => ['train', of, '--allow-private', '--out', join(folder, 'model')]],
      ['extract', (of: string) => ['extract', of, '--allow-private']],
      [
        `init ${folder}`,
        (of: string) => ['init', folder, '--yes', '--subject', 'moss', '--contact', 'a@example.org', '--examples', of, '--seeds', of],
      ],
    ],
    [1],
  ),
)('%s says something within two seconds, although its input is slow', async (name, words) => {
  const { text, ms } = await firstOf(words(url));
  expect(text.startsWith(`${name}: working …`)).toBe(true);
  // Beside other work, starting the program takes longer by itself.
  const { ms: start } = await firstOf(['--version']);
  expect(ms - start).toBeLessThan(2000 + 4 * start);
});

test.skipIf(!HAS_SCRIPT)('the line makes room for the first output', async () => {
  const { text } = await firstOf(['status', join(folder, 'none')]);
  expect(text).toMatch(/working …\r\S*forager: \S+none: no crawl is here/);
});
