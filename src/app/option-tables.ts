/** What each function of the library takes. Types say the same to who writes TypeScript; these tables say it to all. */
import { z } from 'zod';
import { MAIN_TEXT_METHODS } from '../extract/extractor.ts';
import { STRATEGIES } from '../links/strategies.ts';
import { RUNGS } from '../topic/rungs.ts';
import {
  anyText,
  atLeast0,
  call,
  count,
  faultsIn,
  flag,
  limit,
  longSpan,
  type OptionTable,
  signal,
  span,
  text,
  texts,
  unit,
  word,
} from './check-options.ts';
import { LOG_LEVELS } from './crawl-log.ts';
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

const ON_OFF = word(['on', 'off']);
const spanOrAuto = z.union([span, z.literal('auto')], 'not milliseconds, or auto');
const textOrTexts = z.union([text, texts], 'not a text or a list of texts');
const textOrNull = anyText.nullable();

export const CRAWL: OptionTable<CrawlOptions> = {
  dir: text,
  topic: textOrTexts,
  seeds: texts,
  maxPages: limit(1),
  maxTime: longSpan,
  // Which numbers will do is said by `stopYieldOf`.
  stopYield: z.union([z.strictObject({ share: z.number(), visits: z.number() }), z.literal('none')], 'neither { share, visits } nor none'),
  concurrency: count(1),
  delay: span,
  delayFactor: atLeast0,
  perIp: ON_OFF,
  perDomain: flag,
  optOut: text,
  hosts: text,
  environment: z.custom<NonNullable<CrawlOptions['environment']>>(
    (value) => typeof value === 'object' && value !== null,
    'not an object of texts',
  ),
  revisit: span,
  cookies: flag,
  http2: flag,
  scope: texts,
  maxDepth: limit(0),
  maxPagesPerHost: limit(1),
  fieldRules: text,
  strategy: word(STRATEGIES),
  linkModel: text,
  focus: word(['soft', 'hard']),
  tunnel: limit(0),
  patience: spanOrAuto,
  userAgent: text,
  contact: text,
  proxy: text,
  rngSeed: count(0),
  // Its upper end, and which strategies take it, are refused in crawl-settings.ts.
  gamma: atLeast0,
  explore: unit,
  traps: ON_OFF,
  unpark: texts,
  record: flag,
  sitemaps: flag,
  allowPrivate: flag,
  force: flag,
  workers: count(1),
  minFree: z.strictObject({ minFree: atLeast0, patience: longSpan }, 'not { minFree, patience }'),
  onOpen: call,
  log: text,
  logLevel: word(LOG_LEVELS),
  metrics: text,
  onMetrics: call,
  onEvent: call,
  onDamaged: call,
  signal,
};

export const FETCH: OptionTable<Partial<FetchListOptions>> = {
  delay: span,
  concurrency: count(1),
  userAgent: textOrNull,
  contact: textOrNull,
  proxy: textOrNull,
  allowPrivate: flag,
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
  ...INPUT,
  examples: z.array(text, 'not a list of texts').readonly(),
  out: text,
  irrelevant: texts,
  background: texts,
  keywords: anyText,
  rule: anyText,
  rung: word(RUNGS),
  precision: unit,
  extractor: word(MAIN_TEXT_METHODS),
  strict: flag,
  force: flag,
  rngSeed: count(0),
  onProgress: call,
};

export const JUDGE: OptionTable<JudgeOptions> = { ...INPUT, explain: flag };

export const EXPLAIN: OptionTable<ExplainOptions> = {
  ...INPUT,
  extractor: word(MAIN_TEXT_METHODS),
  parts: z.strictObject(
    {
      headings: flag.exactOptional(),
      tables: flag.exactOptional(),
      code: flag.exactOptional(),
      comments: flag.exactOptional(),
      title: flag.exactOptional(),
    },
    'not an object of parts',
  ),
};

export const EXTRACT: OptionTable<ExtractOptions> = { ...EXPLAIN, fieldRules: text, markdown: word(['with-links', 'without-links']) };

export const HARVEST: OptionTable<HarvestOptions> = {
  dir: text,
  out: text,
  topic: text,
  formats: z.array(word(['jsonl', 'warc', 'text']), 'not a list of jsonl, warc, text').readonly(),
  minRelevance: unit,
  languages: texts,
  reserved: word(['omit', 'include']),
  dedupe: word(['exact', 'none']),
  force: flag,
  onDamaged: call,
  progress: call,
  signal,
};

export const FREEZE: OptionTable<FreezeOptions> = { dir: text, out: text, force: flag, told: call, onProgress: call, signal };

export const FIND_SEEDS: OptionTable<FindSeedsOptions> = { dir: text, top: count(1), onDamaged: call, onProgress: call, signal };

export const REPAIR: OptionTable<RepairOptions> = { dir: text, cut: flag, refetch: flag, told: call, onProgress: call, signal };

export const LINK_MODEL: OptionTable<LinkModelOptions> = { dir: text, out: text, force: flag };

export const LABELLING: OptionTable<LabellingOptions> = { dir: text, rngSeed: count(0), warn: call, onDamaged: call };

export const RELABEL: OptionTable<RelabelOptions> = { warn: call, onProgress: call, evenIfWorse: flag };

export const VERIFY: OptionTable<VerifyOptions> = { dir: text, onProgress: call, signal };

export const WHY: OptionTable<WhyOptions> = { topic: text };

export const EVALUATE: OptionTable<EvalOptions> = {
  web: text,
  topic: text,
  pages: count(1),
  delay: span,
  contact: text,
  signal,
  judge: text,
  guide: word(['model', 'labels']),
  strategies: texts,
  budget: count(1),
  seeds: count(1),
  starts: texts,
  examples: texts,
  tunnel: count(0),
  out: text,
  force: flag,
  onProgress: call,
};
