/** Opens the earlier crawl or corpus of `--since`. */
import { join, resolve } from 'node:path';
import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import type { CrawlRecord } from '../../base/core/types.ts';
import { CARD_FILE } from '../../base/disk/own-names.ts';
import { FolderSource } from '../../corpus/harvest/folder-source.ts';
import { warcNamesOf } from '../../corpus/records/corpus-writer.ts';
import { RECORDS_FILE, readRecords } from '../../corpus/records/records.ts';
import type { WarcFile } from '../../corpus/select/corpus-source.ts';
import { EarlierIndex } from '../../crawling/archive/earlier-pages.ts';
import { EarlierResponses } from '../../crawling/archive/earlier-responses.ts';
import { keptRecordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { type CrawlManifest, crawlPaths, isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { isOfArchive } from '../../crawling/crawl-dir/crawl-parts.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { CrawlOptions } from './crawl-options.ts';

/** The pages of an earlier corpus, and their responses. */
export interface EarlierCorpus {
  readonly pages: EarlierIndex;
  /** null for a crawl that reads an archive, which answers no conditions. */
  readonly responses: EarlierResponses | null;
  readonly version: string;
}

type Options = Pick<CrawlOptions, 'dir' | 'since' | 'onDamaged' | 'signal'>;

/**
 * Reads the records of the earlier corpus once, and the heads of its WARC files.
 * @param since its folder
 * @throws UsageError for a corpus that is not there, is the crawl itself, or has changed since the last run; DataError; the reason of the signal
 */
export async function openEarlier(since: string, manifest: CrawlManifest, options: Options): Promise<EarlierCorpus> {
  const { sinceVersion } = manifest;
  if (since === resolve(options.dir))
    throw new UsageError(`--since ${since}: is this crawl itself; to request its pages again, give --revisit, e.g. --revisit 30d`);
  const { signal = new AbortController().signal, onDamaged } = options;
  const read = await sourceOf(since, onDamaged);
  const pages = new EarlierIndex();
  for await (const record of read.records) {
    signal.throwIfAborted();
    pages.add(record);
  }
  const version = pages.version();
  if (options.since === undefined && sinceVersion !== null && sinceVersion !== version)
    throw new UsageError(
      `${options.dir}: the corpus of --since ${since} has changed since the last run; give --since again to compare with its present pages, or --since none`,
    );
  const files = isOfArchive(manifest) ? null : await read.warcFiles();
  // A damaged response is requested without conditions.
  const responses = files && (await EarlierResponses.find(pages, files, onDamaged ?? (() => undefined), signal));
  return { pages, responses, version };
}

interface EarlierSource {
  /** The newest version of each page, with the text that the page alone shows if the source has that. */
  readonly records: AsyncIterable<Pick<CrawlRecord, 'id' | 'url' | 'text' | 'payloadSha256'>>;
  readonly warcFiles: () => Promise<readonly WarcFile[]>;
}

/** @throws UsageError, DataError */
async function sourceOf(dir: string, onDamaged: OnDamaged | undefined): Promise<EarlierSource> {
  if (isCrawlIn(dir)) return crawlSource(dir, onDamaged);
  const source = await FolderSource.open(dir).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `--since ${dir}: holds neither a crawl nor a harvest with ${CARD_FILE} and corpus.jsonl; give one of these, or --since none`,
      { cause: error },
    );
  });
  return { records: source.records(onDamaged), warcFiles: () => source.warcFiles() };
}

async function crawlSource(dir: string, onDamaged: OnDamaged | undefined): Promise<EarlierSource> {
  const crawl = openCrawl(dir, onDamaged);
  try {
    refuseUnsoundCorpus(crawl);
    const newest = keptRecordsOf(crawl);
    const committed = crawl.frontier.committedOffsets();
    const { corpus } = crawlPaths(dir);
    const warcFiles = warcNamesOf(committed).map((name) => ({ path: join(corpus, name), end: committed[name] ?? 0 }));
    return {
      records: newestIn(readRecords(corpus, committed[RECORDS_FILE] ?? 0, onDamaged), ({ id }) => newest.has(id)),
      warcFiles: () => Promise.resolve(warcFiles),
    };
  } finally {
    await crawl.close();
  }
}

async function* newestIn(records: AsyncIterable<CrawlRecord>, isNewest: (record: CrawlRecord) => boolean): AsyncGenerator<CrawlRecord> {
  for await (const record of records) if (isNewest(record)) yield record;
}
