/** The seeds of a crawl: in its manifest while they are few, else in a file of their own, since the manifest is written anew with each run. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DamageError, messageOf, storeErrorFrom } from '../core/errors.ts';
import type { Parts } from '../core/parts.ts';
import type { CanonicalUrl, Discovery, HostKey } from '../core/types.ts';
import { commitAll } from '../crawl/committer.ts';
import { listOfSeed } from '../crawl/lists.ts';
import { discoverSeeds } from '../crawl/page-records.ts';
import { canonicalize } from '../web/url.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';

/** Some hundred KB of `crawl.json` at the most. */
const MOST_IN_MANIFEST = 1000;
/** Seeds added at a time, as links of a list are. */
const SEEDS_AT_ONCE = 500;
/** Seeds, and sitemaps of their hosts, held in memory before they are committed. */
const COMMIT_AFTER = 20_000;

const REMEDY = 'restore it from a copy, or start a new crawl directory';

/** In the order they were given. @throws DataError when their file is missing or was changed, or one of them is no URL */
export function seedsOf(
  paths: Pick<CrawlPaths, 'seeds' | 'manifest'>,
  { seeds, seedFile }: Pick<CrawlManifest, 'seeds' | 'seedFile'>,
): CanonicalUrl[] {
  const written = seedFile === null ? seeds : linesOf(paths.seeds, seedFile);
  const path = seedFile === null ? paths.manifest : paths.seeds;
  return written.map((text) => {
    const url = canonicalize(text);
    if (!url) throw new DamageError(`${path}: the seed ${text} of this crawl is no URL; ${REMEDY}`);
    return url;
  });
}

/** Those before, and those that are new. */
export function joinedSeeds(before: readonly CanonicalUrl[], given: readonly CanonicalUrl[]): readonly CanonicalUrl[] {
  if (given.length === 0) return before;
  const known = new Set(before);
  const fresh = given.filter((url) => !known.has(url));
  return fresh.length === 0 ? before : [...before, ...fresh];
}

/**
 * Put seeds where they belong. The file only grows, and what counts of it is what the manifest says, which is still to be written: a crash between the
 * two leaves the seeds of before.
 * @param seeds those the manifest has, and new ones behind them
 * @throws StoreError
 */
export function keepSeeds(
  { seeds: path }: Pick<CrawlPaths, 'seeds'>,
  manifest: CrawlManifest,
  seeds: readonly CanonicalUrl[],
): CrawlManifest {
  const { seedFile } = manifest;
  if (seeds.length === (seedFile?.count ?? manifest.seeds.length)) return manifest;
  if (seeds.length <= MOST_IN_MANIFEST) return { ...manifest, seeds: [...seeds] };
  const fresh = linesFor(seeds.slice(seedFile?.count ?? 0));
  try {
    if (seedFile === null) writeFileSync(path, fresh, { flush: true });
    else {
      truncateSync(path, seedFile.bytes);
      writeFileSync(path, fresh, { flag: 'a', flush: true });
    }
    const bytes = readFileSync(path);
    return { ...manifest, seeds: [], seedFile: { count: seeds.length, bytes: bytes.length, sha256: sha256Of(bytes) } };
  } catch (error) {
    throw storeErrorFrom(error, 'writing the seeds', path);
  }
}

/**
 * Make the seeds known to the frontier, and the sitemaps their hosts may have; those known already stay as they are. Ends early when `signal` aborts: the
 * next run begins with the same seeds.
 * @throws StoreError
 */
export async function addSeeds(seeds: readonly CanonicalUrl[], parts: Parts, signal: AbortSignal): Promise<void> {
  const { frontier, corpus } = parts;
  let held = 0;
  for (const discovery of discoveriesOf(seeds, parts)) {
    if (signal.aborted) break;
    frontier.add(discovery);
    held += discovery.links.length;
    if (held < COMMIT_AFTER) continue;
    held = 0;
    await commitAll(frontier, corpus);
    // Answers to a health check, Ctrl-C.
    await setImmediate();
  }
  await commitAll(frontier, corpus);
}

function* discoveriesOf(seeds: readonly CanonicalUrl[], parts: Parts): Generator<Discovery> {
  for (let at = 0; at < seeds.length; at += SEEDS_AT_ONCE) yield discoverSeeds(seeds.slice(at, at + SEEDS_AT_ONCE), parts);
  if (!parts.lists) return;
  const hosts = new Set<string>();
  for (const seed of seeds) {
    const host = parts.hostKeyOf(seed);
    const list = hosts.has(host) ? null : listOfSeedHost(seed, host, parts);
    hosts.add(host);
    if (list) yield list;
  }
}

function linesOf(path: string, { count, bytes, sha256 }: NonNullable<CrawlManifest['seedFile']>): string[] {
  if (!existsSync(path)) throw new DamageError(`${path}: is missing, though the crawl has seeds there; ${REMEDY}`);
  const content = contentOf(path).subarray(0, bytes);
  const lines = content.toString('utf8').split('\n').slice(0, -1);
  if (lines.length !== count || sha256Of(content) !== sha256)
    throw new DamageError(`${path}: was changed since the crawl wrote it; ${REMEDY}`);
  return lines;
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); ${REMEDY}`, { cause: error });
  }
}

function linesFor(seeds: readonly CanonicalUrl[]): string {
  return seeds.map((url) => `${url}\n`).join('');
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** `/sitemap.xml` of a seed's host: where sites that name none in robots.txt have theirs. null where it is known already. */
function listOfSeedHost(seed: CanonicalUrl, host: HostKey, parts: Parts): Discovery | null {
  const sitemap = canonicalize('/sitemap.xml', host);
  return sitemap && parts.frontier.standing(sitemap) === null ? listOfSeed(seed, sitemap, parts) : null;
}
