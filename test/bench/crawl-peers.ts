/**
 * Whole crawls of one loopback web by this crawler and by others: pages per CPU-second, pages a second, peak memory. 200 hosts, pages of 20 KB with
 * some 60 links, no delay, robots.txt obeyed, every page stored, all of the web crawled; pages are counted by the server. Ours also extracts, judges, scores
 * every link, writes WARC for what is on topic and commits durably; wget2 shows what a plain fetcher in C does.
 *
 *   npm run bench -- peers [--pages 10000] [--runs 3] [--peers forager,cheerio,http,scrapy,httrack,wget2] [--crawlee DIR] [--python FILE]
 *
 * --crawlee names a folder where @crawlee/core, @crawlee/cheerio and @crawlee/http are installed; Debian has python3-scrapy, httrack and wget2. Needs
 * Python for measuring. Peers that are not there are named and left out.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/core/errors.ts';

const PEERS = ['forager', 'cheerio', 'http', 'scrapy', 'httrack', 'wget2'] as const;
type Peer = (typeof PEERS)[number];

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
    peers: { type: 'string', default: PEERS.join(',') },
    crawlee: { type: 'string' },
    python: { type: 'string', default: 'python3' },
  },
});
const PAGE_BYTES = 20_000;
/** It waits between its looks at the sockets, so that it takes a tenth of the pages of others in the same time; what it has got by then is counted. */
const HTTRACK_SECONDS = 180;
/** A crawl that hangs is no result. */
const MAX_MS = 30 * 60_000;

/** The web is on this machine: a proxy of the environment is not asked. */
const DIRECT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));

interface Site {
  readonly seeds: readonly string[];
  readonly model: string;
}

interface Run {
  readonly code: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly maxRssMb: number;
  readonly pages: number;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'forager-bench-peers-'));
const pages = Number(values.pages);
const peers = values.peers.split(',').map(peerNamed);
const server = fork(here('crawl-server.ts'), [String(PAGE_BYTES), String(pages), folder], { execArgv: ['--import', 'tsx'] });
try {
  const [site] = (await once(server, 'message')) as [Site];
  const missing = new Map(peers.flatMap((peer) => whyMissing(peer)));
  const runs = new Map<Peer, Run[]>(peers.filter((peer) => !missing.has(peer)).map((peer) => [peer, []]));
  // In turns, so that what else the machine does falls on all alike.
  for (let run = 0; run < Number(values.runs); run++) for (const [peer, own] of runs) own.push(await measure(peer, site));
  report(runs);
  for (const [peer, reason] of missing) console.log(`${peer}: not run, ${reason}`);
} finally {
  server.send('stop');
  rmSync(folder, { recursive: true, force: true });
}

function peerNamed(word: string): Peer {
  const peer = PEERS.find((known) => known === word);
  if (peer === undefined) throw new UsageError(`--peers ${word}: not one of ${PEERS.join(', ')}`);
  return peer;
}

function whyMissing(peer: Peer): [Peer, string][] {
  if (peer === 'forager') return [];
  if (peer === 'cheerio' || peer === 'http') return values.crawlee === undefined ? [[peer, 'no --crawlee']] : [];
  const { error } = spawnSync(peer, ['--version'], { stdio: 'ignore' });
  return error ? [[peer, `${peer} is not installed`]] : [];
}

function commandOf(peer: Peer, { seeds, model }: Site, out: string): string[] {
  switch (peer) {
    case 'forager':
      return [process.execPath, here('crawl-run.mjs'), out, model, String(pages), ...seeds];
    case 'cheerio':
    case 'http':
      return [process.execPath, here('crawl-peers/crawlee.mjs'), peer, values.crawlee ?? '', out, ...seeds];
    case 'scrapy':
      return ['scrapy', 'runspider', here('crawl-peers/spider.py'), '-a', `seeds=${seeds.join(',')}`, '-o', join(out, 'pages.jsonl')];
    case 'httrack':
      return [
        'httrack',
        ...seeds,
        '-O',
        out,
        '-q',
        '-c64',
        '-%c0',
        `-E${HTTRACK_SECONDS}`,
        '-A0',
        '-s2',
        '-r1000',
        '-e',
        '-I0',
        '--disable-security-limits',
        '+127.*',
      ];
    case 'wget2':
      return ['wget2', '-q', '-r', '-l', '0', '--span-hosts', '--max-threads=64', '-P', out, ...seeds];
  }
}

async function measure(peer: Peer, site: Site): Promise<Run> {
  const out = mkdtempSync(join(folder, 'run-'));
  await pagesServed(server);
  const log = join(folder, 'said');
  const args = [here('crawl-peers/measured.py'), log, ...commandOf(peer, site, out)];
  const { stdout, error } = spawnSync(values.python, args, { cwd: out, timeout: MAX_MS, encoding: 'utf8', env: DIRECT });
  if (error) throw error;
  const run = { ...(JSON.parse(stdout) as Omit<Run, 'pages'>), pages: await pagesServed(server) };
  process.stderr.write(`${peer}: ${run.pages} pages in ${run.wallSeconds.toFixed(1)} s, ${run.cpuSeconds.toFixed(1)} s of CPU\n`);
  if (run.code !== 0) process.stderr.write(`${peer} ended with ${run.code}: ${readFileSync(log, 'utf8').slice(-2000)}\n`);
  cpSync(log, join(folder, `${peer}.log`));
  rmSync(out, { recursive: true, force: true });
  return run;
}

/** Pages the server has given since it was last asked. */
async function pagesServed(of: ChildProcess): Promise<number> {
  of.send('count');
  const [told] = (await once(of, 'message')) as [{ readonly pages: number }];
  return told.pages;
}

function report(runs: ReadonlyMap<Peer, readonly Run[]>): void {
  const own = median((runs.get('forager') ?? []).map(rateOf));
  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}; ${values.runs} runs of each, in turns; medians.\n`,
  );
  console.log(
    '| crawler | pages | pages per CPU-second (least to most) | ours / theirs | pages a second | peak memory MB |\n| --- | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const [peer, all] of runs) {
    const rates = all.map(rateOf).sort((a, b) => a - b);
    const wall = median(all.map((run) => run.pages / run.wallSeconds));
    const cells = [
      peer,
      median(all.map((run) => run.pages)).toLocaleString('en-US'),
      `${median(rates).toFixed(0)} (${rates[0]?.toFixed(0)} to ${rates.at(-1)?.toFixed(0)})`,
      (own / median(rates)).toFixed(1),
      wall.toFixed(0),
      Math.max(...all.map(({ maxRssMb }) => maxRssMb)).toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function rateOf({ pages: served, cpuSeconds }: Run): number {
  return served / cpuSeconds;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
