/** A crawl as it is run by those who watch it: log, metrics, limits of the machine, and how it is stopped. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, type Ended, jsonLines, MAIN, type Running, refused, refusedByProcess, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

interface Line {
  readonly level: string;
  readonly time: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

const small = smallWeb();
const { path } = small;
let model: string;
let served: Served;

beforeAll(async () => {
  served = await small.serve();
  model = await trainedOn(small);
});
afterAll(() => small.close());

function crawlArgs(dir: string, { proxy }: Served, maxPages: number, ...more: string[]): string[] {
  const begin = ['crawl', path(dir), '--topic', model, '--seeds', ...small.seeds, '--max-pages', String(maxPages)];
  return [...begin, '--delay', '0ms', '--proxy', proxy, ...more];
}

function linesOf(text: string): Line[] {
  return jsonLines<Line>(text);
}

/** Where the crawl answers, as it says itself. */
async function originOf(run: Running): Promise<string> {
  await run.says('/visits');
  const [origin = ''] = /http:\/\/[\d.]+:\d+(?=\/metrics)/.exec(run.said()) ?? [];
  return origin;
}

async function jsonAt(url: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('--log: a line for each URL that ended, start and stop with their settings and reason; appended to', async () => {
  const log = path('crawl.log');
  await done(...crawlArgs('logged', served, 8, '--log', log));
  const first = linesOf(readFileSync(log, 'utf8'));
  expect(first[0]).toMatchObject({ level: 'info', event: 'started', resumed: false, maxPages: 8, concurrency: 16, contact: null });
  expect(first.at(-1)).toMatchObject({ event: 'stopped', reason: 'max-pages', counts: { visited: 8 } });
  const settled = first.filter(({ event }) => event === 'settled');
  expect(settled.filter(({ fate }) => fate === 'kept').length).toBeGreaterThan(0);
  expect(settled.every(({ url, time }) => String(url).startsWith('http://') && !Number.isNaN(Date.parse(time)))).toBe(true);
  expect(new Set(first.map(({ event }) => event))).toEqual(new Set(['started', 'settled', 'stopped']));
  await done('crawl', path('logged'), '--max-pages', '9', '--log', log, '--log-level', 'debug');
  const all = linesOf(readFileSync(log, 'utf8'));
  expect(all.slice(0, first.length)).toEqual(first);
  const second = new Set(all.slice(first.length).map(({ event }) => event));
  for (const event of ['started', 'leased', 'robots', 'fetched', 'judged', 'settled', 'committed', 'stopped'])
    expect(second).toContain(event);
});

test('a secret of the proxy is not in the log', async () => {
  const log = path('secret.log');
  const proxy = served.proxy.replace('http://', 'http://someone:hushhush@');
  await done(...crawlArgs('secret', { ...served, proxy }, 3, '--log', log));
  expect(linesOf(readFileSync(log, 'utf8'))[0]).toMatchObject({ proxy: new URL(served.proxy).host });
  expect(readFileSync(log, 'utf8')).not.toContain('hushhush');
});

wholeTest('--log -: standard error has JSON lines alone, standard output the report', async () => {
  const { code, stdout, stderr } = await start(crawlArgs('to-stderr', served, 4, '--log', '-', '--json')).ended;
  expect(code).toBe(0);
  expect(jsonLines(stdout)).toMatchObject([{ stopReason: 'max-pages' }]);
  expect(linesOf(stderr).at(-1)).toMatchObject({ event: 'stopped' });
});

wholeTest('a log on a full disk is one warning, and the crawl goes on', async () => {
  const { code, stderr } = await start(crawlArgs('full-log', served, 30, '--log', '/dev/full', '--log-level', 'debug')).ended;
  expect(code).toBe(0);
  expect(stderr.match(/can no longer be written \(ENOSPC[^\n]*\); the crawl continues without it\n/g)?.length).toBe(1);
});

test('a log that cannot be opened, a level that is none', async () => {
  await refused(2, ['--log', path('no', 'such'), 'cannot be opened'], ...crawlArgs('no-log', served, 3, '--log', path('no', 'such')));
  await refused(2, ['--log-level loud', 'debug, info, warn, error'], ...crawlArgs('no-log', served, 3, '--log-level', 'loud'));
  expect(existsSync(path('no-log'))).toBe(false);
});

test('a crawl that ends by an error says so in the log', async () => {
  const log = path('failed.log');
  await refused(2, ['needs a topic'], 'crawl', path('failed'), '--seeds', ...small.seeds, '--log', log);
  expect(linesOf(readFileSync(log, 'utf8')).at(-1)).toMatchObject({ level: 'error', event: 'failed', code: 'USAGE' });
});

const STEPS = ['address', 'robots', 'fetch', 'read', 'list'];

test('--metrics: what the crawl does, its health, and each visit under way', async () => {
  const pace = { latency: 250 };
  const slow = await small.serve(pace);
  const run = start(crawlArgs('watched', slow, 30, '--metrics', '0', '--concurrency', '3'));
  const origin = await originOf(run);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
  await slow.reached(4);
  await slow.asked(16);
  const { body } = await jsonAt(`${origin}/visits`);
  const visits = body['visits'] as { url: string; host: string; step: string; since: string; seconds: number }[];
  expect(visits.length).toBeGreaterThan(0);
  for (const { url, host, step, since, seconds } of visits) {
    expect(url.startsWith(host)).toBe(true);
    expect(STEPS).toContain(step);
    expect(Math.abs(Date.now() - Date.parse(since))).toBeLessThan(60_000);
    expect(seconds).toBeLessThan(60);
  }
  expect(await jsonAt(`${origin}/health`)).toMatchObject({ status: 200, body: { healthy: true } });
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(metrics)?.[1]);
  expect(value('forager_requests_total{outcome="page"}')).toBeGreaterThanOrEqual(4);
  const requests = [...metrics.matchAll(/^forager_requests_total\{outcome="[a-z]+"\} (\d+)$/gm)].map(([, n]) => Number(n));
  expect(value('forager_fetch_seconds_count')).toBe(requests.reduce((a, b) => a + b, 0));
  expect(value('forager_robots_loads_total')).toBeGreaterThan(0);
  expect(value('forager_wire_bytes_total')).toBeGreaterThan(1000);
  expect(value('forager_urls_waiting')).toBeGreaterThan(0);
  expect(value('forager_urls_queued')).toBe(value('forager_urls_waiting'));
  expect(value('forager_hosts_given_up')).toBe(0);
  // The names are looked up by the proxy.
  expect(value('forager_lookups')).toBe(0);
  expect(value('forager_open_descriptors')).toBeGreaterThan(10);
  expect(value('forager_resident_bytes')).toBeGreaterThan(10_000_000);
  expect(metrics).toMatch(/^forager_settled_total\{fate="kept"\} \d+$/m);
  // Beside other work, all visits may be at another step than the fetch.
  expect(metrics).toMatch(new RegExp(`^forager_visits\\{step="(?:${STEPS.join('|')})"\\} \\d+$`, 'm'));
  await expectNothingElse(origin);
  pace.latency = 0;
  expect((await run.ended).code).toBe(0);
  await expect(fetch(`${origin}/health`)).rejects.toThrow();
});

