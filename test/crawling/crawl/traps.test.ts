/** What traps cost a crawl, and that nothing else is taken for one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { GeneratedWebOptions } from '../../../datasets/generated-web/options.ts';
import { type GeneratedWeb, generateWeb } from '../../../datasets/generated-web/web.ts';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { LedgerLine } from '../../../src/base/core/types.ts';
import { hashText } from '../../../src/base/text/hash-text.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { Strategy } from '../../../src/reading/links/strategy-names.ts';
import { IS_WHOLE, sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type TrapCrawlOptions, trapCrawl } from './trap-crawl.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-traps-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOPIC = 'topic-1';
const TRAPS = { calendarTrap: true, facetTrap: true, sessionTrap: true };
/** The budget that the share of a trap is measured on, and the share. */
const BUDGET = 2000;
const SHARE = 0.02;

/** Pages are rendered once, however many crawls come by. */
const rendered = new Map<GeneratedWeb, TrapCrawlOptions['web']>();
function remembered(web: GeneratedWeb): TrapCrawlOptions['web'] {
  const known = rendered.get(web) ?? { page: memo((url) => web.page(url)), links: memo((url) => web.links(url)) };
  rendered.set(web, known);
  return known;
}

function memo<T>(of: (url: string) => T): (url: string) => T {
  const known = new Map<string, T>();
  return (url) => {
    const found = known.get(url) ?? of(url);
    known.set(url, found);
    return found;
  };
}

function onWeb(web: GeneratedWeb, known: Partial<TrapCrawlOptions> & { readonly strategy: Strategy }) {
  const isOnTopic = (url: string) => web.isOnTopic(url, TOPIC);
  return trapCrawl({ web: remembered(web), seeds: web.seeds(TOPIC, 3), isOnTopic, budget: BUDGET, traps: true, ...known });
}

function requestsByTrap(web: GeneratedWeb, order: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = { calendar: 0, facet: 0, session: 0 };
  for (const url of order) {
    const trap = web.trapOf(url);
    if (trap !== null) counts[trap] = (counts[trap] ?? 0) + 1;
  }
  return counts;
}

function parkedLines(frontier: Frontier): LedgerLine[] {
  return [...frontier.ledger()].filter(({ state }) => state === 'parked');
}

/** States add up, and what the counts call passed over the ledger calls parked. */
function expectCounted(frontier: Frontier): void {
  const { discovered, waiting, leased, fetched, kept, offTopic, duplicate, refused, failed, parked } = frontier.counts();
  expect(waiting + leased + fetched + kept + offTopic + duplicate + refused + failed).toBe(discovered);
  expect(parkedLines(frontier).length).toBeGreaterThanOrEqual(parked);
}

/** A text of the shop or the forum in so many is judged on topic, in each of its copies: a trained model takes up to a quarter of the forum's. */
const takenIn = (web: GeneratedWeb, oneIn: number) => (url: string, text: string) =>
  oneIn > 0 && ['facet', 'session'].includes(web.trapOf(url) ?? '') && hashText(text, 0, text.length) % oneIn === 0;

describe('a trap takes less than 2 % of 2,000 requests', () => {
  const webs = new Map<number, GeneratedWeb>();
  const webOf = (seed: number) => {
    const web = webs.get(seed) ?? generateWeb({ seed, pages: 2500, hosts: 25, locality: seed === 1 ? 0.2 : 0.6, ...TRAPS });
    webs.set(seed, web);
    return web;
  };

  const CRAWLS = [
    ['random', 1, 0],
    ['random', 2, 4],
    ['dfs', 1, 4],
    ['dfs', 2, 0],
    ['apprentice', 2, 4],
  ] as const;

  test.each(sample(CRAWLS, [1]))('%s, web %i, texts judged on topic: one in %i', async (strategy, seed, oneIn) => {
    const web = webOf(seed);
    const { order, frontier } = await onWeb(web, { strategy, isTakenIn: takenIn(web, oneIn) });
    expect(order).toHaveLength(BUDGET);
    const shares = Object.entries(requestsByTrap(web, order)).map(([trap, count]) => ({ trap, share: count / BUDGET }));
    expect(shares.filter(({ share }) => share >= SHARE)).toEqual([]);
    expectCounted(frontier);
  });

  test('with parking off, such crawls are all trap', async () => {
    const web = webOf(2);
    for (const strategy of sample(['random', 'dfs'] as const, [1])) {
      const { order, frontier } = await onWeb(web, { strategy, traps: false });
      expect(Math.max(...Object.values(requestsByTrap(web, order)))).toBeGreaterThan(BUDGET / 2);
      expect(parkedLines(frontier)).toEqual([]);
    }
  });
});

