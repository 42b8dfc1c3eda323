/** The records and the ledger of a crawl, as async iterables: for programs that read a crawl without a harvest. */

import { join } from 'node:path';
import type { OnDamaged } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CorpusRecord } from '../../base/core/types.ts';
import { CORPUS_FILE } from '../../corpus/formats/jsonl.ts';
import { RECORDS_FILE, readRecords, recordsOfFile } from '../../corpus/records/records.ts';
import { SiblingVotes } from '../../corpus/select/sibling-votes.ts';
import { keptRecordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import { type CrawlLedgerLine, ledgerOf } from '../../study/inspect/ledger-lines.ts';

export interface ReadOptions {
  /** Called with a message for each damaged record, which is then skipped. Default: a damaged record throws. */
  readonly onDamaged?: OnDamaged;
  readonly signal?: AbortSignal;
}

const READ: OptionTable<ReadOptions> = { onDamaged: call, signal };

/** See `records` of the library. */
export async function* records(dir: string, options: ReadOptions = {}): AsyncGenerator<CorpusRecord> {
  checkOptions('records', READ, options);
  const corpus = join(dir, CORPUS_FILE);
  const all = isThere(corpus) ? recordsOfFile(corpus, Number.POSITIVE_INFINITY, options.onDamaged) : crawled(dir, options);
  for await (const record of all) {
    options.signal?.throwIfAborted();
    yield record;
  }
}

async function* crawled(dir: string, { onDamaged }: ReadOptions): AsyncGenerator<CorpusRecord> {
  const crawl = openCrawl(dir, onDamaged);
  try {
    refuseUnsoundCorpus(crawl);
    const newest = keptRecordsOf(crawl);
    const end = crawl.frontier.committedOffsets()[RECORDS_FILE] ?? 0;
    const kept = async function* (onFault: OnDamaged | undefined) {
      for await (const record of readRecords(crawlPaths(dir).corpus, end, onFault)) if (newest.has(record.id)) yield record;
    };
    const siblings = await SiblingVotes.of(kept(() => undefined));
    for await (const record of kept(onDamaged)) yield siblings.present(record);
  } finally {
    await crawl.close();
  }
}

/** See `ledger` of the library. */
export async function* ledger(dir: string, options: ReadOptions = {}): AsyncGenerator<CrawlLedgerLine> {
  checkOptions('ledger', READ, options);
  const crawl = openCrawl(dir, options.onDamaged);
  try {
    for (const line of ledgerOf(crawl)) {
      options.signal?.throwIfAborted();
      yield line;
    }
  } finally {
    await crawl.close();
  }
}
