import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CrawlLedgerLine, CrawlStatus } from 'forager';
import { crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, forager, jsonLines, MAIN } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const dir = small.path('crawl');
const gone = 'http://site-1.example/a/999999.html';
let lines: CrawlLedgerLine[];
let status: CrawlStatus;

beforeAll(async () => {
  const robots = new Map([['site-7.example', 'User-agent: *\nDisallow: /a/\n']]);
  const { proxy } = await small.serve({ robots });
  const topic = await trainedOn(small);
  const scope = ['not:host:site-10.example'];
  await crawl({ dir, topic, seeds: [...small.seeds, gone], proxy, delay: 0, maxPages: 60, maxPagesPerHost: 12, scope });
  lines = jsonLines<CrawlLedgerLine>(await done('ledger', dir));
  status = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
});
afterAll(() => small.close());

function countsBy(key: (line: CrawlLedgerLine) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) counts[key(line)] = (counts[key(line)] ?? 0) + 1;
  return counts;
}

test('one line for each discovered URL, each in one state; the counts are those of status', () => {
  expect(new Set(lines.map(({ url }) => url)).size).toBe(lines.length);
  expect(lines.length).toBe(status.counts.discovered);
  expect(countsBy(({ state }) => state)).toEqual(status.states);
  expect(status.states).toMatchObject({ kept: status.counts.kept, 'off-topic': status.counts.offTopic, failed: 1 });
  const ended = lines.filter(({ state }) => state === 'refused' || state === 'failed');
  expect(ended.length).toBe(status.counts.refused + status.counts.failed);
  expect(Object.values(status.reasons).reduce((a, b) => a + b, 0)).toBe(ended.length);
  for (const [key, count] of Object.entries(status.reasons))
    expect(ended.filter(({ state, reason }) => `${state}:${reason}` === key).length).toBe(count);
  expect(Object.keys(status.reasons)).toEqual(expect.arrayContaining(['refused:robots', 'refused:scope', 'failed:http-4xx']));
});

