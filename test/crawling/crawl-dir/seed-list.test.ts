import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { type CrawlManifest, crawlPaths, readManifest, writeManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { joinedSeeds, keepSeeds, seedsOf } from '../../../src/crawling/crawl-dir/seed-list.ts';
import { urlOf } from '../../support/frontier-values.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-seeds-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** As Forager 0.1 wrote it: all seeds in the manifest, whatever their number. */
function oldManifest(seeds: readonly string[]): CrawlManifest {
  const old = {
    ...{ format: 1, software: 'forager/0.1.0', createdAt: '', topic: { name: 't', id: 'i', threshold: 0.5 }, seeds },
    ...{ strategy: 'bfs', rngSeed: 1, userAgent: 'F', contact: null, proxy: null, allowPrivate: false, patienceMs: 0 },
    ...{ expansion: { maxDepth: null, tunnel: null }, scope: [], delayMs: 0, maxPagesPerHost: null, runs: [] },
  };
  writeFileSync(join(dir, 'crawl.json'), JSON.stringify(old));
  return readManifest(dir);
}

const urls = (from: number, to: number): CanonicalUrl[] => Array.from({ length: to - from }, (_, i) => urlOf(`http://a.test/${from + i}`));

/** As a run does it: the manifest is written after the file. */
function kept(manifest: CrawlManifest, seeds: readonly CanonicalUrl[]): CrawlManifest {
  writeManifest(dir, keepSeeds(crawlPaths(dir), manifest, seeds));
  return readManifest(dir);
}

const read = (manifest: CrawlManifest) => seedsOf(crawlPaths(dir), manifest);

test('a thousand seeds stand in the manifest, more in a file that only grows', () => {
  const few = kept(oldManifest([]), urls(0, 1000));
  expect([few.seeds.length, few.seedFile]).toEqual([1000, null]);
  const many = kept(few, joinedSeeds(read(few), urls(0, 1001)));
  expect([many.seeds.length, many.seedFile?.count]).toEqual([0, 1001]);
  const more = kept(many, joinedSeeds(read(many), urls(990, 3000)));
  expect(read(more)).toEqual(urls(0, 3000));
  expect(keepSeeds(crawlPaths(dir), more, joinedSeeds(read(more), urls(5, 10)))).toBe(more);
});

test('a manifest of Forager 0.1 with thousands of seeds is read, and takes new ones', () => {
  const old = oldManifest(urls(0, 9000));
  expect(read(old)).toEqual(urls(0, 9000));
  expect(keepSeeds(crawlPaths(dir), old, read(old))).toBe(old);
  expect(read(kept(old, urls(0, 9001)))).toEqual(urls(0, 9001));
});

test('killed between file and manifest: the seeds are those of before, and the next run writes over what came after', () => {
  const many = kept(oldManifest([]), urls(0, 1500));
  keepSeeds(crawlPaths(dir), many, urls(0, 4000));
  expect(read(many)).toEqual(urls(0, 1500));
  appendFileSync(crawlPaths(dir).seeds, 'http://a.te');
  const more = kept(many, [...urls(0, 1500), urlOf('http://b.test/')]);
  expect(read(more)).toEqual([...urls(0, 1500), urlOf('http://b.test/')]);
});

test.each<[string, (path: string) => void]>([
  ['missing', (path) => rmSync(path)],
  ['changed', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('a.test/7\n', 'a.test/8\n'))],
  ['changed', (path) => writeFileSync(path, readFileSync(path).subarray(0, 1000))],
])('a file of seeds that is %s is named', (what, damage) => {
  const many = kept(oldManifest([]), urls(0, 1500));
  const path = crawlPaths(dir).seeds;
  damage(path);
  expect(() => read(many)).toThrow(DataError);
  expect(() => read(many)).toThrow(new RegExp(`^${path}: .*${what}.*; restore it from a copy`));
});
