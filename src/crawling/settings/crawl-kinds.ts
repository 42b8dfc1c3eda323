/** Kinds of values that only options of a crawl have. */

import * as z from 'zod';
import { DOCUMENT_KIND_NAMES, type DocumentKindName } from '../../base/core/document-kind-names.ts';
import { UsageError } from '../../base/core/errors.ts';
import type { RevisitBudget } from '../../base/core/refresh-plan.ts';
import { type Bytes, type FollowedLanguages, LISTS_FOLLOWED, type ListsFollowed, type Ms, type Unit } from '../../base/core/types.ts';
import { primaryLang } from '../../base/text/language.ts';
import { isWrittenDate, NO_WRITTEN_DATE } from '../../base/text/written-date.ts';
import { isOwnStrategy, type OwnStrategyFile, STRATEGIES, type Strategy } from '../../reading/links/strategy-names.ts';
import type { YieldLimit } from '../crawl/recent-yield.ts';
import { choice, choices, type Kind, msText, ownKind, share, spanOf } from './kinds.ts';

/** Longest window of visits for a limit: the crawl holds all of them in memory. */
const MOST_VISITS = 1_000_000;

const yieldCheck = z.union(
  [z.strictObject({ share: z.number(), visits: z.number() }), z.literal('none')],
  'neither { share, visits } nor none',
);

/** `2%/500`: at least 2 % of the last 500 visits; `none` removes an earlier limit. */
const storedYield = z.strictObject({ share: z.number(), visits: z.number() });

export const stopYield: Kind<YieldLimit | 'none'> = {
  write: (stored) => {
    const { share: least, visits } = storedYield.parse(stored);
    return `${share.write?.(least)}/${visits}`;
  },
  ...ownKind(yieldCheck, 'share/visits, or none', (word, where) => {
    if (word === 'none') return word;
    const [, percent, visits] = /^(\d+(?:\.\d+)?)%\/(\d+)$/.exec(word) ?? [];
    if (percent === undefined) throw new UsageError(`${where} ${word}: not a share of visits; write e.g. 2%/500, or none`);
    return checkedYield({ share: Number(percent) / 100, visits: Number(visits) });
  }),
};

const NO_BUDGET = 'not a number of revisits; write e.g. 2000/day, 5%/day (of the kept pages) or 10% (of the requests)';
const budgetCheck = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('a-day'), count: z.number().positive() }),
    z.strictObject({ kind: z.literal('of-pages-a-day'), share: z.number().positive() }),
    z.strictObject({ kind: z.literal('of-requests'), share: z.number().gt(0).lt(1) }),
  ],
  NO_BUDGET,
);
const DAYS = { hour: 1 / 24, day: 1, week: 7 } as const;

/** `2000/day` (or `/hour`, `/week`), `5%/day` of the kept pages, `10%` of the requests. */
export const revisitBudget: Kind<RevisitBudget> = ownKind(budgetCheck, 'revisits/day, or share', (word, where) => {
  const [, number, percent, per] = /^(\d+(?:\.\d+)?)(%?)(?:\/(hour|day|week))?$/.exec(word) ?? [];
  const [amount, days] = [Number(number), per === undefined ? null : DAYS[per as keyof typeof DAYS]];
  const share = amount / 100;
  const written = percent === '%' ? shareBudget(share, days) : { kind: 'a-day' as const, count: amount / (days ?? Number.NaN) };
  const budget = budgetCheck.safeParse(written);
  if (!budget.success) throw new UsageError(`${where} ${word}: ${NO_BUDGET}`);
  return budget.data;
});

/** @param days null for a share of the requests */
function shareBudget(share: Unit, days: number | null): RevisitBudget {
  return days === null ? { kind: 'of-requests', share } : { kind: 'of-pages-a-day', share: share / days };
}

const partCheck = z.union([z.number().gt(0).lt(1), z.literal('none')], 'neither a share above 0 and below 1 nor none');

