/**
 * The frontier at size: leases and settlements a second, and memory, with up to ten million URLs waiting on a hundred thousand hosts. A settlement
 * brings 40 links, three in four of them new; settlements are committed to LMDB in groups of 100, as a crawl does. Each size has a process of its own.
 * Memory is that of the V8 heap after a collection, and that of typed arrays: both also as bytes a discovered URL. The longest stop is the longest time
 * that one discovery or settlement took; on a busy machine, other processes make it longer. Each opening, and 20,000 leases after it, have a process of
 * their own whose memory is limited to 1.5 GB: its own memory at most is that of the process without pages of mapped files, seen every 10 ms.
 *
 * Then what patience costs a lease while hosts rest that have better URLs than the one that is leased, half of them clearly better: `--resting`.
 *
 *   npm run bench -- frontier [--queued 100000,1000000,10000000] [--hosts 100000] [--settlements 20000] [--resting 50,500,5000]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Frontier } from '../../src/base/core/parts/queueing.ts';
import { type Rng, seededRng } from '../../src/base/core/rng.ts';
import {
  type CanonicalUrl,
  type Discovery,
  type Fate,
  type HostKey,
  type LinkText,
  PAGE,
  type Patience,
} from '../../src/base/core/types.ts';
import { openLmdbFrontier, openMemoryFrontier } from '../../src/crawling/frontier/frontier.ts';

const { values } = parseArgs({
  options: {
    queued: { type: 'string', default: '100000,1000000,10000000' },
    hosts: { type: 'string', default: '100000' },
    settlements: { type: 'string', default: '20000' },
    resting: { type: 'string', default: '50,500,5000' },
    part: { type: 'string' },
    open: { type: 'string' },
  },
});
const LINKS = 40;
/** Of the links of a page, those that were seen before. */
const KNOWN_SHARE = 0.25;
const GROUP = 100;
const HOSTS = Number(values.hosts);
const SETTLEMENTS = Number(values.settlements);
const TEXT: LinkText = {
  anchorText: 'peat moss of the field guide',
  context: 'the water table and the carbon archive of a bog',
  imageAlt: '',
  zone: 'content',
  tagPath: 'ul>li>a',
  anchorScore: null,
  contextScore: 0.3,
};
const CLOCK = { now: () => 0, sleep: async () => undefined };
const OPTIONS = { clock: CLOCK, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY, traps: true };

