/** The path of the opt-out list in `crawl.json`: a list of the directory itself moves with it, any other stays where it is. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CrawlManifest, readManifest, writeManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';

const scratch = mkdtempSync(join(tmpdir(), 'forager-opt-out-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const [dir, moved] = [join(scratch, 'crawl'), join(scratch, 'moved')];
mkdirSync(dir);

const first = {
  ...{ format: 1, software: 'forager/0.1.0', createdAt: '', topic: { name: 't', id: 'i', threshold: 0.5 }, seeds: [] },
  ...{ strategy: 'bfs', rngSeed: 1, userAgent: 'F', contact: null, proxy: null, allowPrivate: false, patienceMs: 0 },
  ...{ expansion: { maxDepth: null, tunnel: null }, scope: [], delayMs: 0, maxPagesPerHost: null, runs: [] },
};
writeFileSync(join(dir, 'crawl.json'), JSON.stringify(first));
const manifest: CrawlManifest = readManifest(dir);

const storedIn = (folder: string): unknown => (JSON.parse(readFileSync(join(folder, 'crawl.json'), 'utf8')) as CrawlManifest).optOut;

test.each([
  ['by its full path', () => join(dir, 'opt-out.txt')],
  ['from the folder of the command', () => relative(process.cwd(), join(dir, 'opt-out.txt'))],
  ['by its name', () => 'opt-out.txt'],
  ['by the path of a former place, as seen from there', () => 'crawls/moss/opt-out.txt'],
])('the own list is named %s, and is found', (_, path) => {
  writeManifest(dir, { ...manifest, optOut: path() });
  expect(readManifest(dir).optOut).toBe(join(dir, 'opt-out.txt'));
});

test.each([
  ['none', null],
  ['a list elsewhere', '/lists/opt-out.txt'],
  ['a list of another name', join(dir, 'others.txt')],
])('%s is stored as given', (_, path) => {
  writeManifest(dir, { ...manifest, optOut: path });
  expect([storedIn(dir), readManifest(dir).optOut]).toEqual([path, path]);
});

test('a moved directory has its list with it', () => {
  writeManifest(dir, { ...manifest, optOut: join(dir, 'opt-out.txt') });
  expect(storedIn(dir)).toBe('opt-out.txt');
  renameSync(dir, moved);
  expect(readManifest(moved).optOut).toBe(join(moved, 'opt-out.txt'));
});
