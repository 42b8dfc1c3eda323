/** Seeds that are added to a running crawl: admitted as those of a new run, waiting at once, and there after a kill. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { type Served, smallWeb, stored, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const small = smallWeb();
const NEW = 'http://new.example/page.html';
const OUTSIDE = 'http://outside.example/';
let served: Served;
let topic: string;

beforeAll(async () => {
  const [html = ''] = small.web.examples(small.topic, 1);
  served = await small.serve({ latency: 50, extra: new Map([NEW, OUTSIDE].map((url) => [url, html])) });
  topic = await trainedOn(small);
});
afterAll(() => small.close());

async function watched(name: string, ...more: string[]) {
  const dir = small.path(name);
  const running = start(['crawl', dir, '--topic', topic, '--proxy', served.proxy, '--concurrency', '1', '--page', '0', ...more]);
  await running.says('page: http');
  const client = await PageClient.of(/http:\S+token=\S+/.exec(running.said())?.[0] ?? '');
  return { dir, running, client };
}

const seedsIn = (dir: string) => (JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as { seeds: string[] }).seeds;

wholeTest('scope holds; the states are shown; kill -9 after the commit: the next run visits them', async () => {
  const scope = ['--scope', 'not:prefix:http://outside.example/', '--contact', 'test@example.org'];
  const { dir, running, client } = await watched('killed', '--delay', '0', '--seeds', ...small.seeds, ...scope);
  await stored(dir, 1);
  await client.post('/run/pause');
  expect((await client.post('/seeds/add', { others: 'javascript:alert(1)' })).status).toBe(400);
  expect((await client.post('/seeds/add', { others: `${NEW}\n${OUTSIDE}` })).status).toBe(303);
  expect(seedsIn(dir)).toEqual([...small.seeds, NEW, OUTSIDE]);
  const shown = async () => cellsOf(await client.screen('/seeds'), 'Seeds added in this run: 2');
  await expect.poll(shown, { timeout: 20_000 }).toEqual([
    [OUTSIDE, 'refused'],
    [NEW, 'waiting'],
  ]);
  running.child.kill('SIGKILL');
  await running.ended;
  expect(served.pages).not.toContain(NEW);
  expect((await status(dir)).lostSeeds).toMatchObject([{ url: OUTSIDE, state: 'refused', reason: 'scope' }]);
  const { visited } = (await status(dir)).counts;
  const again = start(['crawl', dir, '--max-pages', String(visited + 10), '--proxy', served.proxy]);
  expect((await again.ended).code).toBe(0);
  expect(served.pages).toContain(NEW);
  expect(served.pages).not.toContain(OUTSIDE);
});

test('a crawl that waits for a resting host asks that of the seed at once; an empty list adds nothing', async () => {
  const [seed = ''] = small.seeds;
  const { hostname } = new URL(seed);
  const scope = ['--scope', `host:${hostname}`, 'host:late.example'];
  const asked = () => served.robots.filter((host) => host === hostname).length;
  const before = asked();
  const { dir, running, client } = await watched('resting', '--delay', '10m', '--seeds', seed, ...scope);
  // Now the host of the first seed rests for ten minutes, and nothing else waits.
  await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThan(before);
  await client.post('/seeds/add', { others: 'http://late.example/' });
  await expect.poll(() => served.robots, { timeout: 30_000 }).toContain('late.example');
  expect((await client.post('/seeds/add-list')).status).toBe(400);
  await client.post('/run/stop');
  await running.ended;
  expect(seedsIn(dir)).toEqual([seed, 'http://late.example/']);
});