describe.skipIf(!IS_WHOLE)('nothing else is parked', () => {
  const tunnels = { islands: 8, size: 10, depth: 3 };
  const webs: readonly (readonly [locality: number, seed: number, more: Partial<GeneratedWebOptions>])[] = [
    [0.1, 1, {}],
    [0.3, 2, { hosts: 5 }],
    [0.5, 3, { nearDuplicates: 0.3, hubs: 0.1 }],
    [0.7, 4, { hosts: 8, topicShares: [0.02, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.08] }],
  ];

  test.each(webs)('locality %f, seed %i: the same on-topic pages as without parking', async (locality, seed, more) => {
    const web = generateWeb({ seed, pages: 1000, hosts: 15, locality, tunnels, ...more });
    for (const [strategy, tunnel] of [
      ['apprentice', 4],
      ['bfs', Number.POSITIVE_INFINITY],
      ['dfs', Number.POSITIVE_INFINITY],
    ] as const) {
      const found = async (traps: boolean) => {
        const { order } = await onWeb(web, { strategy, tunnel, traps, budget: 2000 });
        return order.filter((url) => web.isOnTopic(url, TOPIC)).sort();
      };
      const without = await found(false);
      expect(without.length).toBeGreaterThan(0.8 * web.urlsOf(TOPIC).length);
      expect(await found(true)).toEqual(without);
    }
  });
});

describe('a crawl that was stopped', () => {
  const web = generateWeb({ seed: 7, pages: 1000, hosts: 10, locality: 0.3, ...TRAPS });
  const open = (name: string) => ({
    open: (options: Parameters<typeof openLmdbFrontier>[1]) => openLmdbFrontier(join(folder, name), options),
  });

  test('goes on in the same order, and has the same patterns parked', async () => {
    const whole = await onWeb(web, { strategy: 'random', budget: 700, ...open('whole') });
    const order: string[] = [];
    let frontier: Frontier | null = null;
    for (const budget of [60, 150, 400, 700]) {
      await frontier?.close();
      const part = await onWeb(web, { strategy: 'random', budget, ...open('parts') });
      order.push(...part.order);
      frontier = part.frontier;
    }
    expect(order).toEqual(whole.order);
    const parked = parkedLines(whole.frontier);
    expect(new Set(parked.map(({ reason }) => reason)).size).toBeGreaterThan(2);
    expect(frontier && parkedLines(frontier)).toEqual(parked);
    await frontier?.close();
    await whole.frontier.close();
  });

  wholeTest('goes on with patterns that were let go, for as long as it takes to park them again', async () => {
    const stopped = await onWeb(web, { strategy: 'random', budget: 700, ...open('let-go') });
    const before = requestsByTrap(web, stopped.order);
    const names = [...new Set(parkedLines(stopped.frontier).map(({ reason }) => patternIn(reason)))];
    const shop = names.find((name) => name.includes('shop.example')) ?? '';
    await stopped.frontier.close();

    const one = await onWeb(web, { strategy: 'random', budget: 900, unpark: shop, ...open('let-go') });
    const after = requestsByTrap(web, one.order);
    expect(after['facet']).toBeGreaterThanOrEqual(16);
    expect(after['facet']).toBeLessThan(SHARE * BUDGET);
    expect(after['session']).toBeLessThan(8);
    const parked = parkedLines(one.frontier);
    expect(parked.some(({ reason }) => patternIn(reason) === shop)).toBe(true);
    await one.frontier.close();

    // The letting go is of that moment, and remembered: opened again it is not repeated.
    const again = await onWeb(web, { strategy: 'random', budget: 900, ...open('let-go') });
    expect(again.order).toEqual([]);
    expect(parkedLines(again.frontier)).toEqual(parked);
    expect(again.frontier.unpark('all').length).toBeGreaterThan(1);
    expect(parkedLines(again.frontier)).toEqual([]);
    expect(again.frontier.unpark('all')).toEqual([]);
    expect(before['facet']).toBeLessThan(SHARE * BUDGET);
    await again.frontier.close();
  });
});

function patternIn(reason: string): string {
  return /^pattern (\S+): /.exec(reason)?.[1] ?? '';
}

