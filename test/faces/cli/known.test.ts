/** Known pages of a crawl: their share tells its recall, and may end it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, forager, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const dir = small.path('crawl');
const file = small.path('known.txt');
let topic: string;
let args: string[];

/** Pages on topic that links lead to, without the seeds. */
function onTopic(): string[] {
  const seeds = new Set<string>(small.seeds);
  return [...small.web.urls()].filter((url) => small.web.page(url)?.topic === small.topic && !seeds.has(url));
}

beforeAll(async () => {
  const { proxy } = await small.serve();
  topic = await trainedOn(small);
  args = ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, '--proxy', proxy, '--delay', '0', '--concurrency', '1'];
  writeFileSync(file, `${onTopic().slice(0, 20).join('\n')}\nhttp://nowhere.example/unseen\n`);
});
afterAll(() => small.close());

test('a crawl stops once its known pages show the recall; status tells it, and what is missing', async () => {
  const { code, stdout } = await forager(...args, '--known', file, '--stop-recall', '70%', '--max-pages', '280');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^the known pages show the recall that was asked for \(--stop-recall\)/);
  const { recall, stopReason, counts } = await status(dir);
  expect(stopReason).toBe('recall');
  // 19 of 21: the least number under which a recall of 70 % has a risk of 5 %.
  expect(recall).toMatchObject({ origin: 'independent', known: 21, kept: 19 });
  expect(recall?.recall).toBeCloseTo(19 / 21);
  expect(counts.visited).toBeLessThan(280);
  const shown = await done('status', dir);
  expect(shown).toContain('of 21 known pages: 19 kept');
  expect(shown).toContain('recall .90 [.73, .98] at 90 %');
  expect(shown).toContain('never discovered: http://nowhere.example/unseen');
});

test('resumed, it stays stopped; without the rule it goes on, and the known pages stay', async () => {
  const before = (await status(dir)).counts.visited;
  await done(...args, '--max-pages', '280');
  expect((await status(dir)).counts.visited).toBe(before);
  await done(...args, '--stop-recall', 'none', '--max-pages', String(before + 5));
  const after = await status(dir);
  expect([after.counts.visited, after.stopReason, after.recall?.known]).toEqual([before + 5, 'max-pages', 21]);
  await done(...args, '--known', 'none', '--max-pages', String(before + 6));
  expect((await status(dir)).recall).toBeNull();
});

test('the card of a corpus has the recall, the options of the crawl and the examples', async () => {
  const corpus = small.path('corpus');
  await done(...args, '--known', file, '--max-depth', '40', '--max-pages', '289');
  await done('harvest', dir, '--out', corpus, '--min-relevance', '0');
  const card = readFileSync(join(corpus, 'corpus-card.md'), 'utf8');
  expect(card).toMatch(/^- of 21 known pages: \d+ kept.*1 never discovered; recall \.\d\d/m);
  expect(card).toMatch(/options that differ from a new crawl without any: .*--max-depth 40/);
  expect(card).not.toContain('--proxy');
  expect(card + readFileSync(join(corpus, 'corpus-card.json'), 'utf8')).not.toContain(small.path(''));
  expect(card).toMatch(/^Examples:\n\n- \S/m);
  expect(card).toMatch(/^We collected web pages about [\s\S]* The recall of the crawl was 0\.\d\d/m);
});

test('the share of listed pages is no recall, in words and in JSON', async () => {
  await done(...args, '--known', `listed:${file}`, '--max-pages', '290');
  const { recall } = JSON.parse(await done('status', dir, '--json')) as { recall: { recall: unknown; ofListed: unknown } };
  expect(recall.recall).toBeNull();
  expect(recall.ofListed).toBeGreaterThan(0.5);
  expect(await done('status', dir)).toMatch(/share \.\d\d, which says little about other pages/);
});

test('known pages that the crawl is given are refused, and too few for a recall', async () => {
  const given = small.path('given.txt');
  writeFileSync(given, `${small.seeds[0]}\n${onTopic()[0]}\n`);
  const fresh = args.map((word) => (word === dir ? small.path('other') : word));
  await refused(2, ['1 of its 2 pages are seeds', String(small.seeds[0]), 'take them out of the file'], ...fresh, '--known', given);
  await refused(
    2,
    ['21 known pages cannot show a recall of 90 %', 'at least 29, better 150'],
    ...fresh,
    '--known',
    file,
    '--stop-recall',
    '90%',
  );
  await refused(2, ['needs pages known to be on topic', 'at least 14 of them', 'better 100'], ...fresh, '--stop-recall', '80%');
  await refused(2, ['are listed', 'drawn at random'], ...fresh, '--known', `listed:${file}`, '--stop-recall', '50%');
  await refused(2, ['not a share above 0 and below 100 %'], ...fresh, '--known', file, '--stop-recall', '100%');
  await refused(2, ['known-none.txt'], ...fresh, '--known', small.path('known-none.txt'));
});

test('a damaged file of known pages is named with its remedy; the library has the same options', async () => {
  const own = small.path('own');
  const { proxy } = await small.serve();
  const report = await crawl({ dir: own, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 3, known: file, stopRecall: 0.5 });
  expect(report.stopReason).toBe('max-pages');
  expect(JSON.parse(readFileSync(`${own}/known.json`, 'utf8'))).toMatchObject({ origin: 'independent' });
  writeFileSync(`${own}/known.json`, '{"origin":');
  await refused(3, ['known.json: is damaged', 'give the file again with --known'], 'status', own);
});
