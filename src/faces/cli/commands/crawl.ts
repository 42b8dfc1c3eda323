import { UsageError } from '../../../base/core/errors.ts';
import { command } from '../define.ts';

export const crawlCommand = command({
  name: 'crawl',
  positionals: ['dir'],
  summary: 'crawl best-first toward pages of a topic, or resume a crawl',
  examples: [
    [
      '$0 crawl crawls/moss --topic models/moss --seeds seeds.txt --max-pages 2000 --contact you@example.org',
      'two thousand pages toward the topic',
    ],
    [
      '$0 crawl crawls/bog --topic models/moss --topic models/peat --seeds seeds.txt --contact you@example.org',
      'two topics: each page is fetched once and judged by both',
    ],
    ['$0 crawl crawls/moss --hooks rules.mjs', 'resume it with functions of your own, which see each page'],
    ['$0 crawl crawls/moss --sink store.mjs', 'resume it, and give each kept record to a module of your own'],
    [
      '$0 crawl crawls/moss --judge-by judge.mjs --judge-band .2...8',
      'a judge of your own for the pages that the topic model is unsure of',
    ],
    [
      '$0 crawl crawls/fern --from crawls/moss --topic models/fern --max-pages 9000',
      'a tangent: a copy of crawls/moss, continued on another topic',
    ],
    [
      '$0 crawl crawls/moss-2 --since crawls/moss --topic models/moss --seeds seeds.txt --contact you@example.org',
      'another crawl that keeps only pages that are new or changed since that one',
    ],
    ['$0 crawl crawls/moss --render auto', 'resume it, and let a browser render the pages that are empty without scripts'],
    ['$0 crawl crawls/moss --continuous --revisit-budget 2000/day', 'keep it up to date: new pages, and the kept ones that change most'],
    ['$0 crawl crawls/moss --max-pages 5000', 'resume that crawl, up to five thousand visits'],
  ],
  groups: [
    ['Most used options', ['topic', 'seeds', 'contact', 'maxPages', 'maxTime', 'scope', 'maxDepth', 'delay', 'strategy', 'stopYield']],
    ['Questions to a person', ['ask', 'answersBy']],
    ['How much of the subject', ['known', 'stopRecall']],
    [
      'Where the crawl goes',
      [
        'seedsFromExamples',
        'maxPagesPerHost',
        'maxSharePerHost',
        'traps',
        'unpark',
        'sitemaps',
        'documents',
        'alternates',
        'urlList',
        'optOut',
        'obey',
        'allowPrivate',
      ],
    ],
    ['An archive in place of the web', ['archive', 'archiveDate', 'archiveIndex', 'archiveFrom']],
    ['In which order', ['rounds', 'tunnel', 'patience', 'explore', 'warmUp', 'linkModel', 'rngSeed']],
    ['Requests', ['userAgent', 'proxy', 'delayFactor', 'perIp', 'perDomain', 'hosts', 'cookies', 'http2', 'signKey', 'signAgent']],
    ['Pages that a browser renders', ['render', 'renderConcurrency', 'browser', 'sandbox']],
    ['Pages that change', ['revisit', 'revisitOnly', 'continuous', 'revisitBudget', 'refresh', 'since']],
    ['What is stored', ['fieldRules', 'record', 'skipDamaged']],
    ['Code of your own', ['hooks', 'strictHooks', 'judgeBy', 'judgeBand', 'judgeLimit', 'sink']],
    ['Machine and monitoring', ['concurrency', 'workers', 'minFree', 'log', 'logLevel', 'metrics', 'page']],
    ['Several machines', ['at', 'corpusBucket', 's3Endpoint', 's3Region']],
    ['Output and directory', ['from', 'force', 'json']],
  ],
  oldNames: [
    { name: 'focus', hasValue: true, now: focusNow },
    { name: 'gamma', hasValue: true, now: () => [] },
  ],
  run: async (options) => (await import('../runs/crawl.ts')).runCrawlCommand(options),
});

/** @throws UsageError */
function focusNow(value: string): readonly string[] {
  if (value === 'hard') return ['--tunnel', '0'];
  if (value === 'soft') return [];
  throw new UsageError(
    `--focus ${value}: not one of soft, hard; the option is now --tunnel, and --tunnel 0 follows no link of an off-topic page`,
  );
}
