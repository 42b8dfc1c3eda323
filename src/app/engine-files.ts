/** The files of a crawl directory that its database keeps for every worker. */

import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { storeErrorFrom } from '../core/errors.ts';
import { isThere } from '../core/on-disk.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { replaceFile } from '../crawl-dir/replaced-file.ts';

/** By path in the directory, with slashes: models, seeds, rules. @throws Error of the file system */
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