/** Other ways to ask, and other things to ask for. */
async function expectNothingElse(origin: string): Promise<void> {
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) {
    const response = await fetch(`${origin}/metrics`, { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET']);
  }
  for (const other of ['/', '/metrics/', '/../etc/passwd', '/%2e%2e/etc/passwd', '/visits/../../crawl.json', '//etc/passwd'])
    expect([other, await statusOf(origin, other, '127.0.0.1')]).toEqual([other, 404]);
  expect(await statusOf(origin, '/visits?a=b', 'localhost:99')).toBe(200);
  expect(await statusOf(origin, '/visits', 'evil.example')).toBe(403);
}

/** Asked for as written: `fetch` would tidy the path up. */
async function statusOf(origin: string, target: string, host: string): Promise<number | undefined> {
  const { request } = await import('node:http');
  const { hostname, port } = new URL(origin);
  const asked = request({ hostname, port, path: target, headers: { host } }).end();
  const [response] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

test('a port that is taken, or none: said before the crawl begins', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await refused(3, [`--metrics ${port}`, 'EADDRINUSE', 'give another port'], ...crawlArgs('no-port', served, 3, '--metrics', String(port)));
  other.close();
  for (const address of ['99999', 'here', 'http://127.0.0.1:80', ':80'])
    await refused(2, [`--metrics ${address}`, 'not a port'], ...crawlArgs('no-port', served, 3, '--metrics', address));
  expect(existsSync(path('no-port'))).toBe(false);
});

wholeTest('--min-free: a crawl without room waits, ends in the end with exit code 3, and goes on when there is room', async () => {
  const before = served.pages.length;
  const { code, stdout, stderr } = await start(crawlArgs('no-room', served, 3, '--min-free', '900TB/1s')).ended;
  expect(code).toBe(3);
  expect(stderr).toContain('less than the 900,000,000 MB to keep free (--min-free); no new request until there is space; free some');
  expect(stdout).toContain('the disk was nearly full (--min-free): 0 visited');
  expect(stdout).toContain('resume:  the same command again (without --force); free some space first');
  expect(served.pages.length).toBe(before);
  expect(await done('status', path('no-room'))).toContain('stopped: the disk was nearly full');
  expect(await done(...crawlArgs('no-room', served, 3))).toContain('3 visited');
  await refused(2, ['--min-free lots', 'write e.g. 500MB'], ...crawlArgs('no-room', served, 4, '--min-free', 'lots'));
  await refused(2, ['--min-free soon', 'not a span of time'], ...crawlArgs('no-room', served, 4, '--min-free', '1GB/soon'));
});

test('while it waits for room it can be stopped, and says in /health why it does nothing', async () => {
  const run = start(crawlArgs('waits', served, 3, '--min-free', '900TB', '--metrics', '0'));
  const origin = await originOf(run);
  await run.says('no new request');
  expect(await jsonAt(`${origin}/health`)).toEqual({
    status: 503,
    body: { healthy: false, reason: 'the disk is nearly full: no new request until there is space' },
  });
  run.child.kill('SIGTERM');
  expect((await run.ended).code).toBe(130);
});

/** A disk of 40 MB of our own, where this process may have one. */
function smallDisk(): string | null {
  const dir = path('disk');
  mkdirSync(dir);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', dir]).status === 0 ? dir : null;
}

wholeTest('a real disk that fills up and is emptied: the crawl waits, then goes on', async (context) => {
  const disk = smallDisk();
  if (disk === null) return context.skip();
  try {
    await done(...crawlArgs('disk/crawl', served, 3));
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 1_500_000));
    const run = start(crawlArgs('disk/crawl', served, 9));
    await run.says('less than the 2 MB to keep free (--min-free)');
    rmSync(join(disk, 'filler'));
    const { code, stderr } = await run.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/ free again: the crawl resumes\n/);
    expect(JSON.parse(await done('status', join(disk, 'crawl'), '--json'))).toMatchObject({ counts: { visited: 9 } });
  } finally {
    spawnSync('umount', [disk]);
  }
});

