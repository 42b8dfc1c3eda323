/** Corpora of bilingual pages for tests, and sentence pairs made of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord } from '../../../src/base/core/types.ts';
import type { BilingualPage } from '../../support/bilingual-pages.ts';
import { harvestOf, type WrittenPage, writtenCrawl } from '../harvest/written-crawl.ts';

/** The page as a crawl keeps it. @param declares names the other version by `hreflang` */
export function recordOfPage({ id, url, lang, title, text, partner }: BilingualPage, declares = true): WrittenPage {
  const alternates = declares ? [{ lang: lang === 'en' ? 'fr' : 'en', url: partner as CanonicalUrl }] : [];
  return { at: url, id, lang, title, text, metadata: { ...NO_METADATA, alternates } };
}

/** A harvest of those pages, in `dir`/corpus. @returns its folder */
export async function corpusOf(dir: string, pages: readonly WrittenPage[]): Promise<string> {
  const crawl = await writtenCrawl(join(dir, 'crawl'), pages);
  const out = join(dir, 'corpus');
  await harvestOf(crawl, out);
  return out;
}

/** A row of `pairs.jsonl`. */
export interface PairLine {
  readonly id: string;
  readonly left: string;
  readonly right: string;
  readonly score: number;
  readonly kind: string;
  readonly leftId: string;
  readonly leftUrl: string;
  readonly leftStart: number;
  readonly leftEnd: number;
  readonly rightId: string;
  readonly rightUrl: string;
  readonly rightStart: number;
  readonly rightEnd: number;
  readonly pagesBy: string;
  readonly split?: string;
}

export function pairLinesIn(out: string): PairLine[] {
  return linesIn(join(out, 'pairs.jsonl')).map((line) => JSON.parse(line) as PairLine);
}

export function linesIn(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

/** Rows of a table by the names of its columns. */
export function rowsIn(path: string): Record<string, string>[] {
  const [head = '', ...rows] = linesIn(path);
  const names = head.split('\t');
  return rows.map((row) => Object.fromEntries(row.split('\t').map((cell, i) => [names[i] ?? '', cell])));
}

export function textsOf(corpus: string): Map<string, string> {
  return new Map(
    linesIn(join(corpus, 'corpus.jsonl'))
      .map((line) => JSON.parse(line) as CorpusRecord)
      .map(({ id, text }) => [id, text]),
  );
}
