import { LOG_LEVELS } from '../../app/crawl-log.ts';
import type { CrawlOptions, CrawlReport } from '../../app/crawl-options.ts';
import { SPACE_PATIENCE } from '../../app/disk-watch.ts';
import { type FailureCounts, FailureTally } from '../../app/failures.ts';
import { EXIT, UsageError } from '../../core/errors.ts';
import type { FrontierCounts } from '../../core/parts.ts';
import { AIMLESS, BY_GRAPH, STRATEGIES } from '../../links/strategies.ts';
import {
  type Args,
  type Command,
  choiceOf,
  countOf,
  flag,
  flagOf,
  given,
  listOf,
  measure,
  NETWORK_OPTIONS,
  networkOf,
  numberOf,
  print,
  printJson,
  requiredText,
  several,
  shareOf,
  spanOf,
  text,
  textOf,
  unitOf,
  warn,
} from '../command.ts';
import { failedText, failuresLine } from '../failures-text.ts';
import { goOnCommand, hasMore } from '../go-on.ts';
import { doubtLine, harvestRateText, precisionText } from '../grounds-text.ts';
import { onInterrupt } from '../interrupt.ts';
import { countText, Progress, rateAndEta } from '../progress.ts';
import { revisitText } from '../revisit-text.ts';
import { reasonText, SeedTroubles } from '../seed-troubles.ts';
import { onDamagedOf, SKIP_DAMAGED } from '../skip-damaged.ts';
import { yieldText } from '../topic-text.ts';
import { waitingText } from '../visits-text.ts';

/** Lost seeds that are named. */
const LOST_SEEDS = 10;
const FOCUS = ['soft', 'hard'] as const;
const ON_OFF = ['on', 'off'] as const;

export const crawlCommand: Command = {
  name: 'crawl <dir>',
  summary: 'crawl best-first toward pages of a topic; on a directory with a crawl, go on with it',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory: new, or one to go on with' })
      .options({
        topic: text('topic model, models/<name> (needed for a new crawl); repeated for several topics in one crawl'),
        seeds: several('URLs, or files with one URL a line (needed for a new crawl)'),
        'max-pages': measure('number of URLs to visit in all, earlier runs included', 'no limit'),
        'max-time': measure('how long this run may go on, e.g. 90s, 30m, 8h', 'no limit'),
        'stop-yield': text('stop when fewer of the last visits were on topic, e.g. 2%/500, earlier runs included; or none', {
          defaultDescription: 'none',
        }),
        concurrency: measure('number of requests in flight at once, over all hosts', '16'),
        scope: several('where to go: host:NAME, domain:NAME, prefix:URL or regex:RE; not:… excludes', { defaultDescription: 'everywhere' }),
        'max-depth': measure('number of hops from the nearest seed', 'no limit'),
        'max-pages-per-host': measure('number of URLs to visit on one host', 'no limit'),
        fields: text('YAML file of field rules: URL patterns, fields and CSS selectors; kept with the crawl'),
        strategy: text(`what orders the frontier: ${STRATEGIES.join(', ')}`, { defaultDescription: 'apprentice' }),
        gamma: measure('credit of a page for what its links led to a hop further ahead, from 0 to below 1; strategy apprentice', '0'),
        'link-model': text('what another crawl learned of links, a file of forager link-model, to begin with; kept with the crawl'),
        focus: text('soft, or hard: follow no link of an off-topic page', { defaultDescription: 'soft' }),
        tunnel: measure('number of off-topic pages in a row to pass through', `4; no limit for ${AIMLESS.join(', ')}`),
        patience: measure(
          'longest wait for a busy or resting host with a clearly better URL; off: none; auto: the default again',
          '20s with --max-pages, less with --max-time, else off',
        ),
        traps: text('on, or off: go on asking for URLs of patterns that brought nothing for long', { defaultDescription: 'on' }),
        explore: text('share of the visits that go to URLs drawn by chance, e.g. 2%: forager status tells by them what waits', {
          defaultDescription: '0%',
        }),
        unpark: several('parked patterns to try again, as forager status names them, or all'),
        'seed-rng': measure('seed of chance, a whole number', '1'),
        record: flag(
          `write down every visit with all its links, for forager freeze; a crawl that is recorded stays so, and one by ${BY_GRAPH.join(', ')} always is`,
        ),
        sitemaps: flag('ask also for sitemaps and feeds of hosts that gave on-topic pages; a crawl that does so goes on doing it'),
        ...NETWORK_OPTIONS,
        contact: text('URL or mail address a site owner can reach you at; needed where no --scope says where to go'),
        'delay-factor': measure(
          'number of times its last answer took that a host rests, where that is longer than --delay; up to 30s',
          '1; 0 with --delay 0',
        ),
        'per-ip': text('on, or off: hosts of one IP address do not share their delay', { defaultDescription: 'on' }),
        'per-domain': flag('hosts of one registrable domain share their delay; a crawl where they do goes on so'),
        revisit: measure('ask again for kept pages last asked for longer ago than this, e.g. 30d; they count as no visits', 'none'),
        ...SKIP_DAMAGED,
        hosts: text('YAML file of header fields, passwords and unverified certificates for certain hosts; read at each run; or none'),
        cookies: flag('keep cookies while the crawl runs, and send them back; a crawl that does so goes on doing it'),
        http2: flag('offer HTTP/2 to servers under TLS; a crawl that does so goes on doing it'),
        'opt-out': text('file of hosts, domains and beginnings of URLs never to be asked, one a line; read again when it changes; or none'),
        'min-free': text(
          'space to be left on the disk: below it the crawl waits for space, ten minutes or as long as said, e.g. 1GB or 1GB/30m; 0 does not look',
          {
            defaultDescription: '200MB, or a twentieth of a small disk',
          },
        ),
        log: text('file to write a log to, JSON lines; or - for standard error'),
        'log-level': text(`how much is logged: ${LOG_LEVELS.join(', ')}`, { defaultDescription: 'info' }),
        metrics: text('[HOST:]PORT to answer /metrics (Prometheus), /health and /visits on; on loopback without a host'),
        force: flag('replace the crawl that is there'),
        json: flag('print the report as JSON'),
      })
      .example(
        '$0 crawl crawls/moss --topic models/moss --seeds seeds.txt --max-pages 2000 --contact you@example.org',
        'two thousand pages toward the topic',
      )
      .example(
        '$0 crawl crawls/bog --topic models/moss --topic models/peat --seeds seeds.txt --contact you@example.org',
        'two topics: each page is fetched once and judged by both',
      )
      .example('$0 crawl crawls/moss --max-pages 5000', 'go on with that crawl, up to five thousand'),
  run,
};

