/** Each hop of a redirect is a request like any other: it is asked for by the rules of the host it leads to. */
import { expect, test } from 'vitest';
import { redirect, type SmallPage, smallCrawl } from '../crawling/crawl/small-crawl.ts';

const ON = { relevance: 0.9 } satisfies SmallPage;
const A = 'http://a.test/';
const B = 'http://b.test/';

test('a redirect to another host obeys the robots.txt of that host', async () => {
  const web = { [`${A}1`]: redirect(`${B}closed`), [`${A}2`]: redirect(`${B}open`), [`${B}closed`]: ON, [`${B}open`]: ON };
  const crawl = await smallCrawl({ web, seeds: [`${A}1`, `${A}2`], robots: { 'http://b.test': { deny: ['/closed'] } } });
  expect(crawl.line(`${B}closed`)).toMatchObject({ state: 'refused', reason: 'robots' });
  expect(crawl.line(`${B}open`).state).toBe('kept');
  expect(crawl.requests.map(({ url }) => url)).not.toContain(`${B}closed`);
});

test('a redirect to another host waits until that host has rested', async () => {
  const delay = 10_000;
  const web = { [`${B}first`]: ON, [A]: redirect(`${B}second`), [`${B}second`]: ON };
  const { requests } = await smallCrawl({ web, seeds: [`${B}first`, A], delay, limits: { concurrency: 4 } });
  const [first, second] = requests.filter(({ url }) => url.startsWith(B));
  expect((second?.start ?? 0) - (first?.end ?? 0)).toBeGreaterThanOrEqual(delay);
});

test('a redirect to a host that opted out is not followed', async () => {
  const crawl = await smallCrawl({ web: { [A]: redirect(B), [B]: ON }, seeds: [A], optedOut: (url) => url.startsWith(B) });
  expect(crawl.line(B)).toMatchObject({ state: 'refused', reason: 'opt-out' });
  expect(crawl.requests.map(({ url }) => url)).toEqual([A]);
});

test('sitemaps that name each other are each asked for once', async () => {
  const maps = [`${A}one.xml`, `${A}two.xml`];
  const crawl = await smallCrawl({
    web: { [A]: ON },
    seeds: [A],
    robots: { 'http://a.test': { sitemaps: maps.slice(0, 1) } },
    lists: { [maps[0] ?? '']: { lists: maps }, [maps[1] ?? '']: { lists: maps } },
  });
  expect(crawl.requests.filter(({ url }) => url.endsWith('.xml')).map(({ url }) => url)).toEqual(maps);
  expect(crawl.stopped).toBe('drained');
});
