/** The sample outputs of `corpus bias` and `stability` in the guides are outputs of these commands, on a crawl of a generated web. */
import { readFileSync, writeFileSync } from 'node:fs';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { done } from '../faces/cli/forager.ts';
import { smallWeb, trainedOn } from '../faces/cli/small-web.ts';
import { wholeTest } from '../support/whole-test.ts';

const PAGES = 1200;
const VISITS = 400;
const OMITTED = 'site-5.example';
const small = smallWeb(PAGES);
const dir = small.path('crawl');
/** A crawl that lacks a host. */
const narrow = small.path('narrow');
const index = small.path('index.txt');

beforeAll(async () => {
  const { proxy } = await small.serve();
  const topic = await trainedOn(small);
  // One request at a time, so that every run has the same order of visits.
  const pace = { delay: 0, concurrency: 1, maxPages: VISITS, warmUp: 0 };
  await crawl({ dir, topic, seeds: small.seeds, proxy, record: true, ...pace });
  await crawl({
    dir: narrow,
    topic,
    seeds: small.seeds.filter((url) => !url.includes(OMITTED)),
    proxy,
    scope: [`not:host:${OMITTED}`],
    ...pace,
    maxPages: 200,
  });
  writeFileSync(index, [...small.web.urls()].filter((url) => small.web.page(url)?.topic === small.topic).join('\n'));
});
afterAll(() => small.close());

/** The output with the names of a reader, as a block of code. */
function sampleOf(output: string): string {
  const named = output.replaceAll(dir, 'crawls/moss').replaceAll(narrow, 'crawls/moss').replaceAll(index, 'index.txt');
  return named.replace(/^(?=.)/gm, '    ');
}

/** @throws with the whole sample to copy, if the guide has another one */
function expectInGuide(guide: string, output: string): void {
  expect(readFileSync(guide, 'utf8').includes(sampleOf(output)) ? '' : `${guide} lacks this sample:\n${sampleOf(output)}`).toBe('');
}

wholeTest('corpus bias: docs/guides/reading-a-corpus.md', async () => {
  expectInGuide('docs/guides/reading-a-corpus.md', await done('corpus', 'bias', narrow, '--frame', index));
});

wholeTest('stability: docs/guides/choosing-a-strategy.md', async () => {
  const args = ['--runs', '8', '--vary', 'seeds,examples,rng'];
  expectInGuide('docs/guides/choosing-a-strategy.md', await done('stability', dir, ...args));
});