async function run(args: Args): Promise<number> {
  const dir = requiredText(args, 'dir');
  const startedAt = Date.now();
  const maxPages = countOf(args, 'max-pages');
  const options = optionsOf(args, dir);
  const { crawl } = await import('../../app/crawl.ts');
  let progress: Progress | null = null;
  const tell = (message: string) => {
    clearLineOf(progress);
    warn(message);
  };
  const failures = new FailureTally();
  // A log on standard error has all that too, and stays a log of JSON lines.
  const isQuiet = options.log === '-';
  const troubles = new SeedTroubles(Date.now);
  const interrupt = onInterrupt(isQuiet ? null : 'Stopping: finishing the pages in flight. Press Ctrl-C again to stop at once.');
  try {
    const report = await crawl({
      ...options,
      signal: interrupt.signal,
      onMetrics: (origin) => {
        if (!isQuiet) tell(`metrics: ${origin}/metrics, ${origin}/health, ${origin}/visits`);
      },
      onEvent: (event) => {
        if (event.type === 'settled') failures.add({ ...event, state: event.fate });
        const message = event.type === 'warning' ? event.message : troubles.take(event);
        if (message !== null && !isQuiet) tell(message);
      },
      onOpen: (counts, _, visits) => {
        const before = counts().visited;
        const line = () =>
          troubles.beside(progressLine(counts(), before, maxPages ?? null, Date.now() - startedAt, failures.counts()), counts());
        if (!isQuiet) progress = new Progress(() => (interrupt.signal.aborted ? waitingText(visits(), Date.now()) : line()));
      },
    });
    closeOf(progress);
    if (flagOf(args, 'json')) printJson(report);
    else describe(report);
    return exitCodeOf(report);
  } catch (error) {
    if (interrupt.signal.aborted && error === interrupt.signal.reason) return EXIT.interrupted;
    throw error;
  } finally {
    closeOf(progress);
    interrupt.close();
  }
}

/** A limit that was met is an end like another; a machine without room is not, nor are seeds of which none gave a page. */
function exitCodeOf({ stopReason, seedsWithPage }: CrawlReport): number {
  if (stopReason === 'interrupted') return EXIT.interrupted;
  if (stopReason === 'disk-full' || stopReason === 'low-memory') return EXIT.environment;
  return seedsWithPage === 0 ? EXIT.noPage : EXIT.done;
}

