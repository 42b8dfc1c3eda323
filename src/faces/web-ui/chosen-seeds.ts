/** URLs that were chosen on the page as seeds of the next run: a file of the crawl directory that `--seeds` reads. */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { STRINGS } from './strings.ts';

/** A file apart from that of the crawl's own seeds, which the crawl writes itself. */
const FILE = 'chosen-seeds.txt';
/** Most characters in the message that a text is not a URL. */
const MOST_SHOWN = 100;

export function chosenFile(dir: string): string {
  return join(dir, FILE);
}

/** Seeds in the order in which they were chosen; empty without a file. */
export function chosenSeeds(dir: string): readonly string[] {
  const path = chosenFile(dir);
  return isThere(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Adds those that are not there yet. @throws UsageError for a text that is no URL, and for none: then nothing is written; StoreError */
export function chooseSeeds(dir: string, texts: readonly string[]): void {
  write(chosenFile(dir), [...new Set([...chosenSeeds(dir), ...seedUrls(texts)])]);
}

/** URLs of the texts, without empty ones. @throws UsageError for a text that is not a URL, and if none is left */
export function seedUrls(texts: readonly string[]): CanonicalUrl[] {
  const given = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (given.length === 0) throw new UsageError(STRINGS.seeds.nothing);
  return [...new Set(given.map(urlOf))];
}

export function emptyChosenSeeds(dir: string): void {
  rmSync(chosenFile(dir), { force: true });
}

function urlOf(text: string): CanonicalUrl {
  const url = canonicalizeWithRoute(text);
  if (url === null) throw new UsageError(STRINGS.seeds.noUrl(text.slice(0, MOST_SHOWN)));
  return url;
}

/** The whole file or none. */
function write(path: string, urls: readonly string[]): void {
  try {
    replaceFile(path, urls.map((url) => `${url}\n`).join(''));
  } catch (error) {
    throw storeErrorFrom(error, 'writing the chosen seeds', path);
  }
}
