import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DISCARDED, FORMER, RETURNING } from '../../../src/base/disk/own-names.ts';
import { crawlPaths } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { FormerCrawl, settleFormerCrawl } from '../../../src/crawling/crawl-dir/former-crawl.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-former-'));
  crawlOf('former');
  writeFileSync(join(dir, 'notes.txt'), 'mine');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The files of a crawl, which name it. */
function crawlOf(name: string): void {
  for (const folder of ['model', 'corpus', 'frontier']) {
    mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, folder, 'file'), name);
  }
  writeFileSync(join(dir, 'crawl.json'), name);
}
const NAMES = ['corpus', 'crawl.json', 'frontier', 'model', 'notes.txt'];
function expectCrawl(name: string): void {
  expect(readdirSync(dir).sort()).toEqual(NAMES);
  for (const file of ['model/file', 'corpus/file', 'frontier/file', 'crawl.json']) expect(readFileSync(join(dir, file), 'utf8')).toBe(name);
  expect(readFileSync(join(dir, 'notes.txt'), 'utf8')).toBe('mine');
}

test('the former crawl comes back in the place of a new one without a page, and goes with its first committed page', async () => {
  const first = FormerCrawl.moveAside(crawlPaths(dir));
  expect(readdirSync(dir).sort()).toEqual([FORMER, 'notes.txt']);
  expect(first.placeOf(join(dir, 'model'))).toBe(join(dir, FORMER, 'model'));
  crawlOf('new');
  first.take({ type: 'judged' });
  expect(await first.end()).toBe(true);
  expectCrawl('former');
  const second = FormerCrawl.moveAside(crawlPaths(dir));
  crawlOf('new');
  for (const type of ['committed', 'judged', 'committed'] as const) second.take({ type });
  expect(await second.end()).toBe(false);
  expectCrawl('new');
});

/** Each state that a kill can leave. */
const KILLED: readonly [string, () => void][] = [
  ['on its way out', () => moveTo(FORMER, ['model', 'corpus'])],
  ['before the new one began', () => moveTo(FORMER, ['model', 'corpus', 'frontier', 'crawl.json'])],
  [
    'while the new one copied its model',
    () => {
      moveTo(FORMER, ['model', 'corpus', 'frontier', 'crawl.json']);
      mkdirSync(join(dir, 'model'));
    },
  ],
  [
    'before the first page of the new one',
    () => {
      moveTo(FORMER, ['model', 'corpus', 'frontier', 'crawl.json']);
      crawlOf('new');
    },
  ],
  ['on its way back', () => moveTo(RETURNING, ['frontier', 'crawl.json'])],
];

function moveTo(folder: string, names: readonly string[]): void {
  mkdirSync(join(dir, folder));
  for (const name of names) renameSync(join(dir, name), join(dir, folder, name));
}

test.each(KILLED)('killed %s: the next command brings the former crawl back, whole', async (_, kill) => {
  kill();
  await settleFormerCrawl(dir);
  expectCrawl('former');
});

test('killed while the former one was deleted: the new one stays, and the rest goes', async () => {
  crawlOf('new');
  mkdirSync(join(dir, DISCARDED));
  writeFileSync(join(dir, DISCARDED, 'crawl.json'), 'former');
  await settleFormerCrawl(dir);
  expectCrawl('new');
  expect(existsSync(join(dir, DISCARDED))).toBe(false);
});