function clearLineOf(progress: Progress | null): void {
  progress?.clearLine();
}

/** TypeScript does not see assignments made in callbacks. */
function closeOf(progress: Progress | null): void {
  progress?.close();
}

/** Only what was said: a resumed crawl keeps the rest. */
function optionsOf(args: Args, dir: string) {
  const { concurrency, userAgent, contact, proxy, allowPrivate } = networkOf(args);
  const said = {
    topic: args['topic'] === undefined ? undefined : listOf(args, 'topic'),
    seeds: args['seeds'] === undefined ? undefined : listOf(args, 'seeds'),
    maxPages: countOf(args, 'max-pages'),
    maxTime: spanOf(args, 'max-time'),
    stopYield: stopYieldOf(args),
    minFree: minFreeOf(args),
    log: textOf(args, 'log'),
    logLevel: choiceOf(args, 'log-level', LOG_LEVELS),
    metrics: textOf(args, 'metrics'),
    delay: spanOf(args, 'delay'),
    delayFactor: numberOf(args, 'delay-factor'),
    perIp: choiceOf(args, 'per-ip', ON_OFF),
    optOut: textOf(args, 'opt-out'),
    hosts: textOf(args, 'hosts'),
    revisit: spanOf(args, 'revisit'),
    ...onDamagedOf(args),
    scope: args['scope'] === undefined ? undefined : listOf(args, 'scope'),
    maxDepth: countOf(args, 'max-depth', 0),
    maxPagesPerHost: countOf(args, 'max-pages-per-host'),
    fieldRules: textOf(args, 'fields'),
    linkModel: textOf(args, 'link-model'),
    strategy: choiceOf(args, 'strategy', STRATEGIES),
    focus: choiceOf(args, 'focus', FOCUS),
    tunnel: countOf(args, 'tunnel', 0),
    patience: patienceOf(args),
    traps: choiceOf(args, 'traps', ON_OFF),
    gamma: unitOf(args, 'gamma'),
    explore: shareOf(args, 'explore'),
    unpark: args['unpark'] === undefined ? undefined : listOf(args, 'unpark'),
    rngSeed: countOf(args, 'seed-rng', 0),
    userAgent: userAgent ?? undefined,
    contact: contact ?? undefined,
    proxy: proxy ?? undefined,
  };
  return {
    dir,
    concurrency,
    allowPrivate,
    record: flagOf(args, 'record'),
    sitemaps: flagOf(args, 'sitemaps'),
    perDomain: flagOf(args, 'per-domain'),
    cookies: flagOf(args, 'cookies'),
    http2: flagOf(args, 'http2'),
    environment: process.env,
    force: flagOf(args, 'force'),
    ...given(said),
  };
}

function patienceOf(args: Args): CrawlOptions['patience'] {
  const value = textOf(args, 'patience');
  return value === 'off' ? 0 : value === 'auto' ? value : spanOf(args, 'patience');
}

/** `2%/500`: at least 2 % of the last 500 visits. */
function stopYieldOf(args: Args): CrawlOptions['stopYield'] {
  const value = textOf(args, 'stop-yield');
  if (value === undefined || value === 'none') return value;
  const [, percent, visits] = /^(\d+(?:\.\d+)?)%\/(\d+)$/.exec(value) ?? [];
  if (percent === undefined) throw new UsageError(`--stop-yield ${value}: not a share of visits; write e.g. 2%/500, or none`);
  return { share: Number(percent) / 100, visits: Number(visits) };
}

const SIZES: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** `1GB`, or `1GB/30m`: that much to be left free, and that long to be waited for it. */
function minFreeOf(args: Args): CrawlOptions['minFree'] {
  const value = textOf(args, 'min-free');
  if (value === undefined) return undefined;
  const [, size, unit = 'B', patience] = /^(\d+(?:\.\d+)?) ?([KMGT]?B)?(?:\/(.*))?$/i.exec(value) ?? [];
  if (size === undefined) throw new UsageError(`--min-free ${value}: not a size; write e.g. 500MB, 1GB or 1GB/30m, or 0`);
  const minFree = Number(size) * (SIZES[unit.toUpperCase()] ?? 1);
  return { minFree, patience: (patience === undefined ? undefined : spanOf({ 'min-free': patience }, 'min-free')) ?? SPACE_PATIENCE };
}

