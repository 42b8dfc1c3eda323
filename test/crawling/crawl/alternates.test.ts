import { describe, expect, test } from 'vitest';
import type { ReadOutcome } from '../../../src/base/core/parts/reading.ts';
import type { AlternateTask, FollowedLanguages, LedgerLine } from '../../../src/base/core/types.ts';
import { judgedAsAlternate } from '../../../src/crawling/crawl/alternates.ts';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { readmitDocuments } from '../../../src/crawling/crawl/readmit-documents.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';
import { failure, redirect, type SmallCrawl, type SmallPage, type SmallWeb, smallCrawl } from './small-crawl.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

const EN = 'http://a.test/en';
const FR = 'http://a.test/fr';
const DE = 'http://a.test/de';
const GROUP = { en: EN, fr: FR, de: DE };
const ON = { relevance: 0.9 } satisfies SmallPage;
const OFF = { relevance: 0.1 } satisfies SmallPage;
const inFrench = (more: Partial<SmallPage> = {}): SmallPage => ({ ...OFF, lang: 'fr', ...more });
const inGerman = (more: Partial<SmallPage> = {}): SmallPage => ({ ...OFF, lang: 'de', ...more });
const ALL = {
  [EN]: { ...ON, alternates: GROUP },
  [FR]: inFrench({ alternates: GROUP }),
  [DE]: inGerman({ alternates: GROUP }),
} satisfies SmallWeb;

const LIMITS = { maxPages: 10, maxTime: 1e9, patience: null, stopYield: null, concurrency: 1 };

const requestsOf = ({ requests }: SmallCrawl) => requests.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt'));
const keptOf = ({ records }: SmallCrawl) => records.map(({ url }) => url as string);
const statesOf = (crawl: SmallCrawl) =>
  Object.fromEntries([...crawl.frontier.ledger()].map(({ url, state, reason }) => [url, reason || state]));

