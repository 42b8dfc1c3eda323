/**
 * Every option of Forager, one row each: its kind, help and default, how a crawl stores it, and whether the log names it. Derived from this table:
 * the command line, `forager.yaml`, the options of the library with their checks, the settings in `crawl.json`, those that a resumed crawl keeps,
 * and docs/reference/options.md.
 * An option means the same in every command that has it. Commands (commands.ts) choose rows and may word the help for their case.
 */

import { resolve } from 'node:path';
import * as z from 'zod';
import { DOCUMENT_KIND_NAMES, type DocumentKindName } from '../../base/core/document-kind-names.ts';
import { UsageError } from '../../base/core/errors.ts';
import { REFRESH_TARGETS } from '../../base/core/refresh-plan.ts';
import { RENDER_CHOICES, type RenderChoice } from '../../base/core/rendering.ts';
import {
  type FollowedLanguages,
  LISTS_FOLLOWED,
  type ListsFollowed,
  type Ms,
  STATE_NAMES,
  type Unit,
  USES,
} from '../../base/core/types.ts';
import { CHUNK_UNITS } from '../../base/text/text-chunks.ts';
import { COMPRESSIONS, DEFAULT_COMPRESSION, FORMAT_NAMES } from '../../corpus/formats/format-names.ts';
import { readBucketAddress, readEndpoint } from '../../corpus/object-store/open-bucket.ts';
import { PERSONAL_ACTIONS } from '../../corpus/personal/personal-names.ts';
import { FACETS } from '../../corpus/select/facet-names.ts';
import { MEASURED_COLUMNS } from '../../corpus/select/measured-column-names.ts';
import { OBEYABLE, OBEYED_BY_DEFAULT, type Obeyable } from '../../corpus/select/obeyed-names.ts';
import { QUALITY_RULES } from '../../corpus/select/quality-names.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS } from '../../reading/extract/text-method-names.ts';
import { isOwnStrategy, type OwnStrategyFile, STRATEGIES, strategiesThat, traitsOf } from '../../reading/links/strategy-names.ts';
import { METHOD_NAMES } from '../../reading/topic/training-method-names.ts';
import {
  type AnyStrategy,
  type AskMoment,
  alternates,
  ask,
  checkedAsk,
  checkedYield,
  day,
  documentKindNames,
  documents,
  followedLanguages,
  listsFollowed,
  minFree,
  partitioning,
  partOfWhole,
  patience,
  type RelevanceBand,
  relevanceBand,
  revisitBudget,
  sitemaps,
  stopYield,
  strategyKind,
} from './crawl-kinds.ts';
import { nearSimilarity, obeyed, obeyedProtocols, publishedSpan, splitShares, versionChoice } from './harvest-kinds.ts';
import {
  anyText,
  atLeast0,
  choice,
  choices,
  count,
  flag,
  limit,
  longSpan,
  person,
  runSpan,
  share,
  span,
  text,
  textOrTexts,
  texts,
  unit,
} from './kinds.ts';
import { COMMAND, isModule } from './own-code.ts';
import type { DefaultsBasis, Keep, Setting } from './setting.ts';

/** Nodes of a network of links. */
export const NETWORK_NODES = ['hosts', 'pages'] as const;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The word that removes a stored setting of the crawl. */
const NONE = 'none';
export const DEFAULT_DELAY: Ms = 1000;
const DEFAULT_TUNNEL = 4;
/**
 * A host rests at least as long as its last answer took: the example of Heritrix's "Politeness parameters". Heritrix's default is 5, with 3 s
 * as the least delay; BUbiNG and Nutch have fixed delays. 5 would slow every host that takes over 200 ms to answer, which is most hosts.
 */
const DELAY_FACTOR = 1;
/**
 * Visits of the warm-up of a crawl whose seeds are of one host. `npm run bench -- focus --split dev`, topics inside one host with a budget of 200 or more,
 * draws 1 and 2, area under the recall curve: .293 to .359 on 37 runs of webs that are no manuals, .606 to .607 on 44 of manuals. Draws 3 and 4, without,
 * with 5 visits drawn from all waiting URLs (version 0.2), and with the walk: .249, .266, .328, and .600, .603, .594. With 30 answers as well .324 to .332, .619 to
 * .624. With seeds of many hosts a walk stays on topic: .43 to .24 on portals.
 */
export const WARM_UP = 10;

/** Words of the version before for the state `waiting`. */
export const OLD_STATES = { queued: 'waiting', 'not-reached': 'waiting' } as const;

/** A row that keeps its literal types. */
const row = <T, const R extends Omit<Setting<T>, 'kind'>>(
  kind: Setting<T>['kind'],
  rest: R,
): { readonly kind: Setting<T>['kind'] } & R => ({
  kind,
  ...rest,
});

/** Stored as given. @param before for crawls that were started before the option existed */
function kept<T>(schema: z.ZodType<T>, begin: (basis: DefaultsBasis) => T): Keep<T, T> {
  return { how: 'replaced', schema, begin, store: (value) => value };
}

const keptSwitch = (begin: boolean, before: boolean) => kept<boolean>(z.boolean().default(before), () => begin);

/** JSON stores Infinity as null. */
function keptLimit(begin: (basis: DefaultsBasis) => number | null): Keep<number, number | null> {
  return { how: 'replaced', schema: z.number().nullable(), begin, store: finiteOrNull };
}

/** A module by its full path, since the crawl may be resumed from another working directory. A command is not stored. */
const keptCode: Keep<string, string | null> = {
  how: 'replaced',
  schema: z.string().nullable().default(null),
  begin: () => null,
  store: (given) => (given === NONE ? null : isModule(given) ? resolve(given) : COMMAND),
};

/** The crawl may be resumed from another working directory, so it stores the full path. */
const keptPath: Keep<string, string | null> = {
  how: 'replaced',
  schema: z.string().nullable().default(null),
  begin: () => null,
  store: (path) => (path === NONE ? null : resolve(path)),
};

