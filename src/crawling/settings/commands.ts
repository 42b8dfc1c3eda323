/** The settings of each command, and its own help texts for some of them. */
import { PAIR_FORMAT_NAMES } from '../../corpus/formats/format-names.ts';
import { OBEYED_BY_DEFAULT } from '../../corpus/select/obeyed-names.ts';
import { day } from './crawl-kinds.ts';
import { anyText, choice, choices, flag, span, text, texts } from './kinds.ts';
import type { Former, Setting, Settings } from './setting.ts';
import { PAGE_PORT, SETTINGS, type SettingName } from './settings.ts';

function pick<const K extends SettingName>(...names: readonly K[]): Pick<typeof SETTINGS, K> {
  return Object.fromEntries(names.map((name) => [name, SETTINGS[name]])) as Pick<typeof SETTINGS, K>;
}

/** A setting with a help text for one command. */
function worded<const R extends Setting<unknown>>(setting: R, help: string, byDefault?: string): R {
  return { ...setting, help, ...(byDefault !== undefined && { byDefault }) };
}

/** A setting whose values belong to this command: the top of a file may not set them. */
function local<const R extends Setting<unknown>>(setting: R): R & { readonly local: true } {
  return { ...setting, local: true };
}

/** Only this action of the command reads them. */
function readBy<const S extends Settings>(action: string, settings: S): S {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, { ...setting, action }])) as S;
}

function needed<const R extends Setting<unknown>>(setting: R): R & { readonly needed: true } {
  return { ...setting, needed: true };
}

/** A setting that takes its value in a file from another command, if the file has none for this one. */
function elsewhere<const R extends Setting<unknown>>(setting: R, command: string, flag: string): R {
  return { ...setting, elsewhere: { command, flag } };
}

/** A file of options names the crawl once. */
const DIR = { dir: needed(elsewhere(SETTINGS.dir, 'crawl', 'dir')) };
/** Settings of commands that read a crawl. */
const READ = {
  ...DIR,
  at: local(worded(SETTINGS.at, 'PostgreSQL database of a crawl on several machines: it is first gathered into the directory')),
};
/** Settings of commands about the versions of one page. */
const OF_PAGE = {
  ...READ,
  dir: needed(elsewhere(worded(SETTINGS.dir, 'crawl directory, or folder of a harvest with --versions all'), 'crawl', 'dir')),
  url: needed(local({ kind: text, help: 'URL of a kept page' })),
};
const out = (help: string) => ({ out: needed(worded(SETTINGS.out, help)) });
const force = (help: string) => ({ force: worded(SETTINGS.force, help) });
const json = (help: string) => ({ json: worded(SETTINGS.json, help) });

/** Settings of every command that makes requests. */
export const NETWORK = pick('delay', 'userAgent', 'contact', 'proxy', 'allowPrivate');

/** Settings of every command that renders pages. */
export const RENDERING = pick('render', 'renderConcurrency', 'browser', 'sandbox');
/** Settings of commands that render pages of a list, one after another. */
export const LIST_RENDERING = pick('render', 'browser', 'sandbox');

const PAGES_IN = 'file, folder, .jsonl, .warc(.gz), file of URLs, URL, or - for standard input';

/** Shells that `forager completion` writes a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** `pause`: no worker requests anything until `resume`. `stop`: all end, as by Ctrl-C. `drop`: the crawl is removed from the database. */
export const WORKER_ACTIONS = ['pause', 'resume', 'stop', 'drop'] as const;
export type WorkerAction = (typeof WORKER_ACTIONS)[number];

/** Settings of every command that writes a corpus. */
const SELECTION = {
  ...pick('languages', 'published', 'reserved', 'withoutUse', 'dedupe', 'near', 'quality', 'qualityColumns', 'langParagraphs', 'repeated'),
  ...pick('personal'),
  obey: local(worded(SETTINGS.obey, SETTINGS.obey.help, `as the crawl; ${OBEYED_BY_DEFAULT.join(',')}`)),
  ...pick('perHost', 'sample', 'sampleBy', 'split', 'splitBy'),
  rngSeed: {
    ...worded(SETTINGS.rngSeed, 'seed of --per-host, --sample and --split, a whole number', '1'),
    needs: [{ option: 'perHost' }, { option: 'sample' }, { option: 'split' }],
  },
  ...pick('compression', 'waczText', 'csvText', 'csvBom', 'chunk', 'chunkBy', 'creators', 'corpusUrl'),
};