describe('alternates of a kept page', () => {
  test('are kept with it, each by one request, with its relevance, its depth and the reason', async () => {
    const crawl = await smallCrawl({ web: ALL, seeds: [EN], alternates: ['fr', 'de'] });
    expect(requestsOf(crawl)).toEqual([EN, FR, DE]);
    expect(crawl.records.map(({ url, relevance, alternateOf }) => [url, relevance, alternateOf])).toEqual([
      [EN, 0.9, undefined],
      [FR, 0.9, EN],
      [DE, 0.9, EN],
    ]);
    expect(crawl.line(FR)).toMatchObject({ state: 'kept', reason: `alternate:${EN}`, relevance: 0.9, depth: 0, referrer: EN });
    expect(crawl.fate(FR)).toMatchObject({ reason: { kind: 'alternate', of: EN } });
    expect(crawl.parts.scorer.learnedFrom).toBe(1);
  });

  test('are followed in the wanted languages alone; without the option none is', async () => {
    expect(keptOf(await smallCrawl({ web: ALL, seeds: [EN], alternates: ['de'] }))).toEqual([EN, DE]);
    expect(keptOf(await smallCrawl({ web: ALL, seeds: [EN], alternates: 'all' }))).toEqual([EN, FR, DE]);
    const without = await smallCrawl({ web: ALL, seeds: [EN] });
    expect(requestsOf(without)).toEqual([EN]);
  });

  test('have the priority of their page, whatever other links give them', async () => {
    const [good, other] = ['http://a.test/good', 'http://b.test/'];
    const web = {
      'http://s.test/': { ...ON, links: [[EN, '0.6'] as const, [good, '0.7'] as const, [other, '0.4'] as const] },
      [EN]: { ...ON, alternates: { fr: FR }, links: [[FR, '0.95'] as const] },
      [good]: { ...ON, links: [[FR, '0.1'] as const] },
      [FR]: inFrench(),
      [other]: ON,
    };
    const crawl = await smallCrawl({ web, seeds: ['http://s.test/'], alternates: 'all' });
    expect(requestsOf(crawl)).toEqual(['http://s.test/', good, EN, FR, other]);
    expect(crawl.line(FR)).toMatchObject({ state: 'kept', referrer: EN });
    expect(crawl.line(FR).priority).toBeCloseTo(0.6);
  });

  test('of a page that is not kept are pages like any other', async () => {
    const web = { ...ALL, [EN]: { ...ALL[EN], ...OFF, links: [FR] } };
    const crawl = await smallCrawl({ web, seeds: [EN], alternates: 'all' });
    expect(requestsOf(crawl)).toEqual([EN, FR]);
    expect(crawl.records).toEqual([]);
    const noindex = await smallCrawl({ web: { ...ALL, [EN]: { ...ALL[EN], noindex: true } }, seeds: [EN], alternates: 'all' });
    expect(requestsOf(noindex)).toEqual([EN]);
  });

  test('lead to alternates of their own, but to no other page, and no further', async () => {
    const [it, es, more] = ['http://a.test/it', 'http://a.test/es', 'http://a.test/plus'];
    const web = {
      [EN]: { ...ON, alternates: { fr: FR } },
      [FR]: inFrench({ alternates: { it }, links: [more] }),
      [it]: { ...OFF, lang: 'it', alternates: { es } },
      [es]: { ...OFF, lang: 'es' },
      [more]: inFrench(),
    };
    const crawl = await smallCrawl({ web, seeds: [EN], alternates: 'all' });
    expect(crawl.records.map(({ url, alternateOf }) => [url, alternateOf])).toEqual([
      [EN, undefined],
      [FR, EN],
      [it, EN],
    ]);
    expect(requestsOf(crawl)).toEqual([EN, FR, it]);
  });

  test('that are on topic by themselves are pages like any other: their links are followed', async () => {
    const more = 'http://a.test/plus';
    const web = { [EN]: { ...ON, alternates: { fr: FR } }, [FR]: { ...ON, lang: 'fr', links: [more] }, [more]: OFF };
    const crawl = await smallCrawl({ web, seeds: [EN], alternates: 'all' });
    expect(crawl.line(FR)).toMatchObject({ state: 'kept', reason: '' });
    expect(crawl.records[1]).not.toHaveProperty('alternateOf');
    expect(requestsOf(crawl)).toEqual([EN, FR, more]);
  });
});

describe('an alternate that was found before its page is kept', () => {
  test('as a seed, or by a link, and off topic: it is requested once more, and not again for another page', async () => {
    const other = 'http://a.test/en-gb';
    const web = {
      ...ALL,
      [FR]: inFrench({ alternates: GROUP, links: [EN] }),
      [EN]: { ...ALL[EN], links: [other] },
      [other]: { ...ON, alternates: GROUP },
    };
    const crawl = await smallCrawl({ web, seeds: [FR], alternates: ['fr'] });
    expect(requestsOf(crawl)).toEqual([FR, EN, FR, other]);
    expect(crawl.line(FR)).toMatchObject({ state: 'kept', reason: `alternate:${EN}`, order: 2 });
    expect(crawl.frontier.counts()).toMatchObject({ kept: 3, visited: 4, earlierVisits: 1, reopened: 0, waiting: 0 });
  });

  test('and waits as a seed: it is requested once, as the alternate', async () => {
    const crawl = await smallCrawl({ web: ALL, seeds: [EN, FR], alternates: ['fr'] });
    expect(requestsOf(crawl)).toEqual([EN, FR]);
    expect(keptOf(crawl)).toEqual([EN, FR]);
  });

  test('and is off topic in the language of the page: it is off topic again, and rests', async () => {
    const web = { ...ALL, [FR]: { ...OFF, links: [EN] } };
    const crawl = await smallCrawl({ web, seeds: [FR], alternates: ['fr'] });
    expect(requestsOf(crawl)).toEqual([FR, EN, FR]);
    expect(crawl.line(FR)).toMatchObject({ state: 'off-topic', reason: '' });
  });
});

