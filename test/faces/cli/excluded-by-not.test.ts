import { readFileSync } from 'node:fs';
import type { CrawlReport, CrawlStatus, LedgerLine, Why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, jsonLines } from './forager.ts';
import { smallWeb } from './small-web.ts';

/** Eight pages about sphagnum; NOT excludes three of them, and a page about something else has the excluded word as well. */
const small = smallWeb();
const dir = small.path('crawl');
const topic = small.path('moss');
const HOST = 'http://bog.example';
const about = (words: string, more = '') => `<title>${words}</title><main><p>${`${words} grows slowly here. `.repeat(6)}</p></main>${more}`;
const paths = ['/1', '/2', '/3', '/4', '/game/5', '/game/6', '/7', '/off'];
const links = paths.map((path) => `<a href="${path}">sphagnum ${path}</a>`).join(' ');
const extra = new Map([
  [`${HOST}/`, about('sphagnum', links)],
  ...['/1', '/2', '/3', '/4'].map((path) => [`${HOST}${path}`, about(`sphagnum ${path}`)] as const),
  ...['/game/5', '/game/6'].map((path) => [`${HOST}${path}`, about(`sphagnum ${path}`)] as const),
  [`${HOST}/7`, about('sphagnum and the casino')],
  [`${HOST}/off`, about('casino and tax')],
]);
const EXCLUDED = { pages: 3, of: 8 };
const LINE = 'NOT excluded 3 of 8 pages that the rest of the query finds on topic (37.5 %)';
let told: string;
let proxy: string;

beforeAll(async () => {
  ({ proxy } = await small.serve({ extra }));
  await done('train', '--keywords', 'sphagnum NOT casino NOT url:/game/', '--out', topic);
  told = await done('crawl', dir, '--topic', topic, '--proxy', proxy, '--delay', '0', '--seeds', `${HOST}/`);
});
afterAll(() => small.close());

test('the end of the crawl says how many pages NOT costs, of how many', () => {
  expect(told).toContain(`${LINE}: `);
  expect(told).toContain('--reason excluded-by-not');
});

test('status says it too, and so do its JSON and that of a crawl', async () => {
  expect(await done('status', dir)).toContain(LINE);
  const status = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
  expect(status.excludedByNot).toEqual(EXCLUDED);
  const again = JSON.parse(await done('crawl', dir, '--proxy', proxy, '--json')) as CrawlReport;
  expect(again.excludedByNot).toEqual(EXCLUDED);
});

test('the ledger lists those pages, and no page that the rest of the query does not want', async () => {
  const lines = jsonLines<LedgerLine>(await done('ledger', dir, '--reason', 'excluded-by-not'));
  expect(lines.map(({ url, state }) => `${state} ${url}`).sort()).toEqual(
    ['/7', '/game/5', '/game/6'].map((path) => `off-topic ${HOST}${path}`),
  );
});

test('why gives the relevance with and without NOT', async () => {
  const why = await done('why', dir, `${HOST}/7`);
  expect(why).toContain('state off-topic (excluded-by-not)');
  expect(why).toMatch(/ 0\.0000 {2}= relevance by the rule\n +0\.[5-9]\d+ {2}= without NOT, which excludes this page/);
  const kept = JSON.parse(await done('why', dir, `${HOST}/1`, '--json')) as Why;
  expect(kept.page?.explanation.rule?.withoutNot).toBe(kept.page?.relevance);
  expect(await done('why', dir, `${HOST}/1`)).not.toContain('without NOT');
  expect(await done('why', dir, `${HOST}/off`)).not.toContain('without NOT');
});

test('the card of a corpus has it, and that of a merged one adds them up', async () => {
  const [one, two] = [small.path('one'), small.path('two')];
  await done('harvest', dir, '--out', one);
  await done('corpus', 'merge', one, '--out', two);
  for (const corpus of [one, two]) expect(readFileSync(`${corpus}/README.md`, 'utf8')).toContain(LINE);
});
