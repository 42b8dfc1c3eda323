/** Who holds a crawl: a page is called so, with the button that ends it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { takeLock } from '../../../src/base/disk/lock.ts';
import { ownerIn, worksAs } from '../../../src/base/disk/lock-owner.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-lock-work-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['page-session', 9466, 'the page on port 9466 has a labelling session open; press "Close the session" on its screen Label'],
  ['page-run', 9465, 'the page on port 9465 runs this crawl; press "Stop" there, or wait for its end'],
  ['page-session', 0, 'the page has a labelling session open; press "Close the session" on its screen Label'],
] as const)('%s on port %d', async (what, port, message) => {
  worksAs(what, port);
  const path = join(folder, `${what}-${port}`);
  const lock = await takeLock(path, 'crawls/moss', { os: () => null });
  await expect(takeLock(path, 'crawls/moss', { os: () => null })).rejects.toThrow(`crawls/moss: ${message}`);
  await lock.release();
});

test('what a lock says of its owner is a name, whoever wrote it', () => {
  const owner = ownerIn(JSON.stringify({ pid: 7, boot: '', started: '', work: 'page-run:1\u001b[31m; rm -rf' }));
  expect(owner?.work).toBe('page-run:1??31m??rm?-rf');
  expect(ownerIn(JSON.stringify({ pid: 7, boot: '', started: '' }))?.work).toBe('');
});
