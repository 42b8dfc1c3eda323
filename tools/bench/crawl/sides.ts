/** The sides that are compared: a built tree, and the Node that runs it. */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../src/base/core/errors.ts';
import { type RoomTime, roomsOf } from '../profile.ts';
import { packageOf, type SiteFacts, THIS_TREE } from './site.ts';

export interface Side {
  readonly tree: string;
  /** Path of the program. */
  readonly node: string;
  /** `all` or `none`: the documents that its crawls read. Absent: the default. */
  readonly documents?: string;
}

/** What the crawling process reports of itself. */
export interface Measured {
  readonly pages: number;
  readonly kept: number;
  readonly discovered: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly maxRssMb: number;
}

/** A commit of this repository, cloned into a new folder, installed and built: a minute, and the package registry. @throws UsageError for what is no commit */
export function builtCommit(commit: string, folder: string): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], {
    cwd: THIS_TREE,
    encoding: 'utf8',
  });
  if (status !== 0) throw new UsageError(`--base ${commit}: is no commit of this repository`);
  execFileSync('git', ['clone', '--quiet', '--no-checkout', THIS_TREE, folder]);
  execFileSync('git', ['checkout', '--quiet', '--detach', stdout.trim()], { cwd: folder });
  // Ours names this tree, and whether a package is in production.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  for (const args of [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ]) {
    execFileSync('npm', [...args, '--silent'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return folder;
}

/** @throws UsageError when it is no Node */
export function versionOf(node: string): string {
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (error || !/^v\d/.test(stdout)) throw new UsageError(`${node}: is no Node.js`);
  return stdout.trim();
}

/** One crawl in a process of its own. @param folder for its directory, which is removed again */
export async function measured(
  { tree, node, documents }: Side,
  { seeds, proxy, hosts }: SiteFacts,
  { topic, pages, folder }: { readonly topic: string; readonly pages: number; readonly folder: string },
  execArgv: readonly string[] = [],
): Promise<Measured> {
  const dir = join(folder, 'crawl');
  const scope = hosts?.map((host) => `host:${host}`);
  const options = JSON.stringify({ dir, topic, seeds, maxPages: pages, proxy, scope, ...(documents !== undefined && { documents }) });
  const child = fork(fileURLToPath(new URL('crawl-run.mjs', import.meta.url)), [packageOf(tree), options], {
    execPath: node,
    execArgv: [...execArgv],
  });
  const reported = once(child, 'message') as Promise<[Measured]>;
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the crawl by ${tree} ended with ${code}`)));
  const [answer] = await Promise.race([reported, ended]);
  await ended.catch(() => undefined);
  rmSync(dir, { recursive: true, force: true });
  return answer;
}

/** Busy time a page by room, of one crawl under the sampling profiler; most first. */
export async function roomTimes(side: Side, site: SiteFacts, crawl: Parameters<typeof measured>[2]): Promise<readonly RoomTime[]> {
  const dir = join(crawl.folder, 'profile');
  const maps = mapBundle(side.tree);
  try {
    const { pages } = await measured(side, site, crawl, ['--cpu-prof', `--cpu-prof-dir=${dir}`]);
    const profiles = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
    return roomsOf(profiles).map(({ room, micros }) => ({ room, micros: micros / pages }));
  } finally {
    for (const map of maps) rmSync(map);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Source maps beside the bundled workers, without which the rooms of their functions are not known; the code stays the same. @returns the maps */
function mapBundle(tree: string): readonly string[] {
  execFileSync('npm', ['run', 'bundle', '--if-present', '--silent', '--', '--sourcemap=external'], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const bin = join(tree, 'dist', 'bin');
  return readdirSync(join(tree, 'dist')).includes('bin')
    ? readdirSync(bin).flatMap((name) => (name.endsWith('.map') ? [join(bin, name)] : []))
    : [];
}