/** Settings of an object store that a corpus is written to. */
const IN_BUCKET = {
  s3Endpoint: { ...SETTINGS.s3Endpoint, needs: [{ option: 'out', begins: 's3://' }] },
  s3Region: { ...SETTINGS.s3Region, needs: [{ option: 'out', begins: 's3://' }] },
} as const;

/** Pages that `label audit` draws without another number: the interval of thirty answers is at most 34 points wide. */
export const AUDITED = 30;

/** Least score of a sentence pair that `pairs` writes. */
export const DEFAULT_MIN_SCORE = 0.5;

/** Options of every command of labels. */
const LABELS = {
  ...READ,
  topicName: worded(SETTINGS.topicName, 'name of the topic to label, in a crawl of several'),
  ...pick('skipDamaged'),
};
const SHOWN_PAGES = json('print the outcome as JSON, and the pages on standard error');
const SHOWN_REASONS = worded(SETTINGS.top, 'reasons to show for and against', '6');
const DRAWS = worded(
  SETTINGS.rngSeed,
  'seed of the random choices (random pages, folds), a whole number; applies to the first labels of a crawl',
);

function former<const R extends Setting<unknown>, const F extends Former>(setting: R, by: F): R & { readonly former: F } {
  return { ...setting, former: by };
}

/** Settings that need no other one in a command whose corpus has its formats already. */
function unconditional<const S extends Settings>(settings: S): S {
  return Object.fromEntries(Object.entries(settings).map(([name, { needs: _, ...setting }]) => [name, setting])) as S;
}

/** The pages that are taken back. */
const WITHDRAWN = {
  urls: local({ kind: texts(), flag: 'url', help: 'pages by their URLs: URLs, or files with one a line' }),
  hostNames: local({ kind: texts(), flag: 'host', help: 'all pages of these hosts, by their names' }),
  ids: local({ kind: texts(), flag: 'id', help: 'pages by the ids of their records: ids, or files with one a line' }),
};

/** Options of `label` in 0.2 that are commands of their own now. */
const FORMER = {
  audit: former(SETTINGS.count, { command: 'label audit', as: 'count' }),
  labels: former({ kind: text, help: 'file of labels to import' }, { command: 'label import', as: 'file' }),
  exportLabels: former({ kind: text, help: 'file to write' }, { command: 'label export', as: 'file' }),
  noneOf: former({ kind: text, help: 'host, or directory' }, { command: 'label none-of', as: 'place' }),
  undoTraining: former(SETTINGS.evenIfWorse, { command: 'label undo' }),
  judge: former(local({ kind: choice(['openai']), help: 'protocol of the server' }), { command: 'label judge' }),
  judgeUrl: former(SETTINGS.judgeUrl, { command: 'label judge', as: 'judgeUrl' }),
  judgeModel: former(SETTINGS.judgeModel, { command: 'label judge', as: 'judgeModel' }),
  judgeQuestion: former(SETTINGS.judgeQuestion, { command: 'label judge', as: 'judgeQuestion' }),
  judgeCalls: former(SETTINGS.judgeCalls, { command: 'label judge', as: 'judgeCalls' }),
  judgeTokens: former(SETTINGS.judgeTokens, { command: 'label judge', as: 'judgeTokens' }),
  judgeTime: former(SETTINGS.judgeTime, { command: 'label judge', as: 'judgeTime' }),
} as const;

/** A worker may join a crawl that has a bucket by its database alone. */
const BUCKET_OF_CRAWL = [{ option: 'corpusBucket' }, { option: 'at' }] as const;

