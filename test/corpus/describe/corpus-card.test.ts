import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { IsoTime } from '../../../src/base/core/types.ts';
import { cardMarkdown } from '../../../src/corpus/describe/card-markdown.ts';
import { type CardFacts, corpusCard as cardOf } from '../../../src/corpus/describe/corpus-card.ts';
import { methodsParagraphs } from '../../../src/corpus/describe/methods-text.ts';
import { limitationTexts } from '../../../src/corpus/describe/publication.ts';
import type { CodingFacts } from '../../../src/corpus/select/coding-facts.ts';
import type { VisitRules } from '../../../src/corpus/select/crawl-facts.ts';
import { noOmissions } from '../../../src/corpus/select/harvest-selection.ts';
import type { BiasFacts, StabilityFacts } from '../../../src/corpus/select/measured-facts.ts';
import type { RecallFacts } from '../../../src/corpus/select/recall-facts.ts';
import { T0 } from '../records/samples.ts';

/** A card, for programs and for people. */
function corpusCard(facts: CardFacts) {
  const json = cardOf(facts);
  return { json, markdown: cardMarkdown(json) };
}

const hosts = new Map(Array.from({ length: 60 }, (_, i) => [`h${String(i).padStart(2, '0')}.example`, 60 - i] as const));

const RULES: VisitRules = {
  scope: ['domain:orchard.example', 'not:regex:/tags?/|/login'],
  maxDepth: null,
  maxPagesPerHost: 400,
  tunnel: 4,
  warmUp: 25,
  patience: null,
  sitemaps: 'auto',
  proxied: false,
};

const FACTS: CardFacts = {
  crawl: {
    topicName: 'orchards | <b>pests</b>',
    modelId: '0123456789abcdef',
    threshold: 0.42,
    query: null,
    training: [
      {
        name: 'orchards | <b>pests</b>',
        modelId: '0123456789abcdef',
        created: '2024-05-01T12:00:00.000Z' as IsoTime,
        method: 'terms',
        dataSha256: 'cd'.repeat(32),
        examples: 25,
        irrelevant: 4,
        background: 2000,
        exampleNames: Array.from({ length: 25 }, (_, i) => (i < 4 ? `http://e0.example/${i}` : `saved | ${i}.html`)),
        examplesByHost: Array.from({ length: 20 }, (_, i) => ({ host: `e${i}.example`, examples: i === 0 ? 4 : 1 })),
        subject: 'insects that *live* on apple trees | and their\nenemies',
        terms: { for: Array.from({ length: 14 }, (_, i) => `term${i}`), against: [] },
        validation: { folds: 'by-host', pages: 25, averagePrecision: 0.9312, precision: 0.9, recall: null },
      },
    ],
    rules: RULES,
    options: { 'max-pages-per-host': '400', documents: 'pdf epub', 'url-list': 'a_b.csv' },
    refusals: { scope: 12, 'content-type': 5, robots: 4 },
    failures: { 'HTTP 404': 30, timeout: 2 },
    politeness: { contact: 'mailto:crawler@orchard.example', delay: 1500, delayFactor: 1 },
    labels: null,
    seeds: Array.from({ length: 53 }, (_, i) => `http://seed.example/${i}`),
    seedsWithoutPage: [
      { url: 'http://seed.example/7', state: 'failed', reason: 'dns' },
      { url: 'http://seed.example/9', state: 'waiting', reason: 'max-pages' },
    ],
    runs: [
      { startedAt: '2024-05-06T07:00:00.000Z', endedAt: null, maxPages: 1000, maxTimeMs: null, stopReason: null },
      {
        startedAt: '2024-05-06T08:00:00.000Z',
        endedAt: '2024-05-06T09:00:00.000Z',
        maxPages: 5000,
        maxTimeMs: 3_600_000,
        stopReason: 'max-pages',
      },
    ],
    visited: 4980,
    reopened: 0,
    reservationFiles: 61,
    strategy: 'apprentice',
    budget: { pages: 5000, ms: 3_600_000, bytes: null },
    stopReason: 'page-budget',
    ledger: { kept: 1830, 'off-topic': 900, refused: 21 },
    robots: 'obey',
    robotsRefusals: 17,
    software: 'forager/1.2.3',
    userAgent: 'forager/1.2.3 (+http://crawler.example/)',
  },
  harvest: {
    precision: null,
    at: T0 + 86_400_000,
    formats: ['jsonl', 'text'],
    filters: { minRelevance: 0.5, languages: ['en'], reserved: 'omit', dedupe: 'exact' },
    damaged: { records: 0, warc: 0 },
    records: { read: 2000, leftOut: { ...noOmissions(), relevance: 100, language: 44, rights: 6, exact: 20 }, kept: 1830 },
    hosts,
    languages: new Map([
      ['de', 30],
      ['en', 1800],
    ]),
    texts: {
      languages: new Map([
        ['de', { characters: 33_000, words: 4500, tokens: 5400 }],
        ['en', { characters: 2_400_000, words: 400_000, tokens: 460_000 }],
      ]),
      hosts: new Map([['h00.example', { characters: 80_000, words: 13_000, tokens: 15_000 }]]),
    },
    wordQuartiles: [12, 90, 214, 530, 12_000],
    fetched: { first: T0, last: T0 + 3_600_000 },
    published: { first: Date.UTC(1999, 0, 2), last: T0, pages: 12 },
    licences: new Map([...Array(24).keys()].map((i) => [`https://licence.example/${i}`, i === 23 ? 900 : 1] as const)),
    rights: [
      {
        protocol: 'content-signal',
        pages: 40,
        hosts: 3,
        notUnderstood: 1,
        uses: { 'train-ai': { allow: 0, disallow: 38 }, search: { allow: 39, disallow: 0 } },
      },
      { protocol: 'cc', pages: 12, hosts: 2, notUnderstood: 0, uses: {} },
    ],
    reservations: {
      by: new Map([
        ['file', 2],
        ['header', 4],
      ]),
      policies: new Map([['https://p.example/policy|1', 4]]),
      notAsked: { hosts: 3, pages: 7 },
    },
    fields: new Map([
      ['price', 12],
      ['author', 1800],
    ]),
    relevanceDeciles: [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1],
    files: [{ name: 'corpus.jsonl', bytes: 123_456, sha256: 'ab'.repeat(32) }],
    textFiles: { count: 1830, bytes: 999 },
  },
};

