import { resolve } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import type { Output } from '../../base/disk/output.ts';
import { placeOf } from '../../base/disk/whose.ts';
import { detectLanguage } from '../../base/text/language.ts';
import { mergedFacts } from '../../corpus/describe/merged-facts.ts';
import { isFolder } from '../../corpus/harvest/harvest-sinks.ts';
import { type HarvestReport, writeCorpus } from '../../corpus/harvest/harvest-writer.ts';
import type { CorpusPart } from '../../corpus/select/harvest-facts.ts';
import { MergedSource, type ReadPart } from '../../corpus/select/merged-source.ts';
import { OBEYED_BY_DEFAULT } from '../../corpus/select/obeyed-names.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { obeyedProtocols } from '../../crawling/settings/harvest-kinds.ts';
import { refuseIdle } from '../../crawling/settings/idle-options.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { CORPUS_OUTPUT, type CorpusOutput, refuseBadUrl, wantedLanguage, withCorpusOutput } from './harvest-crawl.ts';
import { namesOf, type OpenCorpus, openCorpus } from './open-corpora.ts';

export interface MergeOptions
  extends Omit<OptionsOf<typeof COMMANDS.corpus>, 'action' | 'json' | 'skipDamaged' | 'out' | 'frame' | 'weights' | 'weightBy'>,
    CorpusOutput {
  readonly out: string;
}

const MERGE: OptionTable<MergeOptions> = {
  ...without(checksOf(COMMANDS.corpus), 'action', 'json', 'skipDamaged', 'frame', 'weights', 'weightBy'),
  ...CORPUS_OUTPUT,
};

/** See `mergeCorpora` of the library. */
export async function mergeCorpora(options: MergeOptions): Promise<HarvestReport> {
  checkOptions('mergeCorpora', MERGE, options, 'corpora', 'out');
  refuseIdle('mergeCorpora', COMMANDS.corpus, options);
  const languages = (options.languages ?? []).map((tag) => wantedLanguage(tag));
  refuseBadUrl(options.corpusUrl);
  // A folder that is named twice is one corpus.
  const dirs = [...new Map(options.corpora.map((dir) => [resolve(dir), dir])).values()];
  if (dirs.length === 0) throw new UsageError('corpus merge: no corpus is named; give folders of harvests or crawl directories');
  for (const dir of dirs)
    if (isFolder(options.out) && placeOf(dir) === placeOf(options.out))
      throw new UsageError(`${options.out}: is one of the corpora to merge; give another --out`);
  return withCorpusOutput(options, (claimed) => merged(dirs, options, languages, claimed));
}

async function merged(
  dirs: readonly string[],
  options: MergeOptions,
  languages: readonly string[],
  claimed: Output | null,
): Promise<HarvestReport> {
  const { onDamaged } = options;
  const names = namesOf(dirs);
  const corpora: OpenCorpus[] = [];
  for (const dir of dirs) corpora.push(await openCorpus(dir, onDamaged));
  const parts = corpora.map(({ source, minRelevance }, i) => ({ source, minRelevance, name: names[i] ?? source.dir }));
  const read = (done: number) => {
    options.signal?.throwIfAborted();
    options.progress?.({ stage: 'compare', done, total: null });
  };
  const source = await MergedSource.open(parts, read, onDamaged);
  const corpusOf = new Map(parts.map(({ name }, i) => [name, corpora[i]]));
  const { corpora: _, out, force, s3Endpoint, s3Region, s3Credentials, ...shaping } = options;
  return writeCorpus(source, {
    ...shaping,
    to: { out, force, s3Endpoint, s3Region, s3Credentials, ...(claimed && { claimed }) },
    formats: options.formats ?? ['jsonl'],
    minRelevance: options.minRelevance ?? null,
    languages,
    reserved: options.reserved ?? 'omit',
    obey: obeyedProtocols(options.obey ?? OBEYED_BY_DEFAULT),
    dedupe: options.dedupe ?? 'exact',
    detectLanguage,
    crawl: mergedFacts(corpora.map(({ crawl }) => crawl)),
    corpora: source.parts.flatMap((part) => {
      const corpus = corpusOf.get(part.name);
      return corpus ? [partOf(part, corpus)] : [];
    }),
    now: options.now ?? Date.now(),
  });
}

function partOf({ name, version, pages }: ReadPart, { crawl, precision }: OpenCorpus): CorpusPart {
  const topic = { name: crawl.topicName, modelId: crawl.modelId, threshold: crawl.threshold };
  return { name, version, pages, topic, ...(precision && { precision }) };
}
