/**
 * A year of a continuous crawl of 10,000 pages on a simulated clock, killed (SIGKILL) at random moments and resumed: is it polite by the log of the servers, and
 * are the versions of the corpus the changes that it saw, none twice? The loop, the frontier, the corpus and the order of revisits are the real ones; web, clock and
 * reader are simulated. Tells memory and disk by version and revisit. Exit code 1 for a fault.
 *
 *   npm run check -- year [--pages 10000] [--days 365] [--kills 20] [--share 0.02] [--seed 1] [--feeds]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRng } from '../../src/base/core/rng.ts';
import type { EpochMs } from '../../src/base/core/types.ts';
import { DELAY, type LoggedRequest, type YearCrawlOptions, type YearEnd } from './year-crawl.ts';
import { BEGIN, DAY, YearWeb } from './year-web.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    days: { type: 'string', default: '365' },
    kills: { type: 'string', default: '20' },
    share: { type: 'string', default: '0.02' },
    seed: { type: 'string', default: '1' },
    feeds: { type: 'boolean', default: false },
  },
});
const [pages, days, kills, share, seed] = [values.pages, values.days, values.kills, values.share, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
  number,
];
/** Answers that came so short before a kill may not be committed: a commit starts a quarter of a second of its clock after the first answer. */
const UNCOMMITTED = 3000;
/** Wait of the simulated clock before the crawl goes on after a kill. */
const PAUSE = 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'forager-year-'));
try {
  process.exitCode = (await year()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns whether all is well */
async function year(): Promise<boolean> {
  const log = join(folder, 'requests.jsonl');
  const options = {
    pages,
    hosts: Math.max(1, Math.round(pages / 100)),
    days,
    seed,
    dir: join(folder, 'crawl'),
    log,
    share,
    feeds: values.feeds,
  };
  const expected = pages + Math.round(pages * share * days);
  const rng = seededRng(seed);
  const killedAt: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const requests = requestsIn(log).length;
    const until = requests + Math.round(((expected - requests) / (kills - kill + 1)) * 2 * rng());
    if (await runUntil(options, until)) killedAt.push(Date.now());
    say(`killed at ${requestsIn(log).length} requests, day ${(((requestsIn(log).at(-1)?.[0] ?? BEGIN) - BEGIN) / DAY).toFixed(1)}`);
  }
  const end = await runToEnd(options);
  return report(options, requestsIn(log), killedAt, end);
}

function begin(options: Omit<YearCrawlOptions, 'from'>): ChildProcess {
  const last = requestsIn(options.log).at(-1);
  const child = fork(fileURLToPath(new URL('year-crawl.ts', import.meta.url)), { execArgv: ['--import', 'tsx', '--expose-gc'] });
  child.send({ ...options, from: last === undefined ? BEGIN : last[1] + PAUSE } satisfies YearCrawlOptions);
  return child;
}

/** Kills the crawl once the log has so many lines. @returns false if the crawl ended before */
async function runUntil(options: Omit<YearCrawlOptions, 'from'>, requests: number): Promise<boolean> {
  const child = begin(options);
  const ended = once(child, 'exit');
  const isThere = () => existsSync(options.log) && readFileSync(options.log, 'latin1').split('\n').length > requests;
  while (child.exitCode === null && !isThere()) await pause(100);
  await pause(Math.random() * 300);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  return isRunning;
}

async function runToEnd(options: Omit<YearCrawlOptions, 'from'>): Promise<YearEnd> {
  const child = begin(options);
  const [end] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the crawl died'))),
  ])) as [YearEnd];
  if (child.exitCode === null) await once(child, 'exit');
  return end;
}

/** The last line of a killed process may be half. */
function requestsIn(log: string): LoggedRequest[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(']'))
    .map((line) => JSON.parse(line) as LoggedRequest);
}

interface KeptVersion {
  readonly version: number;
  readonly at: EpochMs;
}

