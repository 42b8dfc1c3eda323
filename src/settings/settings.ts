/**
 * Every option of Forager, one row each: what it takes, its help and default, what a crawl keeps of it, and whether the log names it. From it follow the command
 * line, `forager.yaml`, the options of the library with their checks, the settings in `crawl.json`, what a resumed crawl takes over, and docs/options.md.
 * An option means the same in every command that has it; commands (commands.ts) choose rows, and may word the help for their case.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../core/errors.ts';
import { type LedgerLine, type Ms, type Unit, URL_STATES } from '../core/types.ts';
import { FORMAT_NAMES } from '../corpus/output-formats.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS } from '../extract/text-methods.ts';
import { STRATEGIES, type Strategy, strategiesThat, strategyNamed } from '../links/strategies.ts';
import { RUNGS } from '../topic/training-methods.ts';
import { checkedYield, minFree, patience, stopYield } from './crawl-kinds.ts';
import { anyText, atLeast0, choice, choices, count, flag, limit, longSpan, share, span, text, textOrTexts, texts, unit } from './kinds.ts';
import type { Begun, Keep, Setting } from './setting.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The word that takes back what a crawl was begun with. */
const NONE = 'none';
export const DEFAULT_DELAY: Ms = 1000;
const DEFAULT_TUNNEL = 4;
/**
 * A host has at least as much time off as its last answer took: the example of Heritrix's "Politeness parameters". Its default is 5, with 3 s
 * as the least delay; BUbiNG and Nutch have fixed delays. 5 would slow every host that takes over 200 ms, which is most.
 */
const DELAY_FACTOR = 1;

/** States of a line of the ledger. */
const STATES = [...URL_STATES, 'parked', 'not-reached'] as const satisfies readonly LedgerLine['state'][];

/** A row with its types as narrow as they are written. */
const row = <T, const R extends Omit<Setting<T>, 'kind'>>(
  kind: Setting<T>['kind'],
  rest: R,
): { readonly kind: Setting<T>['kind'] } & R => ({
  kind,
  ...rest,
});

/** Kept as it is given. @param before of crawls that were begun before there was the option */
function kept<T>(schema: z.ZodType<T>, begin: (begun: Begun) => T): Keep<T, T> {
  return { how: 'replaced', schema, begin, store: (value) => value };
}

const keptSwitch = (begin: boolean, before: boolean) => kept<boolean>(z.boolean().default(before), () => begin);

/** Infinity is null in JSON. */
function keptLimit(begin: (begun: Begun) => number | null): Keep<number, number | null> {
  return { how: 'replaced', schema: z.number().nullable(), begin, store: finiteOrNull };
}

/** The crawl may be gone on with from elsewhere, so the path is a full one. */
const keptPath: Keep<string, string | null> = {
  how: 'replaced',
  schema: z.string().nullable().default(null),
  begin: () => null,
  store: (path) => (path === NONE ? null : resolve(path)),
};

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A proxy with a password is given anew with each run: what was stored before stays. */
function withoutSecret(proxy: string, _: Begun, before: string | null): string | null {
  if (proxy === NONE) return null;
  if (!URL.canParse(proxy)) return before;
  const { username, password } = new URL(proxy);
  return username === '' && password === '' ? proxy : before;
}

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph).join(', ');
const AIMLESS = strategiesThat(({ usesTopic }) => !usesTopic).join(', ');

/** null: by the limits of each run. Strategies that do not look at the topic have nothing to wait for. */
function patienceOf(strategy: Strategy): Ms | null {
  return strategyNamed(strategy).usesTopic ? null : 0;
}

/** @throws UsageError where a strategy needs the record */
function recordOf(value: boolean, { strategy }: Begun): boolean {
  if (!value && strategyNamed(strategy).needsGraph)
    throw new UsageError(`--record off: strategy ${strategy} needs the record of all links; leave it out`);
  return value;
}

