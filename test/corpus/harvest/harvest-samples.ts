/** Corpora of generated pages, for tests of output formats. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { isoTime } from '../../../src/base/core/clock.ts';
import type { CorpusRecord, FetchedPage } from '../../../src/base/core/types.ts';
import { harvestCorpus } from '../../../src/corpus/harvest/harvest-writer.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { storedResponses } from '../../../src/corpus/records/stored-responses.ts';
import type { CrawlFacts } from '../../../src/corpus/select/crawl-facts.ts';
import { freshDir, INFO, pageOf, recordOf, T0 } from '../records/samples.ts';
import { CRAWL, type Over, writing } from './written-crawl.ts';

export const run = promisify(execFile);
const DAY = 86_400_000;

export const CRAWL_FACTS: CrawlFacts = { ...CRAWL, topicName: 'orchards & “hedges”' };

export interface SampleCrawl {
  readonly dir: string;
  readonly records: readonly CorpusRecord[];
}

/** One page of a sample crawl. */
export interface SamplePage {
  readonly url: string;
  readonly html: string;
  readonly record?: Partial<CorpusRecord>;
  readonly gzip?: boolean;
  /** Revisits that found it unchanged. */
  readonly again?: readonly ('server-not-modified' | 'identical-payload-digest')[];
}

const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;

/** A corpus folder with these pages, as a crawl writes it. @param maxWarcBytes size at which the crawl starts a new file */
export async function sampleCrawl(pages: readonly SamplePage[], maxWarcBytes = 20_000): Promise<SampleCrawl> {
  const dir = join(freshDir(), 'corpus');
  const writer = await FileCorpusWriter.open(dir, null, INFO, { maxWarcBytes });
  const records = pages.map(({ url, html, record: over, gzip }, i) => {
    const page = fetched(url, html, T0 + i * 1000, gzip ?? false);
    const record = recordOf(page, { fetchedAt: isoTime(page.startedAt), ...over });
    writer.append({ kind: 'page', record, page });
    return record;
  });
  await writer.flush();
  const stored = await storedResponses(dir, writer.offsets(), new Set(records.map(({ id }) => id)));
  pages.forEach(({ url, html, gzip, again = [] }, i) => {
    const { id } = records[i] as CorpusRecord;
    again.forEach((profile, k) => {
      const at = T0 + i * 1000 + (k + 1) * DAY;
      const page = profile === 'server-not-modified' ? notModified(url, at) : fetched(url, html, at, gzip ?? false);
      writer.append({ kind: 'revisit', record: { profile, of: id, stored: stored.get(id) ?? null }, page });
    });
  });
  await writer.close();
  return { dir, records };
}

function fetched(url: string, html: string, at: number, gzip: boolean): FetchedPage {
  if (!gzip) return pageOf(url, html, { startedAt: at, endedAt: at + 5 });
  const wireBody = gzipSync(html);
  const rawHeaders = [HTML, ['Content-Encoding', 'gzip'], ['Content-Length', String(wireBody.length)]] as const;
  return pageOf(url, html, { startedAt: at, endedAt: at + 5, wireBody, rawHeaders });
}

function notModified(url: string, at: number): FetchedPage {
  return pageOf(url, '', { status: 304, statusText: 'Not Modified', rawHeaders: [['ETag', '"1"']], startedAt: at, endedAt: at + 5 });
}

/** Harvests a sample crawl. @returns the folder */
export async function harvestOf({ dir }: Pick<SampleCrawl, 'dir'>, over: Over): Promise<string> {
  const options = writing(join(dir, '..', 'harvest'), { force: true, crawl: CRAWL_FACTS, now: T0 + 30 * DAY, ...over });
  const { outDir } = await harvestCorpus({ corpusDir: dir, committed: null, ...options });
  return outDir;
}

/** Does this machine have the program? */
export async function has(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  );
}
