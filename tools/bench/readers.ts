/**
 * What it costs to read a crawl: `status`, `ledger`, `seeds`, `why` and `harvest` on crawls of so many discovered URLs. The crawls are made of a web that is
 * made up as it is asked for, 60 links a page, three in four of them new. Each command has a process of its own.
 *
 *   npm run bench -- readers [--discovered 100000,1000000] [--runs 1] [--folder <where the crawls stay; those that are there are read again>]
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { status } from 'forager';
import { madeCrawl } from './large-crawl.ts';

const { values } = parseArgs({
  options: {
    discovered: { type: 'string', default: '100000,1000000' },
    runs: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
});
const MAIN = 'dist/bin/main.js';

interface Spent {
  readonly wall: number;
  readonly cpu: number;
  readonly megabytes: number;
}

/** Tells what the process took, in one line on standard error. */
const TELL = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('\\n' + JSON.stringify({ cpu: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 }));
});`;

function run(args: readonly string[]): Spent {
  const out = openSync('/dev/null', 'w');
  const startedAt = performance.now();
  const { status: code, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(TELL)}`, MAIN, ...args],
    { stdio: ['ignore', out, 'pipe'], encoding: 'utf8' },
  );
  closeSync(out);
  if (code !== 0) throw new Error(`forager ${args.join(' ')}: ${stderr}`);
  const told = JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1)) as Omit<Spent, 'wall'>;
  return { wall: (performance.now() - startedAt) / 1000, ...told };
}

function least(runs: readonly Spent[]): Spent {
  return runs.reduce((best, one) => (one.cpu < best.cpu ? one : best));
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function bench(folder: string, size: number): Promise<void> {
  const dir = await madeCrawl(folder, size);
  const { counts } = await status(dir);
  const out = join(folder, 'harvest');
  const url = 'http://h2.example/articles/2/2.html';
  const commands = {
    status: ['status', dir],
    ledger: ['ledger', dir],
    seeds: ['seeds', dir],
    why: ['why', dir, url],
    harvest: ['harvest', dir, '--out', out, '--force'],
  };
  const what = `${counts.discovered} URLs, ${counts.visited} visited, ${counts.kept} kept, database of ${(sizeOf(join(dir, 'frontier')) / 1e6).toFixed(0)} MB`;
  console.log(`\n${what}\n\n| command | wall s | CPU s | peak MB |\n| --- | ---: | ---: | ---: |`);
  for (const [name, args] of Object.entries(commands)) {
    const { wall, cpu, megabytes } = least(Array.from({ length: Number(values.runs) }, () => run(args)));
    console.log(`| ${name} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${megabytes.toFixed(0)} |`);
  }
  rmSync(out, { recursive: true, force: true });
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'forager-readers-bench-'));
mkdirSync(folder, { recursive: true });
try {
  for (const size of values.discovered.split(',').map(Number)) await bench(folder, size);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