export const SETTINGS = {
  /* What a crawl is about, and how far it goes. */

  /** Folder of the topic model, or of each of several (20 at the most, read in the same way). */
  topic: row(textOrTexts, { help: 'topic model, models/<name> (needed for a new crawl); repeated for several topics in one crawl' }),
  /** URLs, or files with one URL a line. */
  seeds: row(texts(), { help: 'URLs, or files with one URL a line (needed for a new crawl)' }),
  /** URLs to visit in all, earlier runs included. Infinity: no limit. */
  maxPages: row(limit(1), { help: 'number of URLs to visit in all, earlier runs included', byDefault: 'no limit', logged: true }),
  /** How long this run may lease new URLs. Infinity: no limit. */
  maxTime: row(longSpan, { help: 'how long this run may go on, e.g. 90s, 30m, 8h', byDefault: 'no limit', logged: true }),
  /** Stop when fewer of the last visits were on topic, earlier runs included. */
  stopYield: row(stopYield, {
    help: 'stop when fewer of the last visits were on topic, e.g. 2%/500, earlier runs included; or none',
    byDefault: 'none',
    logged: true,
    keep: {
      how: 'replaced' as const,
      schema: z.strictObject({ share: z.number(), visits: z.number().int().positive() }).nullable().default(null),
      begin: () => null,
      store: (value: { share: Unit; visits: number } | typeof NONE) => (value === NONE ? null : checkedYield(value)),
    },
  }),
  /** Requests in flight at once, over all hosts. */
  concurrency: row(count(1), { help: 'number of requests in flight at once, over all hosts', byDefault: '16', logged: true }),
  /** `host:`, `domain:`, `prefix:` and `regex:` rules, with `not:` in front to exclude. */
  scope: row(texts(), {
    help: 'where to go: host:NAME, domain:NAME, prefix:URL or regex:RE; not:… excludes',
    byDefault: 'everywhere',
    logged: true,
    // None given anew is nothing said: a crawl does not lose its bounds by an empty list.
    keep: {
      ...kept<readonly string[]>(z.array(z.string()), () => []),
      store: (rules: readonly string[], _: Begun, before: readonly string[] | null) => (rules.length > 0 ? rules : (before ?? [])),
    },
  }),
  /** Hops from the nearest seed. */
  maxDepth: row(limit(0), { help: 'number of hops from the nearest seed; or none', byDefault: 'no limit', keep: keptLimit(() => null) }),
  maxPagesPerHost: row(limit(1), {
    help: 'number of URLs to visit on one host; or none',
    byDefault: 'no limit',
    keep: keptLimit(() => null),
  }),
  /** YAML file of field rules; a crawl keeps those it was begun with. */
  fieldRules: row(text, { flag: 'fields', help: 'YAML file of field rules: URL patterns, fields and CSS selectors; kept with the crawl' }),
  /** Take up a crawl's recorded visits with all their links, for `freeze`. */
  record: row(flag, {
    help: `write down every visit with all its links, for forager freeze; always on for ${BY_GRAPH}`,
    keep: {
      ...kept<boolean>(z.boolean().default(false), ({ strategy }) => strategyNamed(strategy).needsGraph),
      store: recordOf,
    },
  }),
  /** Ask also for the sitemaps and feeds of hosts that have given on-topic pages. */
  sitemaps: row(flag, { help: 'ask also for sitemaps and feeds of hosts that gave on-topic pages', keep: keptSwitch(false, false) }),
  /** Ask again, before all else, for kept pages that were last asked for longer ago than this; they do not count as visits. */
  revisit: row(span, {
    help: 'ask again for kept pages last asked for longer ago than this, e.g. 30d; they count as no visits',
    byDefault: 'none',
    logged: true,
  }),

  /* What orders the frontier. */

  strategy: row(choice(STRATEGIES), {
    help: `what orders the frontier: ${STRATEGIES.join(', ')}`,
    byDefault: 'apprentice',
    logged: true,
    keep: { ...kept<Strategy>(z.enum(STRATEGIES), ({ strategy }) => strategy), how: 'fixed' as const },
  }),
  /** What the apprentice of another crawl learned, from a file of `exportLinkModel`, to begin with. The crawl keeps a copy. */
  linkModel: row(text, { help: 'what another crawl learned of links, a file of forager link-model, to begin with; kept with the crawl' }),
  /** Off-topic pages in a row that are passed through; 0 follows no link of an off-topic page. */
  tunnel: row(limit(0), {
    help: 'number of off-topic pages in a row to pass through; 0 follows no link of an off-topic page',
    byDefault: `4; no limit for ${AIMLESS}`,
    keep: keptLimit(({ strategy }) => (strategyNamed(strategy).usesTopic ? DEFAULT_TUNNEL : null)),
  }),
  /** Longest wait for a busy or resting host with a clearly better URL; 0 never waits; `auto` waits up to 20 s with `maxPages`, no longer than the time left for a page with `maxTime` too, else 0. */
  patience: row(patience, {
    help: 'longest wait for a busy or resting host with a clearly better URL; off: none; auto: 20s with --max-pages, less with --max-time, else off',
    byDefault: `auto; off for ${AIMLESS}`,
    keep: {
      how: 'replaced' as const,
      schema: z.number().nullable(),
      begin: ({ strategy }: Begun): Ms | null => patienceOf(strategy),
      store: (value: Ms | 'auto', { strategy }: Begun): Ms | null => (value === 'auto' ? patienceOf(strategy) : value),
    },
  }),
  traps: row(flag, {
    help: 'park URL patterns that brought nothing for long; off asks for them too',
    byDefault: 'on',
    keep: keptSwitch(true, true),
  }),
  /** Share of the visits that go to URLs drawn from all that waits, whatever their priority: `status` estimates by them what waits. */
  explore: row(share, {
    help: 'share of visits spent on randomly chosen URLs, e.g. 2%; status uses them to estimate how much of the queue is on topic',
    byDefault: '0%',
    keep: kept<Unit>(z.number().min(0).max(1).default(0), () => 0),
  }),
  /** Parked patterns to let go, by name, or `all`; for a crawl that is resumed. */
  unpark: row(texts(), { help: 'parked patterns to try again, as forager status names them, or all' }),
  rngSeed: row(count(0), {
    flag: 'seed-rng',
    help: 'seed of chance, a whole number',
    byDefault: '1',
    keep: { ...kept<number>(z.number(), () => 1), how: 'fixed' as const },
  }),

  /* Manners towards hosts, and the network. */

  /** Rest of a host between two requests. */
  delay: row(span, {
    help: 'rest of a host between two requests, e.g. 500ms, 1s',
    byDefault: '1s',
    logged: true,
    keep: kept<Ms>(z.number(), () => DEFAULT_DELAY),
  }),
  /** A host rests at least this many times as long as its last answer took, up to 30 s. */
  delayFactor: row(atLeast0, {
    help: 'wait at least this multiple of the last response time between requests to a host (at most 30s)',
    byDefault: '1; 0 with --delay 0',
    logged: true,
    // Who wants no delay at all wants none for a slow answer either.
    keep: kept<number>(z.number().min(0).default(0), ({ delay }) => (delay === 0 ? 0 : DELAY_FACTOR)),
  }),
  /** Do hosts of one IP address share their delay? Not those on loopback addresses, nor any by way of a proxy. */
  perIp: row(flag, { help: 'hosts of one IP address share one delay', byDefault: 'on', logged: true, keep: keptSwitch(true, false) }),
  perDomain: row(flag, { help: 'hosts of one registrable domain share one delay', logged: true, keep: keptSwitch(false, false) }),
  /** Text file of hosts, domains and beginnings of URLs that are never asked, read again when it changes; `none` drops that of a crawl. */
  optOut: row(text, {
    help: 'file of hosts, domains and beginnings of URLs never to be asked, one a line; read again when it changes; or none',
    logged: true,
    keep: keptPath,
  }),
  /** YAML file of header fields, credentials and doubtful certificates by host, read at each run; `none` drops that of a crawl. */
  hosts: row(text, {
    help: 'YAML file of header fields, passwords and unverified certificates for certain hosts; read at each run; or none',
    logged: true,
    keep: keptPath,
  }),
  cookies: row(flag, { help: 'keep cookies while the crawl runs, and send them back', logged: true, keep: keptSwitch(false, false) }),
  /** Offer HTTP/2 to servers under TLS. */
  http2: row(flag, { help: 'offer HTTP/2 to servers under TLS', logged: true, keep: keptSwitch(false, false) }),
  userAgent: row(text, { help: 'name to send instead of Forager/<version>' }),
  /** URL or mail address; a crawl that may go everywhere needs one. */
  contact: row(text, {
    help: 'URL or mail address a site owner can reach you at; sent with every request',
    logged: true,
    keep: kept<string | null>(z.string().nullable(), () => null),
  }),
  /** `http://host:port`; `none` goes without the one a crawl was begun with. */
  proxy: row(text, {
    help: 'HTTP proxy, http://host:port; or none',
    keep: { how: 'replaced' as const, schema: z.string().nullable(), begin: () => null, store: withoutSecret },
  }),
  /** May loopback and private addresses be asked? */
  allowPrivate: row(flag, {
    help: 'allow loopback and private addresses',
    logged: true,
    keep: kept<boolean>(z.boolean(), () => false),
  }),

  /* How a run goes on its machine, and what it tells. */

  /** Threads that read pages. */
  workers: row(count(1), { help: 'number of threads that read pages', byDefault: 'one less than there are processors, at least 1' }),
  /** Space to be left on the disk: below it the crawl waits, and ends after a while. */
  minFree: row(minFree, {
    help: 'space to be left on the disk: below it the crawl waits for space, ten minutes or as long as said, e.g. 1GB or 1GB/30m; 0 does not look',
    byDefault: '200MB, or a twentieth of a small disk',
  }),
  /** File that JSON lines are appended to, or `-` for standard error. */
  log: row(text, { help: 'file to write a log to, JSON lines; or - for standard error' }),
  /** `info`: a line for each URL that ended. */
  logLevel: row(choice(LOG_LEVELS), { help: `how much is logged: ${LOG_LEVELS.join(', ')}`, byDefault: 'info' }),
  /** `[HOST:]PORT` where `/metrics`, `/health` and `/visits` are answered. */
  metrics: row(text, { help: '[HOST:]PORT to answer /metrics (Prometheus), /health and /visits on; on loopback without a host' }),

  /* Training. */

  /** Folders, files, URLs: see `readInput`. None with `keywords`. */
  examples: row(texts(), { help: 'folder of .html/.txt/.md, a .jsonl, a .warc(.gz), or a file of URLs' }),
  irrelevant: row(texts(), { help: 'pages of what is not wanted, in the same forms' }),
  /** Crawl directories whose pages off topic join the background. */
  background: row(texts(), { help: 'a crawl whose pages off topic are to be told from the examples: crawl directory' }),
  /** A query instead of examples: see `parseRule`. */
  keywords: row(anyText, { help: 'a query instead of examples: "peat bog, sphagnum, moss AND NOT game"' }),
  /** What has the last word on a page: see `parseRule`. */
  rule: row(anyText, {
    help: 'what a page must be besides: lang:de, site:example.org, url:/blog/, title:moss, words, with AND, OR, NOT; "model OR …" lets it in',
  }),
  rung: row(choice(RUNGS), { help: `how to learn: ${RUNGS.join(', ')}`, byDefault: 'by the data' }),
  /** The least precision that the threshold is to give, by a lower bound on held-out pages. */
  precision: row(unit, {
    help: 'choose the threshold for this precision, by a 95 % lower bound, e.g. 0.9',
    byDefault: 'the highest F1',
  }),
  /** How main text is found. In a model it stays with it: all pages read for the model are read so. */
  extractor: row(choice(MAIN_TEXT_METHODS), {
    help: `how main text is found: ${MAIN_TEXT_METHODS.join(', ')}`,
    byDefault: DEFAULT_MAIN_TEXT_METHOD,
  }),
  strict: row(flag, { help: 'save no model that there is a line "warning:" or "danger:" about; a line "note:" is none' }),

  /* Corpora. */

  formats: row(choices(FORMAT_NAMES), { flag: 'format', help: `any of ${FORMAT_NAMES.join(',')}`, byDefault: 'jsonl' }),
  /** Name of a topic of a crawl of several. */
  topicName: row(text, { help: 'name of one topic of a crawl of several' }),
  minRelevance: row(unit, { help: 'least relevance, a number from 0 to 1', byDefault: "the topic's threshold" }),
  /** Primary language subtags, e.g. `en`. */
  languages: row(texts(true), { flag: 'lang', help: 'only these languages, e.g. en,de', byDefault: 'all' }),
  reserved: row(choice(['omit', 'include']), {
    help: 'pages whose rights to be mined are reserved: omit, or include against the will of their owners',
    byDefault: 'omit',
  }),
  dedupe: row(choice(['exact', 'none']), { help: 'exact keeps one page of each main text, none keeps all', byDefault: 'exact' }),
  /** Go on without what is damaged. */
  skipDamaged: row(flag, { help: 'go on without records that are damaged or missing, and name them' }),

  /* Looking at a crawl. */

  top: row(count(1), { help: 'number of entries to show' }),
  show: row(choices(['hosts', 'pages']), { help: 'what to show: hosts, pages', byDefault: 'both' }),
  state: row(choices(STATES), { help: `only these states: ${STATES.join(', ')}` }),
  reason: row(texts(true), { help: 'only these reasons, e.g. robots, scope, http-4xx' }),
  explain: row(flag, { help: 'with the contribution of every term' }),
  refetch: row(flag, {
    help: 'give up the records of pages whose WARC records are lost, so that the next run fetches these pages again',
  }),
  cut: row(flag, {
    help: 'cut the corpus to the last commit of the frontier, instead of giving the frontier what it does not know',
  }),

  /* Labels. */

  count: row(count(1), { help: 'pages to ask about', byDefault: 'until q, or none is left' }),
  every: row(count(1), { help: 'train again after so many answers too, not only at the end' }),
  labels: row(text, { help: 'file of labels made elsewhere: CSV or JSON lines with url and label (y, n, skip); nothing is asked' }),
  retrain: row(flag, { help: 'on: ask nothing, only train again with the labels there are; off: only store answers' }),
  evenIfWorse: row(flag, { help: 'put the model trained again in force though held-out labels say that it is worse' }),
  undoTraining: row(flag, { help: 'ask nothing: put the model before the last training in force again; answers stay' }),

  /* Texts of pages. */

  title: row(flag, { help: 'the title as the first line', byDefault: 'on for Markdown' }),
  headings: row(flag, { help: 'headings in the text', byDefault: 'on' }),
  tables: row(flag, { help: 'tables in the text; off where there is a text without them', byDefault: 'on' }),
  code: row(flag, { help: 'preformatted text; off where there is a text without it', byDefault: 'on' }),
  comments: row(flag, {
    help: "readers' comments: on adds those the extractor left out; off leaves them out, where there is a text without them",
  }),
  links: row(flag, { help: 'keep links in Markdown' }),

  /* Evaluations. */

  web: row(text, { help: 'a frozen web, or http://host:port of a proxy to freeze one through' }),
  judge: row(text, { help: 'who says what is on topic: labels.csv (url,on_topic) or model:DIR of another model' }),
  guide: row(choice(['model', 'labels']), {
    help: 'what tells strategies whether a page they read is on topic: model, or labels, those of --judge',
    byDefault: 'model',
  }),
  strategies: row(texts(true), {
    help: `any of ${STRATEGIES.join(',')},one-step,distance; the first is compared to the others`,
    byDefault: `all but dfs, ${BY_GRAPH}`,
  }),
  /** URLs each may visit. */
  budget: row(count(1), { help: 'number of URLs each may visit', byDefault: 'twice the pages to find, 100 to 2,000' }),
  /** Repetitions, each with seeds of its own. */
  repeats: row(count(1), { help: 'number of repetitions, each with seeds of its own', byDefault: '5; 1 with --seeds' }),

  /* Of most commands. */

  /** Crawl directory. */
  dir: row(text, { help: 'crawl directory' }),
  /** File or folder to write. */
  out: row(text, { help: 'what to write' }),
  force: row(flag, { help: 'replace what is at --out' }),
  json: row(flag, { help: 'print the report as JSON' }),
} as const;

export type SettingName = keyof typeof SETTINGS;