function report(
  { dir, ...options }: Omit<YearCrawlOptions, 'from'>,
  requests: readonly LoggedRequest[],
  killedAt: readonly number[],
  end: YearEnd,
): boolean {
  const web = new YearWeb(options);
  const corpus = join(dir, 'corpus');
  const kept = versionsIn(join(corpus, 'records.jsonl'));
  const faults = [...impolite(requests), ...wrongVersions(web, kept, requests, killedAt)];
  const versions = [...kept.values()].reduce((sum, list) => sum + list.length, 0);
  const revisits = requests.length - kept.size;
  const bytes = (path: string): number =>
    statSync(path).isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytes(join(path, name)), 0) : statSync(path).size;
  const [inCorpus, inFrontier] = [bytes(corpus), bytes(join(dir, 'frontier'))];
  say(`${requests.length} requests, ${kept.size} pages, ${versions} versions, ${killedAt.length} kills`);
  const delays = delaysOf(web, kept);
  const [mean, median] = [meanOf(delays), delays[delays.length >> 1] ?? 0].map((time) => (time / DAY).toFixed(2));
  say(`${delays.length} pages were born since the first week: first seen after ${mean} days in the mean, ${median} in the median`);
  say(
    `disk: corpus ${Math.round(inCorpus / versions)} bytes a version; frontier ${Math.round(inFrontier / requests.length)} bytes a request`,
  );
  say(`memory at the end: heap ${(end.heap / 1e6).toFixed(0)} MB, outside ${(end.external / 1e6).toFixed(0)} MB; revisits ${revisits}`);
  for (const fault of faults.slice(0, 20)) say(`FAULT ${fault}`);
  say(faults.length === 0 ? 'ok' : `${faults.length} faults`);
  return faults.length === 0;
}

/** Times from the birth of a page to its first version, ascending: those that the crawl found, born after its first week. */
function delaysOf(web: YearWeb, kept: ReadonlyMap<string, readonly KeptVersion[]>): readonly number[] {
  const born = [...web.pages.values()].filter(({ bornAt }) => bornAt > BEGIN + 7 * DAY);
  return born.flatMap(({ url, bornAt }) => (kept.get(url)?.[0] ? [(kept.get(url)?.[0]?.at ?? 0) - bornAt] : [])).sort((a, b) => a - b);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The versions of each page in the order of the corpus, read from their own texts. */
function versionsIn(path: string): ReadonlyMap<string, KeptVersion[]> {
  const kept = new Map<string, KeptVersion[]>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { url, text, fetchedAt } = JSON.parse(line) as { readonly url: string; readonly text: string; readonly fetchedAt: string };
    const named = /Version (\d+) of /.exec(text)?.[1];
    const version = named === undefined ? text.split('\n').length : Number(named);
    kept.set(url, [...(kept.get(url) ?? []), { version, at: Date.parse(fetchedAt) }]);
  }
  return kept;
}

/** Requests to a host that overlap, or are closer than its delay. */
function* impolite(requests: readonly LoggedRequest[]): Generator<string> {
  const free = new Map<string, EpochMs>();
  for (const [start, end, url] of requests.toSorted((a, b) => a[0] - b[0])) {
    const { host } = new URL(url);
    const before = free.get(host) ?? Number.NEGATIVE_INFINITY;
    if (start < before + DELAY) yield `${url} was requested ${start - before} ms after the request before it`;
    free.set(host, end);
  }
}

/** Versions that are there twice, that were never served, and answers with a change that are missing although they were not lost in a kill. */
function* wrongVersions(
  web: YearWeb,
  kept: ReadonlyMap<string, readonly KeptVersion[]>,
  requests: readonly LoggedRequest[],
  killedAt: readonly number[],
): Generator<string> {
  const served = new Map<string, LoggedRequest[]>();
  for (const request of requests) served.set(request[2], [...(served.get(request[2]) ?? []), request]);
  for (const [url, answers] of served) {
    const versions = kept.get(url) ?? [];
    for (const [i, { version, at }] of versions.entries()) {
      if (i > 0 && version <= (versions[i - 1]?.version ?? -1)) yield `${url}: version ${version} is there twice, or too late`;
      if (!answers.some(([start, , , one]) => start === at && one === version)) yield `${url}: version ${version} was not served then`;
    }
    if (!web.pages.has(url)) continue;
    const has = new Set(versions.map(({ version }) => version));
    for (const [, , , version, realTime] of answers) {
      const mayBeLost = killedAt.some((kill) => realTime <= kill && realTime > kill - UNCOMMITTED);
      if (version >= 0 && !has.has(version) && !mayBeLost) yield `${url}: version ${version} was served, and is not in the corpus`;
    }
  }
}
