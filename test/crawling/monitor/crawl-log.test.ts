import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import { CrawlLog } from '../../../src/crawling/monitor/crawl-log.ts';
import type { LogLevel } from '../../../src/crawling/settings/settings.ts';
import { urlOf } from '../../support/frontier-values.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const SETTLED = {
  type: 'settled',
  at: 0,
  url: urlOf('http://a.test/'),
  settlement: 'done',
  fate: 'kept',
  reason: '',
  status: 200,
  relevance: 0.9,
} as const;

/** What is written of some events, parsed line by line. */
async function logged(level: LogLevel, ...events: CrawlEvent[]): Promise<Record<string, unknown>[]> {
  const path = join(dir, 'crawl.log');
  const log = await CrawlLog.open(path, level, () => undefined);
  for (const event of events) log.take(event);
  await log.close();
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('text of the web cannot forge a line', async () => {
  const forged = 'x\r\n{"level":"info","event":"stopped","reason":"drained"}\n\u2028\u2029\u0000\u001b[2J\u0085';
  const lines = await logged('info', { ...SETTLED, reason: forged }, { type: 'warning', at: 0, message: forged });
  expect(lines.map(({ event }) => event)).toEqual(['settled', 'warning']);
  expect([lines[0]?.['reason'], lines[1]?.['message']]).toEqual([forged, forged]);
  const written = readFileSync(join(dir, 'crawl.log'), 'latin1');
  expect([...written].filter((letter) => letter < ' ' && letter !== '\n')).toEqual([]);
});

test('a field of an event cannot take the place of what the log says itself', async () => {
  const [line] = await logged('info', SETTLED);
  expect(line).toMatchObject({
    level: 'info',
    event: 'settled',
    pid: process.pid,
    url: 'http://a.test/',
    fate: 'kept',
    status: 200,
    relevance: 0.9,
  });
  expect(Math.abs(Date.now() - Date.parse(String(line?.['time'])))).toBeLessThan(60_000);
  expect(Object.keys(line ?? {})).not.toContain('at');
});

test('levels: what waits on is told at debug only', async () => {
  const retry = { ...SETTLED, settlement: 'retry', fate: null, status: null, relevance: null } as const;
  const committed = { type: 'committed', at: 0, settlements: 1, ms: 1 } as const;
  const warning = { type: 'warning', at: 0, message: 'look' } as const;
  expect((await logged('info', SETTLED, retry, committed, warning)).map(({ event }) => event)).toEqual(['settled', 'warning']);
  rmSync(join(dir, 'crawl.log'));
  expect((await logged('warn', SETTLED, retry, committed, warning)).map(({ event }) => event)).toEqual(['warning']);
  rmSync(join(dir, 'crawl.log'));
  expect((await logged('debug', SETTLED, retry, committed, warning)).length).toBe(4);
});

test('errors have their code; those that are ours are bugs', async () => {
  const log = await CrawlLog.open(join(dir, 'crawl.log'), 'error', () => undefined);
  log.started({});
  log.failed(new StoreError('STORE_FULL', 'no space left'));
  log.failed(new TypeError('undefined is not a function'));
  await log.close();
  const lines = readFileSync(join(dir, 'crawl.log'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'error', event: 'failed', code: 'STORE_FULL', message: 'no space left' },
    { code: 'BUG', message: 'undefined is not a function' },
  ]);
});

test.skipIf(!existsSync('/dev/full'))('what cannot be written is one warning, and what comes later is no error', async () => {
  const warnings: string[] = [];
  const log = await CrawlLog.open('/dev/full', 'info', (message) => warnings.push(message));
  for (let i = 0; i < 1000; i++) log.take(SETTLED);
  await log.close();
  log.take(SETTLED);
  await log.close();
  expect(warnings.length).toBe(1);
  expect(warnings[0]).toMatch(/^--log \/dev\/full: can no longer be written \(ENOSPC/);
});

test('lines beyond what may wait are dropped, and counted at the end', async () => {
  const warnings: string[] = [];
  const log = await CrawlLog.open(join(dir, 'crawl.log'), 'info', (message) => warnings.push(message));
  const long = { ...SETTLED, reason: 'x'.repeat(1_000_000) };
  for (let i = 0; i < 40; i++) log.take(long);
  await log.close();
  const lines = readFileSync(join(dir, 'crawl.log'), 'utf8').trim().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(warnings).toEqual([
    `--log ${join(dir, 'crawl.log')}: ${40 - lines.length} lines were dropped, since the log was written too slowly`,
  ]);
});
