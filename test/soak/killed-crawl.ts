/** A crawl killed again and again, and the same crawl left alone: everything both wrote must agree. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { WARCParser } from 'warcio';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import type { PageAnswer, PageSource } from '../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../datasets/web-proxy.ts';
import { ledgerOf, openCrawl, status } from '../../src/app/inspect.ts';
import { train } from '../../src/app/train.ts';
import { type Rng, seededRng } from '../../src/core/rng.ts';
import type { Ms } from '../../src/core/types.ts';
import { VISITS_FILE } from '../../src/corpus/corpus-writer.ts';
import { FrozenWeb } from '../../src/corpus/frozen-web.ts';
import { readBack } from '../corpus/warcio-oracle.ts';

export interface KilledCrawlOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly pages: number;
  readonly kills: number;
  readonly seed: number;
  /** Each answer of the server waits this long, so that there is a crawl to kill. */
  readonly latency: Ms;
  readonly say: (line: string) => void;
}

export interface KilledCrawlReport {
  /** What does not agree, or is wrong in itself; empty when all is well. */
  readonly differences: readonly string[];
  /** Visits committed at each kill. */
  readonly killedAt: readonly number[];
  /** URLs discovered and pages kept by the crawl left alone. */
  readonly discovered: number;
  readonly kept: number;
  /** Pages the killed crawl asked for beyond those the crawl left alone asked for: the work that the kills cost. */
  readonly repeated: number;
}

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const TOPIC = 'topic-1';
/** A kill comes up to this long after the request that calls for it: commits are a quarter of a second apart. */
const JITTER: Ms = 300;
const CONCURRENCY = 8;
/** Hosts of the web; each has a home and an about page besides its share of the pages. */
const HOSTS = 20;

/** Crawl a generated web twice, once with kills, and compare. Needs `dist`. */
export async function killedCrawl(options: KilledCrawlOptions): Promise<KilledCrawlReport> {
  const web = generateWeb({ seed: options.seed, pages: options.pages - 2 * HOSTS, hosts: HOSTS, topics: 2, hubs: 0.05 });
  const robots = new Map([['site-3.example', 'User-agent: *\nDisallow: /*7\n']]);
  const server = await startWebProxy(withFaults(web.source), { latency: options.latency, robots });
  try {
    return await killAndCompare(options, web, server);
  } finally {
    await server.close();
  }
}

async function killAndCompare(options: KilledCrawlOptions, web: GeneratedWeb, server: RunningWeb): Promise<KilledCrawlReport> {
  const { folder, say } = options;
  const model = await trainedModel(folder, web);
  const command = (dir: string) => [
    ...[CLI, 'crawl', dir, '--topic', model, '--seeds', ...web.seeds(TOPIC, 3), '--proxy', server.proxy],
    ...['--delay', '0ms', '--concurrency', String(CONCURRENCY), '--tunnel', '1000000', '--record', '--json'],
  ];
  const alone = join(folder, 'alone');
  const startedAt = performance.now();
  await finished(spawn(process.execPath, command(alone), { stdio: ['ignore', 'ignore', 'pipe'] }));
  const aloneEnd = server.log.length;
  const needed = pagesAsked(server, 0);
  const { counts } = await status(alone);
  say(`left alone: ${counts.visited} visited, ${counts.kept} kept, ${needed} pages asked for, ${seconds(performance.now() - startedAt)}`);

  const killed = join(folder, 'killed');
  const killedAt: number[] = [];
  const rng = seededRng(options.seed);
  // What a run may fetch between the request that calls for its kill and the kill, with its requests in flight.
  const slack = Math.ceil((CONCURRENCY * JITTER) / options.latency) + 2 * CONCURRENCY;
  for (let kill = 1; kill <= options.kills; kill++) {
    const before = killedAt.at(-1) ?? 0;
    const moment: Moment = {
      pages: shareOf(counts.visited - before, options.kills - kill + 1, slack, rng),
      within: Math.round(rng() * JITTER),
      growing: kill % 2 === 0 ? join(killed, 'corpus', 'records.jsonl') : null,
    };
    await runAndKill(command(killed), server, moment);
    const now = await status(killed);
    killedAt.push(now.counts.visited);
    const wanted = `after ${moment.pages} pages and ${moment.growing ? 'at a write' : `${moment.within} ms`}`;
    say(`kill ${kill} ${wanted}: ${now.counts.visited} visited, ${now.counts.kept} kept, ${now.counts.queued} queued, ${now.stopReason}`);
  }
  await finished(spawn(process.execPath, command(killed), { stdio: ['ignore', 'ignore', 'pipe'] }));
  const repeated = pagesAsked(server, aloneEnd) - needed;
  say(`left to finish: ${repeated} pages asked for again; ${seconds(performance.now() - startedAt)} in all`);
  const differences = [
    ...(await faultsOf(alone, 'alone')),
    ...(await faultsOf(killed, 'killed')),
    ...differencesOf('ledger', ledgerLines(alone), ledgerLines(killed)),
    ...differencesOf('corpus', corpusLines(alone), corpusLines(killed)),
    ...differencesOf('recording', await recordedLines(alone), await recordedLines(killed)),
    ...killsInTime(killedAt, counts.visited),
  ];
  return { differences, killedAt, discovered: counts.discovered, kept: counts.kept, repeated };
}

