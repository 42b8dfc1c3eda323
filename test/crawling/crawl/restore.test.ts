/** A frontier that was lost, made again from the corpus and the recording of its crawl. */
import { describe, expect, test } from 'vitest';
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import type { ReadOutcome } from '../../../src/base/core/parts/reading.ts';
import type { CorpusRecord, LedgerLine } from '../../../src/base/core/types.ts';
import { type RestoringParts, restoreKept, restoreVisit } from '../../../src/crawling/crawl/restore.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { failure, randomWeb, redirect, type SmallCrawl, type SmallCrawlOptions, type SmallWeb, smallCrawl } from './small-crawl.ts';

const judged = (relevance: number) => ({ relevance, modelId: '0'.repeat(64) });

type Read = Extract<ReadOutcome, { kind: 'read' }>;

const A = 'http://a.test/';

/** The parts of a crawl that knows its seeds and has asked for nothing. */
async function lost(options: SmallCrawlOptions): Promise<SmallCrawl> {
  return smallCrawl({ ...options, limits: { maxPages: 0 } });
}

/** The page read again. */
async function readOf({ parts }: SmallCrawl, url: string): Promise<Read> {
  const read = await parts.reader.read(pageOf(url, url));
  if (read.kind !== 'read') throw new Error(`${url} is not read`);
  return read;
}

/** Every settlement of a crawl, in its order, by what corpus and recording have of it. @returns the URLs that nothing was done for */
async function restored(from: SmallCrawl, parts: RestoringParts): Promise<string[]> {
  const records = new Map<string, CorpusRecord>(from.records.map((record) => [record.url, record]));
  const visits = new Map<string, FrozenVisit>(from.recorded.map((visit) => [visit.url, visit]));
  const left: string[] = [];
  for (const { url, settlement } of from.settlements) {
    if (settlement.kind !== 'done') continue;
    const { fate } = settlement;
    const [record, visit] = [records.get(url), visits.get(url)];
    const read = fate.relevance === null ? null : await readOf(from, url);
    if (record) expect(restoreKept(record, judged(record.relevance), read, parts)).toBe(true);
    else if (visit) expect(restoreVisit(visit, read, fate.fetchedAt ?? 0, parts)).toBe(true);
    else left.push(url);
  }
  return left;
}

/** How often it was tried is not known any more. */
function shown({ frontier }: Pick<SmallCrawl, 'frontier'>) {
  return [...frontier.ledger()].map((line) => ({
    ...line,
    fate: frontier.find(line.url)?.fate,
    settled: frontier.find(line.url)?.settled,
  }));
}

test('of any crawl: the ledger, the fates, their order and what the link scorer learned are as they were', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const options = { ...randomWeb(120, 6, seed), tunnel: 2, maxDepth: 9 };
    const before = await smallCrawl(options);
    const after = await lost(options);
    expect(after.requests).toEqual([]);
    expect(await restored(before, after.parts)).toEqual([]);
    expect(shown(after)).toEqual(shown(before));
    expect(after.parts.scorer.learnedFrom).toBe(before.parts.scorer.learnedFrom);
    expect(after.frontier.counts()).toEqual(before.frontier.counts());
    const states = new Set(shown(before).map(({ state }) => state));
    for (const state of ['kept', 'off-topic', 'fetched', 'failed', 'duplicate']) expect(states).toContain(state);
    expect(after.requests).toEqual([]);
  }
});

const WEB: SmallWeb = {
  [A]: { relevance: 0.9, links: ['http://shy.test/', 'http://pdf.test/', 'http://no.test/'] },
  'http://shy.test/': { relevance: 0.8, noindex: true, links: ['http://from-shy.test/'] },
  'http://pdf.test/': { kind: 'refused', reason: 'content-type', status: 200, ms: 10 },
  'http://no.test/': { relevance: 0.9 },
  'http://from-shy.test/': { relevance: 0.1, body: 'off' },
};

test('pages not to be kept, refusals of the web and of robots.txt, with and without a request', async () => {
  const options = { web: WEB, seeds: [A], robots: { 'http://no.test': { deny: ['/'] } } };
  const before = await smallCrawl(options);
  const after = await lost(options);
  expect(await restored(before, after.parts)).toEqual([]);
  // When robots.txt denied it is not recorded.
  const timeless = (crawl: SmallCrawl) =>
    shown(crawl).map((one) => (one.reason === 'robots' ? { ...one, fetchedAt: 0, fate: { ...one.fate, fetchedAt: 0 } } : one));
  expect(timeless(after)).toEqual(timeless(before));
  expect(shown(before).map(({ url, state, reason }) => [url, state, reason])).toEqual([
    [A, 'kept', ''],
    ['http://shy.test/', 'refused', 'noindex'],
    ['http://pdf.test/', 'refused', 'content-type'],
    ['http://no.test/', 'refused', 'robots'],
    ['http://from-shy.test/', 'off-topic', ''],
  ]);
  expect([after.frontier.counts().visited, after.line('http://no.test/').order]).toEqual([4, null]);
});