/** A module may be elsewhere in a later run: its content decides, see `ownStrategyOf`. */
const keptStrategy: Keep<AnyStrategy, AnyStrategy> = {
  how: 'fixed',
  same: (strategy, before) => isOwnStrategy(strategy) && isOwnStrategy(before),
  schema: z.union([z.enum(STRATEGIES), z.custom<OwnStrategyFile>((value) => typeof value === 'string' && isOwnStrategy(value))]),
  begin: ({ strategy }) => storedStrategy(strategy),
  store: storedStrategy,
};

function storedStrategy(strategy: AnyStrategy): AnyStrategy {
  if (!isOwnStrategy(strategy)) return strategy;
  const path = resolve(strategy);
  return isOwnStrategy(path) ? path : strategy;
}

const keptPart: Keep<Unit | typeof NONE, Unit | null> = {
  how: 'replaced',
  schema: z.number().gt(0).lt(1).nullable().default(null),
  begin: () => null,
  store: (value) => (value === NONE ? null : value),
};

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A browser is started. */
const RENDERS = [{ option: 'render', is: RENDER_CHOICES.filter((choice) => choice !== 'never') }];

/** Options that say that the crawl reads an archive. */
const OF_ARCHIVE = [{ option: 'archive' }, { option: 'archiveIndex' }];

/** Stands for the name and the password of a stored proxy. */
export const NOT_STORED = 'not-stored';

/** A proxy with a name or password must be given again for each run: its host is stored, so that no run goes without it unawares. */
function withoutSecret(proxy: string, _: DefaultsBasis, before: string | null): string | null {
  if (proxy === NONE) return null;
  if (!URL.canParse(proxy)) return before;
  const { username, password, protocol, host } = new URL(proxy);
  return username === '' && password === '' ? proxy : `${protocol}//${NOT_STORED}@${host}`;
}

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph).join(', ');
const WITHOUT_TOPIC = strategiesThat(({ usesTopic }) => !usesTopic).join(', ');

/** null: follows from the limits of each run. Strategies that ignore the topic have nothing to wait for. */
function patienceOf(strategy: DefaultsBasis['strategy']): Ms | null {
  return traitsOf(strategy).usesTopic ? null : 0;
}

/** @throws UsageError if the strategy needs the record */
function recordOf(value: boolean, { strategy }: DefaultsBasis): boolean {
  if (!value && traitsOf(strategy).needsGraph)
    throw new UsageError(`--record off: strategy ${strategy} needs the record of all links; omit --record off`);
  return value;
}

/** The port after the one that the documents use for `--metrics`. */
export const PAGE_PORT = 9465;

