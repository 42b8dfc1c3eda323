/** Real pages with labels of walls. The repository has their labels; the pages are on your machine. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGold } from '../extractor/gold.ts';
import type { LabelledPage, WallHalf, WallLabel } from './labelled-page.ts';

/** Folders with the pages; a folder that is not there has none. */
export interface RealFolders {
  /** Of `*.jsonl.gz`, as `readGold` reads them. */
  readonly extraction: string;
  /** A built Debian web. */
  readonly web: string;
}

const LABELS = new URL('real-labels.tsv', import.meta.url);

/** The pages that are there, in the order of their labels. */
export function realPages({ extraction, web }: RealFolders): { readonly pages: readonly LabelledPage[]; readonly missing: number } {
  const gold = existsSync(extraction) ? new Map(readGold(extraction).map((page) => [`${page.file}:${page.id}`, page])) : new Map();
  const rows = readFileSync(LABELS, 'utf8').trim().split('\n').slice(1);
  const pages = rows.flatMap((row): LabelledPage[] => {
    const [half, label, source, name = ''] = row.split('\t') as [WallHalf, WallLabel, string, string?];
    const path = join(web, name);
    const page =
      source === 'extraction'
        ? gold.get(name)
        : existsSync(path)
          ? { url: `https://${name}`, html: readFileSync(path, 'utf8') }
          : undefined;
    return page === undefined ? [] : [{ name, label, half, url: page.url, html: page.html }];
  });
  return { pages, missing: rows.length - pages.length };
}
