/** What each function of the library takes. Types say the same to who writes TypeScript; these tables say it to all. */
import { z } from 'zod';
import { faultsIn, type OptionTable } from '../settings/check-options.ts';
import { COMMANDS, NETWORK } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { anyText, call, count, flag, signal, texts } from '../settings/kinds.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { EvalOptions } from './eval.ts';
import type { FetchListOptions } from './fetch-list.ts';
import type { FindSeedsOptions } from './find-seeds.ts';
import type { FreezeOptions } from './freeze.ts';
import type { HarvestOptions } from './harvest.ts';
import type { InputOptions } from './inputs.ts';
import type { WhyOptions } from './inspect.ts';
import type { JudgeOptions } from './judge.ts';
import type { LabellingOptions } from './label.ts';
import type { RelabelOptions } from './label-force.ts';
import type { LinkModelOptions } from './link-model.ts';
import type { ExplainOptions, ExtractOptions } from './read.ts';
import type { RepairOptions } from './repair.ts';
import type { TrainOptions } from './train.ts';
import type { VerifyOptions } from './verify.ts';

const anObject = (of: string) => z.custom<never>((value) => typeof value === 'object' && value !== null, `not an object of ${of}`);

/** The checks of a command's settings, but for those that only the command line has. */
function without<S extends object, const K extends keyof S>(checks: S, ...names: readonly K[]): Omit<S, K> {
  const left = { ...checks };
  for (const name of names) delete left[name];
  return left;
}

const NETWORK_CHECKS = checksOf(NETWORK);
const train = checksOf(COMMANDS.train);
const extract = checksOf(COMMANDS.extract);
const harvest = checksOf(COMMANDS.harvest);
const freeze = checksOf(COMMANDS.freeze);
const label = checksOf(COMMANDS.label);

export const CRAWL: OptionTable<CrawlOptions> = {
  ...without(checksOf(COMMANDS.crawl), 'json', 'skipDamaged'),
  environment: anObject('texts'),
  onOpen: call,
  onMetrics: call,
  onEvent: call,
  onDamaged: call,
  signal,
};

const textOrNull = anyText.check.nullable();

export const FETCH: OptionTable<Partial<FetchListOptions>> = {
  ...NETWORK_CHECKS,
  concurrency: count(1).check,
  userAgent: textOrNull,
  contact: textOrNull,
  proxy: textOrNull,
  emit: call,
  onProgress: call,
  signal,
};

const fetch = z
  .custom<Partial<FetchListOptions>>((value) => typeof value === 'object' && value !== null, 'not an object of options')
  .superRefine((value, context) => {
    for (const { name, why } of faultsIn(FETCH, value))
      context.addIssue({ code: 'custom', message: why, path: name === null ? [] : [name] });
  });
export const INPUT: OptionTable<InputOptions> = { fetch, warn: call };

export const TRAIN: OptionTable<TrainOptions> = {
  ...without(train, 'json', 'delay', 'userAgent', 'contact', 'proxy', 'allowPrivate'),
  ...INPUT,
  onProgress: call,
};

export const JUDGE: OptionTable<JudgeOptions> = { ...INPUT, explain: checksOf(COMMANDS.judge).explain };

export const EXPLAIN: OptionTable<ExplainOptions> = {
  ...INPUT,
  extractor: extract.extractor,
  parts: z.strictObject(
    {
      headings: flag.check.exactOptional(),
      tables: flag.check.exactOptional(),
      code: flag.check.exactOptional(),
      comments: flag.check.exactOptional(),
      title: flag.check.exactOptional(),
    },
    'not an object of parts',
  ),
};

export const EXTRACT: OptionTable<ExtractOptions> = {
  ...EXPLAIN,
  fieldRules: extract.fieldRules,
  markdown: z.enum(['with-links', 'without-links'], 'not one of with-links, without-links'),
};

export const HARVEST: OptionTable<HarvestOptions> = {
  ...without(harvest, 'json', 'skipDamaged'),
  onDamaged: call,
  progress: call,
  signal,
};

export const FREEZE: OptionTable<FreezeOptions> = { ...without(freeze, 'json'), told: call, onProgress: call, signal };

export const FIND_SEEDS: OptionTable<FindSeedsOptions> = {
  ...without(checksOf(COMMANDS.seeds), 'json', 'skipDamaged', 'show', 'format'),
  onDamaged: call,
  onProgress: call,
  signal,
};

export const REPAIR: OptionTable<RepairOptions> = { ...without(checksOf(COMMANDS.repair), 'json'), told: call, onProgress: call, signal };

export const LINK_MODEL: OptionTable<LinkModelOptions> = without(freeze, 'json');

export const LABELLING: OptionTable<LabellingOptions> = { dir: label.dir, rngSeed: label.rngSeed, warn: call, onDamaged: call };

export const RELABEL: OptionTable<RelabelOptions> = { warn: call, onProgress: call, evenIfWorse: label.evenIfWorse };

export const VERIFY: OptionTable<VerifyOptions> = { dir: label.dir, onProgress: call, signal };

export const WHY: OptionTable<WhyOptions> = { topicName: harvest.topicName };

export const EVALUATE: OptionTable<EvalOptions> = {
  ...without(checksOf(COMMANDS.eval), 'json'),
  strategies: texts().check,
  signal,
  onProgress: call,
};
