/**
 * Whole crawls of one loopback web by this crawler and by others: pages per CPU-second, pages a second, peak memory. No delay, robots.txt obeyed, every
 * page stored, all of the web crawled; pages are counted by the server, CPU time by the system with all children. Ours also extracts, judges, scores
 * every link, writes WARC for what is on topic and commits durably; wget2 shows what a plain fetcher in C does.
 *
 *   npm run bench -- peers [--pages 2000,20000] [--runs 3] [--gzip] [--peers forager,cheerio,http,scrapy,httrack,wget2] [--python FILE]
 *     [--crawlee DIR | --get-crawlee] [--web debian --dir .cache/debian-web]
 *
 * The generated web has pages of 20 KB with some 60 links on 200 hosts; for --web and --gzip see `npm run bench -- crawl`. --crawlee names a folder where
 * @crawlee/core, @crawlee/cheerio and @crawlee/http are installed; --get-crawlee installs them in a temporary folder, from the package registry. Debian
 * has python3-scrapy, httrack and wget2. Needs Python for measuring. Peers that are not there are named and omitted.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DEFAULT_DIR } from '../../datasets/debian-web/source.ts';
import { median } from '../quality/median.ts';
import { countsOf, type Served, type Site, startSite, trainedModel, webNamed } from './crawl/site.ts';
import { commandOf, installedCrawlee, PEERS, type Peer, peerNamed, proxyEnvironment, versionOfPeer } from './crawl-peers/commands.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: 'generated' },
    dir: { type: 'string', default: DEFAULT_DIR },
    pages: { type: 'string', default: '2000,20000' },
    gzip: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    peers: { type: 'string', default: PEERS.join(',') },
    crawlee: { type: 'string' },
    'get-crawlee': { type: 'boolean', default: false },
    python: { type: 'string', default: 'python3' },
  },
});
const PAGE_BYTES = 20_000;
/** A crawl that hangs is no result. */
const MAX_MS = 30 * 60_000;

interface Run extends Served {
  readonly code: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly maxRssMb: number;
}

const web = webNamed(values.web);
const peers = values.peers.split(',').map(peerNamed);
const lengths = countsOf('pages', values.pages);
const [turns = 0] = countsOf('runs', values.runs);
const folder = mkdtempSync(join(tmpdir(), 'forager-bench-peers-'));
try {
  const crawlee = values['get-crawlee'] ? installedCrawlee(join(folder, 'crawlee')) : values.crawlee;
  const versions = new Map(peers.map((peer) => [peer, versionOfPeer(peer, crawlee)]));
  const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, load ${load()}`;
  console.log(`${machine}; ${values.gzip ? 'gzip' : 'no compression'} on the wire; ${turns} runs of each, in turns; medians.`);
  for (const pages of lengths) await compare(pages, versions, crawlee);
  for (const [peer, version] of versions) if (version === null) console.log(`${peer}: omitted, is not installed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(pages: number, versions: ReadonlyMap<Peer, string | null>, crawlee: string | undefined): Promise<void> {
  const own = mkdtempSync(join(folder, 'web-'));
  const site = await startSite({ web, folder: own, pages, pageBytes: PAGE_BYTES, dir: values.dir, gzip: values.gzip });
  try {
    const model = trainedModel(site, own, 'here');
    const runs = new Map<Peer, Run[]>(peers.filter((peer) => versions.get(peer) !== null).map((peer) => [peer, []]));
    // In turns, so that what else the machine does falls on all alike.
    for (let turn = 0; turn < turns; turn++) for (const [peer, all] of runs) all.push(await measure(peer, site, { model, crawlee, pages }));
    const kind = web === 'debian' ? `real pages on ${site.hosts?.length} hosts` : `generated pages of ${PAGE_BYTES / 1000} KB`;
    console.log(`\n## ${pages.toLocaleString('en-US')} ${kind}, load ${load()}\n`);
    report(runs, versions);
  } finally {
    await site.close();
    rmSync(own, { recursive: true, force: true });
  }
}

async function measure(
  peer: Peer,
  site: Site,
  crawl: { readonly model: string; readonly crawlee: string | undefined; readonly pages: number },
): Promise<Run> {
  const out = mkdtempSync(join(folder, 'run-'));
  await site.served();
  const log = join(folder, 'said');
  const measuring = fileURLToPath(new URL('crawl-peers/measured.py', import.meta.url));
  const command = commandOf(peer, { ...site, ...crawl, out });
  const options = { cwd: out, timeout: MAX_MS, encoding: 'utf8', env: proxyEnvironment(site) } as const;
  const { stdout, stderr, status, signal, error } = spawnSync(values.python, [measuring, log, ...command], options);
  if (error) throw error;
  if (status !== 0) throw new Error(`${peer}: measuring it ended with ${status ?? signal}: ${stderr}`);
  const run = { ...(JSON.parse(stdout) as Omit<Run, keyof Served>), ...(await site.served()) };
  process.stderr.write(`${peer}: ${run.pages} pages in ${run.wallSeconds.toFixed(1)} s, ${run.cpuSeconds.toFixed(1)} s of CPU\n`);
  if (run.code !== 0) process.stderr.write(`${peer} ended with ${run.code}: ${readFileSync(log, 'utf8').slice(-2000)}\n`);
  rmSync(out, { recursive: true, force: true });
  return run;
}

function report(runs: ReadonlyMap<Peer, readonly Run[]>, versions: ReadonlyMap<Peer, string | null>): void {
  const own = median((runs.get('forager') ?? []).map(rateOf));
  const columns = [
    'pages',
    'compressed',
    'CPU-s',
    'pages per CPU-second (least to most)',
    'ours / theirs',
    'pages a second',
    'peak memory MB',
  ];
  console.log(`| crawler | ${columns.join(' | ')} |\n| --- |${' ---: |'.repeat(columns.length)}`);
  for (const [peer, all] of runs) {
    const rates = all.map(rateOf).sort((a, b) => a - b);
    const cells = [
      `${peer} ${versions.get(peer)}`,
      median(all.map((run) => run.pages)).toLocaleString('en-US'),
      `${(100 * median(all.map((run) => run.gzipped / run.pages))).toFixed(0)} %`,
      median(all.map((run) => run.cpuSeconds)).toFixed(1),
      `${median(rates).toFixed(0)} (${rates[0]?.toFixed(0)} to ${rates.at(-1)?.toFixed(0)})`,
      (own / median(rates)).toFixed(2),
      median(all.map((run) => run.pages / run.wallSeconds)).toFixed(0),
      Math.max(...all.map(({ maxRssMb }) => maxRssMb)).toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function rateOf({ pages: served, cpuSeconds }: Run): number {
  return served / cpuSeconds;
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? 'unknown';
}
