/**
 * Speed of a whole crawl on loopback: pages per CPU-second, CPU per page, peak memory, and where the time goes.
 * 200 hosts, no delay; every page goes through fetch, read, judge, links, frontier (LMDB) and, when on topic, WARC.
 * Server, crawler and profiled crawler are processes of their own; only the crawler is measured, start-up included.
 *
 *   npm run bench -- crawl [--pages 10000] [--sizes 20000,60000] [--runs 3] [--no-profile]
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { roomsOf } from './profile.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    sizes: { type: 'string', default: '20000,60000' },
    runs: { type: 'string', default: '3' },
    'no-profile': { type: 'boolean', default: false },
  },
});

/** What the server reports when it is ready. */
interface Site {
  readonly seeds: readonly string[];
  readonly model: string;
}

/** What the crawling process reports of itself. */
interface Measured {
  readonly pages: number;
  readonly kept: number;
  readonly discovered: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly maxRssMb: number;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'forager-bench-crawl-'));
try {
  say(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, commit ${commit()}`);
  say(
    '\n| page | pages | kept | URLs | pages/CPU-s median (least to most) | CPU ms/page | pages/s | peak memory MB |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
  );
  for (const size of values.sizes.split(',').map(Number)) await bench(size, Number(values.pages));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function bench(pageBytes: number, pages: number): Promise<void> {
  // A third as many pages when they are three times as large, so that the server can keep them all in memory.
  const count = Math.round((pages * 20_000) / Math.max(20_000, pageBytes));
  const server = fork(here('crawl-server.ts'), [String(pageBytes), String(count), folder], { execArgv: ['--import', 'tsx'] });
  const [site] = (await once(server, 'message')) as [Site];
  const runs: Measured[] = [];
  for (let run = 0; run < Number(values.runs); run++) runs.push(await measure(site, count, []));
  report(pageBytes, runs);
  if (!values['no-profile']) await profile(site, count);
  await stop(server);
}

async function measure({ seeds, model }: Site, pages: number, execArgv: readonly string[]): Promise<Measured> {
  const child = fork(here('crawl-run.mjs'), [join(folder, 'crawl'), model, String(pages), ...seeds], { execArgv: [...execArgv] });
  const [measured] = (await once(child, 'message')) as [Measured];
  await once(child, 'exit');
  rmSync(join(folder, 'crawl'), { recursive: true, force: true });
  return measured;
}

/** One more run under the sampling profiler, its samples added up by room. */
async function profile(site: Site, pages: number): Promise<void> {
  const dir = join(folder, 'profile');
  const { pages: read } = await measure(site, pages, ['--cpu-prof', `--cpu-prof-dir=${dir}`]);
  const profiles = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  say('\nWhere the time goes (sampling profiler, all threads, busy time only):\n');
  for (const { room, micros } of roomsOf(profiles)) say(`  ${room.padEnd(34)} ${(micros / read).toFixed(0).padStart(6)} µs/page`);
  say('');
  rmSync(dir, { recursive: true });
}

function report(pageBytes: number, runs: readonly Measured[]): void {
  const rates = runs.map(({ pages, cpuSeconds }) => pages / cpuSeconds).sort((a, b) => a - b);
  const wall = runs.map(({ pages, wallSeconds }) => pages / wallSeconds).sort((a, b) => a - b);
  const median = rates[Math.floor(rates.length / 2)] ?? 0;
  const { pages = 0, kept = 0, discovered = 0 } = runs[0] ?? {};
  const memory = Math.max(...runs.map(({ maxRssMb }) => maxRssMb));
  const range = `${median.toFixed(0)} (${(rates[0] ?? 0).toFixed(0)} to ${(rates.at(-1) ?? 0).toFixed(0)})`;
  say(
    `| ${pageBytes / 1000} KB | ${pages} | ${kept} | ${discovered} | ${range} | ${(1000 / median).toFixed(2)} | ${(wall[Math.floor(wall.length / 2)] ?? 0).toFixed(0)} | ${memory.toFixed(0)} |`,
  );
}

async function stop(server: ChildProcess): Promise<void> {
  server.send('stop');
  await once(server, 'exit');
}

function commit(): string {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim() || 'none';
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
