/** The corpus of a crawl, written for a test, and a harvest of it. */
import { join } from 'node:path';
import { isoTime } from '../../../src/base/core/clock.ts';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import type { SinkOptions } from '../../../src/corpus/harvest/harvest-sink.ts';
import {
  type CrawlHarvestOptions,
  type HarvestReport,
  harvestCorpus,
  type WritingOptions,
} from '../../../src/corpus/harvest/harvest-writer.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import type { CrawlFacts } from '../../../src/corpus/select/crawl-facts.ts';
import { INFO, pageOf, recordOf, T0 } from '../records/samples.ts';

export const CRAWL: CrawlFacts = {
  topicName: 'orchards',
  modelId: '0123456789abcdef',
  threshold: 0.5,
  query: null,
  labels: null,
  seeds: ['http://orchard.example/'],
  strategy: 'apprentice',
  seedsWithoutPage: [],
  runs: [],
  visited: 9,
  reopened: 0,
  reservationFiles: 0,
  budget: { pages: 100, ms: null, bytes: null },
  stopReason: 'page-budget',
  ledger: { kept: 5, 'off-topic': 3, refused: 2 },
  robots: 'obey',
  robotsRefusals: 2,
  software: 'forager/0.0.0-test',
  userAgent: 'forager-test',
};

export interface WrittenPage extends Partial<CorpusRecord> {
  readonly at: string;
  readonly html?: string;
}

export interface WrittenCrawl {
  readonly dir: string;
  readonly records: readonly CorpusRecord[];
}

/** @param dir folder of the crawl; its corpus is in `corpus/` */
export async function writtenCrawl(dir: string, pages: readonly WrittenPage[]): Promise<WrittenCrawl> {
  const corpus = join(dir, 'corpus');
  const writer = await FileCorpusWriter.open(corpus, null, INFO, { maxWarcBytes: 20_000 });
  const records = pages.map(({ at, html = '<p>A page</p>', ...over }, i) => {
    const page = pageOf(at, html, { startedAt: over.fetchedAt === undefined ? T0 + i : Date.parse(over.fetchedAt) });
    const record = recordOf(page, { fetchedAt: isoTime(page.startedAt), ...over });
    writer.append({ kind: 'page', record, page });
    return record;
  });
  await writer.close();
  return { dir: corpus, records };
}

/** What to write and where to, side by side. */
export type Over = Partial<CrawlHarvestOptions & SinkOptions>;

export function writing(outDir: string, over: Over = {}): WritingOptions {
  const { out = outDir, force, s3Endpoint, s3Region, s3Credentials, s3PartBytes, ...written } = over;
  return {
    to: { out, force, s3Endpoint, s3Region, s3Credentials, ...(s3PartBytes !== undefined && { s3PartBytes }) },
    formats: ['jsonl'],
    minRelevance: null,
    languages: [],
    reserved: 'omit',
    dedupe: 'none',
    detectLanguage: null,
    crawl: CRAWL,
    now: T0 + 86_400_000,
    ...written,
  };
}

export function harvestOf({ dir }: WrittenCrawl, outDir: string, over: Over = {}): Promise<HarvestReport> {
  return harvestCorpus({ corpusDir: dir, committed: null, ...writing(outDir, over) });
}
