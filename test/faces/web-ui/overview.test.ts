/** The first screen shows what `status` says, and steers the run beside it. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ledger, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outlookLines } from '../../../dist/faces/cli/outlook-text.js';
import { InProcessRun } from '../../../dist/faces/web-ui/in-process-run.js';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { worth } from '../../../dist/faces/web-ui/screens/overview.js';
import { survey } from '../../../dist/study/inspect/survey.js';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { cameToRest, type Served, smallWeb, stored } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf, parsed, plain, type Screen } from './tables.ts';

const small = smallWeb();
let dir: string;
let topic: string;

beforeAll(async () => {
  ({ dir, topic } = await crawlToLabel(small, 150));
});
afterAll(() => small.close());

function figuresOf(screen: Screen): Record<string, string> {
  return Object.fromEntries(
    [...screen.querySelectorAll('.figure')].map((one) => [
      one.querySelector('dt')?.textContent ?? '',
      one.querySelector('dd')?.textContent?.trim() ?? '',
    ]),
  );
}

test('every number is that of status', async () => {
  const page = await openPage({ dir, address: '0', run: null });
  const [screen, said, surveyed] = [await (await PageClient.of(page.url)).screen('/'), await status(dir), await survey(dir)];
  await page.close();
  const { counts, recent, outlook, topHosts } = said;
  expect(surveyed.status).toEqual(said);
  expect(figuresOf(screen)).toEqual({
    Visited: String(counts.visited),
    'Kept by the model': String(counts.kept),
    Waiting: String(counts.waiting),
    Discovered: `${counts.discovered} on ${counts.hosts} hosts`,
  });
  const text = screen.querySelector('main')?.textContent ?? '';
  expect(text).toContain(`Last ${recent.visits} visits: ${recent.onTopic} on topic (by the model; not measured).`);
  if (outlook === null) throw new Error('150 visits have a forecast');
  expect(said.doubts).not.toEqual([]);
  expect(text).toContain('Rates and forecast are hidden: ');
  expect(text).not.toMatch(/of the next/i);
  expect(text).toContain('Precision: not measured.');
  const hosts = cellsOf(screen, 'Hosts with the most kept pages');
  expect(hosts.map(([host, kept, visited]) => ({ host, kept: Number(kept), visited: Number(visited) }))).toEqual(topHosts);
  const last = cellsOf(screen, 'Last pages');
  expect(last).toHaveLength(20);
  expect(last.map(([relevance]) => relevance)).toEqual(surveyed.last.map(({ relevance }) => relevance?.toFixed(4) ?? '–'));
});

test.each([['one-host', 'unlike-training'], ['two-hosts'], ['unknown-hosts'], ['unlike-training']] as const)(
  'the page forecasts nothing where the terminal does not, and the same otherwise: %s',
  async (...doubts) => {
    const surveyed = await survey(dir);
    const [doubted, trusted] = [doubts, []].map((why) => ({ ...surveyed, status: { ...surveyed.status, doubts: why } }));
    if (doubted === undefined || trusted === undefined) return;
    const { outlook } = surveyed.status;
    expect(outlookLines(doubted.status).join('\n')).not.toContain('of the next');
    expect(plain(worth(doubted))).not.toMatch(/of the next|Earlier forecasts/i);
    const forecast = `f the next 1,000 perhaps ${outlook?.onTopic} (${outlook?.low} to ${outlook?.high})`;
    expect(outlookLines(trusted.status).join('\n')).toContain(forecast);
    expect(plain(worth(trusted))).toContain(forecast);
  },
);

test('the survey: hosts, bands and the curve add up to the counts of status', async () => {
  const { status: said, hosts, moreHosts, wholeHosts, curve, waiting, keptByRelevance, last } = await survey(dir);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  expect(moreHosts).toBe(0);
  const whole = hosts.filter(({ kept, visited }) => visited >= 20 && kept > 0.9 * visited).slice(0, 10);
  expect(wholeHosts).toEqual(whole.map(({ host, kept, visited }) => ({ host, share: kept / visited })));
  expect(sum(hosts.map(({ kept }) => kept))).toBe(said.counts.kept);
  expect(sum(hosts.map(({ visited }) => visited))).toBe(said.counts.visited);
  expect(sum(waiting.bands)).toBe(sum(hosts.map((host) => host.waiting)));
  expect(sum(waiting.depths)).toBe(sum(waiting.bands));
  expect(sum(waiting.bands) + sum(hosts.map(({ parked }) => parked))).toBe(said.counts.waiting);
  expect(sum(keptByRelevance)).toBe(said.counts.kept);
  expect(curve.at(-1)?.visits).toBe(said.counts.visited);
  expect(sum(curve.map(({ of }) => of))).toBe(said.counts.visited);
  expect(sum(curve.map(({ onTopic }) => onTopic))).toBe(Math.round(said.harvestRate * said.counts.visited));
  expect(last.map(({ order }) => order)).toEqual(Array.from({ length: 20 }, (_, i) => said.counts.visited - i));
});

test('earlier forecasts and the pages found since', async () => {
  const noted = [
    { visits: 20, requests: 100, onTopic: 3, low: 1, high: 4 },
    { visits: 30, requests: 100, onTopic: 30, low: 0, high: 100 },
    { visits: 100, requests: 1000, onTopic: 30, low: 0, high: 100 },
  ];
  writeFileSync(join(dir, 'outlooks.json'), JSON.stringify(noted));
  const surveyed = await survey(dir);
  const shown = worth({ ...surveyed, status: { ...surveyed.status, doubts: [] } });
  const { compared, held, open } = surveyed.status.pastOutlooks;
  const { threshold } = (await status(dir)).topic;
  const inOrder: boolean[] = [];
  for await (const line of ledger(dir)) if (line.order !== null) inOrder[line.order] = (line.relevance ?? 0) >= threshold;
  expect(compared.map(({ found }) => found)).toEqual([20, 30].map((from) => inOrder.slice(from + 1, from + 101).filter(Boolean).length));
  expect({ held, open }).toEqual({ held: 1, open: 1 });
  expect(plain(shown)).toContain('Earlier forecasts: 1 of 2 held.');
  expect(cellsOf(parsed(shown), 'Earlier forecasts')).toEqual(
    [...compared]
      .reverse()
      .map(({ visits, onTopic, low, high, found }) => [String(visits), String(onTopic), `${low} to ${high}`, String(found)]),
  );
  rmSync(join(dir, 'outlooks.json'));
});

wholeTest('a run stores the forecast of status, once for as many visits', async () => {
  const [{ outlook, counts }, file] = [await status(dir), join(dir, 'outlooks.json')];
  const run = new InProcessRun({ maxPages: null, endsAt: null, stop: () => undefined });
  const page = await openPage({ dir, address: '0', run });
  run.opened({ counts: () => counts, unpark: () => [], acted: () => undefined, addSeeds: () => undefined });
  await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
  // Two further looks store nothing.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await page.close();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([{ visits: counts.visited, ...outlook }]);
  rmSync(file);
});

/** A crawl with a page, as a command. */
async function watched(served: Served, name: string) {
  const folder = small.path(name);
  const args = [
    'crawl',
    folder,
    '--topic',
    topic,
    ...small.seeds.flatMap((seed) => ['--seeds', seed]),
    '--proxy',
    served.proxy,
    '--delay',
    '0',
    '--concurrency',
    '2',
  ];
  const running = start([...args, '--max-pages', '250', '--page', '0', '--contact', 'test@example.org']);
  await running.says('page: http');
  const [url = ''] = /http:\S+token=\S+/.exec(running.said()) ?? [];
  return { folder, running, client: await PageClient.of(url) };
}

