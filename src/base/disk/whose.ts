/** Owner of a path. All outputs ask before they write: files of a crawl, a harvest or a model are never overwritten by another command. */
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { isOwnLock } from './lock.ts';
import {
  CARD_FILE,
  CHECKSUMS_FILE,
  CORPUS_MARKS,
  CRAWL_NAMES,
  DATABASE,
  DISCARDED,
  FORMER,
  MANIFEST,
  MODEL_FILE,
  MODEL_NAMES,
  PAIRS_CARD_FILE,
  RETURNING,
} from './own-names.ts';

/** Links of links; the system allows 40 (path_resolution(7)). */
const MOST_LINKS = 40;

/** The place that a path leads to through all links, also if it is not there yet. @throws the error of the file system, as for links in a circle */
export function placeOf(path: string, links = 0): string {
  const whole = resolve(path);
  const stat = entryAt(whole);
  if (stat?.isSymbolicLink() && !existsSync(whole) && links < MOST_LINKS)
    return placeOf(resolve(dirname(whole), readlinkSync(whole)), links + 1);
  if (stat !== undefined) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(placeOf(parent, links), basename(whole));
}

/** undefined for none, also below a file. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Refuses a path of Forager's own files: those of any crawl, harvest or model, through any link.
 * @param path as the user wrote it, for the message
 * @param as its option, for the message
 * @throws UsageError; the error of the file system
 */
export function refuseOwned(path: string, as = '--out'): void {
  const place = placeOf(path);
  for (let folder = place; ; folder = dirname(folder)) {
    const owner = ownerIn(folder, relative(folder, place).split(sep).join('/'));
    if (owner !== null) throw new UsageError(`${path}: belongs to ${owner}; give another ${as}`);
    if (folder === dirname(folder)) return;
  }
}

/**
 * Refuses a path inside of a crawl, a harvest or a model as the directory of a crawl. The directory may exist and hold that crawl.
 * @throws UsageError; the error of the file system
 */
export function refusePartOf(dir: string): void {
  const place = placeOf(dir);
  if (!isCrawl(place)) refuseOwned(dir, 'directory');
}

/** @param inside path within the folder; empty for the folder itself. @returns in words; null if the path is nobody's by this folder */
function ownerIn(folder: string, inside: string): string | null {
  const [first = ''] = inside.split('/');
  if (isCrawl(folder)) return first === '' || isOfCrawl(first) ? `the crawl itself (${folder})` : null;
  if (isPartOfCrawl(folder)) return `the crawl itself (${folder})`;
  if (inside === '') return null;
  if (isFile(join(folder, MODEL_FILE)) && MODEL_NAMES.has(first)) return `the topic model in ${folder}`;
  if (isFile(join(folder, CARD_FILE)) && isOfHarvest(folder, inside)) return `the harvest in ${folder}`;
  if (isFile(join(folder, PAIRS_CARD_FILE)) && isOfHarvest(folder, inside)) return `the sentence pairs in ${folder}`;
  return null;
}

/** Has a crawl a file or folder of this name? */
export function isOfCrawl(name: string): boolean {
  return CRAWL_NAMES.has(name) || isOwnLock(name);
}

/** Has a crawl of this directory been moved aside, or is on its way back or being deleted? */
export function hasFormerCrawl(dir: string): boolean {
  return [FORMER, RETURNING, DISCARDED].some((name) => existsSync(join(dir, name)));
}

export function isCrawl(folder: string): boolean {
  return isFile(join(folder, MANIFEST)) || isFile(join(folder, 'frontier', DATABASE));
}

/** Whether a folder is a corpus or frontier that a mount or a move may have parted from its crawl. */
function isPartOfCrawl(folder: string): boolean {
  return [...CORPUS_MARKS, DATABASE].some((name) => isFile(join(folder, name)));
}

/** Is the path a file of the harvest, or a folder with some? */
function isOfHarvest(folder: string, inside: string): boolean {
  const names = harvestNames(folder);
  return names.has(inside) || [...names].some((name) => name.startsWith(`${inside}/`));
}

/** The files that a harvest lists, or a folder of sentence pairs. Nothing else in its folder is of it. Without a list: its card alone. */
export function harvestNames(folder: string): ReadonlySet<string> {
  const sums = textOf(join(folder, CHECKSUMS_FILE));
  const listed = sums.split('\n').flatMap((line) => (/^[0-9a-f]{64} {2}/.test(line) ? [line.slice(66)] : []));
  const texts = listed.includes(TEXT_INDEX) ? textFilesOf(textOf(join(folder, TEXT_INDEX))) : [];
  return new Set([...listed, ...texts, CARD_FILE, PAIRS_CARD_FILE, CHECKSUMS_FILE]);
}

/** Lists the files of `text/`, which are not in `SHA256SUMS`: a row each, its name in the first column. */
const TEXT_INDEX = 'text/index.tsv';

function textFilesOf(index: string): string[] {
  return index.split('\n').flatMap((row) => {
    const [name = ''] = row.split('\t');
    return name === '' ? [] : [name.startsWith('text/') ? name : `text/${name}`];
  });
}

function textOf(path: string): string {
  return isFile(path) ? readFileSync(path, 'utf8') : '';
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