/** `80%`: a share below the whole; `none` removes an earlier one. */
export const partOfWhole: Kind<Unit | 'none'> = {
  write: (stored) => share.write?.(stored) ?? '',
  ...ownKind(partCheck, 'share, or none', (word, where) => {
    if (word === 'none') return word;
    const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(word) ?? [];
    const value = Number(percent) / 100;
    if (percent === undefined || value <= 0 || value >= 1)
      throw new UsageError(`${where} ${word}: not a share above 0 and below 100 %; write e.g. 80%, or none`);
    return value;
  }),
};

export interface RelevanceBand {
  readonly low: Unit;
  readonly high: Unit;
}

const NO_BAND = 'not two relevances from 0 to 1, the lower one first; write e.g. .2...8, or none';
const bandCheck = z.union(
  [
    z
      .strictObject({ low: z.number().min(0).max(1), high: z.number().min(0).max(1) })
      .refine(({ low, high }) => low <= high, 'the lower relevance comes first'),
    z.literal('none'),
  ],
  NO_BAND,
);

/** `.2...8`: relevances, both inclusive; `none` removes an earlier one. */
export const relevanceBand: Kind<RelevanceBand | 'none'> = {
  write: (stored) => {
    const { low, high } = storedBand.parse(stored);
    return `${low}..${high}`;
  },
  ...ownKind(bandCheck, 'low..high, or none', (word, where) => {
    if (word === 'none') return word;
    const [, low, high] = /^(\d*\.?\d+)\.\.(\d*\.?\d+)$/.exec(word) ?? [];
    const band = bandCheck.safeParse({ low: Number(low), high: Number(high) });
    if (!band.success) throw new UsageError(`${where} ${word}: ${NO_BAND}`);
    return band.data;
  }),
};

const storedBand = z.strictObject({ low: z.number(), high: z.number() });

const PARTITIONS = 'not a way to divide; write url:N, host:N or site:N, e.g. host:8';
const MOST_PARTITIONS = 10_000;
const partitioningCheck = z.strictObject({ by: z.enum(['url', 'host', 'site']), count: z.number().int().min(1).max(MOST_PARTITIONS) });

/** `host:8`: eight partitions by host. */
export const partitioning: Kind<z.infer<typeof partitioningCheck>> = ownKind(partitioningCheck, 'url|host|site:N', (word, where) => {
  const [, by, count] = /^(url|host|site):(\d{1,6})$/.exec(word) ?? [];
  const value = partitioningCheck.safeParse({ by, count: Number(count) });
  if (!value.success) throw new UsageError(`${where} ${word}: ${PARTITIONS}`);
  return value.data;
});

/** A day, or a moment of it, in UTC (ISO 8601). */
export const day: Kind<string> = ownKind(z.string('not a text').refine(isWrittenDate, NO_WRITTEN_DATE), 'date', (word, where) => {
  if (!isWrittenDate(word)) throw new UsageError(`${where} ${word}: ${NO_WRITTEN_DATE}`);
  return word;
});

/** @throws UsageError for a share outside (0, 1], or a number of visits that is not a whole number from 1 to a million */
export function checkedYield({ share, visits }: YieldLimit): YieldLimit {
  if (!(share > 0 && share <= 1))
    throw new UsageError(`--stop-yield: a share of ${share * 100} % is not above 0 and at most 100 %; write e.g. 2%/500`);
  if (!Number.isInteger(visits) || visits < 1 || visits > MOST_VISITS)
    throw new UsageError(`--stop-yield: ${visits} is not a whole number of visits from 1 to 1,000,000; write e.g. 2%/500`);
  return { share, visits };
}

const FORMER_STATES: Readonly<Record<string, ListsFollowed>> = { on: 'auto', true: 'auto', off: 'never', false: 'never' };
const sitemapsCheck = z.union([z.enum(LISTS_FOLLOWED), z.boolean()], `not one of ${LISTS_FOLLOWED.join(', ')}`);

/** Choice of the hosts whose lists a crawl reads. In 0.2 it was a switch, whose states are accepted until 0.4. */
export const sitemaps: Kind<ListsFollowed | boolean> = {
  ...choice(LISTS_FOLLOWED),
  check: sitemapsCheck,
  formerSwitch: true,
  read: (words, where) =>
    choice(LISTS_FOLLOWED).read(
      words.map((word) => FORMER_STATES[word.toLowerCase()] ?? word),
      where,
    ),
};

