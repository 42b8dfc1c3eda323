/** Subtopics of a crawl: their facts, names that stay, and pages of all of them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { crawl, records, type SubtopicsReport } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(200);
const dir = small.path('crawl');
const shown = async (...args: string[]) => JSON.parse(await done('topics', dir, '--json', ...args)) as SubtopicsReport;

beforeAll(async () => {
  const { proxy } = await small.serve();
  const topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 120, concurrency: 4, warmUp: 0 });
});
afterAll(() => small.close());

test('each kept page is of one subtopic, and their facts add up', async () => {
  const { kept, read, without, subtopics } = await shown('--groups', '3');
  expect(read).toBe(kept);
  expect(subtopics.length).toBeGreaterThan(1);
  expect(subtopics.reduce((sum, { pages }) => sum + pages, without)).toBe(kept);
  const urls = new Set<string>();
  for await (const { url } of records(dir)) urls.add(url);
  for (const { pages, hosts, examples, yield: yields } of subtopics) {
    expect(hosts.reduce((sum, host) => sum + host.pages, 0)).toBeLessThanOrEqual(pages);
    expect(yields.same).toBeLessThanOrEqual(yields.onTopic);
    expect(yields.onTopic).toBeLessThanOrEqual(yields.visits);
    for (const { url } of examples) expect(urls).toContain(url);
  }
  expect(subtopics.some(({ yield: { same } }) => same > 0)).toBe(true);
});

test('ids and names stay until they are asked for again, also in other words', async () => {
  const first = await shown();
  const file = small.path('crawl', 'subtopics.json');
  const stored = readFileSync(file, 'utf8');
  writeFileSync(file, stored.replaceAll(first.subtopics[0]?.name ?? '', 'my name'));
  expect((await shown()).subtopics[0]?.name).toBe('my name');
  expect(await shown('--again')).toEqual(first);
  expect(readFileSync(file, 'utf8')).toBe(stored);
  writeFileSync(file, '{');
  expect(await shown()).toEqual(first);
});

test('the text names each subtopic with its pages, yield and hosts', async () => {
  const { subtopics } = await shown();
  const text = await done('topics', dir);
  for (const { id, name } of subtopics) expect(text).toContain(`\n${id}: ${name}\n`);
  expect(text).toMatch(/ {2}yield {5}of \d+ visits? by links on its pages \d+ \(/);
  rmSync(small.path('crawl', 'subtopics.json'));
  expect(await done('topics', dir)).toBe(text);
});

test('a directory without a crawl is refused', async () => {
  await refused(2, ['no crawl is here'], 'topics', small.path('nowhere'));
  await refused(2, ['--groups'], 'topics', dir, '--groups', '0');
});
