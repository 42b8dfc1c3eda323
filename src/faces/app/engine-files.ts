/** The files of a crawl directory that its database keeps for every worker. */

import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DamageError, messageOf, storeErrorFrom } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CommitMark } from '../../base/core/parts/queueing.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import type { EngineCrawl } from '../../crawling/cluster/worker.ts';
import { type CrawlManifest, type CrawlPaths, manifestOf } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { LogMark } from '../../crawling/frontier/frontier-log.ts';
import { storedHeadOf } from '../../crawling/frontier/lmdb-opening.ts';

/** The manifest of a crawl in a database. @throws DataError if it is damaged or of another version */
export function sharedManifest({ name, manifest }: Pick<EngineCrawl, 'name' | 'manifest'>): CrawlManifest {
  const where = `the manifest of ${name} in the database`;
  try {
    return manifestOf(JSON.parse(manifest), where);
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamageError(`${where}: is damaged (${messageOf(error)}); restore the database from a copy`);
    throw error;
  }
}

/** The state of the view of a log in a directory. A directory without one has nothing. */
export interface StoredView {
  readonly committed: CommitMark | null;
  readonly heads: ReadonlyMap<number, number>;
  readonly logged: LogMark | null;
}

/** Reads it without a change; its trees must be sound. @param crawl id of the crawl. @throws StoreError if it is damaged, or of another crawl */
export async function readView({ frontier, database }: CrawlPaths, crawl: string | null): Promise<StoredView> {
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) return { committed: null, heads: new Map(), logged: null };
  const { commit, heads, logged } = await storedHeadOf(frontier, crawl);
  return { committed: commit, heads, logged };
}

/** Files of models, seeds and rules, by path in the directory, with slashes. @throws Error of the file system */
export function filesOf({ dir, model, models, seeds, fieldRules, linkModel, optOut }: CrawlPaths): Map<string, Uint8Array> {
  const paths = [model, models, seeds, fieldRules, linkModel, optOut].flatMap((path) => (isThere(path) ? within(path) : []));
  return new Map(paths.map((path) => [relative(dir, path).split(sep).join('/'), readFileSync(path)]));
}

/** @throws StoreError */
export function bringFiles(dir: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, body] of files) writeInto(join(dir, ...path.split('/')), body);
}

/** Writes a file, with the folders that it needs. @throws StoreError */
export function writeInto(path: string, body: Uint8Array | string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // A full disk leaves no half of it.
    replaceFile(path, body);
  } catch (error) {
    throw storeErrorFrom(error, 'writing a file of the crawl', path);
  }
}

function within(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => within(join(path, name))) : [path];
}