export const SETTINGS = {
  /* Topic, seeds and limits of a crawl. */

  /** Folder of the topic model, or of each of several (at most 20, all with the same extractor). */
  topic: row(textOrTexts, { help: 'topic model, models/<name> (needed for a new crawl); repeat it for several topics in one crawl' }),
  /** URLs, or files with one URL a line. */
  seeds: row(texts(), { help: 'URLs, or files with one URL a line (needed for a new crawl)' }),
  /** Also start from the examples of the topic that are URLs. */
  seedsFromExamples: row(flag, { help: 'the examples of the topic that are URLs are seeds too' }),
  /** URLs to visit in total, earlier runs included. Infinity: no limit. */
  maxPages: row(limit(1), { help: 'number of URLs to visit in total, earlier runs included', byDefault: 'no limit', logged: true }),
  /** Longest time in which this run may lease new URLs. Infinity: no limit. */
  maxTime: row(runSpan, { help: 'longest time for this run, e.g. 90s, 30m, 8h', byDefault: 'no limit', logged: true }),
  /** Stop if too few of the last visits were on topic, earlier runs included. */
  stopYield: row(stopYield, {
    help: 'stop if less than this share of the last visits was on topic, e.g. 2%/500, earlier runs included; or none',
    byDefault: 'none',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.strictObject({ share: z.number(), visits: z.number().int().positive() }).nullable().default(null),
      begin: () => null,
      store: (value: { share: Unit; visits: number } | typeof NONE) => (value === NONE ? null : checkedYield(value)),
    },
  }),
  /** File of URLs known to be on topic, which the crawl has to find by itself; `none` removes it. */
  known: row(text, {
    help: 'file of URLs known to be on topic, no seeds and no examples: the share of them that is kept tells the recall; listed:FILE if they are not drawn at random; or none',
    byDefault: 'none',
  }),
  /** A list to draw known pages from: see `openKnownDraw`. */
  from: row(text, {
    help: 'list to draw from: sitemap (of the hosts of the seeds), or a file of URLs as for --url-list (a CDX, a bibliography, any text); listed:FILE for a list of favourites',
  }),
  /** Number of pages to draw. */
  draw: row(count(1), { help: 'number of pages to draw in total, at random', byDefault: '60' }),
  /** Stop once the known pages show this recall. */
  stopRecall: row(partOfWhole, {
    help: 'stop once the pages of --known show that this share of the on-topic pages is kept, e.g. 80%, with a risk of 5 %; 100 known pages for 80%, 150 for 90% and 300 for 95% avoid needless visits; or none',
    byDefault: 'none',
    logged: true,
    keep: keptPart,
  }),
  /** Numbers of visits at which the crawl asks a person about some of its pages. The crawl does not wait for answers. */
  ask: row(ask, {
    help: 'questions at numbers of visits, e.g. 15@80,15@240: forager label shows them while the crawl continues; or none',
    byDefault: 'none',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.array(z.strictObject({ questions: z.number().int().positive(), visits: z.number().int().positive() })).default([]),
      begin: () => [],
      store: (value: readonly AskMoment[] | typeof NONE) => (value === NONE ? [] : checkedAsk(value)),
    },
  }),
  /** Command of the shell that answers the questions of `ask`: JSON lines `id`, `url`, `title`, `text` in; JSON lines `id`, `label` out. Not stored. */
  answersBy: row(text, { help: 'command that answers the questions of --ask: JSON lines (id, url, title, text) in, (id, label) out' }),
  /** Requests in flight at once, over all hosts. */
  concurrency: row(count(1), { help: 'number of requests in flight at once, over all hosts', byDefault: '16', logged: true }),
  /** Rules `host:`, `domain:`, `prefix:` and `regex:`; a leading `not:` excludes. */
  scope: row(texts(), {
    help: 'URLs to visit: host:NAME, domain:NAME, prefix:URL or regex:RE; not:… excludes',
    byDefault: 'everywhere',
    logged: true,
    // An empty list changes nothing, so a crawl does not lose its scope by accident.
    keep: {
      ...kept<readonly string[]>(z.array(z.string()), () => []),
      store: (rules: readonly string[], _: DefaultsBasis, before: readonly string[] | null) => (rules.length > 0 ? rules : (before ?? [])),
    },
  }),
  /** Hops from the nearest seed. */
  maxDepth: row(limit(0), {
    help: 'largest number of hops from the nearest seed; or none',
    byDefault: 'no limit',
    keep: keptLimit(() => null),
  }),
  /** Rounds of the crawl; see crawling/crawl/rounds.ts. */
  rounds: row(count(1), {
    help: 'number of rounds: links to other hosts wait until no URL of the round is left, each URL once; a later run may have more',
    byDefault: 'no rounds',
    logged: true,
    keep: kept<number | null>(z.number().nullable().default(null), () => null),
  }),
  maxPagesPerHost: row(limit(1), {
    help: 'largest number of URLs to visit on one host; or none',
    byDefault: 'no limit',
    keep: keptLimit(() => null),
  }),
  /** Largest share of `maxPages` to visit on one host. */
  maxSharePerHost: row(partOfWhole, {
    help: 'largest share of --max-pages to visit on one host, e.g. 20%; or none',
    byDefault: 'none',
    logged: true,
    keep: keptPart,
  }),
  /** YAML file of field rules; a crawl keeps the rules it was started with. */
  fieldRules: row(text, {
    flag: 'fields',
    help: 'YAML file of field rules: URL patterns, fields and CSS selectors; stored with the crawl',
  }),
  /** Module with functions of the user, see crawling/openings. A path in the library too: functions cannot cross a thread. `none` removes it. */
  hooks: row(text, {
    help: 'module of your own functions (.mjs) that a crawl calls for each page: beforeFetch, afterRead, onLinks, beforeKeep, onKept; or none',
    byDefault: 'none',
    logged: true,
    keep: keptPath,
  }),
  strictHooks: row(flag, {
    help: 'fail a page if a hook throws, hangs or returns something else than it may; off: the page is visited without the hook',
    needs: [{ option: 'hooks' }],
    keep: keptSwitch(false, false),
  }),
  /** Module or command of the user that judges pages, see crawling/openings. Of a command, the manifest has only that it was one. */
  judgeBy: row(text, {
    help: "module of your own (.mjs) that exports judge, or 'COMMAND' with JSON lines (id, url, title, text) in, (id, relevance, because) out: it judges pages in place of the topic model; or none",
    byDefault: 'none',
    keep: keptCode,
  }),
  judgeBand: row(relevanceBand, {
    help: 'ask --judge-by only about pages whose relevance by the topic model is in this band, e.g. .2...8; or none',
    byDefault: 'none: all pages',
    needs: [{ option: 'judgeBy' }],
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.strictObject({ low: z.number(), high: z.number() }).nullable().default(null),
      begin: () => null,
      store: (value: RelevanceBand | typeof NONE) => (value === NONE ? null : value),
    },
  }),
  /** Texts that the judge may judge, earlier runs included. */
  judgeLimit: row(limit(1), {
    help: 'number of texts that --judge-by may judge, earlier runs included; or none',
    byDefault: 'no limit',
    needs: [{ option: 'judgeBy' }],
    keep: { ...keptLimit(() => null), schema: z.number().nullable().default(null) },
  }),
  /** Receiver of the kept records, see crawling/openings. `none` removes it. */
  sink: row(text, {
    help: 'command or module (.mjs) that gets the kept records beside the crawl, each at least once: JSON lines, or calls of its onRecord; or none',
    byDefault: 'none',
    keep: keptCode,
  }),
  /** Record the crawl's visits with all their links, for `freeze`. */
  record: row(flag, {
    help: `record every visit with all its links, for forager freeze; always on for ${BY_GRAPH}`,
    keep: {
      ...kept<boolean>(z.boolean().default(false), ({ strategy }) => traitsOf(strategy).needsGraph),
      store: recordOf,
    },
  }),
  /** Hosts whose sitemaps and feeds are read. A boolean is the value of 0.2, until 0.4. */
  sitemaps: row(sitemaps, {
    help: 'hosts whose sitemaps and feeds to read: auto (those of seeds, and those that gave on-topic pages), always, never',
    byDefault: 'auto; never for crawls of 0.2',
    alone: 'auto',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.union([z.enum(LISTS_FOLLOWED), z.boolean().transform(listsFollowed)]).default('never'),
      begin: (): ListsFollowed => 'auto',
      store: listsFollowed,
    } satisfies Keep<ListsFollowed | boolean, ListsFollowed>,
  }),
  /** Kinds of documents that are read as pages: names, `all` or `none`. A crawl of an earlier version reads none. */
  documents: row(documents, {
    help: `documents to read as pages: any of ${DOCUMENT_KIND_NAMES.join(',')}; all; or none`,
    byDefault: 'none',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.array(z.enum(DOCUMENT_KIND_NAMES)).default([]),
      begin: (): readonly DocumentKindName[] => [],
      store: documentKindNames,
    },
  }),
  /** Languages in which the alternates of kept pages are followed: BCP 47, `all` or `none`. */
  alternates: row(alternates, {
    help: 'languages in which pages that a kept page declares as its alternates (hreflang) are kept with it, e.g. fr,de; all; or none',
    byDefault: 'none',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.union([z.literal('all'), z.array(z.string())]).default([]),
      begin: (): FollowedLanguages => [],
      store: followedLanguages,
    },
  }),
  /** Files of URLs: see `urlsIn` of crawling/input. `none` omits those that an earlier run did not finish. */
  urlList: row(texts(), {
    help: 'files of URLs to visit where they promise most: a CDX, a bibliography (BibTeX, RIS, CSV, JSON lines) or any text, perhaps with gzip; or none',
  }),
  /** Files of an archive that the crawl reads in place of the web. */
  archive: row(texts(), {
    help: 'read an archive in place of the web: .warc, .warc.gz, .wacz or .cdxj files, or folders of them; nothing is requested, and nobody is waited for',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.array(z.string()).default([]),
      begin: () => [],
      store: (paths) => paths.map((path) => resolve(path)),
    } satisfies Keep<readonly string[], string[]>,
  }),
  /** Time that the captures of an archive are to be nearest to. */
  archiveDate: row(day, {
    help: 'of an archive, read the capture of each URL nearest to this date, e.g. 2004-05-01',
    byDefault: 'the newest',
    needs: OF_ARCHIVE,
    logged: true,
    keep: { ...kept<string | null>(z.string().nullable().default(null), () => null), how: 'fixed' as const },
  }),
  /** Index of an archive whose files are at an address. */
  archiveIndex: row(text, {
    help: 'CDXJ or CDX file of an archive whose files are read from --archive-from, such as one of Common Crawl, perhaps with gzip',
    needs: [{ option: 'archiveFrom' }],
    logged: true,
    keep: keptPath,
  }),
  archiveFrom: row(text, {
    help: 'http(s) URL of the folder to which the file names of --archive-index belong; its files are read by ranges, politely',
    needs: [{ option: 'archiveIndex' }],
    logged: true,
    keep: kept<string | null>(z.string().nullable().default(null), () => null),
  }),
  /** A crawl or harvest whose pages are kept only if they have changed. `none` removes it. */
  since: row(text, {
    help: 'earlier crawl directory, or folder of a harvest: keep only pages that it lacks, or has with another text; or none',
    byDefault: 'none',
    logged: true,
    keep: keptPath,
  }),
  /** Request again, before anything else, kept pages whose last request is older than this; revisits do not count as visits. */
  revisit: row(span, {
    help: 'request kept pages again if their last request is older than this, e.g. 30d; revisits do not count as visits',
    byDefault: 'none',
    logged: true,
  }),

  /** Requests no new URL: with `revisit`, in a crawl that exists. */
  revisitOnly: row(flag, { help: 'with --revisit: request no new URL, and end when the kept pages are done', logged: true }),

  /** Report of a watch alone: see `watchCrawl`. */
  reportOnly: row(flag, { help: 'report without requests, at once unless --every is given: beside a crawl that runs' }),
  /** Does not end by itself: kept pages are requested again by their rates of change, with the new ones. */
  continuous: row(flag, {
    help: 'request kept pages again by their rates of change, and new ones, until --max-time or Ctrl-C',
    logged: true,
  }),
  revisitBudget: row(revisitBudget, {
    help: 'number of these requests: 2000/day, 5%/day of the kept pages, or 10% of all requests (of the pages a day when none is new)',
    byDefault: '10%',
    needs: [{ option: 'continuous' }],
    logged: true,
  }),
  refresh: row(choice(REFRESH_TARGETS), {
    help: 'measure to improve: age, the time since a change that the crawl has not seen; freshness, the share of pages without one',
    byDefault: 'age',
    needs: [{ option: 'continuous' }],
    logged: true,
  }),

  /* The order of the frontier. */

  strategy: row(strategyKind, {
    help: `order of the frontier: ${STRATEGIES.join(', ')}; or a module of your own (.mjs) that exports a strategy`,
    byDefault: 'apprentice',
    logged: true,
    keep: keptStrategy,
  }),
  /** File of `exportLinkModel`: the lessons of another crawl's apprentice, for a head start. The crawl keeps a copy. */
  linkModel: row(text, { help: 'link model of another crawl to start with, a file of forager link-model; stored with the crawl' }),
  /** Off-topic pages in a row that the crawl may cross; 0 follows no link of an off-topic page. */
  tunnel: row(limit(0), {
    help: 'number of off-topic pages in a row to cross; 0 follows no link of an off-topic page',
    byDefault: `4; no limit for ${WITHOUT_TOPIC}`,
    keep: keptLimit(({ strategy }) => (traitsOf(strategy).usesTopic ? DEFAULT_TUNNEL : null)),
  }),
  /** Longest wait for a busy or resting host that has a clearly better URL. 0 never waits; `auto`: see `patienceWithin`. */
  patience: row(patience, {
    help: 'longest wait for a busy or resting host with a clearly better URL; off; auto: 20s with --max-pages, less with --max-time, else off',
    byDefault: `auto; off for ${WITHOUT_TOPIC}`,
    keep: {
      how: 'replaced' as const,
      schema: z.number().nullable(),
      begin: ({ strategy }: DefaultsBasis): Ms | null => patienceOf(strategy),
      store: (value: Ms | 'auto', { strategy }: DefaultsBasis): Ms | null => (value === 'auto' ? patienceOf(strategy) : value),
    },
  }),
  traps: row(flag, {
    help: 'park URL patterns that gave nothing for a long time; off requests them too',
    byDefault: 'on',
    keep: keptSwitch(true, true),
  }),
  /** Share of the visits that go to URLs drawn from all waiting URLs, regardless of priority. `status` uses them to estimate the share on topic. */
  explore: row(share, {
    help: 'share of visits spent on randomly chosen URLs, e.g. 2%; status uses them to estimate how much of the queue is on topic',
    byDefault: '0%',
    keep: kept<Unit>(z.number().min(0).max(1).default(0), () => 0),
  }),
  /** Number of steps of a random walk: every fourth visit near the start. The topic is then trained again with these pages as a pool. */
  warmUp: row(count(0), {
    help: 'visits of a random walk, every fourth at the start; the crawl then trains the topic again, with these pages as unlabelled ones',
    byDefault: `${WARM_UP} if all seeds are of one host, otherwise 0`,
    keep: { ...kept<number>(z.number().int().min(0).default(0), ({ fitsWarmUp }) => (fitsWarmUp ? WARM_UP : 0)), how: 'fixed' as const },
  }),
  /** Names of parked patterns to release, or `all`; for a crawl that is resumed. */
  unpark: row(texts(), { help: 'parked patterns to try again, as forager status names them, or all' }),
  rngSeed: row(count(0), {
    flag: 'seed-rng',
    help: 'seed of the random choices, a whole number',
    byDefault: '1',
    keep: { ...kept<number>(z.number(), () => 1), how: 'fixed' as const },
  }),

  /* Politeness rules, and the network. */

  /** Least gap between two requests to a host. */
  delay: row(span, {
    help: 'least gap between two requests to a host, e.g. 500ms, 1s',
    byDefault: '1s',
    logged: true,
    keep: kept<Ms>(z.number(), () => DEFAULT_DELAY),
  }),
  /** A host rests at least this many times as long as its last answer took, at most 30 s. */
  delayFactor: row(atLeast0, {
    help: 'wait at least this multiple of the last response time between requests to a host (at most 30s)',
    byDefault: '1; 0 with --delay 0',
    logged: true,
    // --delay 0 asks for no delay at all, so slow answers cause none either.
    keep: kept<number>(z.number().min(0).default(0), ({ delay }) => (delay === 0 ? 0 : DELAY_FACTOR)),
  }),
  /** Do hosts of one IP address share their delay? Hosts on loopback addresses and hosts reached through a proxy never do. */
  perIp: row(flag, { help: 'hosts of one IP address share one delay', byDefault: 'on', logged: true, keep: keptSwitch(true, false) }),
  perDomain: row(flag, { help: 'hosts of one registrable domain share one delay', logged: true, keep: keptSwitch(false, false) }),
  /** Text file of hosts, domains and URL prefixes that the crawl never asks; it is read again after a change. `none` removes the stored file. */
  optOut: row(text, {
    help: 'file of hosts, domains and URL prefixes never to ask, one per line; read again after a change; or none',
    logged: true,
    keep: keptPath,
  }),
  /** YAML file of header fields, credentials and unverified certificates by host, read at each run. `none` removes the stored file. */
  hosts: row(text, {
    help: 'YAML file of header fields, passwords and unverified certificates for certain hosts; read at each run; or none',
    logged: true,
    keep: keptPath,
  }),
  cookies: row(flag, { help: 'keep cookies while the crawl runs, and send them back', logged: true, keep: keptSwitch(false, false) }),
  /** Offer HTTP/2 to servers under TLS. */
  http2: row(flag, { help: 'offer HTTP/2 to servers under TLS', logged: true, keep: keptSwitch(false, false) }),
  userAgent: row(text, { help: 'name to send instead of Forager/<version>' }),
  /** File of a private key, by `forager sign-key`. `none` removes the stored file. */
  signKey: row(text, {
    help: 'file of a private key that signs each request (Web Bot Auth), from forager sign-key; or none',
    logged: true,
    keep: keptPath,
  }),
  /** Origin that publishes the key. `none` removes it. */
  signAgent: row(text, {
    help: 'https origin of yours that publishes the key, sent as Signature-Agent; or none',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.string().nullable().default(null),
      begin: () => null,
      store: (origin: string) => (origin === NONE ? null : origin),
    },
  }),
  /** URL or mail address; a crawl that may go everywhere needs one. */
  contact: row(text, {
    help: 'URL or mail address a site owner can reach you at; sent with every request',
    logged: true,
    keep: kept<string | null>(z.string().nullable(), () => null),
  }),
  /** `http://host:port`; `none` removes the stored proxy. */
  proxy: row(text, {
    help: 'HTTP proxy, http://host:port; or none',
    keep: { how: 'replaced' as const, schema: z.string().nullable(), begin: () => null, store: withoutSecret },
  }),
  /** The database of a crawl on several machines, and the name of the crawl there. */
  at: row(text, {
    help: 'PostgreSQL database of a crawl on several machines, postgres://[USER@]HOST/DB?crawl=NAME',
    keep: kept<string | null>(z.string().nullable().default(null), () => null),
  }),
  /** A second place for the pages of a crawl on several machines: without it, they are on the disks of its workers alone. */
  corpusBucket: row(text, {
    help: 'bucket that the workers store their pages in too, s3://BUCKET/PREFIX',
    keep: {
      how: 'fixed' as const,
      schema: z.string().nullable().default(null),
      begin: () => null,
      store: (address) => readBucketAddress(address, '--corpus-bucket').url,
    } satisfies Keep<string, string | null>,
  }),
  /** May the crawl request loopback and private addresses? */
  allowPrivate: row(flag, {
    help: 'allow loopback and private addresses',
    logged: true,
    keep: kept<boolean>(z.boolean(), () => false),
  }),

  /* Pages that a browser renders. */

  /** `auto`: pages that look empty without scripts, and URLs whose siblings gained by it. */
  render: row(choice(RENDER_CHOICES), {
    help: 'pages that a browser without a network renders, so that their scripts run: never, auto (those that look empty without scripts, and their like), always',
    byDefault: 'never',
    logged: true,
    keep: kept<RenderChoice>(z.enum(RENDER_CHOICES).default('never'), () => 'never'),
  }),
  /** Pages that the browser renders at once. One takes a third of a second of a processor (`npm run bench -- render`). */
  renderConcurrency: row(count(1, 32), {
    needs: RENDERS,
    help: 'number of pages that the browser renders at once, at most 32',
    byDefault: '1',
    logged: true,
    keep: kept<number>(z.number().int().min(1).max(32).default(1), () => 1),
  }),
  /** Program of a Chromium or Chrome. It belongs to the machine, so a crawl does not store it. */
  browser: row(text, {
    needs: RENDERS,
    help: 'Chromium or Chrome that renders pages, a path or a name on the search path',
    byDefault: 'chromium-headless-shell, chromium or google-chrome, by any of their names',
  }),
  /** The sandbox of the browser. It belongs to the machine, so a crawl does not store it. */
  sandbox: row(flag, {
    help: 'keep the sandbox of the browser; root needs --no-sandbox, with a warning at each run',
    byDefault: 'on',
  }),

  /* The run on its machine, and its log. */

  /** Threads that read pages. One takes some 60 MB, and more threads than processors gain nothing. */
  workers: row(count(1, 256), {
    help: 'number of threads that read pages, at most 256',
    byDefault: 'one less than there are processors, at least 1',
  }),
  /** Space to keep free on the disk: below it the crawl waits, and ends if none becomes free. */
  minFree: row(minFree, {
    help: 'disk space to keep free; below it the crawl waits ten minutes, or as long as given, e.g. 1GB or 1GB/30m; 0 does not check',
    byDefault: '200MB, or a twentieth of a small disk',
  }),
  /** File that JSON lines are appended to, or `-` for standard error. */
  log: row(text, { help: 'file to write a log to, JSON lines; or - for standard error' }),
  /** `info`: one line for each URL that ended. */
  logLevel: row(choice(LOG_LEVELS), {
    needs: [{ option: 'log' }],
    help: `least severe lines to log: ${LOG_LEVELS.join(', ')}`,
    byDefault: 'info',
  }),
  /** `[HOST:]PORT` that serves `/metrics`, `/health` and `/visits`. */
  metrics: row(text, { help: '[HOST:]PORT to serve /metrics (Prometheus), /health and /visits on; without a host: on loopback' }),

  /** `[HOST:]PORT` that serves a page to watch and steer the crawl. */
  page: row(text, {
    help: `[HOST:]PORT to serve a page to watch and steer the crawl on; without a host: on loopback; without a value: ${PAGE_PORT}`,
    alone: String(PAGE_PORT),
  }),

  /* Training. */

  /** Folders, files, URLs: see `readInput`. Not allowed with `keywords`. */
  examples: row(texts(), { help: 'folder of .html/.txt/.md, a .jsonl, a .warc(.gz), or a file of URLs' }),
  irrelevant: row(texts(), { help: 'off-topic pages, in the same forms as --examples' }),
  /** Crawl directories whose off-topic pages join the background. */
  background: row(texts(), { help: 'crawl directory whose off-topic pages join the background' }),
  /** Pages like those that a crawl will meet. */
  pool: row(texts(), {
    help: 'unlabelled pages like those of the future crawl, wanted ones among them: in the forms of --examples, or a crawl directory',
  }),
  /** A query instead of examples: see `parseRule`. */
  /** Ways to divide a crawl, for `status`. */
  partitions: row(partitioning, {
    help: 'shares, balance and links across of N partitions instead: by url, host or site (registrable domain), e.g. host:8',
  }),
  /** Nodes of the network of a crawl. */
  network: row(choice(NETWORK_NODES), {
    help: 'print a network of the visited pages, or of their hosts, for Gephi and others: as csv its links, as gexf or graphml all',
    byDefault: 'hosts, for gexf and graphml',
  }),
  /** Names of tags whose URLs are listed. */
  tag: row(texts(true), { help: 'names of tags, e.g. a,area,link', byDefault: 'all' }),
  keywords: row(anyText, { help: 'a query instead of examples: "peat bog, sphagnum, moss AND NOT game"' }),
  /** A rule that overrides the model: see `parseRule`. */
  rule: row(anyText, {
    help: 'further condition for pages: lang:de, site:example.org, url:/blog/, title:moss, words, with AND, OR, NOT; "model OR …" accepts pages by either',
  }),
  method: row(choice(METHOD_NAMES), { help: `training method: ${METHOD_NAMES.join(', ')}`, byDefault: 'chosen from the data' }),
  /** The least precision of the threshold, by a lower bound on held-out pages. */
  precision: row(unit, {
    help: 'choose the threshold for this precision, as a 95 % lower bound, e.g. 0.9',
    byDefault: 'the highest F1',
  }),
  /** A model remembers the choice, and later trainings of the topic repeat it. */
  wordVectors: row(text, {
    help: 'word vectors, for words that no example has: bundled (English), none, or a file of word2vec or fastText, as text',
    byDefault: 'bundled',
  }),
  /** Method that finds the main text. A model keeps the method and uses it for all pages it reads. */
  extractor: row(choice(MAIN_TEXT_METHODS), {
    help: `how to find the main text: ${MAIN_TEXT_METHODS.join(', ')}`,
    byDefault: DEFAULT_MAIN_TEXT_METHOD,
  }),
  /** Examples need URLs. */
  checkSite: row(flag, { help: "then fetch 40 random pages of the examples' hosts, ask about each, and train with the answers" }),
  strict: row(flag, { help: 'save no model that has a "warning:" or "danger:"; a "note:" does not count' }),

  /* Corpora. */

  formats: row(choices(FORMAT_NAMES), { flag: 'format', help: `any of ${FORMAT_NAMES.join(',')}`, byDefault: 'jsonl' }),
  /** zstd needs Node 22.15. */
  compression: row(choice(COMPRESSIONS), {
    needs: [{ option: 'formats', is: ['parquet'] }],
    help: `compression of Parquet files: ${COMPRESSIONS.join(', ')}`,
    byDefault: DEFAULT_COMPRESSION,
  }),
  csvText: row(flag, { needs: [{ option: 'formats', is: ['csv'] }], help: 'corpus.csv has the texts of the pages' }),
  /** Names of persons or organisations. */
  creators: row(texts(), {
    flag: 'creator',
    help: 'names of the creators of the corpus, for its citation',
    byDefault: 'the operator of the crawl',
  }),
  corpusUrl: row(text, { help: 'URL of the page where you publish the corpus, for its descriptions' }),
  s3Endpoint: row(text, {
    flag: 's3-endpoint',
    help: 'URL of an object store with the API of S3, for --out s3://BUCKET/PREFIX',
    byDefault: 'Amazon S3',
    keep: {
      how: 'replaced' as const,
      schema: z.string().nullable().default(null),
      begin: () => null,
      store: (url) => readEndpoint(url).href,
    } satisfies Keep<string, string | null>,
  }),
  s3Region: row(text, {
    flag: 's3-region',
    help: 'region of the bucket',
    byDefault: 'us-east-1',
    keep: kept<string | null>(z.string().nullable().default(null), () => null),
  }),
  csvBom: row(flag, { needs: [{ option: 'formats', is: ['csv'] }], help: 'corpus.csv starts with a byte order mark, for Excel' }),
  /** Name of a topic of a crawl of several. */
  topicName: row(text, { help: 'name of one topic of a crawl of several' }),
  minRelevance: row(unit, { help: 'least relevance to keep, a number from 0 to 1', byDefault: "the topic's threshold" }),
  /** Primary language subtags, e.g. `en`. */
  languages: row(texts(true), { flag: 'lang', help: 'only these languages, e.g. en,de', byDefault: 'all' }),
  /** Two languages: the left one, and the right one. */
  langs: row(texts(true), { help: 'the two languages, e.g. en,fr, or with region or script: en,zh-tw' }),
  reserved: row(choice(['omit', 'include']), {
    help: 'pages whose owners reserve rights by a protocol that is obeyed: omit them, or include them against the will of their owners',
    byDefault: 'omit',
  }),
  /** Protocols whose reservations keep a page out of the corpora of a crawl. The crawl itself keeps these pages, for their links and as a proof. */
  obey: row(obeyed, {
    help: `statements of owners that a corpus obeys: any of ${OBEYABLE.join(',')}; or none`,
    byDefault: OBEYED_BY_DEFAULT.join(','),
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.array(z.enum(OBEYABLE)).default([...OBEYED_BY_DEFAULT]),
      begin: (): readonly Obeyable[] => OBEYED_BY_DEFAULT,
      store: obeyedProtocols,
    },
  }),
  withoutUse: row(choices(USES), {
    help: `omit pages whose owners disallow one of these uses, by any protocol: ${USES.join(', ')}`,
    byDefault: 'none',
  }),
  /** Each includes those before it. */
  dedupe: row(choice(['exact', 'near', 'contained', 'none']), {
    help: 'pages to omit: exact copies, near-duplicates too, or shortened copies (contained) too; none keeps all',
    byDefault: 'exact',
  }),
  near: row(nearSimilarity, {
    needs: [{ option: 'dedupe', is: ['near', 'contained'] }, { option: 'split' }],
    help: 'share of runs of five words in common that makes pages near-duplicates, a number from 0.5 to 1',
    byDefault: '0.8',
  }),
  quality: row(choices(QUALITY_RULES), {
    help: `omit pages that fail these published rules: ${QUALITY_RULES.join(', ')}`,
    byDefault: 'none',
  }),
  columns: row(choices(MEASURED_COLUMNS), {
    help: 'columns that other commands measured: frameWeight (by corpus bias on the crawl), keptInRuns (by stability)',
    byDefault: 'none',
  }),
  qualityColumns: row(flag, { help: 'write the measures of all quality rules for each page, in the column quality' }),
  /** Pages by the date that they state. */
  published: row(publishedSpan, {
    help: 'only pages that state a date in this span, e.g. 1990..2005 or 2004-05..; undated pages are omitted',
    byDefault: 'all',
  }),
  /** Versions of pages that were requested again. */
  versions: row(versionChoice, {
    help: 'versions of each page: newest; all, as records with the column version; at=DATE, as on that day',
    byDefault: 'newest',
  }),
  langParagraphs: row(choice(['keep', 'mark', 'drop']), {
    help: 'paragraphs in another language than their page: keep, mark in the column foreign, or drop',
    byDefault: 'keep',
  }),
  repeated: row(choice(['keep', 'mark', 'drop']), {
    help: 'paragraphs that 3 pages of a host or 10 in all have, except the first: keep, mark in the column repeated, or drop',
    byDefault: 'keep',
  }),
  personal: row(choice(PERSONAL_ACTIONS), {
    help: 'mail addresses, telephone, IBAN and card numbers, IP addresses, national numbers: keep, mark in columns, mask in all texts, or omit their pages',
    byDefault: 'keep',
  }),
  perHost: row(count(1), { help: 'most pages of a host, drawn at random', byDefault: 'all' }),
  sample: row(count(1), { help: 'number of pages to draw at random', byDefault: 'all' }),
  sampleBy: row(choice(['none', 'host', 'language']), {
    needs: [{ option: 'sample' }],
    help: 'draw --sample equally from each host or language',
    byDefault: 'none',
  }),
  split: row(splitShares, { help: 'parts in percent, as the column split: train/test or train/validation/test, e.g. 90/5/5' }),
  splitBy: row(choice(['cluster', 'host']), {
    needs: [{ option: 'split' }],
    help: 'pages that stay in one part of --split: near-duplicates (cluster), or all of a host too',
    byDefault: 'cluster',
  }),
  chunk: row(count(1), {
    needs: [{ option: 'formats', is: ['chunks'] }],
    help: 'most words of a piece of text, for --format chunks',
    byDefault: '512',
  }),
  chunkBy: row(choice(CHUNK_UNITS), {
    needs: [{ option: 'formats', is: ['chunks'] }],
    help: 'unit that --chunk does not cut if it is short enough: paragraph, sentence or words',
    byDefault: 'paragraph',
  }),
  waczText: row(flag, {
    needs: [{ option: 'formats', is: ['wacz'] }],
    help: 'put the main texts into the list of pages of corpus.wacz, so that a viewer can search them',
  }),
  /** Continue without damaged or missing records. */
  skipDamaged: row(flag, { help: 'continue without damaged or missing records, and name them' }),

  /** See `CorpusQuery`. */
  query: row(text, { help: 'words that a page has; "in quotes" exactly so; word* for its beginning; -word without it; OR between two' }),
  /** Host name with its port, if that is not the default one. */
  host: row(text, { help: 'only pages of this host', byDefault: 'all' }),

  /* Looking at a crawl. */

  top: row(count(1), { help: 'number of entries to show' }),
  show: row(choices(['hosts', 'pages']), { help: 'tables to show: hosts, pages', byDefault: 'both' }),
  state: row(choices(STATE_NAMES, OLD_STATES), { help: `only these states: ${STATE_NAMES.join(', ')}` }),
  reason: row(texts(true), { help: 'only these reasons, e.g. robots, scope, http-4xx' }),
  explain: row(flag, { help: 'show the contribution of every term' }),
  refetch: row(flag, {
    help: 'give up the records of pages whose WARC records are lost; the next run fetches these pages again',
  }),
  cut: row(flag, {
    help: 'cut the corpus to the last commit of the frontier, instead of adding the missing visits to the frontier',
  }),

  /* Stability of a crawl. */

  runs: row(count(2, 1000), { help: 'number of runs', byDefault: '8' }),
  vary: row(choices(['seeds', 'examples', 'rng', 'none']), {
    help: 'differences of the runs: seeds (a random half of them), examples (a random 80 % of them), rng (random choices), none',
    byDefault: 'seeds,examples,rng',
  }),
  /** CSV file of `stability`. */
  pages: row(text, { help: 'new CSV file with url and keptInRuns, the number of runs that keep the page', byDefault: 'none' }),

  /* Subtopics of a crawl. */

  groups: row(count(1, 50), { help: 'number of subtopics', byDefault: 'as many as the pages show, at most 12' }),
  more: row(text, { help: 'id of a subtopic: links that promise its pages come first' }),
  none: row(text, { help: 'id of a subtopic: its pages are off topic, and a harvest omits those already kept' }),
  undo: row(flag, { help: 'take the last wish of --more or --none back' }),
  again: row(flag, { help: 'find the subtopics again, perhaps under other names, also if the last ones still hold' }),

  /* Seeds from search engines. */

  queries: row(flag, { help: 'suggest queries for search engines from the terms of the model' }),
  search: row(text, {
    help: "engine to ask: 'COMMAND', which reads a query and prints results (URLs, or JSON lines with url, title, snippet), or searxng:URL",
  }),
  minScore: row(atLeast0, {
    help: 'least score of a seed from a search: each word of the subject counts 3, the strongest term of the model 1, others less',
    byDefault: '1',
  }),
  journal: row(text, { help: 'file to which each query and result is added, with date, rank and outcome' }),
  repeat: row(text, {
    help: 'journal whose searches to repeat: the command names each difference; a command in it must be given with --search',
  }),

  /* Bias of a corpus. */

  frame: row(text, {
    help: 'pages to compare with: random (random visits of the crawl), a file of URLs as for --url-list, or the folder of a corpus',
  }),
  weights: row(text, {
    help: 'new CSV file with url and frameWeight: how much each page counts for the shares of the frame',
    byDefault: 'none',
  }),
  weightBy: row(choice(FACETS), {
    help: 'property that the weights even out',
    byDefault: 'the one with the largest distance',
  }),

  /* Labels. */

  count: row(count(1), { help: 'number of pages to ask about', byDefault: 'until q, or until none is left' }),
  every: row(count(1), { help: 'also train again after every so many answers, not only at the end' }),
  newHosts: row(flag, { help: 'ask only about the most relevant page of each host without training pages or labels' }),
  name: row(person, { help: 'your name, stored with each answer; several people need it' }),
  retrain: row(flag, {
    help: 'train again at the end; off: only store the answers',
    byDefault: 'on, if there are enough answers',
  }),
  evenIfWorse: row(flag, { help: 'activate the retrained model even if it is worse on held-out labels' }),

  /* A language model that labels. Its key comes from the environment alone. */

  judgeUrl: row(text, {
    help: 'base URL of a server of the OpenAI chat protocol, such as http://localhost:11434/v1; its key is read from OPENAI_API_KEY',
    byDefault: 'OPENAI_BASE_URL',
  }),
  judgeModel: row(text, { help: 'name of the language model, as the server calls it' }),
  judgeQuestion: row(text, { help: 'a sentence that says which pages are on topic' }),
  judgeCalls: row(limit(1), {
    help: 'number of calls, retries included; or none',
    byDefault: '1000',
  }),
  judgeTokens: row(limit(1), {
    help: 'number of tokens, in and out; or none',
    byDefault: '2000000',
  }),
  judgeTime: row(longSpan, { help: 'time of the session, or none', byDefault: '1h' }),

  /* Texts of pages. */

  title: row(flag, { help: 'the title as the first line', byDefault: 'on for Markdown' }),
  headings: row(flag, { help: 'headings in the text', byDefault: 'on' }),
  tables: row(flag, { help: 'tables in the text; off where a text without them exists', byDefault: 'on' }),
  code: row(flag, { help: 'preformatted text; off where a text without it exists', byDefault: 'on' }),
  comments: row(flag, {
    help: "readers' comments: on adds those that the extractor omitted; off omits them where a text without them exists",
  }),
  postHeads: row(flag, { help: 'a line with author and date before each post of a thread', byDefault: 'off' }),
  links: row(flag, { help: 'keep links in Markdown' }),

  /* Evaluations. */

  web: row(text, { help: 'a frozen web, or http://host:port of a proxy through which to record one' }),
  judge: row(text, { help: 'decides which pages are on topic: labels.csv (url,label) or model:DIR of another model' }),
  guide: row(choice(['model', 'labels']), {
    help: 'tells strategies whether a page they read is on topic: model, or the labels of --judge',
    byDefault: 'model',
  }),
  strategies: row(texts(true), {
    help: `any of ${STRATEGIES.join(',')},one-step,distance, perhaps with =truth, @list, @warm10 or @ask30 behind a name; the first is compared with the others`,
    byDefault: `all except ${BY_GRAPH}, dfs`,
  }),
  /** URLs that each run of a strategy may visit. */
  budget: row(count(1), { help: 'number of URLs that each strategy may visit', byDefault: 'twice the pages to find, 100 to 2,000' }),
  /** Repetitions, each with its own seeds. */
  repeats: row(count(1), { help: 'number of repetitions, each with its own seeds', byDefault: '5; 1 with --seeds' }),

  /* Shared by most commands. */

  /* A new project. */

  /** Subject, which names the folders of model, crawl and corpus. */
  subject: row(text, { help: 'subject in a few words; it names the folders of model, crawl and corpus' }),
  yes: row(flag, { help: 'ask no questions: missing answers take their defaults' }),

  /** Crawl directory. */
  dir: row(text, { help: 'crawl directory' }),
  /** File or folder to write. */
  out: row(text, { help: 'file or folder to write' }),
  force: row(flag, { help: 'replace an existing --out' }),
  json: row(flag, { help: 'print the report as JSON' }),
} as const;

export type SettingName = keyof typeof SETTINGS;