/** The value of a crawl, from that of an option or of `crawl.json`. */
export function listsFollowed(value: ListsFollowed | boolean): ListsFollowed {
  if (typeof value !== 'boolean') return value;
  return value ? 'auto' : 'never';
}

/** The kinds of documents that a crawl reads: names, `all` or `none`. */
export const documents: Kind<readonly DocumentKindName[] | 'all' | 'none'> = {
  write: (stored) => z.array(z.string()).parse(stored).join(',') || 'none',
  ...ownKind<readonly DocumentKindName[] | 'all' | 'none'>(
    z.union([z.array(z.enum(DOCUMENT_KIND_NAMES)), z.enum(['all', 'none'])], `not any of ${DOCUMENT_KIND_NAMES.join(', ')}, all, none`),
    'kinds',
    (word, where) => (word === 'all' || word === 'none' ? word : choices(DOCUMENT_KIND_NAMES).read([word], where)),
  ),
};

/** The kinds that a crawl reads, from the value of the option. */
export function documentKindNames(value: readonly DocumentKindName[] | 'all' | 'none'): readonly DocumentKindName[] {
  if (value === 'none') return [];
  return value === 'all' ? DOCUMENT_KIND_NAMES : DOCUMENT_KIND_NAMES.filter((name) => value.includes(name));
}

const NO_LANGUAGES = 'not languages, such as fr,de (BCP 47), all or none';
const languageCheck = z.string('not a text').refine((tag) => primaryLang(tag) !== null, NO_LANGUAGES);

/** Languages of alternates that a crawl follows: tags, `all` or `none`. */
export const alternates: Kind<readonly string[] | 'all' | 'none'> = {
  write: (stored) => (stored === 'all' ? stored : z.array(z.string()).parse(stored).join(',') || 'none'),
  ...ownKind<readonly string[] | 'all' | 'none'>(
    z.union([z.enum(['all', 'none']), z.array(languageCheck).min(1)], NO_LANGUAGES),
    'languages',
    (word, where) => {
      if (word === 'all' || word === 'none') return word;
      const tags = word.split(',').map((tag) => tag.trim());
      if (tags.some((tag) => primaryLang(tag) === null)) throw new UsageError(`${where} ${word}: ${NO_LANGUAGES}`);
      return tags;
    },
  ),
};

/** The languages that a crawl follows, as primary subtags, from the value of the option. */
export function followedLanguages(value: readonly string[] | 'all' | 'none'): FollowedLanguages {
  if (value === 'all') return value;
  return value === 'none' ? [] : [...new Set(value.flatMap((tag) => primaryLang(tag) ?? []))];
}

/** A moment at which the crawl asks about some of its pages. */
export interface AskMoment {
  readonly questions: number;
  /** Visits of the whole crawl by then. */
  readonly visits: number;
}

/** More are no session of one person. */
const MOST_QUESTIONS = 1000;
const askMoment = z.strictObject({ questions: z.number(), visits: z.number() });
const askCheck = z.union([z.array(askMoment), z.literal('none')], 'neither a list of { questions, visits } nor none');

/** `15@80,15@240`: fifteen questions at visit 80 and again at visit 240; `none` removes the stored moments. */
export const ask: Kind<readonly AskMoment[] | 'none'> = {
  write: (stored) =>
    z
      .array(askMoment)
      .parse(stored)
      .map(({ questions, visits }) => `${questions}@${visits}`)
      .join(',') || 'none',
  ...ownKind<readonly AskMoment[] | 'none'>(askCheck, 'questions@visits, or none', (word, where) => {
    if (word === 'none') return word;
    return word.split(',').map((moment) => {
      const [, questions, visits] = /^\s*(\d+)@(\d+)\s*$/.exec(moment) ?? [];
      if (questions === undefined) throw new UsageError(`${where} ${word}: not questions at visits; write e.g. 15@80,15@240, or none`);
      return { questions: Number(questions), visits: Number(visits) };
    });
  }),
};

