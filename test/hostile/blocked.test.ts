/** Sites that do not want to be crawled, and say so in other ways than robots.txt; and sites that answer every URL. */
import { expect, test } from 'vitest';
import { HOST_PATIENCE } from '../../src/base/core/failure-policy.ts';
import { failure, type SmallPage, type SmallWeb, smallCrawl } from '../crawling/crawl/small-crawl.ts';
import { trapCrawl } from '../crawling/crawl/trap-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const A = 'http://a.test/';
const B = 'http://b.test/';
const PAGES = 60;

function pagesOf(host: string, answer: SmallWeb[string]): SmallWeb {
  return Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [`${host}${i}`, answer]));
}

test.each([
  // Three times in a row, then once after each pause.
  ['403', failure('http-4xx', 403), 3 + HOST_PATIENCE.pauses],
  ['a challenge', failure('blocked', 403), 1 + HOST_PATIENCE.pauses],
  ['a captcha as 200', failure('blocked', 200), 1 + HOST_PATIENCE.pauses],
])('a host that answers every request with %s is asked ever more rarely, then left alone; others go on', async (_what, answer, asked) => {
  const web = { ...pagesOf(A, answer), ...pagesOf(B, ON) };
  const crawl = await smallCrawl({ web, seeds: Object.keys(web) });
  const starts = crawl.requests.filter(({ url }) => url.startsWith(A)).map(({ start }) => start);
  expect(starts).toHaveLength(asked);
  const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
  expect(gaps.slice(-HOST_PATIENCE.pauses).map((gap) => Math.round(gap / 1000))).toEqual([30, 60, 120, 240, 480]);
  expect(crawl.frontier.counts().kept).toBe(PAGES);
  expect(crawl.stopped).toBe('drained');
});

test('pages of a host that are forbidden here and there do not slow it', async () => {
  const web = Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [`${A}${i}`, i % 3 === 2 ? ON : failure('http-4xx', 403)]));
  const { requests } = await smallCrawl({ web, seeds: Object.keys(web) });
  expect(requests).toHaveLength(PAGES);
  expect((requests.at(-1)?.end ?? 0) - (requests[0]?.start ?? 0)).toBeLessThan(10_000);
});

/** A site that has a page for every URL: the same one, with links to more. */
function answersAll(text: string, linksOf: (url: URL) => readonly string[]) {
  return {
    page: (url: string) => ({ url, html: `<main>${text}</main>`, topic: null, kind: 'article' as const, duplicateOf: null }),
    links: (url: string) => linksOf(new URL(url)).map((to) => ({ url: to, anchorText: '', zone: 'content' as const })),
  };
}

const CAPTCHA =
  'Please complete the security check to access this site. Enable scripts and cookies, then solve the puzzle below to prove it.';

const NOT_FOUND = 'We are sorry, the page that you are looking for could not be found. Try the search, or go to the start page.';
const anyPath = (i: number) => `${A}${(i * 7919).toString(36)}/${i.toString(36)}`;
const oneRule = (i: number) => `${A}item/${i}`;

test.each([
  ['a captcha', CAPTCHA, false, anyPath],
  // What on-topic pages link to is asked for unless one rule makes its URLs.
  ['a captcha that is taken for on topic, by URLs of one rule,', CAPTCHA, true, oneRule],
  ['“not found”', NOT_FOUND, false, anyPath],
] as const)(
  'a site that answers every URL with %s and status 200 is parked before the sixtieth of three thousand',
  async (_what, text, onTopic, nameOf) => {
    const names = Array.from({ length: 3000 }, (_, i) => nameOf(i));
    const { order, frontier } = await trapCrawl({
      web: answersAll(text, ({ pathname }) => (pathname === '/' ? names : [])),
      seeds: [A],
      isOnTopic: () => onTopic,
      strategy: 'bfs',
      budget: 3000,
      traps: true,
    });
    expect(order.length).toBeLessThan(60);
    const parked = [...frontier.ledger()].filter(({ state }) => state === 'parked');
    expect(parked.length + order.length).toBe(names.length + 1);
    expect(parked[0]?.reason).toMatch(/near-duplicate pages/);
  },
);
