import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/extent.ts';
import { failure, randomWeb, redirect, type SmallWeb, smallCrawl } from './small-crawl.ts';

const A = 'http://a.test/';

test('every visit that ended is recorded once, in the order of settlement, as what it came to', async () => {
  const kinds = { kept: 'page', 'off-topic': 'page', duplicate: 'page', fetched: 'redirect', failed: 'failed', refused: 'refused' };
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(1, 4), async (seed, concurrency) => {
      const { recorded, settlements } = await smallCrawl({ ...randomWeb(60, 5, seed), limits: { concurrency } });
      const ended = settlements.flatMap(({ url, settlement }) =>
        settlement.kind === 'done' ? [{ url, state: settlement.fate.state }] : [],
      );
      expect(recorded.map(({ url, kind }) => ({ url, kind }))).toEqual(ended.map(({ url, state }) => ({ url, kind: kinds[state] })));
    }),
    { numRuns: runs(30) },
  );
});

test('a page is recorded with all its links, however many the frontier knew', async () => {
  const links = [`${A}2`, [`${A}3`, '0.9']] as const;
  const web: SmallWeb = { [`${A}1`]: { relevance: 0.9, links }, [`${A}2`]: { relevance: 0.1, links: [...links, `${A}1`] } };
  const { recorded } = await smallCrawl({ web, seeds: [`${A}1`, `${A}2`, `${A}3`] });
  const linksOf = (url: string) => {
    const visit = recorded.find((one) => one.url === url);
    return visit?.kind === 'page' ? visit.content.links : [];
  };
  expect(linksOf(`${A}1`).map(({ url }) => url)).toEqual([`${A}2`, `${A}3`]);
  expect(linksOf(`${A}2`).map(({ url }) => url)).toEqual([`${A}2`, `${A}3`, `${A}1`]);
  expect(linksOf(`${A}1`)[1]?.text).toEqual({ anchorText: '0.9', context: '', imageAlt: '', zone: 'content', tagPath: 'p>a' });
});

test('what the web refuses is recorded, what the rules of the crawl refuse is not', async () => {
  const web: SmallWeb = {
    [`${A}1`]: { kind: 'refused', reason: 'content-type', status: 200, ms: 1 },
    [`${A}2`]: { kind: 'refused', reason: 'scope', status: 301, ms: 1 },
    [`${A}3`]: failure('http-4xx', 404),
    [`${A}4`]: redirect(`${A}3`),
    'http://b.test/1': { relevance: 0.9 },
    'http://c.test/1': { relevance: 0.9 },
  };
  const seeds = Object.keys(web);
  const robots = { 'http://b.test': { deny: ['/1'] } };
  const { recorded } = await smallCrawl({ web, seeds, robots, refuses: (url) => (url === 'http://c.test/1' ? 'scope' : null) });
  expect(new Map(recorded.map(({ url, ...visit }) => [url, visit]))).toEqual(
    new Map<string, unknown>([
      [`${A}1`, { kind: 'refused', reason: 'content-type', status: 200 }],
      [`${A}2`, { kind: 'refused', reason: 'scope', status: 301 }],
      [`${A}3`, { kind: 'failed', code: 'http-4xx', status: 404 }],
      [`${A}4`, { kind: 'redirect', to: `${A}3`, status: 301 }],
      ['http://b.test/1', { kind: 'refused', reason: 'robots', status: null }],
    ]),
  );
});

test('a page that asks not to be kept is recorded with its links, without its text', async () => {
  const web: SmallWeb = {
    [`${A}1`]: { relevance: 0.9, noindex: true, links: [`${A}2`] },
    [`${A}2`]: { relevance: 0.9, nofollow: true, links: [`${A}1`] },
  };
  const { recorded } = await smallCrawl({ web, seeds: [`${A}1`] });
  const [noindex, nofollow] = recorded.map((visit) => (visit.kind === 'page' ? visit.content : null));
  expect(noindex).toMatchObject({ title: '', text: '', noindex: true, links: [{ url: `${A}2` }] });
  expect(nofollow).toMatchObject({ noindex: false, links: [] });
  expect(nofollow?.text).not.toBe('');
});