describe('other traps', () => {
  const NOISE = 'the of and to in that is was for on with as by at from this be or an are which';

  /** Pages of one host and what they link to; text is `words` shuffled by the URL unless `copies`. */
  function endless(linksOf: (url: URL) => readonly string[], copies: boolean): TrapCrawlOptions['web'] {
    return {
      page: (url) => {
        const words = copies ? NOISE : `${url} `.repeat(20);
        return { url, html: `<main>${words}</main>`, topic: null, kind: 'article', duplicateOf: null };
      },
      links: (url) => linksOf(new URL(url)).map((to) => ({ url: to, anchorText: '', zone: 'content' as const })),
    };
  }

  test('relative links that nest for ever: a repeated path is one pattern', async () => {
    const web = endless((url) => [`http://a.test${url.pathname}docs/guide/`, `http://a.test${url.pathname}docs/`], false);
    const { order, frontier } = await trapCrawl({
      web,
      seeds: ['http://a.test/'],
      isOnTopic: () => false,
      strategy: 'bfs',
      budget: 500,
      traps: true,
    });
    expect(order.length).toBeLessThan(150);
    expect(parkedLines(frontier)[0]?.reason).toMatch(/^pattern http:\/\/a\.test\//);
  });

  test('a farm of hosts under one domain is one pattern', async () => {
    const next = (url: URL) => [1, 2, 3].map((i) => `http://h${(hostNumber(url) * 3 + i).toString()}.farm.test/`);
    const { order, frontier } = await trapCrawl({
      web: endless(next, true),
      seeds: ['http://h0.farm.test/'],
      isOnTopic: () => false,
      strategy: 'bfs',
      budget: 500,
      traps: true,
    });
    expect(order.length).toBeLessThan(60);
    expect(new Set(parkedLines(frontier).map(({ reason }) => patternIn(reason)))).toEqual(new Set(['*.farm.test']));
  });

  test.each<[string, (url: URL) => readonly string[]]>([
    ['two relative links', (url) => [new URL('player.test/mill', url).href, new URL('notes/', url).href]],
    ['links with new words', (url) => [1, 2].map((i) => new URL(`${wordOf(url.href + i)}/${wordOf(`${i}${url.href}`)}`, url).href)],
    ['queries with new words', (url) => [1, 2].map((i) => `http://a.test/?${wordOf(url.href + i)}=${i}`)],
    ['hosts with new words', (url) => [1, 2].map((i) => `http://${wordOf(url.href + i)}.mills.test/`)],
  ])('copies that are all on topic end: %s', async (_, linksOf) => {
    const { order, frontier } = await trapCrawl({
      web: endless(linksOf, true),
      seeds: ['http://a.test/', 'http://www.mills.test/'],
      isOnTopic: () => true,
      strategy: 'bfs',
      budget: 300,
      traps: true,
    });
    expect(order.length).toBeLessThanOrEqual(120);
    expect(parkedLines(frontier).length).toBeGreaterThan(0);
  });

  test('print views of all pages of a site cost no page of it', async () => {
    // Each article leads to its print view and to the next article; the print view back to it and to another print view.
    const linksOf = (url: URL) => {
      const n = Number(/\d+/.exec(url.pathname)?.[0] ?? 0);
      const slug = (i: number) => `http://a.test/${wordOf(String(i))}-${i}`;
      return n >= 150 ? [] : [`${slug(n + 1)}/print`, slug(n + 1), `${slug(n)}/print`, slug(n)];
    };
    const words = (url: string) => Array.from({ length: 60 }, (_, i) => wordOf(`${/\d+/.exec(url)?.[0] ?? ''}:${i}`)).join(' ');
    const web: TrapCrawlOptions['web'] = {
      ...endless(linksOf, true),
      page: (url) => ({ url, html: `<main>${words(new URL(url).pathname)}</main>`, topic: null, kind: 'article', duplicateOf: null }),
    };
    for (const strategy of ['bfs', 'dfs'] as const) {
      const { order } = await trapCrawl({ web, seeds: ['http://a.test/'], isOnTopic: () => true, strategy, budget: 600, traps: true });
      expect(order.filter((url) => !url.endsWith('/print') && url !== 'http://a.test/')).toHaveLength(151);
    }
  });

  test('seeds are asked for though their pattern is parked', async () => {
    const web = endless((url) => [`http://a.test/${Number(url.pathname.slice(1)) + 1}`], true);
    const options = { web, isOnTopic: () => false, strategy: 'bfs', budget: 500, traps: true } as const;
    const name = { open: (known: Parameters<typeof openLmdbFrontier>[1]) => openLmdbFrontier(join(folder, 'seeds'), known) };
    const first = await trapCrawl({ ...options, seeds: ['http://a.test/1'], ...name });
    expect(first.order.length).toBeLessThan(40);
    await first.frontier.close();
    const second = await trapCrawl({ ...options, seeds: ['http://a.test/1', 'http://a.test/5000'], ...name });
    expect(second.order).toEqual(['http://a.test/5000']);
    await second.frontier.close();
  });
});

function hostNumber({ hostname }: URL): number {
  return Number(/\d+/.exec(hostname)?.[0] ?? 0);
}

/** A word that follows from a text. */
function wordOf(text: string): string {
  return [...(hashText(text, 0, text.length) >>> 0).toString()].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}
