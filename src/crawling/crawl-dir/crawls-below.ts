/** Crawl directories below a folder: for the error of a command that was given the folder of a project instead. */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST } from '../../base/disk/own-names.ts';

/** `crawls/moss` in a project. */
const DEPTH = 2;
/** Most entries to look at: a folder of a million files is not that of a project. */
const MOST_LOOKED_AT = 1000;

/** Crawl directories, in order of their names. */
export function crawlsBelow(dir: string, depth = DEPTH): string[] {
  const folders = entriesOf(dir)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(dir, name))
    .slice(0, MOST_LOOKED_AT);
  return folders.flatMap((folder) => (existsSync(join(folder, MANIFEST)) ? [folder] : depth > 1 ? crawlsBelow(folder, depth - 1) : []));
}

/** Empty where there is no folder that may be read. */
function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