test('alternates of kept pages are kept with them, and those that were not visited wait as such', async () => {
  const [fr, de, it] = ['http://fr.test/', 'http://de.test/', 'http://it.test/'];
  const web: SmallWeb = {
    [A]: { relevance: 0.9, alternates: { fr, de, it } },
    [fr]: { relevance: 0.1, lang: 'fr', links: ['http://plus.test/'] },
    [de]: failure('http-4xx', 404),
    [it]: { relevance: 0.1, lang: 'it' },
  };
  const options = { web, seeds: [A], alternates: 'all', limits: { maxPages: 3 } } as const;
  const before = await smallCrawl(options);
  const after = await lost(options);
  expect(await restored(before, after.parts)).toEqual([]);
  expect(shown(after)).toEqual(shown(before));
  expect(after.line(fr)).toMatchObject({ state: 'kept', reason: `alternate:${A}` });
  expect(after.frontier.find(urlOf(it))?.entry.task).toMatchObject({ kind: 'alternate', of: 'en' });
});

describe('one by one', () => {
  const two: SmallCrawlOptions = {
    web: { [A]: { relevance: 0.9, links: ['http://b.test/'] }, 'http://b.test/': { relevance: 0.9 } },
    seeds: [A],
  };
  const recordOf = (crawl: SmallCrawl, url: string) => {
    const record = crawl.records.find((one) => one.url === url);
    if (!record) throw new Error(`no record of ${url}`);
    return record;
  };

  test('a kept page whose bytes are lost is kept, and leads nowhere; a second time nothing is done', async () => {
    const before = await smallCrawl(two);
    const { parts, frontier, line } = await lost(two);
    const record = recordOf(before, A);
    expect(restoreKept(record, judged(0.7), null, parts)).toBe(true);
    expect(frontier.counts()).toMatchObject({ discovered: 1, kept: 1, visited: 1 });
    expect(frontier.find(urlOf(A))?.fate).toMatchObject({
      relevance: 0.7,
      status: 200,
      recordId: record.id,
      payloadSha256: record.payloadSha256,
      fetchedAt: Date.parse(record.fetchedAt),
    });
    expect(frontier.find(urlOf(A))?.fate).not.toHaveProperty('simhash');
    expect(restoreKept(record, judged(0.7), null, parts)).toBe(false);
    expect(restoreVisit({ url: urlOf(A), status: 404, kind: 'failed', code: 'http-4xx' }, null, 1, parts)).toBe(false);
    expect(frontier.counts()).toMatchObject({ discovered: 1, kept: 1, failed: 0 });
    expect(line.call({ frontier }, A)).toMatchObject({ state: 'kept', order: 1 });
  });

  test('one whose URL the frontier does not know becomes known by the link that its record names; what waits is not made known so', async () => {
    const before = await smallCrawl(two);
    const { parts, frontier } = await lost({ ...two, seeds: [] });
    const record = { ...recordOf(before, 'http://b.test/'), depth: 3, anchorText: 'bees', relevance: 0.75 };
    expect(restoreVisit({ url: record.url, status: 404, kind: 'failed', code: 'http-4xx' }, null, 1, parts)).toBe(false);
    expect(restoreKept(record, judged(0.75), null, parts)).toBe(true);
    const line: LedgerLine | undefined = frontier.find(record.url)?.line;
    expect(line).toMatchObject({ state: 'kept', referrer: A, depth: 3, anchorText: 'bees', priority: 0.75, relevance: 0.75 });
    expect(frontier.find(record.url)?.entry.edge?.referrer).toMatchObject({ url: A, depth: 2, offTopicDepth: 0, relevance: 0.75 });
    const seed = { ...recordOf(before, A), depth: 0, referrer: null };
    expect(restoreKept(seed, judged(0.9), null, parts)).toBe(true);
    expect(frontier.find(urlOf(A))).toMatchObject({ line: { state: 'kept', referrer: null, depth: 0 }, entry: { edge: null } });
    const odd = { ...record, url: urlOf('http://odd.test/'), depth: 0 };
    expect(restoreKept(odd, judged(0.75), null, parts)).toBe(true);
    expect(frontier.find(odd.url)?.entry).toMatchObject({ depth: 0, edge: { referrer: { depth: 0 } } });
  });

  test("a recorded page that was kept, and whose record is lost, waits on, and its payload is another's to claim", async () => {
    const before = await smallCrawl(two);
    const { parts, frontier } = await lost(two);
    const visit = before.recorded.find(({ url }) => url === A);
    if (visit?.kind !== 'page') throw new Error('not recorded');
    expect(restoreVisit(visit, await readOf(before, A), 1, parts)).toBe(false);
    expect(restoreVisit(visit, null, 1, parts)).toBe(false);
    expect(frontier.counts()).toMatchObject({ discovered: 1, waiting: 1, leased: 0, visited: 0 });
    expect(parts.scorer.learnedFrom).toBe(0);
    expect(parts.kept.claim(visit.content.payloadSha256, urlOf('http://other.test/'))).toBeNull();
  });

  test('a dead page teaches what it taught; a failure of the network nothing', async () => {
    const options: SmallCrawlOptions = {
      web: {
        [A]: failure('http-4xx', 404),
        'http://b.test/': failure('protocol'),
        'http://c.test/': redirect('http://d.test/'),
        'http://d.test/': { relevance: 0.1 },
      },
      seeds: [A, 'http://b.test/', 'http://c.test/'],
    };
    const before = await smallCrawl(options);
    const after = await lost(options);
    expect(await restored(before, after.parts)).toEqual([]);
    expect(shown(after)).toEqual(shown(before));
    expect([before.parts.scorer.learnedFrom, after.parts.scorer.learnedFrom]).toEqual([2, 2]);
  });
});
