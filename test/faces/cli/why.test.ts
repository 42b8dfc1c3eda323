import type { CrawlLedgerLine, Why } from 'forager';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trainedOnce } from '../../support/trained-once.ts';
import { done, jsonLines } from './forager.ts';
import { FILES_OF_HOSTS, smallWeb, trainedOn } from './small-web.ts';

/** Contributions, bias and logit are of the same sum: what floating-point addition in another order may differ by. */
const EXACT = 1e-6;

const small = smallWeb();
const dir = small.path('crawl');
let lines: CrawlLedgerLine[];

beforeAll(async () => {
  const robots = new Map([['site-7.example', 'User-agent: *\nDisallow: /a/\n']]);
  const { proxy } = await small.serve({ robots });
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 60, scope: ['not:host:site-10.example'] });
  lines = jsonLines<CrawlLedgerLine>(await done('ledger', dir));
});
afterAll(() => small.close());

/** The last URL of the ledger that is so: its link was scored by a scorer that had learned. */
function last(is: (line: CrawlLedgerLine) => boolean): CrawlLedgerLine {
  const found = lines.findLast(is);
  if (!found) throw new Error('the crawl has no such URL');
  return found;
}

async function whyOf({ url }: CrawlLedgerLine): Promise<Why> {
  return JSON.parse(await done('why', dir, url, '--json')) as Why;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function expectSum({
  bias,
  contributions,
  logit,
}: {
  bias: number;
  contributions: readonly { contribution: number }[];
  logit: number;
}): void {
  expect(contributions.length).toBeGreaterThan(0);
  expect(Math.abs(contributions.reduce((sum, { contribution }) => sum + contribution, bias) - logit)).toBeLessThan(EXACT);
}

test.each<[string, (line: CrawlLedgerLine) => boolean]>([
  ['a kept page', ({ state, referrer }) => state === 'kept' && referrer !== null],
  ['an off-topic page', ({ state, referrer }) => state === 'off-topic' && referrer !== null],
])('%s: both sums are whole, and give what the ledger says', async (_, is) => {
  const line = last(is);
  const { line: same, page, link } = await whyOf(line);
  expect(same).toEqual(line);
  if (!page || !link) throw new Error('a judged page that was linked to has both');
  expectSum(page.explanation);
  expect(page.relevance).toBeCloseTo(line.relevance ?? Number.NaN, 6);
  expect(sigmoid(page.explanation.logit)).toBeCloseTo(page.relevance, 6);
  expect(page.relevance >= page.threshold).toBe(line.state === 'kept');
  expectSum(link.explanation);
  expect(link.edge.learnedFrom).toBeGreaterThan(0);
  expect(link.edge.referrer.url).toBe(line.referrer);
  expect(link.explanation.priority).toBeCloseTo(line.priority, 6);
  expect(sigmoid(link.explanation.logit)).toBeCloseTo(line.priority, 6);
});

test.each<[string, (line: CrawlLedgerLine) => boolean]>([
  ['refused by robots.txt', ({ reason }) => reason === 'robots'],
  ['refused by the scope', ({ reason }) => reason === 'scope'],
  ['not reached', ({ state, url }) => state === 'waiting' && !FILES_OF_HOSTS.has(new URL(url).pathname)],
])('a link %s has no page, and a priority that adds up', async (_, is) => {
  const line = last(is);
  const { page, link } = await whyOf(line);
  expect(page).toBeNull();
  if (!link) throw new Error('a link has an edge');
  expectSum(link.explanation);
  expect(link.explanation.priority).toBeCloseTo(line.priority, 6);
  expect(sigmoid(link.explanation.logit)).toBeCloseTo(line.priority, 6);
  const text = await done('why', dir, line.url);
  expect(text).toContain(`state ${line.state} (${line.reason})`);
  expect(text).toContain('The page was not judged.');
  expect(text).toContain(`Link from ${line.referrer}`);
});

test('a seed has a page and no link', async () => {
  const line = last(({ referrer, state }) => referrer === null && state === 'kept');
  expect(line).toMatchObject({ depth: 0, priority: 1 });
  const { page, link } = await whyOf(line);
  expect(link).toBeNull();
  expect(page?.relevance).toBeCloseTo(line.relevance ?? Number.NaN, 6);
  expect(await done('why', dir, line.url)).toContain('It is a seed: no link led here, and its priority is 1.');
});

test.each(['3', '100000'])('the text shows the same numbers, and with --top %s they add up to the logit', async (top) => {
  const line = last(({ state, referrer }) => state === 'kept' && referrer !== null);
  const { page, link } = await whyOf(line);
  const text = await done('why', dir, line.url, '--top', top);
  expect(text).toContain(`relevance ${page?.relevance.toFixed(4)}, threshold ${page?.threshold.toFixed(4)}: on topic`);
  expect(text).toContain(`priority ${link?.explanation.priority.toFixed(4)}: ${link?.explanation.rule}`);
  const sums = sumsIn(text);
  expect(sums.map(({ logit }) => logit)).toEqual([page, link].map((found) => Number(found?.explanation.logit.toFixed(6))));
  // Each number shown is rounded to six places.
  for (const { shown, logit, count } of sums) expect(Math.abs(shown - logit)).toBeLessThan(1e-6 * (count + 1));
  if (top === '3')
    expect(sums.map(({ count }) => count)).toEqual([page, link].map((found) => numbersOf(found?.explanation.contributions ?? [])));
});

/** Three for at most, three against, the rest if there is one, and the bias. */
function numbersOf(contributions: readonly { contribution: number }[]): number {
  const isFor = contributions.filter(({ contribution }) => contribution > 0).length;
  const shown = Math.min(3, isFor) + Math.min(3, contributions.length - isFor);
  return shown + (contributions.length > shown ? 1 : 0) + 1;
}

/** Each run of signed numbers, up to the one that is called the logit. */
function sumsIn(text: string): { readonly shown: number; readonly logit: number; readonly count: number }[] {
  const sums: { shown: number; logit: number; count: number }[] = [];
  let shown = 0;
  let count = 0;
  for (const [, number = '', name = ''] of text.matchAll(/^ +([+-]\d+\.\d{6}) {2}(.+)$/gm)) {
    if (name !== '= logit') {
      shown += Number(number);
      count += 1;
      continue;
    }
    sums.push({ shown, logit: Number(number), count });
    shown = 0;
    count = 0;
  }
  return sums;
}

test('where a rule has the last word, the text has it with its conditions, and what the model alone gives', async () => {
  const topic = small.path('ruled');
  await trainedOnce({ examples: [small.examples], rule: 'site:nowhere.example OR title:zzz', out: topic });
  const ruled = small.path('ruled-crawl');
  const { proxy } = await small.serve();
  await crawl({ dir: ruled, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 3, concurrency: 1 });
  const text = await done('why', ruled, String(small.seeds[0]));
  expect(text).toContain('relevance 0.0000');
  expect(text).toMatch(/the model alone gives 0\.[1-9]\d*; its rule overrides that: model AND \(site:nowhere.example OR title:zzz\)/);
  expect(text).toMatch(/^ +0\.\d{4} {2}model$/m);
  expect(text).toMatch(/^ +0\.0000 {2}site:nowhere\.example$/m);
  expect(text).toMatch(/^ +0\.0000 {2}= relevance by the rule$/m);
  expect(await done('why', dir, last(({ state }) => state === 'kept').url)).not.toContain('rule overrides that');
});
