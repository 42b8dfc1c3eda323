/** Built webs of entries: one JSON line a page. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { type PageSource, virtualSource } from '../page-source.ts';
import type { EntryPage } from './layout.ts';

/** Where the webs lie, beside the Debian web; git-ignored. */
export const DEFAULT_DIR = '.cache/entry-web';

const pageSchema = z.strictObject({ url: z.string(), html: z.string(), labels: z.array(z.string()) });

/** @returns what was written */
export function writePages(dir: string, name: string, pages: readonly EntryPage[]): string {
  mkdirSync(dir, { recursive: true });
  const text = pages.map((page) => `${JSON.stringify(page)}\n`).join('');
  writeFileSync(fileOf(dir, name), text);
  return text;
}

/** Pages of a web. @throws UsageError when it is not built; DataError naming the line that is no page */
export function readPages(dir: string, name: string): EntryPage[] {
  const file = fileOf(dir, name);
  if (!existsSync(file)) throw new UsageError(`${file}: not there; run npm run data -- entries-build --out ${dir} first`);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line, i) => pageOf(line, `${file}:${i + 1}`));
}

function pageOf(line: string, where: string): EntryPage {
  try {
    return pageSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new DataError(`${where}: not a page of a web (${messageOf(error).replaceAll(/\s+/g, ' ')}); build the web again`, {
      cause: error,
    });
  }
}

/** Serves the pages from memory. */
export function entrySource(pages: readonly EntryPage[]): PageSource {
  const hosts = new Map<string, Map<string, string>>();
  for (const { url, html } of pages) {
    const { host, pathname } = new URL(url);
    hosts.set(host, (hosts.get(host) ?? new Map<string, string>()).set(pathname, html));
  }
  return virtualSource(hosts);
}

function fileOf(dir: string, name: string): string {
  return join(dir, `${name}.jsonl`);
}