describe('an alternate', () => {
  const crawled = (fr: SmallWeb[string], more: Partial<Parameters<typeof smallCrawl>[0]> = {}) =>
    smallCrawl({ web: { [EN]: { ...ON, alternates: { fr: FR } }, [FR]: fr }, seeds: [EN], alternates: ['fr'], ...more });

  test('in the language of its page is judged by itself', async () => {
    const crawl = await crawled({ ...OFF, lang: 'en' });
    expect(statesOf(crawl)).toEqual({ [EN]: 'kept', [FR]: 'off-topic' });
    expect(crawl.fate(FR)?.relevance).toBe(0.1);
  });

  test('that is gone, walled, not to be kept, a copy or without text is none that is kept', async () => {
    expect(statesOf(await crawled(failure('http-4xx', 404)))).toEqual({ [EN]: 'kept', [FR]: 'http-4xx' });
    expect(statesOf(await crawled(inFrench({ wall: 'login' })))).toEqual({ [EN]: 'kept', [FR]: 'login' });
    expect(statesOf(await crawled(inFrench({ noindex: true })))).toEqual({ [EN]: 'kept', [FR]: 'noindex' });
    expect(statesOf(await crawled(inFrench({ body: EN })))).toEqual({ [EN]: 'kept', [FR]: `payload of ${EN}` });
    expect(statesOf(await crawled(inFrench({ text: '' })))).toEqual({ [EN]: 'kept', [FR]: 'off-topic' });
  });

  test('obeys robots.txt, the scope and the list of owners who opted out', async () => {
    const robots = { 'http://a.test': { deny: ['/fr'] } };
    expect(statesOf(await crawled(inFrench(), { robots }))).toEqual({ [EN]: 'kept', [FR]: 'robots' });
    const refuses = (url: string) => (url === FR ? 'scope' : null);
    expect(statesOf(await crawled(inFrench(), { refuses }))).toEqual({ [EN]: 'kept', [FR]: 'scope' });
    const optedOut = (url: string) => url === FR;
    expect(statesOf(await crawled(inFrench(), { optedOut }))).toEqual({ [EN]: 'kept', [FR]: 'opt-out' });
  });

  test('that was refused for its name waits as one when the crawl reads such files', async () => {
    const crawl = await crawled(inFrench(), { refuses: (url: string) => (url === FR ? 'content-type' : null) });
    expect(statesOf(crawl)).toEqual({ [EN]: 'kept', [FR]: 'content-type' });
    expect(readmitDocuments({ ...crawl.parts, scope: { refuses: () => null } })).toBe(1);
    expect(crawl.frontier.find(urlOf(FR))?.entry).toMatchObject({ task: { kind: 'alternate', of: 'en' }, priority: 1 });
  });

  test('that redirects leads to the alternate; to its page it leads back', async () => {
    const to = 'http://fr.test/';
    const moved = { [EN]: { ...ON, alternates: { fr: FR } }, [FR]: redirect(to), [to]: inFrench() };
    const crawl = await smallCrawl({ web: moved, seeds: [EN], alternates: ['fr'] });
    expect(crawl.records.map(({ url, alternateOf }) => [url, alternateOf])).toEqual([
      [EN, undefined],
      [to, EN],
    ]);
    expect(statesOf(await crawled(redirect(EN)))).toEqual({ [EN]: 'kept', [FR]: `redirect:${EN}` });
  });

  test('on another host waits for the next round', async () => {
    const there = 'http://fr.test/';
    const web = { [EN]: { ...ON, alternates: { fr: there } }, [there]: inFrench() };
    const one = await smallCrawl({ web, seeds: [EN], alternates: ['fr'], byRounds: true, limits: { rounds: 1 } });
    expect(statesOf(one)).toEqual({ [EN]: 'kept', [there]: 'next-round' });
    const two = await smallCrawl({ web, seeds: [EN], alternates: ['fr'], byRounds: true, limits: { rounds: 2 } });
    expect(two.records[1]).toMatchObject({ url: there, alternateOf: EN });
  });

  test('is one page among at most a hundred of its page', async () => {
    const urls = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`fr-${i}`, `http://a.test/fr/${i}`]));
    const pages = Object.fromEntries(Object.values(urls).map((url) => [url, inFrench({ body: url })]));
    const crawl = await smallCrawl({ web: { ...pages, [EN]: { ...ON, alternates: urls } }, seeds: [EN], alternates: ['fr'] });
    expect(crawl.records).toHaveLength(101);
  });

  test('is revisited as what it is: a changed one has the relevance of its page', async () => {
    const versions = [inFrench({ text: 'le premier texte', body: '1' }), inFrench({ text: 'un autre texte, tout neuf', body: '2' })];
    const crawl = await crawled(versions, { revisit: { age: 0, stored: new Map() } });
    expect(crawl.records.filter(({ url }) => url === FR).map(({ relevance, alternateOf }) => [relevance, alternateOf])).toEqual([
      [0.9, EN],
      [0.9, EN],
    ]);
  });
});

