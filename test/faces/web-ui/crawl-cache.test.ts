/** A crawl that is kept open: explanations by what the survey kept are those of `why`, and surveys of a crawl that fetches cost little. */
import { ledger, openLabelling, status, type Why, why } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { CrawlCache } from '../../../dist/faces/web-ui/crawl-cache.js';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';

const small = smallWeb();
const crawled = crawlToLabel(small, 120);
afterAll(() => small.close());

test('a labelling session is no run: the crawl stays at rest, and is not opened again', async () => {
  const { dir } = await crawled;
  const { stopReason } = await status(dir);
  const open = new CrawlCache(dir);
  const before = await open.crawl();
  const session = await openLabelling({ dir });
  expect((await status(dir)).stopReason).toBe(stopReason);
  expect(await open.crawl()).toBe(before);
  await session.close();
  await open.close();
});

test('an answer costs the lines of the ledger no new survey; the labels of the status are counted again', async () => {
  const { dir } = await crawled;
  const open = new CrawlCache(dir);
  const lines = await open.surveyed(false, 'lines');
  const session = await openLabelling({ dir });
  const question = await session.next();
  if (question === null) throw new Error('no question');
  await session.answer('y');
  await session.close();
  expect(await open.surveyed(false, 'lines')).toBe(lines);
  const whole = await open.surveyed(false);
  expect(whole).not.toBe(lines);
  expect([lines.survey.status.drawn, whole.survey.status.drawn === null]).toEqual([null, false]);
  expect(whole.survey.last.length).toBeGreaterThan(0);
  expect(await open.surveyed(false, 'lines')).toBe(whole);
  await open.close();
});

test('links are explained with the lessons of that time, before a survey and after one', async () => {
  const { dir } = await crawled;
  const urls: string[] = [];
  for await (const { url } of ledger(dir)) urls.push(url);
  // Links that were scored at three times: the scorer had learned from few pages, and from more.
  const byTime = new Map<number | undefined, Why>();
  for (let at = urls.length - 1; byTime.size < 3; at -= 10) {
    const said = await why(dir, urls[at] ?? '');
    byTime.set(said.link?.edge.learnedFrom, said);
  }
  const expected = [...byTime.values()];
  const open = new CrawlCache(dir);
  for (const survey of [false, true]) {
    if (survey) await open.surveyed(false);
    for (const said of expected) expect(await open.why(said.line.url, {})).toEqual(said);
  }
  await open.close();
});