function progressLine(counts: FrontierCounts, before: number, maxPages: number | null, ms: number, failures: FailureCounts): string {
  const { visited, kept, queued } = counts;
  const done = visited - before;
  const failed = failedText(done, failures);
  const lost = failed === '' ? '' : `, ${failed}`;
  const total = maxPages === null ? null : Math.max(0, maxPages - before);
  return `visited ${countText(visited)}${maxPages === null ? '' : ` of ${countText(maxPages)}`}, ${countText(kept)} kept by the model${lost}, ${countText(queued)} waiting; ${rateAndEta(done, total, ms)}`;
}

function describe(report: CrawlReport): void {
  const { counts, dir } = report;
  const why = {
    drained: 'no URL waits',
    'max-pages': 'the page budget is spent',
    'max-time': 'the time is up',
    'low-yield': 'too few of the last visits were on topic by the model (--stop-yield)',
    interrupted: 'interrupted',
    'disk-full': 'the disk is nearly full (--min-free)',
    'low-memory': 'memory is nearly full',
  }[report.stopReason];
  print(
    `${why}: ${countText(counts.visited)} visited, ${countText(counts.kept)} kept by the model; ${harvestRateText(report.harvestRate, report.doubts)}`,
  );
  print(
    `discovered ${countText(counts.discovered)} = kept ${counts.kept} + off-topic ${counts.offTopic} + duplicate ${counts.duplicate} + fetched ${counts.fetched} + refused ${counts.refused} + failed ${counts.failed} + waiting ${counts.queued}${counts.parked > 0 ? ` (${countText(counts.parked)} passed over as parked)` : ''}`,
  );
  const failed = failuresLine(counts.visited, report.failures, report.resumed);
  if (failed !== '') print(failed);
  for (const topic of report.topics) print(yieldText(topic, report.doubts));
  if (Object.keys(report.revisited).length > 0) print(revisitText(report.revisited));
  describeLost(report);
  for (const line of goOnLines(report)) print(line);
  print(`look:    forager status ${dir}`);
  const one = report.topics.length > 0 ? ', for one of its topics with --topic <name>' : '';
  if (counts.kept > 0) print(`corpus:  forager harvest ${dir} --out <folder>${one}`);
  const doubt = doubtLine(dir, report.doubts, report.topics.length > 0);
  if (doubt !== null && counts.visited > 0) print(doubt);
  if (counts.kept > 0) print(precisionText(dir, report, report.topics.length > 0));
}

/** Links to such addresses are no business of a crawl, but a seed is meant. One that was refused is not asked for again. */
const PRIVATE_SEEDS = '; seeds are among them: to have these asked, begin a crawl in another directory with --allow-private';

/** What to do before going on, where the machine had no room for more. */
const REMEDY: Partial<Record<CrawlReport['stopReason'], string>> = {
  'disk-full': 'free some space first',
  'low-memory': 'give it more memory: NODE_OPTIONS=--max-old-space-size=<megabytes>',
};

/** How to go on, where there is something to go on with. */
function goOnLines({ stopReason, dir, topics, counts }: CrawlReport): string[] {
  if (stopReason === 'drained') return [];
  if (stopReason === 'max-pages')
    return hasMore(counts)
      ? [`go on:   ${goOnCommand(dir, stopReason, counts.visited)}`]
      : ['no URL waits that may be asked for: a larger budget brings nothing'];
  const remedy = REMEDY[stopReason];
  if (remedy !== undefined) return [`go on:   the same command again (without --force); ${remedy}`];
  if (stopReason !== 'low-yield') return ['go on:   the same command again (without --force)'];
  const label = topics.length > 0 ? '' : `forager label ${dir} trains the topic again; `;
  return [
    `other ways: ${label}forager seeds ${dir} lists what on-topic pages cite, as --seeds for here or a new crawl`,
    'go on:   the same command again (without --force) with a lower --stop-yield, or --stop-yield none; else spend the requests elsewhere',
  ];
}

/** What kept pages out that the user named, or can let in. */
function describeLost({ lostSeeds, seedsWithPage, privateSeeds, privateAddresses, dir }: CrawlReport): void {
  if (seedsWithPage === 0) print('no seed gave a page');
  if (lostSeeds.length > 0) print(`seeds without a page: ${countText(lostSeeds.length)}`);
  for (const { url, state, reason } of lostSeeds.slice(0, LOST_SEEDS)) print(`  ${state} (${reason})  ${url}  ${reasonText(reason)}`);
  if (lostSeeds.length > LOST_SEEDS)
    print(`  and ${countText(lostSeeds.length - LOST_SEEDS)} more: forager ledger ${dir} --state refused,failed`);
  if (privateAddresses > 0) print(`private addresses refused: ${countText(privateAddresses)}${privateSeeds > 0 ? PRIVATE_SEEDS : ''}`);
}
