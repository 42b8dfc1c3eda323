/** The seeds of a crawl: a few are in its manifest, many in a file of their own, since each run writes the manifest again. */

import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DamageError, messageOf, storeErrorFrom } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, Discovery } from '../../base/core/types.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { commitAll } from '../crawl/committer.ts';
import { discoverSeeds } from '../crawl/page-records.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';

/** Most seeds in the manifest: at most a few hundred KB of `crawl.json`. */
const MOST_IN_MANIFEST = 1000;
/** Seeds added at a time, as with the links of a list. */
const SEEDS_AT_ONCE = 500;
/** Seeds to hold in memory before a commit. */
const COMMIT_AFTER = 20_000;

const REMEDY = 'restore it from a copy, or start a new crawl directory';

/**
 * Seeds in the order in which they were given. @throws DataError if their file is missing or was changed, or if one of them is not a URL
 */
export function seedsOf(
  paths: Pick<CrawlPaths, 'seeds' | 'manifest'>,
  { seeds, seedFile }: Pick<CrawlManifest, 'seeds' | 'seedFile'>,
): CanonicalUrl[] {
  const written = seedFile === null ? seeds : linesOf(paths.seeds, seedFile);
  const path = seedFile === null ? paths.manifest : paths.seeds;
  return written.map((text) => {
    const url = canonicalizeWithRoute(text);
    if (!url) throw new DamageError(`${path}: the seed ${text} of this crawl is not a URL; ${REMEDY}`);
    return url;
  });
}

/** The earlier seeds, then the new ones. */
export function joinedSeeds(before: readonly CanonicalUrl[], given: readonly CanonicalUrl[]): readonly CanonicalUrl[] {
  if (given.length === 0) return before;
  const known = new Set(before);
  const fresh = given.filter((url) => !known.has(url));
  return fresh.length === 0 ? before : [...before, ...fresh];
}

/**
 * Store seeds in the manifest or in their file. The file only grows. The manifest, which is written later, says how much of the file counts: a crash
 * in between leaves the earlier seeds.
 * @param seeds the manifest's seeds, followed by the new ones
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
 * Add the seeds to the frontier; known ones stay as they are. Ends early if `signal` aborts: the next run starts with the same seeds.
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
    // Leaves time for health checks and Ctrl-C.
    await setImmediate();
  }
  await commitAll(frontier, corpus);
}

/** Adds seeds in one tick, while the crawl runs: its loop commits them. */
export function addSeedsAtOnce(seeds: readonly CanonicalUrl[], parts: Parts): void {
  for (const discovery of discoveriesOf(seeds, parts)) parts.frontier.add(discovery);
}

function* discoveriesOf(seeds: readonly CanonicalUrl[], parts: Parts): Generator<Discovery> {
  for (let at = 0; at < seeds.length; at += SEEDS_AT_ONCE) yield discoverSeeds(seeds.slice(at, at + SEEDS_AT_ONCE), parts);
}

function linesOf(path: string, { count, bytes, sha256 }: NonNullable<CrawlManifest['seedFile']>): string[] {
  if (!isThere(path)) throw new DamageError(`${path}: is missing, but the crawl has its seeds there; ${REMEDY}`);
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
