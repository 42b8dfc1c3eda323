/**
 * Speed of a whole crawl on loopback: pages per CPU-second, CPU per page, peak memory, and where the time goes. No delay; every page goes through
 * fetch, read, judge, links, frontier (LMDB) and, when on topic, WARC. Server, crawler and profiled crawler are processes of their own; only the
 * crawler is measured, start-up and JIT included: a short crawl tells of them, a long one of the rest.
 *
 *   npm run bench -- crawl [--pages 2000,20000] [--sizes 20000,60000] [--runs 3] [--gzip] [--no-profile] [--node FILE]
 *   npm run bench -- crawl --web debian [--dir .cache/debian-web] …
 *   npm run bench -- crawl --base COMMIT [--pairs 5] [--base-node FILE] …
 *   npm run bench -- crawl --documents all [--pairs 5] …
 *
 * --web generated (default): pages of each of --sizes on 200 hosts; debian: real ones, on whole hosts of a built Debian web with twice as many. --gzip: answers are
 * compressed. --base clones a commit into a temporary folder, installs and builds it (a minute; needs the package registry), runs it and this tree by
 * turns, and prints the ratio of each pair, their median, and the time by room of both. --node is the Node that runs the crawls, --base-node that of
 * the base; `--base-node OLD --node NEW` without --base compares two Nodes on this tree. --documents is the option of the crawls of this tree; without
 * --base, it compares them with crawls that read none.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_DIR } from '../../datasets/debian-web/source.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { median } from '../quality/median.ts';
import { rateOf, runPairs } from './crawl/pairs.ts';
import { builtCommit, type Measured, measured, roomTimes, type Side, versionOf } from './crawl/sides.ts';
import { countsOf, type Site, startSite, THIS_TREE, trainedModel, webNamed } from './crawl/site.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: 'generated' },
    dir: { type: 'string', default: DEFAULT_DIR },
    pages: { type: 'string', default: '2000,20000' },
    sizes: { type: 'string', default: '20000,60000' },
    gzip: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    'no-profile': { type: 'boolean', default: false },
    node: { type: 'string', default: process.execPath },
    base: { type: 'string' },
    'base-node': { type: 'string' },
    documents: { type: 'string' },
    pairs: { type: 'string', default: '5' },
  },
});

/** One web and one length of crawl. */
interface Case {
  readonly pageBytes: Bytes;
  readonly pages: number;
}

const web = webNamed(values.web);
const profiled = !values['no-profile'];
const [runs = 0] = countsOf('runs', values.runs);
const [pairs = 0] = countsOf('pairs', values.pairs);
const sizes = web === 'debian' ? [0] : countsOf('sizes', values.sizes);
const cases = countsOf('pages', values.pages).flatMap((pages) => sizes.map((pageBytes) => ({ pages, pageBytes })));
const here: Side = { tree: THIS_TREE, node: values.node, ...(values.documents !== undefined && { documents: values.documents }) };
const versions = { here: versionOf(here.node), base: versionOf(values['base-node'] ?? here.node) };

const folder = mkdtempSync(join(tmpdir(), 'forager-bench-crawl-'));
try {
  const paired = values.base !== undefined || values['base-node'] !== undefined || values.documents !== undefined;
  const base: Side = {
    tree: values.base === undefined ? THIS_TREE : builtCommit(values.base, join(folder, 'base')),
    node: values['base-node'] ?? here.node,
  };
  const compared = paired ? `; base: Node ${versions.base}, commit ${commitOf(base.tree)}` : '';
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, load ${load()}`;
  say(
    `Node ${versions.here}, commit ${commitOf(THIS_TREE)}${compared}; ${machine}; ${values.gzip ? 'gzip' : 'no compression'} on the wire`,
  );
  for (const one of cases) await onSite(one, (site, own) => (paired ? pairsOf(base, site, own) : runsOf(site, own)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function onSite(one: Case, bench: (site: Site, own: Case & { readonly folder: string }) => Promise<void>): Promise<void> {
  const own = mkdtempSync(join(folder, 'web-'));
  // A third as many pages when they are three times as large, so that the server can keep them all in memory.
  const pages = Math.round((one.pages * 20_000) / Math.max(20_000, one.pageBytes));
  // Dead links of a real web park some pages, and a crawl that has visited all others waits minutes for hosts whose robots.txt is unreachable.
  const served = web === 'debian' ? 2 * pages : pages;
  const site = await startSite({ web, folder: own, pages: served, pageBytes: one.pageBytes, dir: values.dir, gzip: values.gzip });
  try {
    const kind = web === 'debian' ? `real pages on ${site.hosts?.length} hosts` : `generated pages of ${one.pageBytes / 1000} KB`;
    say(`\n## ${pages.toLocaleString('en-US')} ${kind}\n`);
    await bench(site, { ...one, pages, folder: own });
  } finally {
    await site.close();
    rmSync(own, { recursive: true, force: true });
  }
}

async function pairsOf(base: Side, site: Site, own: Case & { readonly folder: string }): Promise<void> {
  await runPairs({ base, here }, site, { pages: own.pages, pairs, profiled, folder: own.folder }, say);
}

async function runsOf(site: Site, own: Case & { readonly folder: string }): Promise<void> {
  const crawl = { topic: trainedModel(site, own.folder, 'here', here.tree, here.node), pages: own.pages, folder: own.folder };
  const all: Measured[] = [];
  for (let run = 0; run < runs; run++) all.push(await measured(here, site, crawl));
  report(all);
  if (!profiled) return;
  say('\nWhere the time goes (sampling profiler, all threads, busy time only):\n');
  for (const { room, micros } of await roomTimes(here, site, crawl)) say(`  ${room.padEnd(34)} ${micros.toFixed(0).padStart(6)} µs/page`);
}

function report(all: readonly Measured[]): void {
  const rates = all.map(rateOf).sort((a, b) => a - b);
  const cells = [
    all[0]?.pages,
    all[0]?.kept,
    all[0]?.discovered,
    `${median(rates).toFixed(0)} (${rates[0]?.toFixed(0)} to ${rates.at(-1)?.toFixed(0)})`,
    (1000 / median(rates)).toFixed(2),
    median(all.map(({ pages, wallSeconds }) => pages / wallSeconds)).toFixed(0),
    Math.max(...all.map(({ maxRssMb }) => maxRssMb)).toFixed(0),
    load(),
  ];
  say('| pages | kept | URLs | pages/CPU-s median (least to most) | CPU ms/page | pages/s | peak memory MB | load |');
  say(`|${' --- |'.repeat(cells.length)}\n| ${cells.join(' | ')} |`);
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? 'unknown';
}

function commitOf(tree: string): string {
  return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: tree, encoding: 'utf8' }).trim();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