/** Dead pages, redirects and pages of another type, one in fifty each, so that the ledger has something to lose. */
function withFaults(source: PageSource): PageSource {
  return {
    get(host, path) {
      const answer = source.get(host, path);
      const number = Number(/\d+/.exec(path)?.[0] ?? 0) % 50;
      if (answer === null || answer.status !== 200) return answer;
      const faults: Record<number, PageAnswer> = {
        1: { ...answer, status: 410 },
        2: { status: 301, headers: { location: `http://${host}/` }, body: new Uint8Array() },
        3: { ...answer, headers: { 'content-type': 'application/pdf' } },
      };
      return faults[number] ?? answer;
    },
  };
}

async function trainedModel(folder: string, web: GeneratedWeb): Promise<string> {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of web.examples(TOPIC, 20).entries()) writeFileSync(join(examples, `${i}.html`), html);
  await train({ examples: [examples], out: join(folder, 'model') });
  return join(folder, 'model');
}

/** How many pages this run may get: at random, so that the rest is used up evenly by the kills still to come, and none comes too late. */
function shareOf(left: number, killsLeft: number, slack: number, rng: Rng): number {
  const even = 1 + Math.floor((rng() * 2 * left) / (killsLeft + 1));
  return Math.max(1, Math.min(even, left - killsLeft * slack));
}

/** When a run is to be killed: once it has asked for `pages` pages, and `within` has passed or a file grows. */
interface Moment {
  readonly pages: number;
  readonly within: Ms;
  /** Killed as this file grows, a crawl has bytes on disk that no commit knows; waited for at most `JITTER`. null: do not look. */
  readonly growing: string | null;
}

/** Start the crawl, and kill it outright. */
async function runAndKill(command: readonly string[], server: RunningWeb, { pages, within, growing }: Moment): Promise<void> {
  const before = server.log.length;
  const child = spawn(process.execPath, command, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const ended = { yet: false };
  void exited.then(() => {
    ended.yet = true;
  });
  while (!ended.yet && pagesAsked(server, before) < pages) await pause(5);
  if (growing === null) await pause(within);
  else await growth(growing, performance.now() + JITTER);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  if (signal !== 'SIGKILL') throw new Error(`the crawl ended before it was killed, after ${pagesAsked(server, before)} of ${pages} pages`);
}

async function growth(file: string, until: number): Promise<void> {
  const sizeOf = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const before = sizeOf();
  while (sizeOf() === before && performance.now() < until) await pause(0);
}

function pagesAsked({ log }: RunningWeb, from: number): number {
  let pages = 0;
  for (let i = from; i < log.length; i++) if (log[i]?.path !== '/robots.txt') pages += 1;
  return pages;
}

function pause(ms: Ms): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function finished(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (text) => {
    said += String(text);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the crawl exited with ${code}: ${said}`);
}

/** Each discovered URL with how it ended, sorted. */
function ledgerLines(dir: string): string[] {
  const crawl = openCrawl(dir);
  const lines = [...ledgerOf(crawl)].map(({ url, state, reason, status: code }) => `${url} ${state} ${reason} ${code}`);
  void crawl.close();
  return lines.sort();
}

interface Kept {
  readonly id: string;
  readonly url: string;
  readonly payloadSha256: string;
}

function records(dir: string): Kept[] {
  const lines = readFileSync(join(dir, 'corpus', 'records.jsonl'), 'utf8').split('\n');
  if (lines.pop() !== '') throw new Error(`${dir}: records.jsonl does not end with a line's end`);
  return lines.map((line) => JSON.parse(line) as Kept);
}

function corpusLines(dir: string): string[] {
  return records(dir)
    .map(({ url, payloadSha256 }) => `${url} ${payloadSha256}`)
    .sort();
}

/** Each recorded visit, twice where it is there twice, sorted. */
async function recordedLines(dir: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(join(dir, 'corpus', VISITS_FILE)).pipe(createGunzip()) }))
    lines.push(createHash('sha256').update(line).digest('hex').concat(' ', line.slice(0, 120)));
  return lines.sort();
}