test('pause: no request starts; what the page shows then is what status says; go on; stop', async () => {
  const served = await small.serve({ latency: 20 });
  const { folder, running, client } = await watched(served, 'watched');
  await stored(folder, 20);
  await client.post('/run/pause');
  const before = await cameToRest(served);
  await sleep(600);
  expect(served.pages.length).toBe(before);
  const said = await status(folder);
  await expect.poll(async () => figuresOf(await client.screen('/'))['Visited'], { timeout: 10_000 }).toBe(`${said.counts.visited} of 250`);
  const screen = await client.screen('/');
  expect(screen.querySelector('.state')?.textContent).toMatch(/^paused/);
  expect(figuresOf(screen)['Discovered']).toBe(`${said.counts.discovered} on ${said.counts.hosts} hosts`);
  expect(JSON.parse((await client.get('/health')).text)).toMatchObject({ healthy: true });
  await client.post('/run/resume');
  await served.reached(before + 10);
  await client.post('/run/stop');
  const { code } = await running.ended;
  expect(code).toBe(130);
  expect((await status(folder)).stopReason).toBe('interrupted');
});

wholeTest('kill -9 while paused: the crawl goes on from there', async () => {
  const served = await small.serve({ latency: 20 });
  const { folder, running, client } = await watched(served, 'killed');
  await stored(folder, 20);
  await client.post('/run/pause');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { counts } = await status(folder);
  running.child.kill('SIGKILL');
  await running.ended;
  const again = await start(['crawl', folder, '--max-pages', String(counts.visited + 10), '--proxy', served.proxy]).ended;
  expect(again.stderr).not.toMatch(/error/i);
  expect((await status(folder)).counts.visited).toBe(counts.visited + 10);
});