test('visits, the budget of each run and what counts against it; seeds that gave no page apart, with the reason', () => {
  const { json, markdown } = corpusCard(FACTS);
  expect(json.crawl).toMatchObject({ visited: 4980, reservationFiles: 61, runs: [{ maxPages: 1000 }, { maxPages: 5000 }] });
  for (const line of [
    '- visits: 4980 (pages, redirects and failed requests; these count against the budget); not counted: robots.txt files, sitemaps, feeds, and 61 tdmrep.json files',
    '- run 1, from 2024-05-06T07:00:00.000Z: budget 1000 visits in all; no end written down',
    '- run 2, from 2024-05-06T08:00:00.000Z: budget 5000 visits in all, 3600 s; ended: max-pages',
    '## Seeds (51)',
    '## Seeds that gave no page (2)',
    '- http://seed.example/7: failed (dns)',
    '- http://seed.example/9: waiting (max-pages)',
  ])
    expect(markdown.split('\n')).toContain(line);
  expect(markdown.split('\n')).not.toContain('- http://seed.example/7');
  expect(corpusCard({ ...FACTS, crawl: { ...FACTS.crawl, seedsWithoutPage: [] } }).markdown).not.toContain('gave no page');
});

test('the data of a card', () => {
  const { json } = corpusCard(FACTS);
  expect(json.topic).toEqual({ name: 'orchards | <b>pests</b>', modelId: '0123456789abcdef', threshold: 0.42 });
  expect(json.crawl).toMatchObject({ strategy: 'apprentice', stopReason: 'page-budget', robotsRefusals: 17, ledger: { kept: 1830 } });
  expect(json.hosts.count).toBe(60);
  expect(json.hosts.top).toHaveLength(50);
  expect(json.hosts.top[0]).toEqual({ host: 'h00.example', pages: 60, share: 60 / 1830, words: 13_000 });
  expect(json.texts).toMatchObject({ characters: 2_433_000, words: 404_500, tokens: 465_400, languages: { de: { words: 4500 } } });
  expect(json.hosts.rest).toEqual({ hosts: 10, pages: 55, share: 55 / 1830 });
  expect(Object.entries(json.languages)).toEqual([
    ['en', 1800],
    ['de', 30],
  ]);
  expect(json.fetched).toEqual({ first: '2024-05-06T07:08:09.010Z', last: '2024-05-06T08:08:09.010Z' });
  expect(json.published).toEqual({ first: '1999-01-02', last: '2024-05-06', pages: 12 });
  for (const part of ['orchards', '1830 pages', '2024-05-06', 'forager/1.2.3', '0123456789abcdef', 'ab'.repeat(32)])
    expect(json.cite).toContain(part);
  expect(json.licence).toMatch(/rights/);
  expect(Object.entries(json.licences)[0]).toEqual(['https://licence.example/23', 900]);
  expect(Object.keys(json.licences)).toHaveLength(24);
  expect(Object.entries(json.fields)).toEqual([
    ['author', 1800],
    ['price', 12],
  ]);
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});