/** Visits that the ledger and the recording do not agree on. */
async function recordingFaults(dir: string): Promise<string[]> {
  const web = await FrozenWeb.open(join(dir, 'corpus', VISITS_FILE));
  web.close();
  const lines = (await recordedLines(dir)).length - 1;
  const crawl = openCrawl(dir);
  // A file that is read besides pages is no part of a frozen web.
  const pages = [...crawl.frontier.settled()].filter(({ entry }) => !entry.edge?.link.list);
  const settled = pages.map(({ entry }) => entry.url);
  void crawl.close();
  const missing = settled.filter((url) => web.indexOf(url) < 0).map((url) => `${url} is settled, but not recorded`);
  return lines === settled.length ? missing : [...missing, `${lines} visits are recorded, ${settled.length} settled`];
}

/** What is wrong within one crawl, whatever the other says. */
async function faultsOf(dir: string, name: string): Promise<string[]> {
  const kept = records(dir);
  const { counts, states, stopReason } = await status(dir);
  const sum = Object.values(states).reduce((total, n) => total + n, 0);
  const faults = [
    ...twice(kept.map(({ id }) => id)).map((id) => `record ${id} is there twice`),
    ...twice(kept.map(({ url }) => url)).map((url) => `${url} is kept twice`),
    ...twice(ledgerLines(dir).map((line) => line.split(' ')[0] ?? '')).map((url) => `${url} is in the ledger twice`),
    ...(await warcFaults(dir, kept)),
    ...(await recordingFaults(dir)),
  ];
  if (stopReason !== 'drained') faults.push(`ended by ${stopReason}, not drained`);
  if (sum !== counts.discovered) faults.push(`the states sum to ${sum}, discovered are ${counts.discovered}`);
  if (counts.queued + counts.leased > 0) faults.push(`${counts.queued + counts.leased} URLs were not reached`);
  if (counts.kept !== kept.length) faults.push(`${counts.kept} URLs are kept by the ledger, ${kept.length} by the corpus`);
  return faults.map((fault) => `${name}: ${fault}`);
}

/** Each record is in the WARC files once, as another implementation reads them, every digest recomputed. */
async function warcFaults(dir: string, kept: readonly Kept[]): Promise<string[]> {
  const faults: string[] = [];
  const ids: string[] = [];
  const urlOf = new Map<string, string>();
  for (const name of readdirSync(join(dir, 'corpus')).filter((file) => file.endsWith('.warc.gz'))) {
    const path = join(dir, 'corpus', name);
    try {
      for (const { type, id, fields } of await readBack(path)) if (type === 'response') urlOf.set(id, fields.get('warc-target-uri') ?? '');
      for await (const record of new WARCParser(createReadStream(path), { parseHttp: false })) {
        if (record.warcType === 'response') ids.push(record.warcHeader('WARC-Record-ID')?.replace(/^<|>$/g, '') ?? '');
        await record.readFully(false);
      }
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  faults.push(...twice(ids).map((id) => `response ${id} is in the WARC twice`));
  if (ids.length !== kept.length) faults.push(`${ids.length} responses in the WARC, ${kept.length} records`);
  for (const { id, url } of kept)
    if (urlOf.get(id) !== url) faults.push(`record ${id} of ${url}: the WARC has ${urlOf.get(id) ?? 'nothing'}`);
  return faults;
}

/** A kill before the first commit or after the last visit proves little: at least half must fall between. */
function killsInTime(killedAt: readonly number[], visited: number): string[] {
  const within = killedAt.filter((count) => count > 0 && count < visited).length;
  return within >= killedAt.length / 2 ? [] : [`only ${within} of ${killedAt.length} kills fell into the crawl's work`];
}

function twice(items: readonly string[]): string[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size === seen.add(item).size);
}

function differencesOf(what: string, alone: readonly string[], killed: readonly string[]): string[] {
  const inAlone = new Set(alone);
  const inKilled = new Set(killed);
  return [
    ...alone.filter((line) => !inKilled.has(line)).map((line) => `${what}, only when left alone: ${line}`),
    ...killed.filter((line) => !inAlone.has(line)).map((line) => `${what}, only when killed: ${line}`),
  ];
}

function seconds(ms: Ms): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
