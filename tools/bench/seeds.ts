/**
 * A crawl that begins with very many seeds, from a file: how long it takes to begin, to go on, and to end with its report; memory and disk. A proxy on
 * loopback answers every URL with a small page. Each row has a process of its own.
 *
 *   npm run bench -- seeds [--seeds 1000000] [--hosts 1000,1000000] [--seconds 5]
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { crawl, train } from 'forager';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000000' },
    hosts: { type: 'string', default: '1000,1000000' },
    seconds: { type: 'string', default: '5' },
    part: { type: 'string' },
  },
});
const SECONDS = Number(values.seconds);

interface Part {
  readonly dir: string;
  readonly topic: string;
  readonly seeds: string;
  readonly proxy: string;
}

/** Seconds by the clock, and of the processors, which say more on a busy machine. */
interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

interface Measured {
  /** From the call until pages are asked for. */
  readonly begun: Spent;
  readonly visited: number;
  /** From the last event of a page until the report is there. */
  readonly ended: Spent;
  readonly megabytes: number;
}

async function measure({ dir, topic, seeds, proxy }: Part): Promise<Measured> {
  const startedAt = now();
  let begunAt = startedAt;
  let last = startedAt;
  const report = await crawl({
    ...{ dir, topic, seeds: [seeds], proxy, delay: 0, maxTime: SECONDS * 1000 },
    onStart: () => {
      begunAt = now();
    },
    onEvent: () => {
      last = now();
    },
  });
  return {
    begun: between(startedAt, begunAt),
    visited: report.counts.visited,
    ended: between(last, now()),
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

function now(): Spent {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now() / 1e3, cpu: (user + system) / 1e6 };
}

function between(from: Spent, to: Spent): Spent {
  return { wall: to.wall - from.wall, cpu: to.cpu - from.cpu };
}

/** `12.3 (4.5)`. */
function spentText({ wall, cpu }: Spent): string {
  return `${wall.toFixed(1)} (${cpu.toFixed(1)})`;
}

/** On a thread of its own, since this one waits for the crawl. */
function serve(): Promise<{ readonly origin: string; readonly worker: Worker }> {
  const code = `(${answering.toString()})(require('node:http').createServer, require('node:worker_threads').parentPort)`;
  const worker = new Worker(code, { eval: true });
  return new Promise((resolve) => worker.once('message', (port: number) => resolve({ origin: `http://127.0.0.1:${port}`, worker })));
}

function answering(create: typeof createServer, parent: { postMessage(port: number): void }): void {
  const server = create((request, response) => {
    response.writeHead(request.url?.endsWith('/robots.txt') ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<title>Page</title><p>One of many pages about moss and peat, ${request.url}.</p>`);
  });
  server.listen(0, '127.0.0.1', () => parent.postMessage((server.address() as AddressInfo).port));
}

async function seedFile(path: string, count: number, hosts: number): Promise<void> {
  const out = createWriteStream(path);
  for (let i = 0; i < count; i++) {
    const more = out.write(`http://h${i % hosts}.example/articles/${Math.floor(i / hosts)}/page-${i}.html\n`);
    if (!more) await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  out.end();
  await finished(out);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** In a process of its own. */
function run(part: Part): Measured {
  const args = [...process.execArgv, ...process.argv.slice(1), '--part', JSON.stringify(part)];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new Error('a part failed');
  return JSON.parse(stdout) as Measured;
}

async function runAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-seeds-'));
  const { origin: proxy, worker } = await serve();
  try {
    const topic = join(folder, 'topic');
    await train({ examples: [], keywords: 'moss OR peat', out: topic });
    const columns = [
      'seeds',
      'hosts',
      'run',
      'begins in s (CPU)',
      `visits in ${SECONDS} s`,
      'report in s (CPU)',
      'most memory MB',
      'crawl.json KB',
      'directory MB',
    ];
    console.log(`| ${columns.join(' | ')} |\n|${' ---: |'.repeat(columns.length)}`);
    for (const hosts of values.hosts.split(',').map(Number)) {
      const [seeds, dir] = [join(folder, 'seeds.txt'), join(folder, `crawl-${hosts}`)];
      await seedFile(seeds, Number(values.seeds), hosts);
      let before = 0;
      for (const name of ['first', 'second']) {
        const { begun, visited, ended, megabytes } = run({ dir, topic, seeds, proxy });
        const sizes = [megabytes, statSync(join(dir, 'crawl.json')).size / 1e3, sizeOf(dir) / 1e6].map((size) => size.toFixed(0));
        const cells = [values.seeds, hosts, name, spentText(begun), visited - before, spentText(ended), ...sizes];
        console.log(`| ${cells.join(' | ')} |`);
        before = visited;
      }
      rmSync(dir, { recursive: true });
    }
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.part === undefined) await runAll();
else console.log(JSON.stringify(await measure(JSON.parse(values.part) as Part)));