test('the card for people says the same, and names from outside cannot break its markup', () => {
  const { markdown } = corpusCard(FACTS);
  for (const part of [
    'h00.example | 60 | 3.3 %',
    '10 more | 55',
    '| in this corpus | 1830 |',
    'on topic from 0.42',
    '5000 visits in all, 3600 s',
    '17 URLs refused',
    '1 more in corpus-card.json',
    '| en | 1800 |',
    '1999-01-02 to 2024-05-06 (12 pages)',
    'corpus.jsonl | 123456',
    '## How to cite',
    '## Licence',
    '| https://licence.example/23 | 900 |',
    '4 more in corpus-card.json',
    '## Fields',
    '| price | 12 |',
  ]) {
    expect(markdown).toContain(part);
  }
  expect(markdown).not.toContain('<b>');
  expect(markdown.split('\n')[0]).toBe('# Corpus card: orchards \\| \\<b\\>pests\\</b\\>');
});

/** `count` of something, by name. */
const counted = (count: number, nameOf: (i: number) => string) => new Map(Array.from({ length: count }, (_, i) => [nameOf(i), 1] as const));

test.each([
  ['as many seeds, hosts, licences and policies as it has room for', 0, []],
  [
    'one more of each',
    1,
    ['- 1 more in corpus-card.json', '| 1 more | 1 | 2.0 % |  |', '1 more in corpus-card.json.', '- 3 more that no card names'],
  ],
] as const)('a card for people of %s', (_, more, lines) => {
  const { crawl, harvest } = FACTS;
  const reservations = { ...harvest.reservations, policies: counted(20 + more, (i) => `https://p.example/${i}`) };
  const { json, markdown } = corpusCard({
    crawl: { ...crawl, seeds: crawl.seeds.slice(0, 50 + more), seedsWithoutPage: [], seedCount: 50 + more + 3 * more },
    harvest: {
      ...harvest,
      hosts: counted(50 + more, (i) => `h${i}.example`),
      licences: counted(20 + more, (i) => `https://l.example/${i}`),
      reservations,
    },
  });
  const all = markdown.split('\n');
  for (const line of lines) expect(all).toContain(line);
  expect(all.filter((line) => /\d more/.test(line))).toHaveLength(lines.length);
  for (const [start, count] of [
    [/^- http:..seed/, 50],
    [/^\| h\d/, 50],
    [/^\| https:..l/, 20],
    [/^\| https:..p/, 20],
  ] as const)
    expect([start, all.filter((line) => start.test(line)).length]).toEqual([start, count]);
  expect(json.hosts.top).toHaveLength(50);
  expect(Object.keys(json.reservations.policies)).toHaveLength(20 + more);
});

test('equal counts stand by their names, so that a card is the same each time', () => {
  const names = ['c', 'a', 'b', 'd', 'f', 'e'];
  const hosts = new Map(names.map((name) => [name, name === 'd' ? 2 : 1] as const));
  const { json } = corpusCard({ ...FACTS, harvest: { ...FACTS.harvest, hosts, fields: hosts } });
  expect(json.hosts.top.map(({ host }) => host)).toEqual(['d', 'a', 'b', 'c', 'e', 'f']);
  expect(Object.keys(json.fields)).toEqual(['d', 'a', 'b', 'c', 'e', 'f']);
});

