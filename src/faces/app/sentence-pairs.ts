import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { withOutput } from '../../base/disk/output.ts';
import { placeOf } from '../../base/disk/whose.ts';
import { canonicalTag } from '../../base/text/language-code.ts';
import { isFolder } from '../../corpus/harvest/harvest-sinks.ts';
import { PAIRS_OUTPUT } from '../../corpus/pairs/pairs-output.ts';
import { PairsWork } from '../../corpus/pairs/pairs-work.ts';
import { type PairsProgress, type PairsReport, writePairs } from '../../corpus/pairs/pairs-writer.ts';
import { OBEYED_BY_DEFAULT } from '../../corpus/select/obeyed-names.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS, DEFAULT_MIN_SCORE } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { obeyedProtocols } from '../../crawling/settings/harvest-kinds.ts';
import { refuseIdle } from '../../crawling/settings/idle-options.ts';
import { atLeast0, call, signal } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { wantedLanguage } from './harvest-crawl.ts';
import { openCorpus } from './open-corpora.ts';

export interface SentencePairsOptions extends Omit<OptionsOf<typeof COMMANDS.pairs>, 'json' | 'skipDamaged'> {
  /** Receives damage in the files that are read; these pages are omitted. Without it, damage ends the operation. */
  readonly onDamaged?: OnDamaged;
  readonly progress?: (progress: PairsProgress) => void;
  readonly signal?: AbortSignal;
  /** Receives a line about a lock that is waited for, and about folders that a killed command left and the user has to look at. */
  readonly warn?: (message: string) => void;
  /** Time of the pairs on their card, ms since 1970. Default: the start of the work. */
  readonly now?: EpochMs;
}

const PAIRS: OptionTable<SentencePairsOptions> = {
  ...without(checksOf(COMMANDS.pairs), 'json', 'skipDamaged'),
  onDamaged: call,
  progress: call,
  signal,
  warn: call,
  now: atLeast0.check,
};

/** See `sentencePairs` of the library. */
export async function sentencePairs(options: SentencePairsOptions): Promise<PairsReport> {
  checkOptions('sentencePairs', PAIRS, options, 'corpus', 'langs', 'out');
  refuseIdle('sentencePairs', COMMANDS.pairs, options);
  const langs = twoLanguages(options.langs);
  const { corpus, out, force, warn, signal: stop, onDamaged, minScore = DEFAULT_MIN_SCORE } = options;
  if (minScore > 1) throw new UsageError(`--min-score ${minScore}: no score is above 1; give a number from 0 to 1`);
  if (!isFolder(out)) throw new UsageError(`${out}: pairs are written to a folder of this machine; give a path as --out`);
  PairsWork.endPublished(placeOf(out));
  return withOutput(out, PAIRS_OUTPUT, { force, ...(stop && { signal: stop }), ...(warn && { warn }) }, async (output) => {
    const { source, crawl, minRelevance } = await openCorpus(corpus, onDamaged);
    return writePairs({
      output,
      source,
      crawl,
      langs,
      minRelevance,
      formats: options.formats ?? ['tmx'],
      minScore,
      reserved: options.reserved ?? 'omit',
      obey: obeyedProtocols(options.obey ?? OBEYED_BY_DEFAULT),
      ...(options.split && { split: options.split }),
      ...(options.rngSeed !== undefined && { rngSeed: options.rngSeed }),
      now: options.now ?? Date.now(),
      ...(onDamaged && { onDamaged }),
      ...(options.progress && { progress: options.progress }),
      ...(stop && { signal: stop }),
    });
  });
}

/** @throws UsageError */
function twoLanguages(tags: readonly string[]): readonly [string, string] {
  const [left, right, ...more] = tags.map(knownTag);
  if (left === undefined || right === undefined || more.length > 0 || areSame(left, right))
    throw new UsageError(`--langs ${tags.join(',')}: pairs have two different languages; give e.g. en,fr`);
  return [left, right];
}

/** Are two tags of the same pages? `zh-Hant` and `zh-TW` are, by the likeliest region and script. */
function areSame(left: string, right: string): boolean {
  const likely = (tag: string) => (tag.includes('-') ? new Intl.Locale(tag).maximize().toString() : tag);
  return likely(left) === likely(right);
}

/** @returns the tag as BCP 47 writes it: `zh-TW` for `zh_tw`. @throws UsageError for an unknown language, and for a part that is no region or script */
function knownTag(tag: string): string {
  const code = wantedLanguage(tag, '--langs');
  if (code === 'und') throw new UsageError(`--langs ${tag}: und means an unknown language; give a code such as en or de`);
  if (!/[-_]/.test(tag)) return code;
  const whole = canonicalTag(tag.trim().replaceAll('_', '-'));
  const { script, region } = whole === null ? {} : new Intl.Locale(whole);
  if (script === undefined && region === undefined)
    throw new UsageError(`--langs ${tag}: does not name a region or script that is known; give e.g. pt-BR, zh-Hant or ${code}`);
  return [code, script, region].filter(Boolean).join('-');
}
