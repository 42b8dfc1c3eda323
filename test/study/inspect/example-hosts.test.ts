import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CanonicalUrl, LedgerLine } from '../../../src/base/core/types.ts';
import { type CrawlManifest, crawlPaths } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { exampleHostsLine } from '../../../src/faces/cli/grounds-text.ts';
import { saveModel } from '../../../src/reading/topic/files.ts';
import { trainTopic } from '../../../src/reading/topic/train-topic.ts';
import { exampleHosts } from '../../../src/study/inspect/example-hosts.ts';
import { smallBackground, syntheticPages } from '../../reading/topic/synthetic.ts';

test.each([
  [{ hosts: 4, unvisited: ['a.test', 'b.test'] }, '2 of 4 example hosts were not visited: a.test, b.test'],
  [{ hosts: 1, unvisited: ['a.test'] }, '1 of 1 example host was not visited: a.test'],
  [{ hosts: 3, unvisited: [] }, null],
  [{ hosts: 0, unvisited: [] }, null],
])('hosts of the examples that were not visited are named: %j', (hosts, line) => {
  expect(exampleHostsLine(hosts)).toBe(line);
});

test('of many hosts ten are named, and the others counted', () => {
  const unvisited = Array.from({ length: 13 }, (_, i) => `h${i}.test`);
  expect(exampleHostsLine({ hosts: 20, unvisited })).toMatch(/^13 of 20 example hosts were not visited: h0\.test, .*h9\.test and 3 more$/);
});

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A crawl whose examples are of three hosts, and of saved files. */
async function crawled(lines: readonly Pick<LedgerLine, 'url' | 'order' | 'relevance'>[]): Promise<Parameters<typeof exampleHosts>[0]> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-example-hosts-'));
  folders.push(dir);
  const pages = ['a.test', 'b.test', 'c.test'].flatMap((host, i) => syntheticPages('bread', 4 * i + 1, 4, host));
  const saved = syntheticPages('bread', 20, 2).map((page) => ({ ...page, url: null }));
  const background = await smallBackground();
  const { model, card } = await trainTopic([...pages, ...saved], {
    name: 'bread',
    seed: 1,
    now: 0,
    software: 'test',
    background,
    extractor: 'slope',
  });
  await saveModel(crawlPaths(dir).model, model, card);
  const manifest = { topic: { id: model.id, name: 'bread', threshold: model.threshold }, topics: [] };
  return { paths: crawlPaths(dir), manifest: manifest as unknown as CrawlManifest, frontier: { requested: () => lines as LedgerLine[] } };
}

function line(url: string, order: number | null, relevance: number | null = null): Pick<LedgerLine, 'url' | 'order' | 'relevance'> {
  return { url: url as CanonicalUrl, order, relevance };
}

test('a host counts as visited by a request, also of a page that waits for another one; not by a URL that waits or was refused', async () => {
  const begun = [line('http://a.test/1', 1), line('http://b.test/1', null), line('http://c.test/1', null)];
  const crawl = await crawled(begun);
  expect(await exampleHosts(crawl)).toEqual({ hosts: 3, unvisited: ['b.test', 'c.test'] });
  const more = [...begun, line('http://d.test/1', 2), line('http://c.test/2', null, 0.7)];
  expect(await exampleHosts({ ...crawl, frontier: { requested: () => more as LedgerLine[] } })).toEqual({
    hosts: 3,
    unvisited: ['b.test'],
  });
  const all = [...more, line('http://b.test:8080/2', 3, 0.1)];
  expect(await exampleHosts({ ...crawl, frontier: { requested: () => all as LedgerLine[] } })).toEqual({ hosts: 3, unvisited: [] });
});
