import { isoTime } from '../../base/core/clock.ts';
import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import { isWrittenDate, NO_WRITTEN_DATE } from '../../base/text/written-date.ts';
import { type CorpusChange, type CorpusDiff, diffCorpora } from '../../corpus/search/corpus-diff.ts';
import { isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCorpus } from './open-corpora.ts';

export interface CompareOptions {
  /** Receives each difference, in an order that depends on the corpora alone. Default: they are only counted. */
  readonly onChange?: (change: CorpusChange) => void;
  /**
   * Date of a crawl, `2026-10-01`: its pages as of the end of that day, without those that were gone by then. Then both corpora are crawls, or states of one.
   * Default: the corpora as they are.
   */
  readonly fromDate?: string;
  /** Date of the second crawl. Default with `fromDate`: now. */
  readonly toDate?: string;
  /** Receives damaged records, which are skipped. Without it, damage ends the comparison. */
  readonly onDamaged?: OnDamaged;
  /** Receives the number of records that were read. */
  readonly progress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** See `compareCorpora` of the library. */
export async function compareCorpora(from: string, to: string, options: CompareOptions = {}): Promise<CorpusDiff> {
  const { onDamaged, onChange = () => undefined, fromDate, toDate } = options;
  if (from === '' || to === '')
    throw new UsageError('corpus diff: the name of a corpus is empty; give folders of harvests or crawl directories');
  if (fromDate === undefined && toDate !== undefined) throw new UsageError('corpus diff: --to needs --from; add it, or omit --to');
  const momentOf = (dir: string, date: string | undefined) => (fromDate === undefined ? undefined : momentIn(dir, date));
  const before = await openCorpus(from, onDamaged, momentOf(from, fromDate));
  const after = await openCorpus(to, onDamaged, momentOf(to, toDate));
  const onPage = (done: number) => {
    options.signal?.throwIfAborted();
    options.progress?.(done);
  };
  return diffCorpora(before, after, { onChange, onPage, onDamaged });
}

/** @throws UsageError */
function momentIn(dir: string, date: string = isoTime(Date.now())): { readonly at: string } {
  if (!isWrittenDate(date)) throw new UsageError(`corpus diff: ${date}: ${NO_WRITTEN_DATE}`);
  if (!isCrawlIn(dir)) throw new UsageError(`${dir}: is not a crawl directory, and only a crawl has states of other dates; omit --from`);
  return { at: date };
}