const EMPTY: CardFacts = {
  crawl: {
    ...FACTS.crawl,
    seeds: [],
    seedsWithoutPage: [],
    runs: [],
    ledger: {},
    rules: { ...RULES, scope: [], maxDepth: 3, patience: 20_000, proxied: true },
    refusals: {},
    failures: {},
  },
  harvest: {
    ...FACTS.harvest,
    filters: { minRelevance: null, languages: [], reserved: 'include', dedupe: 'none' },
    records: { read: 0, leftOut: { ...noOmissions() }, kept: 0 },
    hosts: new Map(),
    languages: new Map(),
    texts: { languages: new Map(), hosts: new Map() },
    wordQuartiles: [],
    fetched: null,
    published: null,
    licences: new Map(),
    rights: [],
    reservations: { by: new Map(), policies: new Map(), notAsked: { hosts: 0, pages: 0 } },
    fields: new Map(),
    relevanceDeciles: [],
    files: [],
    textFiles: null,
  },
};
const DAMAGED: CardFacts = {
  crawl: {
    ...FACTS.crawl,
    seeds: FACTS.crawl.seeds.slice(0, 12),
    seedCount: 15,
    seedsWithoutPage: [{ url: 'http://seed.example/7', state: 'waiting', reason: '' }],
    runs: [{ startedAt: '2024-05-06T07:00:00.000Z', endedAt: null, maxPages: null, maxTimeMs: null, stopReason: null }],
  },
  harvest: {
    ...FACTS.harvest,
    damaged: { records: 2, warc: 3 },
    hosts: new Map([...hosts].slice(0, 3)),
    licences: new Map([['https://licence.example/`one`', 1]]),
    fetched: { first: T0, last: T0 },
    reservations: {
      ...FACTS.harvest.reservations,
      notAsked: { hosts: 1, pages: 1 },
      by: new Map([
        ['meta', 1],
        ['noai', 1],
        ['later', 1],
      ]),
    },
  },
};

test.each([
  ['full', FACTS],
  ['empty', EMPTY],
  ['damaged', DAMAGED],
])('the whole of a card for people: cards/%s.md', async (name, facts) => {
  await expect(corpusCard(facts).markdown).toMatchFileSnapshot(`cards/${name}.md`);
});

const RECALL: RecallFacts = {
  origin: 'independent',
  from: 'known.jsonl',
  drawn: {
    from: 'sitemap',
    listed: 9000,
    seed: 1,
    drawn: 60,
    yes: 32,
    no: 26,
    skipped: 1,
    unread: 1,
    at: '2024-05-07T00:00:00Z',
    names: ['ada'],
  },
  known: 30,
  kept: 22,
  recall: 22 / 30,
  ofListed: null,
  low: 0.57,
  high: 0.86,
  left: { low: 298, high: 1381 },
  missing: { waiting: 5, undiscovered: 3 },
  excluded: 2,
};

