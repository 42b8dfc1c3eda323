/** Pages that are taken back: from a corpus, of which a new one is written, or from a crawl, whose later harvests omit them. */
import { UsageError } from '../../base/core/errors.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { placeOf } from '../../base/disk/whose.ts';
import type { CorpusCard } from '../../corpus/describe/corpus-card.ts';
import { isFolder } from '../../corpus/harvest/harvest-sinks.ts';
import type { WithdrawalChoice } from '../../corpus/records/withdrawal-choice.ts';
import type { Withdrawal } from '../../corpus/records/withdrawals.ts';
import { isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { CORPUS_OUTPUT, type CorpusOutput, refuseBadUrl } from './harvest-crawl.ts';

export interface WithdrawOptions extends Omit<OptionsOf<(typeof COMMANDS)['corpus withdraw']>, 'json' | 'skipDamaged'>, CorpusOutput {}

const WITHDRAW: OptionTable<WithdrawOptions> = {
  ...without(checksOf(COMMANDS['corpus withdraw']), 'json', 'skipDamaged'),
  ...CORPUS_OUTPUT,
};

export interface WithdrawReport {
  /** The pages that were taken back now, in the order of the corpus. */
  readonly withdrawn: readonly Withdrawal[];
  /** Place and card of the new corpus; null for a crawl. */
  readonly outDir: string | null;
  readonly card: CorpusCard | null;
}

/** A withdrawal as its two kinds carry it out. */
export interface WithdrawalWork {
  readonly options: WithdrawOptions;
  readonly choice: WithdrawalChoice;
  /** ISO 8601. */
  readonly date: string;
  readonly now: EpochMs;
}

/** See `withdraw` of the library. */
export async function withdraw(options: WithdrawOptions): Promise<WithdrawReport> {
  checkOptions('withdraw', WITHDRAW, options, 'corpus', 'reason');
  refuseBadUrl(options.corpusUrl);
  const { WithdrawalChoice } = await import('../../corpus/records/withdrawal-choice.ts');
  const now = options.now ?? Date.now();
  const work = { options, choice: new WithdrawalChoice(options), date: new Date(now).toISOString(), now };
  const { corpus, out } = options;
  if (isCrawlIn(corpus)) {
    if (out !== undefined) throw new UsageError(`${corpus}: is a crawl, which keeps the list itself; omit --out, and harvest it again`);
    return (await import('./withdraw-from-crawl.ts')).withdrawFromCrawl(work);
  }
  if (options.purge) throw new UsageError(`${corpus}: is a corpus, and --purge is of a crawl; the new corpus at --out lacks the pages`);
  if (out === undefined) throw new UsageError('--out is missing: a corpus without the pages is written; give a new folder');
  if (isFolder(out) && placeOf(out) === placeOf(corpus))
    throw new UsageError(`${out}: is the corpus itself; give another --out, and delete the old corpus afterwards`);
  return (await import('./withdraw-from-corpus.ts')).withdrawFromCorpus(work, out);
}