test('every line has every field, and the fields agree with the state', () => {
  const fields = ['url', 'state', 'reason', 'order', 'depth', 'priority', 'relevance', 'referrer', 'anchorText', 'status', 'fetchedAt'];
  for (const line of lines) {
    expect(Object.keys(line).sort()).toEqual([...fields].sort());
    expect(line.priority).toBeGreaterThanOrEqual(0);
    expect(line.priority).toBeLessThanOrEqual(1);
    // A host's files are as far from the seeds as the page they are asked for with.
    if (!/\/(?:tdmrep\.json|sitemap\.xml)$/.test(line.url)) expect(line.referrer === null).toBe(line.depth === 0);
    const judged = line.state === 'kept' || line.state === 'off-topic' || line.state === 'duplicate';
    expect({ ...line, judged: line.relevance !== null }).toMatchObject({ judged });
    if (judged)
      expect(line).toMatchObject({
        status: 200,
        fetchedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        order: expect.any(Number),
      });
    if (line.state === 'kept') expect(small.web.page(line.url)).not.toBeNull();
    if (line.state === 'waiting') expect(line).toMatchObject({ order: null, status: null, fetchedAt: null, reason: 'max-pages' });
  }
  const orders = lines.flatMap(({ order }) => (order === null ? [] : [order])).sort((a, b) => a - b);
  expect(orders).toEqual(orders.map((_, i) => i + 1));
  // Files of reservations were asked for too, and are no visits; nor are URLs that robots.txt refused.
  expect(orders.length).toBe(status.counts.visited);
  const files = lines.filter(({ url }) => url.endsWith('/tdmrep.json'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(file.order).toBeNull();
  expect(lines.find(({ url }) => url === gone)).toMatchObject({ state: 'failed', reason: 'http-4xx', status: 404, depth: 0 });
});

test('yield of late and locality are those of the ledger', () => {
  const { threshold } = status.topic;
  const isOn = ({ relevance }: CrawlLedgerLine) => relevance !== null && relevance >= threshold;
  const visited = lines.filter(({ order, fetchedAt }) => order !== null && fetchedAt !== null);
  expect(status.recent).toEqual({ visits: 60, onTopic: visited.filter(isOn).length });
  const byUrl = new Map(lines.map((line) => [line.url, line]));
  const from = (line: CrawlLedgerLine) => (line.referrer === null ? undefined : byUrl.get(line.referrer));
  const led = (side: boolean) =>
    visited.filter((line) => line.state !== 'fetched' && (from(line) ? isOn(from(line) ?? line) === side : false));
  const counted = (side: boolean) => ({ followed: led(side).length, onTopic: led(side).filter(isOn).length });
  expect(status.locality).toEqual({ ofOnTopicPages: counted(true), ofOffTopicPages: counted(false) });
  expect(status.locality.ofOnTopicPages.followed).toBeGreaterThan(10);
  expect(status.outlook).toBeNull();
});

test('words of the version before select the same lines', async () => {
  const waiting = lines.filter(({ state }) => state === 'waiting');
  expect(waiting.length).toBeGreaterThan(0);
  for (const word of ['waiting', 'queued', 'not-reached']) expect(jsonLines(await done('ledger', dir, '--state', word))).toEqual(waiting);
});

test('--state and --reason take several, by commas or words', async () => {
  const kept = lines.filter(({ state }) => state === 'kept');
  expect(jsonLines(await done('ledger', dir, '--state', 'kept'))).toEqual(kept);
  const two = lines.filter(({ state }) => state === 'kept' || state === 'failed');
  expect(jsonLines(await done('ledger', dir, '--state', 'kept,failed'))).toEqual(two);
  expect(jsonLines(await done('ledger', dir, '--state', 'kept', 'failed'))).toEqual(two);
  const robots = lines.filter(({ reason }) => reason === 'robots');
  expect(robots.length).toBeGreaterThan(0);
  expect(jsonLines(await done('ledger', dir, '--state', 'refused', '--reason', 'robots'))).toEqual(robots);
  expect(await done('ledger', dir, '--state', 'kept', '--reason', 'robots')).toBe('');
});

test('a reason that no line has is told of, with those there are', async () => {
  const { code, stdout, stderr } = await forager('ledger', dir, '--reason', 'robotz,scope');
  expect(code).toBe(0);
  expect(jsonLines<CrawlLedgerLine>(stdout).every(({ reason }) => reason === 'scope')).toBe(true);
  expect(stderr).toMatch(/^forager: --reason robotz: no URL has that reason; did you mean robots\?; there are .*robots.*scope/m);
  expect(stderr).not.toContain('--reason scope');
});

test('a reader that stops reading is no error', async () => {
  const child = spawn(process.execPath, [MAIN, 'ledger', dir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.destroy(); // before the first line, so that every write meets a closed pipe
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('status for people says the same numbers', async () => {
  const text = await done('status', dir);
  const [first = '', second = '', failures = '', third = '', fourth = '', fifth = '', sixth = ''] = text.split('\n');
  expect(first).toContain(`topic model (model ${status.topic.id}, threshold ${status.topic.threshold.toFixed(3)})`);
  expect(first).toContain('strategy apprentice, stopped: the page budget is spent');
  // Its examples have no URL.
  expect(status).toMatchObject({ basis: 'model', precision: null, doubts: expect.arrayContaining(['unknown-hosts']) });
  expect(second).toContain(`visited 60, kept ${status.counts.kept} by the model; harvest rate not known`);
  expect(status.states['failed']).toBe(1);
  expect(failures).toBe('1 of 60 visits failed (1.7 %): 1 HTTP 404');
  expect(third).toMatch(/^rates and forecast are hidden: the example pages have no URL/);
  expect(fourth).toBe(`precision: not measured; to measure it: npx forager label ${dir}`);
  expect(fifth).toMatch(/^last 60 visits: \d+ on topic \(by the model; not measured\)$/);
  expect(fifth).toContain(`${status.recent.onTopic} on topic`);
  expect(sixth).toBe(`discovered ${status.counts.discovered} on ${status.counts.hosts} hosts:`);
  for (const [state, n] of Object.entries(status.states)) expect(text).toMatch(new RegExp(`^  ${state} +${n}(?: {2}.*)?$`, 'm'));
  expect(text).toMatch(new RegExp(`^    robots +${status.reasons['refused:robots']}  forbidden by robots.txt$`, 'm'));
  for (const { host, kept, visited } of status.topHosts.slice(0, 5))
    expect(text).toMatch(new RegExp(`^ +${kept} kept of +${visited} visited {2}${host}$`, 'm'));
  expect(status.harvestRate).toBeCloseTo((status.counts.kept + status.counts.duplicate) / 60, 9);
});