/** @throws UsageError for a moment without questions or visits, or for two moments at one visit */
export function checkedAsk(moments: readonly AskMoment[]): AskMoment[] {
  for (const { questions, visits } of moments) {
    if (!Number.isInteger(questions) || questions < 1 || questions > MOST_QUESTIONS)
      throw new UsageError(`--ask: ${questions} is not a number of questions from 1 to ${MOST_QUESTIONS}; write e.g. 15@80`);
    if (!Number.isInteger(visits) || visits < 1)
      throw new UsageError(`--ask: ${visits} is not a number of visits from 1; write e.g. 15@80`);
  }
  if (new Set(moments.map(({ visits }) => visits)).size < moments.length)
    throw new UsageError('--ask: names one number of visits twice; add the questions together, e.g. 30@80');
  return [...moments].sort((a, b) => a.visits - b.visits);
}

export interface DiskLimits {
  /** Space to keep free: below it no visit starts. 0: the disk is not watched. */
  readonly minFree: Bytes;
  /** Time that the crawl waits for space before it ends. */
  readonly patience: Ms;
}

/** A person who frees space needs minutes; an unattended crawl should not hold its lock for hours. */
export const SPACE_PATIENCE: Ms = 10 * 60_000;
const SIZES: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

const diskCheck = z.strictObject(
  {
    minFree: z.number('not a number of bytes').min(0, 'not a number of bytes'),
    patience: z.number('not a span of time; give milliseconds').min(0).or(z.literal(Number.POSITIVE_INFINITY)),
  },
  'not { minFree, patience }',
);

/** `1GB` or `1GB/30m`: the space to keep free, and how long the crawl waits for it. */
export const minFree: Kind<DiskLimits> = ownKind(diskCheck, 'size, or size/time', (word, where) => {
  const [, size, unit = 'B', wait] = /^(\d+(?:\.\d+)?) ?([KMGT]?B)?(?:\/(.*))?$/i.exec(word) ?? [];
  if (size === undefined) throw new UsageError(`${where} ${word}: not a size; write e.g. 500MB, 1GB or 1GB/30m, or 0`);
  const patience = wait === undefined ? SPACE_PATIENCE : spanOf(wait);
  if (patience === undefined) throw new UsageError(`${where} ${wait}: not a span of time; write e.g. 1GB/30m`);
  return { minFree: Number(size) * (SIZES[unit.toUpperCase()] ?? 1), patience };
});

const patienceCheck = z.union(
  [z.custom<number>((value) => typeof value === 'number' && Number.isFinite(value) && value >= 0), z.literal('auto')],
  'not a span of time in milliseconds, nor auto',
);

/** `20s`; `off` for no waiting; `auto` for a value that follows from the limits of the run. */
export const patience: Kind<Ms | 'auto'> = {
  write: (stored) => (stored === null ? 'auto' : msText(stored)),
  ...ownKind(patienceCheck, 'time, off or auto', (word, where) => {
    const value = word === 'off' ? 0 : word === 'auto' ? word : spanOf(word);
    if (value === undefined) throw new UsageError(`${where} ${word}: not a span of time; write e.g. 20s, off or auto`);
    return value;
  }),
};

/** Name of a strategy, or path of a module of the user. */
export type AnyStrategy = Strategy | OwnStrategyFile;

const named = choice(STRATEGIES);
const ownFile = z.custom<OwnStrategyFile>(
  (value) => typeof value === 'string' && isOwnStrategy(value),
  `not one of ${STRATEGIES.join(', ')}, nor a file .mjs`,
);

export const strategyKind: Kind<AnyStrategy> = {
  ...named,
  check: z.union([named.check, ownFile], `not one of ${STRATEGIES.join(', ')}, nor a file .mjs`),
  schema: { oneOf: [named.schema, { type: 'string', pattern: '\\.mjs$' }] },
  read: (words, where) => {
    const [word = ''] = words;
    return words.length === 1 && isOwnStrategy(word) ? word : named.read(words, where);
  },
};
