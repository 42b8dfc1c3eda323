import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import { type CorpusChange, type CorpusDiff, diffCorpora } from '../../corpus/search/corpus-diff.ts';
import { openCorpus } from './open-corpora.ts';

export interface CompareOptions {
  /** Receives each difference, in an order that depends on the corpora alone. Default: they are only counted. */
  readonly onChange?: (change: CorpusChange) => void;
  /** Receives damaged records, which are skipped. Without it, damage ends the comparison. */
  readonly onDamaged?: OnDamaged;
  /** Receives the number of records that were read. */
  readonly progress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** See `compareCorpora` of the library. */
export async function compareCorpora(from: string, to: string, options: CompareOptions = {}): Promise<CorpusDiff> {
  const { onDamaged, onChange = () => undefined } = options;
  if (from === '' || to === '')
    throw new UsageError('corpus diff: the name of a corpus is empty; give folders of harvests or crawl directories');
  const [before, after] = [await openCorpus(from, onDamaged), await openCorpus(to, onDamaged)];
  const onPage = (done: number) => {
    options.signal?.throwIfAborted();
    options.progress?.(done);
  };
  return diffCorpora(before, after, { onChange, onPage, onDamaged });
}
