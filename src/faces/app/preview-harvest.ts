/** The counts of a harvest, before it is made. */
import { UsageError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';
import { type HarvestProgress, previewCorpus } from '../../corpus/harvest/harvest-writer.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';
import type { RecordTallies } from '../../corpus/select/harvest-facts.ts';
import { keptRecordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { newestOf, viewOf } from './crawl-view.ts';

export interface PreviewOptions {
  readonly dir: string;
  /** Thresholds in ascending order. */
  readonly thresholds: readonly Unit[];
  readonly progress?: (progress: HarvestProgress) => void;
  readonly signal?: AbortSignal;
}

export interface HarvestPreview {
  /** Records of each threshold: the `records` of the card of a harvest with that `minRelevance` and the defaults otherwise. */
  readonly thresholds: readonly { readonly minRelevance: Unit; readonly records: RecordTallies }[];
}

/** Reads all records of the corpus once. @throws UsageError for thresholds out of order; as `harvest` for damage that no record may have */
export async function previewHarvest({ dir, thresholds, progress, signal }: PreviewOptions): Promise<HarvestPreview> {
  if (thresholds.some((one, i) => one < (thresholds[i - 1] ?? 0)))
    throw new UsageError('previewHarvest: the thresholds are not in ascending order; sort them');
  const crawl = openCrawl(dir);
  try {
    refuseUnsoundCorpus(crawl);
    const expected = keptRecordsOf(crawl);
    const { present } = viewOf(crawl, undefined);
    const source = {
      corpusDir: crawlPaths(dir).corpus,
      committed: crawl.frontier.committedOffsets(),
      isNewest: newestOf(expected),
      withdrawals: Withdrawals.at(crawlPaths(dir).withdrawn),
      obey: crawl.manifest.obey,
      ...(present && { present }),
    };
    const tallies = await previewCorpus(source, thresholds, (done) => {
      signal?.throwIfAborted();
      progress?.({ stage: 'select', done, total: expected.size });
    });
    return { thresholds: tallies.map((records, i) => ({ minRelevance: thresholds[i] ?? 0, records })) };
  } finally {
    await crawl.close();
  }
}