test('a page that declares alternates at a revisit is followed to them, also with the same text', async () => {
  const text = 'the text, as ever';
  for (const after of [text, 'another text, all new']) {
    const versions = [
      { ...ON, text, body: '1' },
      { ...ON, text: after, body: '2', alternates: { fr: FR } },
    ];
    const revisit = { age: 0, stored: new Map() };
    const crawl = await smallCrawl({ web: { [EN]: versions, [FR]: inFrench() }, seeds: [EN], alternates: ['fr'], revisit });
    expect(statesOf(crawl)).toEqual({ [EN]: 'kept', [FR]: `alternate:${EN}` });
  }
});

describe('alternates that a sitemap states', () => {
  const MAP = 'http://a.test/sitemap.xml';
  const robots = { 'http://a.test': { sitemaps: [MAP] } };
  const HOME = 'http://a.test/';
  const web: SmallWeb = { [HOME]: ON, [EN]: ON, [FR]: inFrench(), [DE]: inGerman() };
  const pages = [EN, FR, DE].map((url) => ({ url, alternates: GROUP }));

  test('of a page that is visited later are kept with it, also if better links lead to the page', async () => {
    const plain = await smallCrawl({ web, seeds: [HOME], robots, lists: { [MAP]: { pages } } });
    expect(keptOf(plain)).toEqual([HOME, EN]);
    const crawl = await smallCrawl({ web, seeds: [HOME], robots, lists: { [MAP]: { pages } }, alternates: 'all' });
    expect(crawl.records.map(({ url, alternateOf }) => [url, alternateOf])).toEqual([
      [HOME, undefined],
      [EN, undefined],
      [FR, EN],
      [DE, EN],
    ]);
    expect(requestsOf(crawl)).toEqual([HOME, MAP, EN, FR, DE]);
    const linked = { ...web, [HOME]: { ...ON, links: [[EN, '0.9'] as const] } };
    const better = await smallCrawl({ web: linked, seeds: [HOME], robots, lists: { [MAP]: { pages } }, alternates: 'all' });
    expect(keptOf(better)).toEqual([HOME, EN, FR, DE]);
  });

  test('of a page that is kept already are kept with it', async () => {
    const crawl = await smallCrawl({ web, seeds: [EN], robots, lists: { [MAP]: { pages } }, alternates: ['fr'] });
    expect(crawl.records.map(({ url, alternateOf }) => [url, alternateOf])).toEqual([
      [EN, undefined],
      [FR, EN],
    ]);
  });

  test('of a page that is off topic are pages like any other', async () => {
    const crawl = await smallCrawl({ web: { ...web, [EN]: OFF }, seeds: [HOME], robots, lists: { [MAP]: { pages } }, alternates: 'all' });
    expect(keptOf(crawl)).toEqual([HOME]);
  });
});

