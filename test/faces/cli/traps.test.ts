/** Parked patterns as a user meets them: in status and ledger, tried again, or not parked at all. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlReport, CrawlStatus, LedgerLine } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGeneratedWeb, startGeneratedWeb } from '../../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused } from './forager.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-traps-'));
const dir = join(folder, 'crawl');
const topic = join(folder, 'model');
let web: RunningGeneratedWeb;
let seeds: string;

beforeAll(async () => {
  web = await startGeneratedWeb(generateWeb({ seed: 5, pages: 300, hosts: 6, facetTrap: true, sessionTrap: true }));
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of web.web.examples('topic-1', 12).entries()) writeFileSync(join(examples, `${i}.html`), html);
  await trainedOnce({ examples: [examples], out: topic });
  seeds = join(folder, 'seeds.txt');
  // Among them one in the shop, which is asked for whatever is parked there.
  writeFileSync(seeds, [...web.web.seeds('topic-1', 2), 'http://shop.example/list'].join('\n'));
  await crawlOn('--topic', topic, '--seeds', seeds, '--strategy', 'random', '--max-pages', '200', '--delay', '0s');
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
});

async function crawlOn(...args: string[]): Promise<CrawlReport> {
  return JSON.parse(await done('crawl', dir, '--proxy', web.proxy, '--concurrency', '1', '--json', ...args)) as CrawlReport;
}

async function statusNow(): Promise<CrawlStatus> {
  return JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
}

/** Requests made to the shop and the forum so far. */
function requests(host: string): number {
  return web.log.filter(({ host: asked, path }) => asked === host && path !== '/robots.txt').length;
}

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, n) => sum + n, 0);

wholeTest('status and ledger name the patterns, how many URLs each holds back, and why', async () => {
  const status = await statusNow();
  const lines = jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'parked'));
  expect(lines.length).toBeGreaterThan(20);
  expect(total(status.parked)).toBe(lines.length);
  expect(total(status.states)).toBe(status.counts.discovered);
  for (const [reason, n] of Object.entries(status.parked)) {
    expect(reason).toMatch(/^pattern http:\/\/(shop|forum)\.example\/\S+: \d+ /);
    expect(lines.filter((line) => line.reason === reason)).toHaveLength(n);
  }
  expect([requests('shop.example'), requests('forum.example')].filter((n) => n > 40)).toEqual([]);
  const shown = await done('status', dir);
  expect(shown).toContain('parked, URLs by reason:\n');
  for (const reason of Object.keys(status.parked)) expect(shown).toContain(`  ${reason}\n`);
  expect(shown).toContain(`to try them again: npx forager crawl ${dir} --unpark all`);
  expect(await done('why', dir, lines[0]?.url ?? '')).toContain(`state parked (${lines[0]?.reason})`);
});

test('a pattern that is not parked cannot be let go, nor any of a crawl that is not there; traps are on or off', async () => {
  await refused(
    2,
    ['--unpark http://shop.example/nothing', 'no such pattern', 'forager status'],
    'crawl',
    dir,
    '--unpark',
    'http://shop.example/nothing',
  );
  await refused(2, ['--unpark'], 'crawl', join(folder, 'new'), '--topic', topic, '--seeds', seeds, '--unpark', 'all');
  await refused(2, ['--traps no', 'on, off'], 'crawl', dir, '--traps', 'no');
});

test('a pattern that was let go is tried again, and no other', async () => {
  const pattern =
    /^pattern (\S+):/.exec(Object.keys((await statusNow()).parked).find((reason) => reason.includes('shop')) ?? '')?.[1] ?? '';
  const shop = requests('shop.example');
  const { counts } = await crawlOn('--unpark', pattern, pattern, '--max-pages', '260');
  expect(counts.visited).toBe(260);
  expect(requests('shop.example') - shop).toBeGreaterThan(10);
  // Of its two dozen pages those not met before are still asked for, once each.
  expect(requests('forum.example')).toBeLessThan(40);
});

wholeTest('with traps off nothing is parked, and with traps on again all is as it was', async () => {
  // No run after that visits more.
  await crawlOn('--max-pages', '260');
  const before = await statusNow();
  expect(total(before.parked)).toBeGreaterThan(20);
  await crawlOn('--traps', 'off', '--max-pages', '260');
  expect((await statusNow()).parked).toEqual({});
  await crawlOn('--traps', 'on', '--max-pages', '260');
  expect((await statusNow()).parked).toEqual(before.parked);
});
