/** Crawls with parts of a program: killed, resumed, explained. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type CrawlEvent, type CrawlOptions, crawl, type LedgerLine, ledger, why } from 'forager';
import { crawlWith, type LinkScorer, linkScorer, type Parts, type ReplaceParts, whyWith } from 'forager/parts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { NODE } from '../../support/tested-package.ts';
import { refused } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
const { path } = small;
let base: Pick<CrawlOptions, 'topic' | 'seeds' | 'proxy' | 'delay' | 'maxPages' | 'concurrency' | 'patience' | 'sitemaps'>;

beforeAll(async () => {
  const { proxy } = await small.serve({ latency: 10 });
  base = {
    topic: await trainedOn(small),
    seeds: small.seeds,
    proxy,
    delay: 0,
    maxPages: 14,
    concurrency: 1,
    patience: 0,
    sitemaps: 'never',
  };
});
afterAll(() => small.close());

async function linesOf(name: string): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const line of ledger(path(name))) lines.push(line as unknown as LedgerLine);
  return lines;
}

const fatesOf = (lines: readonly LedgerLine[]) => lines.map(({ url, state, order, priority }) => [url, state, order, priority]);

/** A scorer of a program: the sum of two shares. */
function halves(): LinkScorer {
  const shares = ({ url, edge }: Parameters<LinkScorer['explain']>[0]) => [
    { feature: 'half of the relevance of the page', contribution: edge === null ? 1 : edge.referrer.relevance / 2 },
    { feature: 'an even address', contribution: edge !== null && /[02468]\.html$/.test(url) ? 0.25 : 0 },
  ];
  const sum = (link: Parameters<LinkScorer['explain']>[0]) => shares(link).reduce((total, { contribution }) => total + contribution, 0);
  return {
    strategy: 'halves',
    judgement: 'none',
    learnedFrom: 0,
    score: (links) => Float32Array.from(links, sum),
    explain: (link) => ({ logit: sum(link), bias: 0, contributions: shares(link), priority: Math.fround(sum(link)), rule: 'sum' }),
  };
}

test('a fetcher that counts: the fates are those of a crawl without it, and the manifest names it', async () => {
  await crawl({ ...base, dir: path('plain') });
  let requests = 0;
  class Counting {
    readonly #fetcher: Parts['fetcher'];
    constructor(fetcher: Parts['fetcher']) {
      this.#fetcher = fetcher;
    }
    fetch(...asked: Parameters<Parts['fetcher']['fetch']>) {
      requests += 1;
      return this.#fetcher.fetch(...asked);
    }
    close() {
      return this.#fetcher.close();
    }
  }
  const counted: ReplaceParts = ({ fetcher }) => ({ fetcher: new Counting(fetcher) });
  const { counts } = await crawlWith({ ...base, dir: path('counted') }, counted);
  expect(requests).toBe(counts.visited);
  expect(fatesOf(await linesOf('counted'))).toEqual(fatesOf(await linesOf('plain')));
  expect(readManifest(path('counted')).replaced).toEqual({ fetcher: 'Counting' });
  // Any program may resume it.
  expect((await crawl({ ...base, dir: path('counted'), maxPages: 15 })).counts.visited).toBe(15);
});

test('a scorer of a program orders the crawl, killed and resumed; manifest and why know it', async () => {
  const replace: ReplaceParts = () => ({ scorer: halves() });
  await crawlWith({ ...base, dir: path('whole') }, replace);
  const script = path('killed.mjs');
  const options = JSON.stringify({ ...base, dir: path('killed') });
  const parts = new URL('../../../dist/bin/part-exports.js', import.meta.url).href;
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';
    import { crawlWith } from ${JSON.stringify(parts)};
    ${halves.toString()}
    const onEvent = ({ type }) => type === 'settled' && appendFileSync(${JSON.stringify(path('settled'))}, '.');
    await crawlWith({ ...${options}, onEvent }, () => ({ scorer: halves() }));`,
  );
  const child = spawn(NODE, [script], { stdio: 'ignore' });
  const closed = new Promise((resolve) => child.on('close', resolve));
  await vi.waitUntil(() => (existsSync(path('settled')) && readFileSync(path('settled'), 'utf8').length > 3) || child.exitCode !== null, {
    timeout: HANGS,
    interval: 1,
  });
  child.kill('SIGKILL');
  await closed;
  expect(readManifest(path('killed')).runs.map(({ endedAt }) => endedAt)).toEqual([null]);
  const { resumed } = await crawlWith({ ...base, dir: path('killed') }, replace);
  expect(resumed).toBe(true);
  expect(fatesOf(await linesOf('killed'))).toEqual(fatesOf(await linesOf('whole')));
  expect(readManifest(path('killed')).replaced).toEqual({ scorer: 'halves' });
  const line = (await linesOf('killed')).find(({ state, referrer }) => state === 'waiting' && referrer !== null);
  const url = line?.url ?? '';
  expect((await why(path('killed'), url)).link?.explanation).toMatchObject({
    priority: line?.priority,
    contributions: [{ feature: 'priority by halves', contribution: line?.priority }],
  });
  const found = await whyWith(path('killed'), url, halves());
  expect(found.link?.explanation.priority).toBe(line?.priority);
  expect(found.link?.explanation.contributions.map(({ feature }) => feature)).toContain('half of the relevance of the page');
});

test('a crawl keeps its scorer: another one, or none, is refused', async () => {
  const { proxy } = base;
  await refused(
    2,
    ['was started with the scorer halves of a program; resume it with crawlWith'],
    'crawl',
    path('whole'),
    '--proxy',
    String(proxy),
  );
  const other: ReplaceParts = () => ({ scorer: linkScorer('bfs', { threshold: 0.5, seed: 1 }) });
  await expect(crawlWith({ ...base, dir: path('whole'), maxPages: 20 }, other)).rejects.toThrow(
    'was started with the scorer halves of a program',
  );
  await expect(crawlWith({ ...base, dir: path('whole'), maxPages: 20 }, () => ({}))).rejects.toThrow('use that one');
  await expect(crawlWith({ ...base, dir: path('plain'), maxPages: 20 }, other)).rejects.toThrow(
    'was started with the scorer of its strategy',
  );
});

test('a part that may not be replaced is refused, and the error of a program is its own', async () => {
  const frontier = (({ frontier: one }) => ({ frontier: { ...one } })) as ReplaceParts;
  await expect(crawlWith({ ...base, dir: path('none') }, frontier)).rejects.toThrow(
    'crawlWith: frontier cannot be replaced; replace one of fetcher',
  );
  const throws: ReplaceParts = () => {
    throw new RangeError('not today');
  };
  await expect(crawlWith({ ...base, dir: path('none') }, throws)).rejects.toThrow('not today');
  const words: ReplaceParts = () => ({ scorer: { ...halves(), judgement: 'anchor-and-context' } });
  await expect(crawlWith({ ...base, dir: path('words'), strategy: 'bfs' }, words)).rejects.toThrow('reads scores of link words');
});

test('the events of a crawl with replaced parts can be read', async () => {
  const types = new Set<CrawlEvent['type']>();
  for await (const { type } of crawlWith({ ...base, dir: path('events'), maxPages: 2 }, () => ({}))) types.add(type);
  expect([...types]).toEqual(expect.arrayContaining(['leased', 'fetched', 'judged', 'settled']));
  expect(readManifest(path('events')).replaced).toEqual({});
});
