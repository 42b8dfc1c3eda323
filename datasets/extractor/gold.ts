/** Pages with the main text a person marked on them, and their split into thirds: two to tune on, one held aside. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getDomain } from 'tldts';
import { DataError } from '../../src/base/core/errors.ts';

/** The third that nothing is tuned on. */
export const HELD_ASIDE = 2;

export interface GoldPage {
  /** Name of its file, without `.jsonl.gz`. */
  readonly file: string;
  readonly id: string;
  /** '' where it is not known. */
  readonly url: string;
  /** Kind of page, e.g. `forum`. */
  readonly type: string;
  readonly html: string;
  /** The main text, by a person. */
  readonly text: string;
}

/**
 * The pages of every `*.jsonl.gz` of a folder, one JSON object a line: id, url, type, html, text.
 * @throws DataError when there is none.
 */
export function readGold(folder: string): GoldPage[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz')) : [];
  if (files.length === 0) throw new DataError(`${folder}: no *.jsonl.gz in it; give a folder of pages with their main text`);
  return files.sort().flatMap((file) => readFile(folder, file));
}

function readFile(folder: string, file: string): GoldPage[] {
  const lines = gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => ({ ...(JSON.parse(line) as GoldPage), file: file.replace('.jsonl.gz', '') }));
}

/** The registrable domain; where there is none the URL or, without one, the id. */
export function domainOf(page: Pick<GoldPage, 'id' | 'url'>): string {
  return getDomain(page.url) ?? (page.url || page.id);
}

/** 0, 1 or 2, by the registrable domain: `HELD_ASIDE`, or for tuning. */
export function thirdOf(page: Pick<GoldPage, 'id' | 'url'>): number {
  return fnv1a(domainOf(page)) % 3;
}

/** 0 or 1, by the registrable domain: for tuning, or held aside. */
export function halfOf(page: Pick<GoldPage, 'id' | 'url'>): number {
  return fnv1a(domainOf(page)) % 2;
}

/** FNV-1a, 32 bits: splits the domains the same way on every machine. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** How the domains lie across files and thirds. */
export interface DomainCensus {
  readonly domains: number;
  readonly inTwoFiles: number;
  /** Domains with pages in more than one third: none, or the split is broken. */
  readonly inTwoThirds: readonly string[];
}

/** The census, over all files together. */
export function domainCensus(pages: readonly GoldPage[]): DomainCensus {
  const thirds = new Map<string, Set<number>>();
  const files = new Map<string, Set<string>>();
  for (const page of pages) {
    const domain = domainOf(page);
    thirds.set(domain, (thirds.get(domain) ?? new Set()).add(thirdOf(page)));
    files.set(domain, (files.get(domain) ?? new Set()).add(page.file));
  }
  return {
    domains: thirds.size,
    inTwoFiles: [...files.values()].filter(({ size }) => size > 1).length,
    inTwoThirds: [...thirds].filter(([, { size }]) => size > 1).map(([domain]) => domain),
  };
}