test('recall by known pages: by cause, with the pages that are not found, or how it is measured', () => {
  const { json, markdown } = corpusCard({ ...FACTS, crawl: { ...FACTS.crawl, recall: RECALL } });
  expect(json.crawl.recall).toEqual(RECALL);
  expect(markdown).toContain('of 30 known pages: 22 kept, 3 never discovered, 5 waiting; recall .73 \\[.57, .86\\] at 90 %');
  expect(markdown).toContain('- on-topic pages that are not found, by the known pages: 298 to 1,381');
  expect(markdown).toContain('60 drawn, 32 on topic, 26 off topic, 1 skipped, 1 without a text, answered by ada');
  expect(markdown).toContain('- 2 known pages that no crawl with these rules can keep, not counted');
  const listed = { ...RECALL, origin: 'listed', drawn: null, recall: null, ofListed: 0.9, left: null } as const;
  const ofList = corpusCard({ ...FACTS, crawl: { ...FACTS.crawl, recall: listed } }).markdown;
  expect(ofList).toContain('share .90, which says little about other pages');
  expect(ofList).not.toMatch(/recall \.|recall of the crawl was (?!not)/);
  expect(corpusCard(FACTS).markdown).toMatch(/^- recall: not measured \(/m);
});

const MOMENT = { at: '2024-05-09T12:00:00.000Z' as IsoTime, visited: 4980 };
const BIAS: BiasFacts = {
  ...MOMENT,
  frame: { kind: 'urls', name: 'index.cdx.gz' },
  frameDigest: 'ab'.repeat(32),
  pages: 2100,
  framePages: 640,
  distances: [
    { facet: 'tld', distance: 0.184, low: 0.151, high: 0.213 },
    { facet: 'host', distance: 0.402, low: 0.371, high: 0.436 },
  ],
  gaps: [
    { facet: 'tld', value: 'de', corpus: 0, frame: 0.172 },
    { facet: 'host', value: 'moss.example', corpus: 0.53, frame: 0.114 },
  ],
  weightedBy: 'host',
};
const STABILITY: StabilityFacts = {
  ...MOMENT,
  runs: 8,
  vary: ['seeds', 'examples', 'rng'],
  budget: 1000,
  recorded: 2000,
  kept: { inAll: 412, inMost: 97, inSome: 120 },
  overlap: 0.742,
  terms: 0.981,
  hosts: 0.893,
};
const CODING: CodingFacts = {
  pairs: [{ names: ['ada', 'ben'], pages: 60, equal: 55, kappa: 0.81, low: 0.62, high: 0.91 }],
  alpha: null,
  open: 0,
  decided: 5,
  decisions: { names: ['carol'], first: '2024-05-08T10:00:00.000Z', last: '2024-05-08T11:00:00.000Z' },
};

test('bias and stability: with frame, date and command, or the command that measures', () => {
  const { json, markdown } = corpusCard({ ...FACTS, crawl: { ...FACTS.crawl, bias: BIAS, stability: STABILITY } });
  expect(json.crawl).toMatchObject({ bias: BIAS, stability: STABILITY });
  expect(markdown).toContain(
    `2,100 pages of the crawl against 640 of the list index.cdx.gz (SHA-256 ${'ab'.repeat(32)}), measured on 2024-05-09`,
  );
  expect(markdown).toMatch(/after 4,980 visits with npx forager corpus bias .*crawl.* --frame index\.cdx\.gz\n/);
  expect(markdown).toContain('top-level domain 0.184 \\[0.151, 0.213\\]; host 0.402');
  expect(markdown).toContain('top-level domain de: none, in the frame 17.2 %; host moss.example: 53.0 %');
  expect(markdown).toMatch(/with npx forager stability .*crawl.* --runs 8 --vary seeds,examples,rng --budget 1000\n/);
  expect(markdown).toContain(
    'pages kept in all runs: 412, in most: 97, in some: 120; pages that two runs share, of those of either: 0.742',
  );
  const without = corpusCard(FACTS).markdown;
  expect(without).toMatch(/^- bias: not measured \(npx forager corpus bias /m);
  expect(without).toMatch(/^- stability: not measured \(npx forager stability /m);
});

test('labels by the persons who gave them', () => {
  const day = (date: string) => `${date}T10:00:00.000Z` as IsoTime;
  const labels = {
    yes: 30,
    no: 12,
    drawn: { kept: 3, leftOut: 1, needed: 5 },
    precision: null,
    harvest: null,
    given: null,
    labellers: [
      { name: 'ada', yes: 25, no: 10, first: day('2024-05-06'), last: day('2024-05-08') },
      { name: null, yes: 5, no: 2, first: day('2024-05-07'), last: day('2024-05-07') },
    ],
  };
  const { markdown } = corpusCard({ ...FACTS, crawl: { ...FACTS.crawl, labels } });
  expect(markdown).toContain('- labels by ada: 25 on topic, 10 off topic, 2024-05-06 to 2024-05-08\n');
  expect(markdown).toContain('- labels by somebody without a name: 5 on topic, 2 off topic, 2024-05-07\n');
});

const METHODS = fileURLToPath(new URL('../../../docs/guides/harvesting.md', import.meta.url));

/** Numbers of a text, without separators. */
const numbersOf = (text: string) => text.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? [];

test('the text for the methods of a paper has no number that is not on the card, and is the one in the guide', () => {
  const precision = { share: 0.9, low: 0.74, high: 0.97, answers: 30, pages: 1830, known: 30 };
  const drawn = { kept: 30, leftOut: 30, needed: 5 };
  const labels = { yes: 33, no: 27, drawn, precision: null, harvest: null, given: null, coding: CODING };
  const subject = FACTS.crawl.training?.map((one) => ({ ...one, name: 'pests', subject: 'insects of apple trees' })) ?? [];
  const { json, markdown } = corpusCard({
    crawl: { ...FACTS.crawl, topicName: 'pests', training: subject, recall: RECALL, bias: BIAS, stability: STABILITY, labels },
    harvest: { ...FACTS.harvest, precision },
  });
  const paragraphs = methodsParagraphs(json);
  const text = paragraphs.join(' ');
  const card = new Set(numbersOf(markdown.replace(/## Methods, for a paper[\s\S]*?(?=\n## )/, '')));
  // The card shows a share of one as .73, and the sum of hosts in a heading.
  const missing = numbersOf(text).filter((number) => !card.has(number) && !card.has(number.replace(/^0\./, '')));
  expect(missing).toEqual([]);
  expect(numbersOf(text).length).toBeGreaterThan(25);
  expect(readFileSync(METHODS, 'utf8')).toContain(paragraphs.map((paragraph) => `> ${paragraph}\n`).join('\n'));
});

test('rendered pages are counted on the card and in the methods, and neither speaks of a browser without any', () => {
  const sentence = 'For 12 pages, a browser ran the scripts, and the text is that of the rendered document.';
  const { json, markdown } = corpusCard({ ...FACTS, harvest: { ...FACTS.harvest, rendered: 12 } });
  expect(json.rendered).toBe(12);
  expect(markdown).toContain('- rendered by a browser: 12 pages, whose text is that of the rendered document\n');
  expect(methodsParagraphs(json).at(-1)).toContain(sentence);
  expect(corpusCard(FACTS).json).not.toHaveProperty('rendered');
  expect(corpusCard(FACTS).markdown).not.toContain('browser');
});

test('figures that were not measured are said to be so, and a merged corpus has no text of its own', () => {
  const text = methodsParagraphs(corpusCard(FACTS).json).join(' ');
  expect(text).toContain('The precision of the corpus was not measured');
  expect(text).toContain('The recall of the crawl was not measured.');
  expect(text).toContain('The bias of the crawl was not measured. The stability of the crawl was not measured.');
  const corpora = [{ name: 'a', version: 'v', pages: 3, topic: { name: 'a', modelId: 'm', threshold: 0.4 } }];
  const merged = corpusCard({ ...FACTS, harvest: { ...FACTS.harvest, corpora } });
  expect(methodsParagraphs(merged.json)).toEqual([]);
  expect(merged.markdown).not.toContain('Methods');
  expect(merged.markdown).toContain('- recall: not known for a merged corpus');
});

test('an empty corpus has a card', () => {
  const { json, markdown } = corpusCard({
    crawl: { ...FACTS.crawl, seeds: [], budget: { pages: null, ms: null, bytes: null } },
    harvest: {
      ...FACTS.harvest,
      hosts: new Map(),
      languages: new Map(),
      texts: { languages: new Map(), hosts: new Map() },
      wordQuartiles: [],
      fetched: null,
      published: null,
      licences: new Map(),
      fields: new Map(),
      relevanceDeciles: [],
      files: [],
      textFiles: null,
    },
  });
  expect(json.hosts).toEqual({ count: 0, top: [], rest: { hosts: 0, pages: 0, share: 0 } });
  expect(json.fetched).toBeNull();
  expect(markdown).toContain('No page declares a licence.');
  expect(markdown).not.toContain('## Fields');
  expect(markdown).not.toMatch(/NaN|undefined|null/);
});

describe('a crawl of several topics', () => {
  const precision = { share: 0.8, low: 0.6, high: 0.9, answers: 20, pages: 90, known: 20 };
  const topics = [
    { name: 'orchards', id: 'a'.repeat(16), threshold: 0.4, precision: null },
    { name: 'pests', id: 'b'.repeat(16), threshold: 0.61234, precision },
  ];
  const inCorpus = { share: 0.9, low: 0.7, high: 0.97, answers: 21, pages: 30, known: 21 };
  const harvest = { ...FACTS.harvest, topics: new Map([['pests', 30]]), topicPrecisions: new Map([['pests', inCorpus]]) };

  test('all together: each with its model and its pages', () => {
    const { json, markdown } = corpusCard({ crawl: { ...FACTS.crawl, topicName: 'orchards, pests', topics }, harvest });
    expect(json.topics).toEqual([
      { name: 'orchards', modelId: 'a'.repeat(16), threshold: 0.4, pages: 0, precision: null },
      { name: 'pests', modelId: 'b'.repeat(16), threshold: 0.61234, pages: 30, precision, inCorpus },
    ]);
    expect(markdown).toContain('- precision of all pages together: not known, since each answer is about one topic');
    expect(markdown).toContain(
      '- orchards (0 pages): not measured\n- pests (30 pages): precision of the pages in this corpus: 90.0 % (95 %',
    );
    expect(limitationTexts(json)).toContain('The share of on-topic pages is measured by topic only; see the corpus card.');
    expect(json.crawl).not.toHaveProperty('topics');
    expect(json.cite).toContain(`“orchards, pests”: 1830 pages`);
    expect(json.cite).toContain(`(topic models orchards ${'a'.repeat(16)}, pests ${'b'.repeat(16)}, strategy`);
    expect(markdown).toContain(`| orchards | ${'a'.repeat(16)} | 0.4 | 0 | not measured |`);
    expect(markdown).toMatch(/\| pests \| b{16} \| 0\.612 \| 30 \| 80(\.0)? % \(60(\.0)? % to 90(\.0)? %\) \|/);
    expect(markdown).toContain('- crawled for 2 topics together: orchards, pests');
    expect(markdown).not.toContain('topic model:');
  });

  test('one of them: its own model, and that the others were crawled for too', () => {
    const crawl = { ...FACTS.crawl, topicName: 'pests', modelId: 'b'.repeat(16), threshold: 0.61234, topics };
    const { json, markdown } = corpusCard({ crawl, harvest });
    expect(json.topic).toEqual({ name: 'pests', modelId: 'b'.repeat(16), threshold: 0.61234 });
    expect(json.cite).toContain(`(topic model ${'b'.repeat(16)}, threshold 0.612, strategy`);
    expect(markdown).toContain(`- topic model: ${'b'.repeat(16)}, on topic from 0.612`);
    expect(markdown).toContain('- crawled for 2 topics together: orchards, pests');
  });

  test('the card of another crawl speaks of none', () => {
    expect(corpusCard(FACTS).json).not.toHaveProperty('topics');
    expect(corpusCard(FACTS).markdown).not.toMatch(/Topics|together/);
  });
});

test('the query of a topic of words, and what labels say, are in the card; thresholds with three digits', () => {
  const labels = {
    yes: 12,
    no: 8,
    drawn: { kept: 15, leftOut: 2, needed: 5 },
    precision: { share: 0.8, low: 0.55, high: 0.93, answers: 15, pages: 90, known: 15 },
    harvest: null,
    given: { first: '2024-05-01T09:00:00.000Z' as IsoTime, last: '2024-05-03T10:00:00.000Z' as IsoTime, people: ['Ada', 'Bo'] },
  };
  const precision = { share: 0.95, low: 0.8, high: 0.99, answers: 11, pages: 60, known: 13 };
  const crawl = { ...FACTS.crawl, query: '"peat bog" OR moss', labels, threshold: 0.041234567 };
  const { json, markdown } = corpusCard({ crawl, harvest: { ...FACTS.harvest, precision } });
  expect(json.crawl).toMatchObject({ query: '"peat bog" OR moss', labels });
  expect(json.topic.threshold).toBe(0.041234567);
  expect(markdown).toContain('- query of the topic at the start: "peat bog" OR moss');
  expect(markdown).toContain(
    [
      '- precision of the pages in this corpus: 95.0 % (95 % interval 80.0 % to 99.0 %), measured by 11 answers to pages drawn at random; 13 of the 60 have an answer of their own',
      '- answers to pages drawn at random: 2024-05-01 to 2024-05-03, by Ada, Bo',
    ].join('\n'),
  );
  expect(markdown).toContain(
    [
      '- labels: 12 on topic, 8 off topic',
      '- precision of the pages the crawl kept: 80.0 % (95 % interval 55.0 % to 93.0 %), measured by 15 answers to pages drawn at random',
    ].join('\n'),
  );
  expect(markdown).toContain('on topic from 0.0412\n');
  expect(json.cite).toContain('threshold 0.0412,');
  const unknown = corpusCard({
    ...FACTS,
    crawl: { ...FACTS.crawl, labels: { ...labels, drawn: { kept: 0, leftOut: 1, needed: 5 }, precision: null } },
  });
  expect(unknown.markdown).toContain(
    '- labels: 12 on topic, 8 off topic; precision: not measured (0 answers to kept pages drawn at random; needed: 5); 1 answer to pages not kept',
  );
  expect(unknown.json).toMatchObject({ basis: 'model', precision: null });
  expect(json).toMatchObject({ basis: 'labels', precision });
  expect(corpusCard(FACTS).markdown).not.toMatch(/query|labels:/);
  expect(corpusCard(FACTS).markdown).toContain('- precision: not measured; the pages are on topic by the model alone');
});

test('the card tells who reserves the rights to mine pages, and warns when such pages were taken', () => {
  const { json, markdown } = corpusCard(FACTS);
  expect(json.reservations).toEqual({
    by: { header: 4, file: 2 },
    policies: { 'https://p.example/policy|1': 4 },
    notAsked: { hosts: 3, pages: 7 },
  });
  expect(json.harvest.filters.reserved).toBe('omit');
  for (const part of [
    '| omitted: mining rights reserved | 6 |',
    'Protocols that are obeyed: tdm, noai. 6 pages reserve their rights by them, and are omitted.',
    '| the tdmrep.json of its host (TDM Reservation Protocol) | 2 |',
    '| https://p.example/policy\\|1 | 4 |',
    '7 pages of 3 hosts declare nothing',
  ])
    expect(markdown).toContain(part);
  expect(markdown).not.toContain('CAUTION');

  const { harvest } = FACTS;
  const taken = corpusCard({ ...FACTS, harvest: { ...harvest, filters: { ...harvest.filters, reserved: 'include' } } });
  expect(taken.markdown).toContain('CAUTION: 6 pages reserve their rights, and were taken all the same (--reserved include)');
  const none = { by: new Map(), policies: new Map(), notAsked: { hosts: 0, pages: 0 } };
  const { markdown: silent } = corpusCard({ ...FACTS, harvest: { ...harvest, reservations: none } });
  expect(silent).toContain('No page is known to reserve its rights by them.');
  expect(silent).not.toContain('say nothing');
});

describe('a merged corpus', () => {
  const precision = { share: 0.8, low: 0.6, high: 0.9, answers: 20, pages: 90, known: 20 };
  const part = { version: 'ab'.repeat(32), topic: { name: 'pests', modelId: 'b'.repeat(16), threshold: 0.5 } };
  const corpora = [
    { ...part, name: 'spring', pages: 90, precision },
    { ...part, name: 'summer | [x]', pages: 2000 },
  ];
  const parts = new Map([['summer | [x]', 1500]]);

  test('each part has its weight and its figure, and the whole says why it has none', () => {
    const records = { ...FACTS.harvest.records, kept: 2000 };
    const { json, markdown } = corpusCard({ ...FACTS, harvest: { ...FACTS.harvest, records, corpora, parts } });
    expect(json.corpora?.map(({ taken }) => taken)).toEqual([0, 1500]);
    expect(json.corpora?.[0]?.precision).toEqual(precision);
    expect(markdown).toContain('- precision of the merged corpus: not known, since the answers of each part are about all its pages');
    expect(markdown).toContain(
      '- spring (0 of its 90 pages, 0.0 % of this corpus): precision of its pages: 80.0 % (95 % interval 60.0 % to',
    );
    expect(markdown).toContain('- summer \\| \\[x\\] (1500 of its 2000 pages, 75.0 % of this corpus): not measured');
    expect(markdown).toContain('| spring | 90 | 0 | pests |');
    expect(limitationTexts(json)[0]).toBe('The share of on-topic pages is measured by part only; see the corpus card.');
  });

  test('an empty one has no shares', () => {
    const records = { ...FACTS.harvest.records, kept: 0 };
    const { markdown } = corpusCard({ ...FACTS, harvest: { ...FACTS.harvest, records, corpora: corpora.slice(1) } });
    expect(markdown).toContain('- summer \\| \\[x\\] (0 of its 2000 pages): not measured');
    expect(markdown).not.toMatch(/NaN|Infinity/);
  });
});

test('a card has subject, strongest terms, scope and the reasons of refusals; facts that an earlier version did not store are no lines', () => {
  const { crawl, harvest } = FACTS;
  const { json, markdown } = corpusCard(FACTS);
  expect(json.crawl).toMatchObject({ rules: RULES, refusals: { scope: 12 }, failures: { timeout: 2 } });
  for (const line of [
    '- orchards \\| \\<b\\>pests\\</b\\>: insects that \\*live\\* on apple trees \\| and their enemies; strongest terms of the model: term0, term1, term2, term3, term4, term5, term6, term7, term8, term9, term10, term11',
    '- strongest terms for: term0, term1, term2, term3, term4, term5, term6, term7, term8, term9, term10, term11',
    '- strongest terms against: none',
    '- scope: domain:orchard.example, not:regex:/tags?/\\|/login',
    '| out of scope | 12 |',
    '| not HTML or plain text | 5 |',
    '| forbidden by robots.txt | 4 |',
    '| HTTP 404 | 30 |',
    'Words of a page: at least 12, quartiles 90, 214 and 530, at most 12000.',
  ])
    expect(markdown.split('\n')).toContain(line);
  const { rules: _, refusals: __, failures: ___, ...older } = crawl;
  const training = (crawl.training ?? []).map(({ subject: _, terms: __, ...one }) => one);
  const before = corpusCard({ crawl: { ...older, training }, harvest: { ...harvest, wordQuartiles: [] } }).markdown;
  expect(before).toContain(': not given in words (train --subject)\n');
  expect(before).not.toMatch(/undefined|scope:|strongest|Refused URLs|Failed URLs|Words of a page/);
});