wholeTest('more requests at once than there are file descriptors for: fewer, with a warning', async () => {
  const limited = spawn('bash', [
    '-c',
    'ulimit -n 300 && exec "$@"',
    'bash',
    process.execPath,
    MAIN,
    ...crawlArgs('few', served, 5, '--concurrency', '1000'),
  ]);
  const ended = await endedOf(limited);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toMatch(
    /--concurrency 1000: the crawl makes at most \d\d requests at once, since this process may have only 300 open files/,
  );
});

async function endedOf(child: ReturnType<typeof spawn>): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

wholeTest.each(['SIGTERM', 'SIGHUP'] as const)('%s: as Ctrl-C, visits in flight are finished and stored', async (signal) => {
  const slow = await small.serve({ latency: 30 });
  const dir = `stopped-by-${signal}`;
  const run = start(crawlArgs(dir, slow, 60, '--concurrency', '4', '--log', path(`${signal}.log`)));
  await slow.reached(6);
  run.child.kill(signal);
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('interrupted:');
  const { counts } = JSON.parse(await done('status', path(dir), '--json')) as { counts: { visited: number; leased: number } };
  expect(counts.visited).toBe(slow.pages.length);
  expect(existsSync(path(dir, 'lock'))).toBe(false);
  const last = linesOf(readFileSync(path(`${signal}.log`), 'utf8')).filter(({ event }) => event.startsWith('stop'));
  expect(last).toMatchObject([{ event: 'stopping' }, { event: 'stopped', reason: 'interrupted' }]);
});

const ENDS = [
  ['max-pages', 0, null],
  ['interrupted', 130, 'SIGTERM'],
] as const;
wholeTest.each(ENDS)(
  'nobody reads standard output and standard error any more: the crawl ends as ever (%s)',
  async (stopReason, code, signal) => {
    const slow = await small.serve({ latency: 20 });
    const run = start(crawlArgs(`unread-${code}`, slow, 20, '--concurrency', '1'));
    await slow.reached(2);
    run.child.stdout?.destroy();
    run.child.stderr?.destroy();
    // What it says of that goes nowhere.
    if (signal) run.child.kill(signal);
    expect((await run.ended).code).toBe(code);
    expect(JSON.parse(await done('status', path(`unread-${code}`), '--json'))).toMatchObject({
      stopReason,
      counts: { visited: slow.pages.length },
    });
  },
);

wholeTest('killed by a second signal: the log is whole lines', async () => {
  const hanging = await small.serve({ latency: 60_000 });
  const log = path('twice.log');
  const run = start(crawlArgs('twice', hanging, 15, '--log', log));
  await hanging.asked(1);
  run.child.kill('SIGTERM');
  await run.says('Press Ctrl-C again');
  run.child.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(linesOf(readFileSync(log, 'utf8')).map(({ event }) => event)).toEqual(['started', 'action', 'stopping']);
});

wholeTest('refused: two processes on one directory, with a log of its own', async () => {
  const slow = await small.serve({ latency: 250 });
  const first = start(crawlArgs('locked', slow, 10, '--concurrency', '1'));
  await slow.reached(1);
  await refusedByProcess(3, [`process ${first.child.pid}`], ...crawlArgs('locked', slow, 10, '--log', path('second.log')));
  expect(linesOf(readFileSync(path('second.log'), 'utf8'))).toMatchObject([{ event: 'failed', code: 'STORE_LOCKED' }]);
  expect((await first.ended).code).toBe(0);
});