describe('the judgement of an alternate', () => {
  const edge = { referrer: referrer(EN, { relevance: 0.9 }), link: NO_TEXT, learnedFrom: 0 };
  const judged = async (more: Partial<Read>, task: Partial<AlternateTask> = {}, alternates: FollowedLanguages = 'all') => {
    const { parts } = await smallCrawl({ web: { [FR]: inFrench() }, seeds: [FR], alternates });
    const read = await parts.reader.read(pageOf(FR, FR));
    if (read.kind !== 'read') throw new Error('not read');
    return judgedAsAlternate({ edge, task: { kind: 'alternate', of: 'en', hops: 0, ...task } }, { ...read, ...more }, parts);
  };

  test('is that of its page for each of several topics', async () => {
    const read = await judged({ relevances: [0.1, 0.2] }, { relevances: [0.9, 0.3] });
    expect(read).toMatchObject({ relevance: 0.9, relevances: [0.9, 0.3], alternateOf: EN });
  });

  test('is its own where a rule, a person or a hook has decided', async () => {
    expect(await judged({})).toMatchObject({ relevance: 0.9, alternateOf: EN });
    for (const decided of [{ excluded: true }, { steered: 'unwanted' }, { hooked: { modelRelevance: 0.8, judgedBy: 'judge' } }] as const) {
      const read = await judged(decided);
      expect([read.relevance, read.alternateOf]).toEqual([0.1, undefined]);
    }
  });

  test('is that of its page where the language of either is unknown', async () => {
    expect(await judged({}, { of: null })).toMatchObject({ alternateOf: EN });
    expect((await judged({}, { of: 'fr' })).alternateOf).toBeUndefined();
  });

  test('is its own in a language that is not followed, whatever its page declares', async () => {
    expect(await judged({}, {}, ['fr'])).toMatchObject({ alternateOf: EN });
    const inIt = await judged({}, { of: null }, ['it']);
    expect([inIt.relevance, inIt.alternateOf]).toEqual([0.1, undefined]);
    const web = { [EN]: { ...ON, alternates: { fr: FR } }, [FR]: inGerman() };
    expect(statesOf(await smallCrawl({ web, seeds: [EN], alternates: ['fr'] }))).toEqual({ [EN]: 'kept', [FR]: 'off-topic' });
  });

  test('is that of its page at that moment: the newest version, for each topic', async () => {
    const crawl = await smallCrawl({ web: ALL, seeds: [EN], alternates: ['fr'], limits: { maxPages: 1 } });
    const found = crawl.frontier.find(urlOf(EN));
    const lease = crawl.frontier.lease(urlOf(FR));
    const read = await crawl.parts.reader.read(pageOf(FR, FR));
    if (found === null || lease === null || read.kind !== 'read') throw new Error('not read');
    const judgedWith = (line: Partial<LedgerLine>) => {
      const frontier = { ...crawl.parts.frontier, find: () => ({ ...found, line: { ...found.line, ...line } }) };
      return judgedAsAlternate(lease.entry, read, { ...crawl.parts, frontier });
    };
    expect(judgedWith({})).toMatchObject({ relevance: 0.9, alternateOf: EN });
    expect(judgedWith({ relevance: 0.7, relevances: [0.7, 0.2] })).toMatchObject({ relevance: 0.7, relevances: [0.7, 0.2] });
    expect(judgedWith({ state: 'refused', relevance: null })).toMatchObject({ relevance: 0.9, alternateOf: EN });
  });
});

test('a crawl that no longer follows alternates judges those that wait by themselves', async () => {
  const crawl = await smallCrawl({ web: ALL, seeds: [EN], alternates: 'all', limits: { maxPages: 1 } });
  await runCrawl({ ...crawl.parts, alternates: null }, LIMITS, new AbortController().signal);
  expect(crawl.frontier.standing(urlOf(FR))).toMatchObject({ state: 'off-topic' });
});

test('a crawl that follows fewer languages judges the other alternates that wait by themselves', async () => {
  const crawl = await smallCrawl({ web: ALL, seeds: [EN], alternates: 'all', limits: { maxPages: 1 } });
  const { alternates } = (await smallCrawl({ web: {}, seeds: [], alternates: ['fr'] })).parts;
  await runCrawl({ ...crawl.parts, alternates }, LIMITS, new AbortController().signal);
  expect(statesOf(crawl)).toEqual({ [EN]: 'kept', [FR]: `alternate:${EN}`, [DE]: 'off-topic' });
});
