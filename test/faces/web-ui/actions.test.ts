/** Actions on a running crawl are lines of its log, with their origin. */
import { readFileSync, writeFileSync } from 'node:fs';
import { status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessRun } from '../../../dist/faces/web-ui/in-process-run.js';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { smallWeb, stored, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';

const small = smallWeb();
const dir = small.path('crawl');
const log = small.path('log.jsonl');
let crawling: string[];

beforeAll(async () => {
  const served = await small.serve({ latency: 100 });
  writeFileSync(small.path('opt-out.txt'), '');
  const topic = await trainedOn(small);
  crawling = ['crawl', dir, '--topic', topic, '--proxy', served.proxy, '--delay', '0', '--concurrency', '1', '--log', log];
  crawling.push('--opt-out', small.path('opt-out.txt'), ...small.seeds.flatMap((seed) => ['--seeds', seed]));
});
afterAll(() => small.close());

/** The lines of actions, without time and process. */
function actions(): object[] {
  const lines = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.flatMap(({ level, time: _, pid: __, event, ...line }) => (event === 'action' ? [{ level, ...line }] : []));
}

wholeTest('by the page: each once, with its subjects; by Ctrl-C: a signal', async () => {
  const running = start([...crawling, '--page', '0', '--contact', 'test@example.org']);
  await running.says('page: http');
  const client = await PageClient.of(/http:\S+token=\S+/.exec(running.said())?.[0] ?? '');
  await stored(dir, 5);
  await client.post('/run/pause');
  await client.post('/run/pause');
  await client.post('/run/resume');
  await client.post('/hosts/opt-out', { host: 'http://site-9.example' });
  const [row] = [...(await client.screen('/')).querySelectorAll('.last tbody form')];
  const field = (name: string) => row?.querySelector(`input[name="${name}"]`)?.getAttribute('value') ?? '';
  await client.post('/label/page', { url: field('url'), answer: field('answer') });
  await client.post('/label/train');
  await client.post('/run/stop');
  expect((await running.ended).code).toBe(130);
  const byPage = (action: string, subjects: string[] = []) => ({ level: 'info', action, origin: 'page', count: subjects.length, subjects });
  expect(actions()).toEqual([
    byPage('pause'),
    byPage('resume'),
    byPage('opt-out', ['http://site-9.example']),
    byPage('label', [field('url')]),
    byPage('train'),
    byPage('stop'),
  ]);
  const before = actions().length;
  const again = start([...crawling.slice(0, 2), ...crawling.slice(4)]);
  await stored(dir, (await status(dir)).counts.visited + 5);
  again.child.kill('SIGINT');
  expect((await again.ended).code).toBe(130);
  expect(actions().slice(before)).toEqual([{ level: 'info', action: 'stop', origin: 'signal', count: 0, subjects: [] }]);
});

test('an action from before the crawl opens is told when it does; a released pattern that is not parked is none', () => {
  const told: unknown[][] = [];
  const run = new InProcessRun({ maxPages: null, endsAt: null, stop: () => undefined });
  run.pause();
  expect(told).toEqual([]);
  run.opened({
    counts: () => null as never,
    unpark: (pattern: string) => (pattern === 'parked' ? [pattern] : []),
    acted: (...action: unknown[]) => told.push(action),
    addSeeds: () => undefined,
  });
  run.unpark('other');
  run.unpark('parked');
  expect(told).toEqual([
    ['pause', 'page', []],
    ['unpark', 'page', ['parked']],
  ]);
});
