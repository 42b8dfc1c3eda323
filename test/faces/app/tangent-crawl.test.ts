/** Crawls that start as a copy of another one, on another topic. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CorpusRecord, type CrawlOptions, crawl, harvest, type LedgerLine, ledger, status, why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NODE, PACKAGE } from '../../support/tested-package.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from '../cli/forager.ts';
import { type Served, smallWeb, trainedOn } from '../cli/small-web.ts';

const OTHER = 'topic-2';
const VISITS = 60;
const small = smallWeb();
const { path } = small;
let served: Served;
let other: string;
let base: Omit<CrawlOptions, 'dir'>;
let before: ReadonlyMap<string, string>;

/** Digests of all files of a folder, by their paths. */
function digestsOf(dir: string): Map<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(names.map((name) => [name, createHash('sha256').update(readFileSync(name)).digest('hex')]));
}

async function linesOf(name: string): Promise<ReadonlyMap<string, LedgerLine>> {
  const lines: LedgerLine[] = [];
  for await (const line of ledger(path(name))) lines.push(line as unknown as LedgerLine);
  return new Map(lines.map((line) => [line.url, line]));
}

beforeAll(async () => {
  served = await small.serve();
  const topic = await trainedOn(small);
  mkdirSync(path('other-examples'));
  for (const [i, html] of small.web.examples(OTHER, 12).entries()) writeFileSync(path('other-examples', `${i}.html`), html);
  other = await trainedOnce({ examples: [path('other-examples')], out: path('other-model') });
  base = { proxy: served.proxy, delay: 0, sitemaps: 'never', concurrency: 4 };
  await crawl({ ...base, dir: path('old'), topic, seeds: small.seeds, maxPages: VISITS });
  before = digestsOf(path('old'));
});
afterAll(() => small.close());

test('a tangent has the pages and links of the old crawl, judged by its topic, and requests no kept page again', async () => {
  const [old, asked] = [await linesOf('old'), served.pages.length];
  const oldDigests = digestsOf(path('old'));
  const report = await crawl({ ...base, dir: path('new'), from: path('old'), topic: other, maxPages: VISITS + 40 });
  expect(digestsOf(path('old'))).toEqual(oldDigests);
  expect(report.counts.visited).toBe(VISITS + 40);

  const keptBefore = [...old.values()].filter(({ state }) => state === 'kept').map(({ url }) => url);
  expect(keptBefore.length).toBeGreaterThan(10);
  const again = served.pages.slice(asked);
  expect(again.filter((url) => keptBefore.includes(url as LedgerLine['url']))).toEqual([]);
  // Pages that the old crawl read and did not keep come again only if this topic wants them.
  const lines = await linesOf('new');
  for (const url of again)
    if (old.get(url as LedgerLine['url'])?.state === 'off-topic') expect(lines.get(url)?.relevance).toBeGreaterThan(0.3);

  const manifest = JSON.parse(readFileSync(path('new', 'crawl.json'), 'utf8'));
  expect(manifest.from).toMatchObject({ dir: path('old'), sha256: before.get(path('old', 'crawl.json')), visited: VISITS });
  await harvest({ dir: path('new'), out: path('corpus'), formats: ['jsonl'], dedupe: 'none' });
  const harvested = jsonLines<CorpusRecord>(readFileSync(path('corpus', 'corpus.jsonl'), 'utf8'));
  expect(harvested.length).toBeGreaterThan(5);
  const topics = harvested.map(({ url }) => small.web.topicOf(url));
  expect(topics.filter((topic) => topic === small.topic)).toEqual([]);
  expect(topics.filter((topic) => topic === OTHER).length).toBeGreaterThan(topics.length / 2);
  const { threshold } = (await status(path('new'))).topic;
  for (const { relevance } of harvested) expect(relevance).toBeGreaterThanOrEqual(threshold);
});

test('why and status name the old crawl and its lessons', async () => {
  const lines = await linesOf('new');
  const old = await linesOf('old');
  const kept = [...lines.values()].find(({ url, state }) => state === 'kept' && old.get(url)?.state === 'kept');
  const fresh = [...lines.values()].find(({ url, order, referrer }) => order !== null && referrer !== null && old.get(url)?.order === null);
  expect((await why(path('new'), kept?.url ?? '')).origin).toMatchObject({ dir: path('old'), isItsVisit: true });
  const { origin } = await why(path('new'), fresh?.url ?? '');
  expect(origin?.isItsVisit).toBe(false);
  expect(origin?.lessons?.ofIt).toBeGreaterThan(VISITS / 2);
  expect(origin?.lessons?.all).toBeGreaterThanOrEqual(origin?.lessons?.ofIt ?? Number.NaN);
  expect(await done('why', path('new'), fresh?.url ?? '')).toContain(`of them are visits of ${path('old')}, judged by this topic`);
  expect(await done('status', path('new'))).toContain(`started as a copy of ${path('old')} with its ${VISITS} visits`);
  expect((await why(path('old'), kept?.url ?? '')).origin).toBeNull();
});

test('its waiting links are ordered by the other topic before the first request', async () => {
  await crawl({ ...base, dir: path('order'), from: path('old'), topic: other, maxPages: VISITS + 1 });
  const [old, now] = [await linesOf('old'), await linesOf('order')];
  const waiting = [...now.values()].filter(({ url, state }) => state === 'waiting' && old.get(url)?.state === 'waiting');
  expect(waiting.length).toBeGreaterThan(10);
  const best = (lines: ReadonlyMap<string, LedgerLine>) =>
    waiting
      .map(({ url }) => lines.get(url))
      .sort((a, b) => (b?.priority ?? 0) - (a?.priority ?? 0))
      .slice(0, 10)
      .map((line) => line?.url);
  expect(best(now)).not.toEqual(best(old));
});

wholeTest('killed at any moment, it is there as a whole or not at all, and resumes', async () => {
  const args = ['crawl', path('killed'), '--from', path('old'), '--topic', other, '--proxy', served.proxy, '--delay', '5ms'];
  const oldDigests = digestsOf(path('old'));
  let there = 0;
  for (let kill = 0; kill < 6; kill++) {
    const child = spawn(NODE, [join(PACKAGE, 'src/faces/cli/forager.mjs'), ...args, '--max-pages', `${VISITS + 40}`], { stdio: 'ignore' });
    const closed = new Promise((resolve) => child.on('close', resolve));
    await sleep(300 * (kill + 1));
    child.kill('SIGKILL');
    await closed;
    if (!existsSync(path('killed', 'crawl.json'))) continue;
    there += 1;
    expect((await status(path('killed'))).counts.kept).toBeGreaterThan(10);
  }
  await done(...args, '--max-pages', `${VISITS + 40}`);
  expect((await status(path('killed'))).counts.visited).toBe(VISITS + 40);
  await done('verify', path('killed'));
  expect(there).toBeLessThan(6);
  expect(digestsOf(path('old'))).toEqual(oldDigests);
});

test('what cannot be copied is refused before anything is written', async () => {
  const from = ['--from', path('old'), '--proxy', served.proxy];
  await refused(2, ['60 visits of', 'count too'], 'crawl', path('none'), ...from, '--topic', other, '--max-pages', '60');
  await refused(2, ['no crawl is here'], 'crawl', path('none'), '--from', path('nowhere'));
  await refused(2, ['did not start from it'], 'crawl', path('old'), '--from', path('new'));
  await refused(2, ['replaces no crawl'], 'crawl', path('none'), ...from, '--force');
  expect(existsSync(path('none'))).toBe(false);
});