function runAll(): void {
  const columns = [
    'URLs waiting',
    'found a second',
    'leases a second',
    'settlements a second',
    'µs a settlement',
    'CPU µs a settlement',
    'longest stop in ms',
    'heap MB',
    'arrays MB',
    'heap bytes a URL',
    'array bytes a URL',
    'resident MB',
    'of it mapped files',
    'LMDB MB',
    'MB of columns',
    'opened in CPU s',
    'own MB at most',
    'without checkpoint',
    'own MB at most',
  ];
  console.log(
    `${HOSTS} hosts; ${SETTLEMENTS} settlements of ${LINKS} links, ${100 * (1 - KNOWN_SHARE)} % of them new, committed by ${GROUP}.\n`,
  );
  console.log(`| ${columns.join(' | ')} |\n|${' ---: |'.repeat(columns.length)}`);
  for (const size of values.queued.split(',').filter((size) => size !== '')) {
    const args = [...process.execArgv, '--expose-gc', ...process.argv.slice(1), '--part', size];
    const { status, stdout } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
    if (status !== 0) throw new Error(`${size} URLs: the bench failed; see above`);
    process.stdout.write(stdout);
  }
  console.log(`\n| hosts that rest | µs a lease | with patience |\n|${' ---: |'.repeat(3)}`);
  for (const resting of values.resting.split(',').map(Number)) {
    const cells = [resting, ...[undefined, IMPATIENT].map((patience) => leaseCost(resting, patience).toFixed(1))];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/** So little time for each page that nobody is waited for, however many rest: all of them are looked at, and a URL is leased. */
const IMPATIENT: Patience = { longest: 20_000, pace: 1e-6 };
const LEASES = 20_000;

/** In µs: a lease and its end, one URL being free. */
function leaseCost(resting: number, patience: Patience | undefined): number {
  const frontier = openMemoryFrontier({ ...OPTIONS, delay: 10_000 });
  const link = (host: string, page: number, priority: number) => ({
    url: `http://${host}.example/${page}` as CanonicalUrl,
    host: `http://${host}.example` as HostKey,
    priority,
    refusal: null,
    text: TEXT,
    task: PAGE,
  });
  const add = (links: Discovery['links']) =>
    frontier.add({ referrer: null, depth: 0, offTopicDepth: 0, redirects: 0, learnedFrom: 0, links });
  for (let i = 0; i < resting; i++) add([1, 2].map((page) => link(`resting-${i}`, page, i % 2 === 0 ? 0.9 : 0.35)));
  for (let i = 0; i < resting; i++) {
    const next = frontier.next();
    if (next.kind === 'lease')
      frontier.settle(next.lease, { kind: 'done', fate: FATE, discovered: null, host: { ms: 0, sign: 'well', retryAfter: null } });
  }
  add([link('free', 0, 0.3)]);
  const started = performance.now();
  for (let i = 0; i < LEASES; i++) {
    const next = frontier.next('all', patience);
    if (next.kind !== 'lease') throw new Error(`expected a lease, got ${next.kind}`);
    frontier.settle(next.lease, { kind: 'released', host: null });
  }
  return (1000 * (performance.now() - started)) / LEASES;
}

async function runOne(queued: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-frontier-bench-'));
  const path = join(folder, 'frontier');
  const links = new Links(seededRng(1));
  try {
    let frontier: Frontier | null = openLmdbFrontier(path, OPTIONS);
    const filling = performance.now();
    let longest = 0;
    for (let page = 1; frontier.counts().waiting < queued; page++) {
      const discovery = links.discovery();
      const started = performance.now();
      frontier.add(discovery);
      longest = Math.max(longest, performance.now() - started);
      if (page % GROUP === 0) await frontier.commit({}, Promise.resolve());
    }
    await frontier.commit({}, Promise.resolve());
    const filled = (1000 * frontier.counts().discovered) / (performance.now() - filling);
    const spent = { leasing: 0, settling: 0, cpu: 0 };
    for (let done = 1; done <= SETTLEMENTS; done++) {
      const discovered = links.discovery();
      const cpu = process.cpuUsage();
      const started = performance.now();
      const next = frontier.next();
      spent.leasing += performance.now() - started;
      if (next.kind !== 'lease') throw new Error(`expected a lease, got ${next.kind}`);
      const leased = performance.now();
      frontier.settle(next.lease, { kind: 'done', fate: FATE, discovered, host: { ms: 0, sign: 'well', retryAfter: null } });
      longest = Math.max(longest, performance.now() - started);
      if (done % GROUP === 0) await frontier.commit({}, Promise.resolve());
      spent.settling += performance.now() - leased;
      spent.cpu += cpuSince(cpu);
    }
    const { discovered } = frontier.counts();
    const [resident, mapped] = memory();
    const [heap, arrays] = ownMemory();
    await frontier.close();
    // One that is closed takes no memory beside the next.
    frontier = null;
    const columns = statSync(join(path, 'checkpoint.bin')).size;
    const opened = await openedIn(path);
    rmSync(join(path, 'checkpoint.bin'));
    const replayed = await openedIn(path);
    const whole = spent.leasing + spent.settling;
    const cells = [
      queued.toLocaleString('en-US'),
      Math.round(filled).toLocaleString('en-US'),
      Math.round((1000 * SETTLEMENTS) / spent.leasing).toLocaleString('en-US'),
      Math.round((1000 * SETTLEMENTS) / whole).toLocaleString('en-US'),
      ((1000 * whole) / SETTLEMENTS).toFixed(0),
      ((1e6 * spent.cpu) / SETTLEMENTS).toFixed(0),
      longest.toFixed(1),
      (heap / 2 ** 20).toFixed(0),
      (arrays / 2 ** 20).toFixed(0),
      (heap / discovered).toFixed(1),
      (arrays / discovered).toFixed(1),
      resident.toFixed(0),
      mapped.toFixed(0),
      (statSync(join(path, 'data.mdb')).size / 2 ** 20).toFixed(0),
      (columns / 2 ** 20).toFixed(0),
      ...[opened, replayed].flatMap(({ cpu, ownMb }) => [cpu.toFixed(1), ownMb.toFixed(0)]),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What an opening took. */
interface Opened {
  /** Seconds of all threads. */
  readonly cpu: number;
  /** Memory of the process without pages of mapped files, at most. */
  readonly ownMb: number;
}

/** Memory for data of the process that opens: RLIMIT_DATA counts no mapped files (getrlimit(2)). */
const LIMIT = 1.5 * 2 ** 30;

async function openedIn(path: string): Promise<Opened> {
  const args = [...process.execArgv, ...process.argv.slice(1, 2), '--open', path, '--settlements', String(SETTLEMENTS)];
  const child = spawn('prlimit', [`--data=${LIMIT}`, process.execPath, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (bytes) => {
    said += String(bytes);
  });
  let ownMb = 0;
  const look = setInterval(() => {
    ownMb = Math.max(ownMb, memory(child.pid)[2]);
  }, 10);
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`${path}: was not opened in ${LIMIT / 2 ** 30} GB; see above`);
  return { cpu: Number(said), ownMb };
}

/** The process that opens: it says how long it took. */
async function open(path: string): Promise<void> {
  const before = process.cpuUsage();
  const frontier = openLmdbFrontier(path, OPTIONS);
  process.stdout.write(`${cpuSince(before)}\n`);
  if (frontier.counts().visited !== SETTLEMENTS) throw new Error('settlements were lost');
  for (let i = 0; i < LEASES; i++) {
    const next = frontier.next();
    if (next.kind === 'lease') frontier.settle(next.lease, { kind: 'released', host: null });
  }
  await frontier.close();
}

/**
 * Resident memory of a process in MB, of it the pages of mapped files, which the system takes back when it wants room, and its own (proc(5)). Zeros for
 * a process that has ended.
 */
function memory(pid: number | 'self' = 'self'): [resident: number, mapped: number, own: number] {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return [megabytes('VmRSS'), megabytes('RssFile'), megabytes('RssAnon')];
}

/** Bytes in the V8 heap after a collection, and in typed arrays. */
function ownMemory(): [heap: number, arrays: number] {
  globalThis.gc?.();
  // Memory of typed arrays that the first one found free is given back while the process goes on; the next one waits for that.
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return [heapUsed, arrayBuffers];
}

/** In seconds, of all threads. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const FATE: Fate = {
  state: 'off-topic',
  reason: '',
  relevance: 0.02,
  status: 200,
  fetchedAt: 1,
  recordId: null,
  payloadSha256: null,
  page: { title: 'peat', text: 'moss and carbon '.repeat(40), lang: null },
  visited: true,
};

/** Pages of a web without end. */
class Links {
  readonly #rng: Rng;
  #pages = 0;
  #known = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  discovery(): Discovery {
    const page = this.#pages++;
    const referrer = { url: this.#url(page), title: 'peat and moss', relevance: this.#rng(), depth: 3, offTopicDepth: 0 };
    const links = Array.from({ length: LINKS }, () => {
      const isKnown = this.#known > 0 && this.#rng() < KNOWN_SHARE;
      const number = isKnown ? Math.floor(this.#rng() * this.#known) : this.#known++;
      return { url: this.#url(number), host: this.#host(number), priority: this.#rng(), refusal: null, text: TEXT, task: PAGE };
    });
    return { referrer, depth: 4, offTopicDepth: 0, redirects: 0, learnedFrom: 0, links };
  }

  #host(number: number): HostKey {
    return `http://host-${(number * 7919) % HOSTS}.example` as HostKey;
  }

  #url(number: number): CanonicalUrl {
    return `${this.#host(number)}/articles/${number % 97}/page-${number}.html` as CanonicalUrl;
  }
}

if (values.open !== undefined) await open(values.open);
else if (values.part === undefined) runAll();
else await runOne(Number(values.part));