export const COMMANDS = {
  init: {
    dir: local(worded(SETTINGS.dir, 'folder for the project', 'the current directory')),
    ...pick('subject'),
    examples: worded(SETTINGS.examples, 'example pages: folders, files, files of URLs, or URLs'),
    ...pick('keywords'),
    seeds: worded(SETTINGS.seeds, 'URLs to start from, or files with one URL a line'),
    scope: SETTINGS.scope,
    documents: SETTINGS.documents,
    maxPages: worded(SETTINGS.maxPages, 'number of URLs to visit in total; or none', '500'),
    yes: SETTINGS.yes,
    ...NETWORK,
    ...force('replace an existing forager.yaml'),
    ...json('print the report as JSON'),
  },
  train: {
    ...pick('examples', 'irrelevant', 'pool', 'background', 'keywords', 'rule', 'method', 'precision', 'strict', 'wordVectors'),
    subject: worded(SETTINGS.subject, 'subject in a few words, for the cards of model and corpus'),
    ...out('folder for the model, e.g. models/<name>'),
    checkSite: local(SETTINGS.checkSite),
    extractor: worded(SETTINGS.extractor, `${SETTINGS.extractor.help}; stored with the model and used for all pages it reads`),
    rngSeed: worded(SETTINGS.rngSeed, 'seed of the random choices (folds), a whole number'),
    ...NETWORK,
    ...LIST_RENDERING,
    ...force('replace a model at --out'),
    ...json('print the model card as JSON'),
  },
  crawl: {
    dir: needed(worded(SETTINGS.dir, 'crawl directory, new or to resume')),
    ...pick(
      'topic',
      'seeds',
      'seedsFromExamples',
      'maxPages',
      'maxTime',
      'stopYield',
      'concurrency',
      'scope',
      'maxDepth',
      'rounds',
      'maxPagesPerHost',
      'maxSharePerHost',
      'fieldRules',
    ),
    from: {
      kind: text,
      help: 'crawl of one machine that a new crawl starts from: a copy, whose visits are lessons for the topic and settings that you give',
    },
    ...pick('hooks', 'strictHooks', 'judgeBy', 'judgeBand', 'judgeLimit', 'sink'),
    ...pick('known', 'stopRecall'),
    ...pick('ask', 'answersBy'),
    ...pick(
      'strategy',
      'linkModel',
      'tunnel',
      'patience',
      'traps',
      'explore',
      'warmUp',
      'unpark',
      'rngSeed',
      'record',
      'sitemaps',
      'documents',
      'alternates',
      'urlList',
    ),
    ...pick('archive', 'archiveDate', 'archiveIndex', 'archiveFrom'),
    ...NETWORK,
    contact: worded(SETTINGS.contact, 'URL or mail address a site owner can reach you at; required without --scope'),
    ...pick(
      'delayFactor',
      'perIp',
      'perDomain',
      'since',
      'revisit',
      'revisitOnly',
      'continuous',
      'revisitBudget',
      'refresh',
      'skipDamaged',
      'hosts',
      'cookies',
      'http2',
      'optOut',
      'obey',
    ),
    ...pick('signKey', 'signAgent'),
    ...RENDERING,
    ...pick('workers', 'minFree', 'log', 'logLevel', 'metrics', 'page', 'at'),
    ...pick('corpusBucket'),
    s3Endpoint: {
      ...worded(SETTINGS.s3Endpoint, 'URL of an object store with the API of S3, for --corpus-bucket'),
      needs: BUCKET_OF_CRAWL,
    },
    s3Region: { ...SETTINGS.s3Region, needs: BUCKET_OF_CRAWL },
    ...force('replace an existing crawl'),
    ...json('print the report as JSON'),
  },
  watch: {
    ...DIR,
    every: local({ kind: span, help: 'time between two looks, e.g. 12h or 7d: a call before does nothing', byDefault: '7d' }),
    maxPages: local(worded(SETTINGS.maxPages, 'number of new URLs to visit in a look; or none', '1000')),
    maxTime: worded(SETTINGS.maxTime, 'longest time for the requests of a look, e.g. 90s, 30m, 8h'),
    revisit: worded(SETTINGS.revisit, 'request kept pages again if their last request is older than this', 'half of --every'),
    revisitOnly: local({ ...SETTINGS.revisitOnly, help: 'request no new URL' }),
    reportOnly: pick('reportOnly').reportOnly,
    format: local({
      kind: choice(['markdown', 'json', 'feed']),
      help: 'form of the report that is printed: markdown, json or feed (Atom); the directory has all three',
      byDefault: 'markdown',
    }),
    out: local(worded(SETTINGS.out, 'file for the printed report, which each report replaces', 'standard output')),
    ...pick('skipDamaged'),
  },
  status: { ...READ, partitions: local(SETTINGS.partitions), ...json('print the status as JSON') },
  open: {
    dir: local(
      elsewhere(worded(SETTINGS.dir, 'crawl directory, or a folder to start a project in', 'the current directory'), 'crawl', 'dir'),
    ),
    others: local({ kind: texts(), help: 'further crawl directories, and folders of forager eval, to compare with' }),
    at: local(
      worded(
        SETTINGS.at,
        'PostgreSQL database of a crawl on several machines: it is gathered into the directory, again every quarter of a minute',
      ),
    ),
    page: worded(SETTINGS.page, '[HOST:]PORT to serve the page on; without a host: on loopback', String(PAGE_PORT)),
    proxy: worded(SETTINGS.proxy, 'HTTP proxy for the runs that the page starts, http://host:port; or none', 'as the crawl has it'),
    ...unconditional({ browser: worded(SETTINGS.browser, 'Chromium or Chrome for the runs that the page starts, if they render pages') }),
    sandbox: worded(SETTINGS.sandbox, 'keep the sandbox of that browser; root needs --no-sandbox'),
  },
  ledger: {
    ...READ,
    ...pick('state', 'reason'),
    format: local({
      kind: choice(['jsonl', 'csv', 'gexf', 'graphml']),
      help: 'jsonl or csv: the lines of the ledger, or with --network its links; gexf or graphml: a network',
      byDefault: 'jsonl',
    }),
    network: local(SETTINGS.network),
  },
  why: {
    ...READ,
    url: needed({ kind: text, help: 'a URL the crawl discovered' }),
    topicName: worded(
      SETTINGS.topicName,
      'name of the topic to explain the page by, in a crawl of several',
      'the one the page is most relevant to',
    ),
    top: worded(SETTINGS.top, 'number of contributions to show for and against', '5'),
    ...json('print everything as JSON'),
  },
  versions: {
    ...OF_PAGE,
    ...json('print the versions as JSON'),
  },
  diff: {
    ...OF_PAGE,
    between: local({ kind: texts(), help: 'two versions, by number or by date', byDefault: 'the last two' }),
    ...json('print both texts as runs of words, as JSON'),
  },
  label: {
    ...LABELS,
    ...pick('count', 'every', 'newHosts', 'name', 'evenIfWorse'),
    top: SHOWN_REASONS,
    rngSeed: DRAWS,
    ...SHOWN_PAGES,
    retrain: { ...SETTINGS.retrain, former: { command: 'label train', ifOn: true } },
    ...FORMER,
  },
  'label audit': {
    ...LABELS,
    count: local(worded(SETTINGS.count, 'number of kept pages to draw at random and to ask about', String(AUDITED))),
    ...pick('name'),
    top: SHOWN_REASONS,
    rngSeed: DRAWS,
    ...SHOWN_PAGES,
  },
  'label decide': {
    ...LABELS,
    count: local(worded(SETTINGS.count, 'number of pages to decide about', 'all')),
    ...pick('name'),
    top: SHOWN_REASONS,
    ...SHOWN_PAGES,
  },
  'label import': {
    ...LABELS,
    file: needed(local({ kind: text, help: 'labels made elsewhere: CSV or JSON lines with url and label (y, n, skip)' })),
    ...pick('name', 'retrain', 'evenIfWorse'),
    rngSeed: DRAWS,
    ...json('print the outcome as JSON'),
  },
  'label export': {
    ...LABELS,
    file: needed(local({ kind: text, help: 'new CSV file for all labels, which label import reads' })),
    ...json('print the outcome as JSON'),
  },
  'label none-of': {
    ...LABELS,
    place: needed(local({ kind: text, help: 'a host, or the URL of a directory: n for all its judged pages without an answer' })),
    ...pick('name', 'retrain', 'evenIfWorse'),
    rngSeed: DRAWS,
    ...json('print the outcome as JSON'),
  },
  'label judge': {
    ...LABELS,
    ...pick('judgeUrl', 'judgeModel', 'judgeQuestion', 'judgeCalls', 'judgeTokens', 'judgeTime'),
    count: local(worded(SETTINGS.count, 'number of pages to answer', '300')),
    ...pick('retrain', 'evenIfWorse'),
    rngSeed: DRAWS,
    ...json('print the outcome as JSON'),
  },
  'label train': {
    ...LABELS,
    ...pick('evenIfWorse'),
    wordVectors: worded(SETTINGS.wordVectors, `${SETTINGS.wordVectors.help}; later trainings repeat it`, 'those of the active model'),
    rngSeed: DRAWS,
    ...json('print the outcome as JSON'),
  },
  'label undo': { ...LABELS, ...json('print the outcome as JSON') },
  known: {
    ...DIR,
    from: local(SETTINGS.from),
    draw: local(SETTINGS.draw),
    out: needed(local(worded(SETTINGS.out, 'file for the drawn pages and their answers, for crawl --known; new, or to continue'))),
    topicName: worded(SETTINGS.topicName, 'name of the topic that passages are chosen for, in a crawl of several'),
    ...pick('name'),
    rngSeed: local(worded(SETTINGS.rngSeed, 'seed of the draw, a whole number', '1')),
    ...json('print the outcome as JSON, and the pages on standard error'),
  },
  stability: {
    ...DIR,
    runs: local(SETTINGS.runs),
    vary: local(SETTINGS.vary),
    budget: local(worded(SETTINGS.budget, 'number of URLs that each run visits', 'half of the recorded ones')),
    pages: local(SETTINGS.pages),
    rngSeed: local(worded(SETTINGS.rngSeed, 'seed of the first run, a whole number; each further run has the next one', '1')),
    ...json('print the report as JSON'),
  },
  topics: {
    ...DIR,
    groups: local(SETTINGS.groups),
    again: local(SETTINGS.again),
    more: local(SETTINGS.more),
    none: local(SETTINGS.none),
    undo: local(SETTINGS.undo),
    name: worded(SETTINGS.name, 'your name, stored with the wish'),
    rngSeed: local(worded(SETTINGS.rngSeed, 'seed of the groups, a whole number', '1')),
    ...pick('skipDamaged'),
    ...json('print the subtopics as JSON'),
  },
  harvest: {
    ...READ,
    ...out('folder for the corpus, or s3://BUCKET/PREFIX; must be new or empty'),
    topicName: worded(SETTINGS.topicName, 'keep only pages on this topic of a crawl of several', 'all'),
    formats: local(SETTINGS.formats),
    ...pick('minRelevance', 'versions'),
    ...SELECTION,
    ...pick('columns'),
    ...IN_BUCKET,
    ...pick('skipDamaged'),
    ...force('replace an earlier harvest at --out'),
    ...json('print the card as JSON'),
  },
  rights: {
    corpus: needed(local({ kind: text, help: 'folder of a harvest with --format jsonl, or crawl directory' })),
    host: local(worded(SETTINGS.host, 'only statements of this host')),
    format: local({ kind: choice(['csv', 'jsonl']), help: 'print hosts, protocols, statements and pages as a table or as JSON lines' }),
    ...pick('skipDamaged'),
  },
  corpus: {
    action: needed({
      kind: choice(['merge', 'diff', 'bias']),
      help: 'merge: one corpus of several; diff: the pages in which two differ; bias: its shares against a frame',
    }),
    corpora: needed({ kind: texts(), help: 'folders of harvests with --format jsonl, or crawl directories' }),
    ...readBy('merge', {
      out: worded(SETTINGS.out, 'folder for the corpus, or s3://BUCKET/PREFIX; must be new or empty'),
      formats: local(SETTINGS.formats),
      minRelevance: worded(
        SETTINGS.minRelevance,
        'least relevance to keep, a number from 0 to 1',
        'none; of a crawl with a retrained model, its threshold',
      ),
      ...SELECTION,
      ...IN_BUCKET,
      ...force('replace an earlier harvest at --out'),
    }),
    ...readBy('diff', {
      from: local({ kind: day, help: 'date of the older state of one crawl, which is compared with itself' }),
      to: { ...local({ kind: day, help: 'date of the newer state of that crawl', byDefault: 'now' }), needs: [{ option: 'from' }] },
    }),
    ...readBy('bias', pick('frame', 'weights', 'weightBy')),
    ...pick('skipDamaged'),
    ...json('print the card as JSON; of diff, one JSON line a difference, and a last one with the counts; of bias, the shares'),
  },
  'corpus withdraw': {
    corpus: needed({
      kind: text,
      help: 'folder of a harvest with --format jsonl; or a crawl directory, whose later harvests omit the pages',
    }),
    ...WITHDRAWN,
    reason: needed(local({ kind: text, help: 'why the pages are taken back, in a few words; it is published with the corpus' })),
    out: worded(SETTINGS.out, 'folder for the corpus without the pages, or s3://BUCKET/PREFIX; must be new or empty; not for a crawl'),
    purge: local({ kind: flag, help: 'of a crawl at rest: remove the pages from its own files too; their bytes are gone' }),
    ...unconditional(pick('compression', 'waczText', 'csvText', 'csvBom')),
    ...pick('creators', 'corpusUrl'),
    ...IN_BUCKET,
    ...force('replace an earlier harvest at --out'),
    ...pick('skipDamaged'),
    ...json('print the withdrawn pages as JSON'),
  },
  pairs: {
    corpus: needed(local({ kind: text, help: 'crawl directory, or folder of a harvest with --format jsonl' })),
    langs: needed(local(SETTINGS.langs)),
    ...out('folder for the pairs; must be new or empty'),
    formats: local({ kind: choices(PAIR_FORMAT_NAMES), flag: 'format', help: `any of ${PAIR_FORMAT_NAMES.join(',')}`, byDefault: 'tmx' }),
    minScore: local(
      worded(
        SETTINGS.minScore,
        'least score of a sentence pair, a number from 0 to 1: how likely both sides translate each other, by the words of these pages',
        String(DEFAULT_MIN_SCORE),
      ),
    ),
    split: local(worded(SETTINGS.split, 'parts in percent of the pairs, without near-duplicate pages in two, e.g. 90/5/5')),
    rngSeed: { ...local(worded(SETTINGS.rngSeed, 'seed of --split, a whole number', '1')), needs: [{ option: 'split' }] },
    ...pick('reserved'),
    obey: local(worded(SETTINGS.obey, SETTINGS.obey.help, OBEYED_BY_DEFAULT.join(','))),
    ...pick('skipDamaged'),
    ...force('replace earlier pairs at --out'),
    ...json('print the card as JSON'),
  },
  search: {
    corpus: needed(elsewhere({ kind: text, help: 'folder of a harvest with --format sqlite, or its corpus.sqlite' }, 'harvest', 'out')),
    query: needed(local(SETTINGS.query)),
    languages: SETTINGS.languages,
    host: local(SETTINGS.host),
    top: worded(SETTINGS.top, 'number of pages to show', '10'),
    ...json('print the pages as JSON'),
  },
  seeds: {
    ...READ,
    dir: elsewhere(
      worded(SETTINGS.dir, 'crawl directory; or an archive (.warc, .warc.gz, .wacz, .cdxj, or a folder of them) with --topic'),
      'crawl',
      'dir',
    ),
    topic: elsewhere(
      local({ kind: text, help: 'topic model that ranks, models/<name>', byDefault: 'the active one of the crawl' }),
      'crawl',
      'topic',
    ),
    from: local({
      kind: texts(),
      help: 'files to rank instead: bookmarks, export of Zotero, CSV, sitemap, feed, BibTeX, RIS, externallinks.sql.gz of MediaWiki, CDX, any text; by words, nothing is requested',
    }),
    queries: local(SETTINGS.queries),
    search: local(SETTINGS.search),
    query: { ...local({ kind: texts(), help: 'queries to ask', byDefault: 'ten that the model suggests' }), needs: [{ option: 'search' }] },
    journal: { ...local(SETTINGS.journal), needs: [{ option: 'search' }] },
    repeat: local(SETTINGS.repeat),
    minScore: { ...local(SETTINGS.minScore), needs: [{ option: 'search' }] },
    top: worded(SETTINGS.top, 'number of hosts, and of pages, to show', '20'),
    ...pick('show', 'skipDamaged'),
    format: local({ kind: choice(['text', 'urls']), help: 'text, or urls: a file for --seeds, one URL a line', byDefault: 'text' }),
    maxTime: local(worded(SETTINGS.maxTime, 'longest time to read lists or an archive; then the URLs read so far are ranked', '1h')),
    ...NETWORK,
    ...json('print the hosts and pages as JSON'),
  },
  hunt: {
    start: needed(local({ kind: text, help: 'page to start from, host:port/path; http:// and port 80 need not be written' })),
    keyword: needed(local({ kind: text, help: 'words to look for, at most 100 characters' })),
    outputDir: local({ kind: anyText, help: 'folder for all pages that are fetched', byDefault: 'none are stored' }),
    ...NETWORK,
    ...json('print the outcome as JSON'),
  },
  links: {
    inputs: needed({ kind: texts(), help: `pages: ${PAGES_IN}` }),
    format: local({
      kind: choice(['jsonl', 'urls']),
      help: 'jsonl: page, url, tag, attribute, text; or urls, each once',
      byDefault: 'jsonl',
    }),
    tag: local(SETTINGS.tag),
    ...NETWORK,
  },
  extract: {
    inputs: needed({
      kind: texts(),
      help: 'files, folders, .jsonl, .warc(.gz), files of URLs, URLs, or - for standard input: a page, JSON lines or WARC',
    }),
    format: local({
      kind: choice(['jsonl', 'text', 'markdown']),
      help: 'jsonl, text (main text) or markdown; text and markdown separate pages by a form feed',
      byDefault: 'jsonl',
    }),
    extractor: SETTINGS.extractor,
    explain: worded(
      SETTINGS.explain,
      'print a table that shows why each block of text is in the main text or not; as JSON lines with --format jsonl',
    ),
    ...pick('title', 'headings', 'tables', 'code', 'comments', 'postHeads'),
    links: { ...local(SETTINGS.links), needs: [{ option: 'format', is: ['markdown'] }] },
    fieldRules: local(SETTINGS.fieldRules),
    ...NETWORK,
    ...LIST_RENDERING,
  },
  judge: {
    model: needed({ kind: text, help: 'topic model, models/<name>' }),
    input: needed({ kind: text, help: PAGES_IN }),
    ...pick('explain'),
    ...NETWORK,
    ...LIST_RENDERING,
  },
  verify: { ...READ, ...json('print the report as JSON') },
  gather: {
    dir: needed(worded(SETTINGS.dir, 'directory for the whole crawl: new, or gathered before')),
    ...pick('at'),
    s3Endpoint: worded(SETTINGS.s3Endpoint, 'URL of the object store with the pages of the crawl', 'as the crawl has it'),
    s3Region: worded(SETTINGS.s3Region, SETTINGS.s3Region.help, 'as the crawl has it'),
    ...json('print the report as JSON'),
  },
  workers: {
    action: local({ kind: choice(WORKER_ACTIONS), help: `one of ${WORKER_ACTIONS.join(', ')}`, byDefault: 'list the workers' }),
    ...pick('at'),
    ...json('print the report as JSON'),
  },
  compact: { ...DIR, ...json('print the sizes as JSON') },
  repair: {
    ...DIR,
    ...pick('cut', 'refetch'),
    at: local(
      worded(SETTINGS.at, 'PostgreSQL database of a crawl on several machines: gather it, and name the pages that are lost with a disk'),
    ),
    ...json('print the report as JSON'),
  },
  freeze: {
    ...READ,
    ...out('file to write, e.g. web.jsonl.gz'),
    ...force('replace an existing file'),
    ...json('print the counts as JSON'),
  },
  'sign-key': {
    ...out('new file to write the private key to, e.g. forager.key'),
  },
  'link-model': {
    ...READ,
    ...out('file to write, e.g. links.json.gz'),
    ...force('replace an existing file'),
    ...json('print the counts as JSON'),
  },
  eval: {
    web: needed(SETTINGS.web),
    topic: needed({ kind: text, help: 'topic model that guides the strategies, models/<name>' }),
    judge: needed(SETTINGS.judge),
    ...pick('guide', 'strategies', 'budget', 'repeats'),
    seeds: worded(SETTINGS.seeds, 'URLs to start from, or files of them', '3 pages on topic, drawn for each repetition'),
    examples: worded(SETTINGS.examples, 'URLs the topic was trained on, or files of them; they never count as found'),
    tunnel: worded(SETTINGS.tunnel, 'number of off-topic pages in a row to cross', '4'),
    out: worded(SETTINGS.out, 'folder for results.json, report.md and curves.svg'),
    // Refused without a proxy.
    maxPages: local(worded(SETTINGS.maxPages, 'number of URLs to visit through a proxy', '2000')),
    delay: local(worded(SETTINGS.delay, 'least gap between two requests to a host through a proxy')),
    contact: local(worded(SETTINGS.contact, 'URL or mail address sent with every request through a proxy')),
    ...force('replace an evaluation at --out'),
    ...json('print the results as JSON'),
  },
  completion: { shell: needed({ kind: choice(SHELLS), help: `one of ${SHELLS.join(', ')}` }) },
} as const satisfies Readonly<Record<string, Settings>>;

export type CommandName = keyof typeof COMMANDS;
