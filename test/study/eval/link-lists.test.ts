/** A seed that is a list of links to other hosts: its hosts are visited early, although the model finds the list off topic. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freezeSource } from '../../../datasets/freeze.ts';
import { virtualSource } from '../../../datasets/page-source.ts';
import type { JudgedText } from '../../../src/base/core/parts/reading.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { Apprentice, type Part } from '../../../src/reading/links/apprentice.ts';
import { Guide } from '../../../src/study/eval/guide.ts';
import { simulate } from '../../../src/study/eval/simulate.ts';
import { sample } from '../../support/extent.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { wholeTest } from '../../support/whole-test.ts';

const LIST = 'http://list.example/';
const MANUAL = 'http://manual.example/';
const NAMED = Array.from({ length: 30 }, (_, i) => `named-${i}.example`);
/** They answer nothing. */
const DEAD = new Set(['named-5.example', 'named-17.example']);
const BUDGET = 120;
const MANUAL_PAGES = 400;

const folder = mkdtempSync(join(tmpdir(), 'forager-link-lists-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  /** Numbers of the named hosts that are on topic. */
  readonly good: readonly number[];
  /** Pages of each named host. */
  readonly pages: number;
}

/** The list, the hosts it names in words that say nothing, and a manual of which every third page is on topic. */
function pagesOf({ pages }: Case): Map<string, Map<string, string>> {
  const all = new Map<string, Map<string, string>>();
  const add = (host: string, path: string, body: string) =>
    all.set(host, (all.get(host) ?? new Map()).set(path, `<!doctype html><title>${path}</title><main>${body}</main>`));
  add('list.example', '/', NAMED.map((host, i) => `<li><a href="http://${host}/">Site number ${i}</a></li>`).join(''));
  for (const host of ['manual.example', ...NAMED.filter((name) => !DEAD.has(name))]) {
    const size = host === 'manual.example' ? MANUAL_PAGES : pages;
    for (let page = 0; page < size; page++) {
      const links = [1, 2, 3, 5, 8].map((step) => (page * 2 + step) % size);
      add(host, pathOf(page), `<p>Words of page ${page}</p>${links.map((to) => `<a href="${pathOf(to)}">page ${to}</a> `).join('')}`);
    }
  }
  return all;
}

function pathOf(page: number): string {
  return page === 0 ? '/' : `/p${page}`;
}

function isOnTopic(url: string, good: readonly number[]): boolean {
  const { host, pathname } = new URL(url);
  if (host === 'manual.example') return Number(pathname.slice(2)) % 3 === 0;
  return good.some((i) => NAMED[i] === host);
}

/** The URLs visited, in their order. */
async function visitsOf(of: Case, starts: readonly string[], without: readonly Part[]): Promise<string[]> {
  const file = join(folder, `${JSON.stringify(of)}.jsonl.gz`);
  if (!existsSync(file)) freezeSource(virtualSource(pagesOf(of)), [LIST, MANUAL], file);
  const web = await FrozenWeb.open(file);
  const judge = (page: JudgedText) => (isOnTopic('url' in page ? (page.url ?? LIST) : LIST, of.good) ? 0.95 : 0.03);
  const guide = new Guide(web, { id: 'truth', threshold: 0.5, judge, judgeText: () => 0.2 });
  const scorer = new Apprentice({ threshold: 0.5, without: new Set(without) });
  const { order } = await simulate({ web, guide, scorer, starts: starts.map(urlOf), budget: BUDGET, tunnel: 4, explore: null });
  const urls = order.map((index) => web.urls[index] ?? '');
  web.close();
  return urls;
}

/** How many hosts of the list were visited within the first visits. */
function namedWithin(urls: readonly string[], first: number): number {
  const hosts = new Set(urls.slice(0, first).map((url) => new URL(url).host));
  return NAMED.filter((host) => hosts.has(host)).length;
}

const ALIVE = NAMED.length - DEAD.size;

const CASES: readonly (readonly [string, Case])[] = [
  ['small sites', { good: [3, 9, 14, 22, 28], pages: 6 }],
  ['large sites', { good: [3, 9, 14, 22, 28], pages: 30 }],
  ['the last ones of the list', { good: [25, 26, 27, 28, 29], pages: 6 }],
];

describe.each(sample(CASES, [0]))('five good sites of a list of thirty: %s', (_, of) => {
  wholeTest('beside a good example, all sites are visited within forty visits; without the number, none is', async () => {
    const [without, now] = [await visitsOf(of, [LIST, MANUAL], ['new host on a list of links']), await visitsOf(of, [LIST, MANUAL], [])];
    expect([namedWithin(without, BUDGET), namedWithin(now, 40)]).toEqual([0, ALIVE]);
    const found = (urls: readonly string[]) => urls.filter((url) => isOnTopic(url, of.good)).length;
    expect(found(now)).toBeGreaterThan(found(without));
  });
});

wholeTest('the list alone: four of the five good sites are visited, and more sites than without the number', async () => {
  const of = { good: [3, 9, 14, 22, 28], pages: 30 };
  const urls = await visitsOf(of, [LIST], []);
  const hosts = new Set(urls.map((url) => new URL(url).host));
  expect(of.good.filter((i) => hosts.has(NAMED[i] ?? '')).length).toBeGreaterThanOrEqual(4);
  expect(namedWithin(urls, BUDGET)).toBeGreaterThan(namedWithin(await visitsOf(of, [LIST], ['new host on a list of links']), BUDGET));
});

test('a list without a good site costs one visit a site', async () => {
  const of = { good: [], pages: 6 };
  const urls = await visitsOf(of, [LIST, MANUAL], []);
  const onList = urls.filter((url) => new URL(url).host.startsWith('named-'));
  expect(onList.length).toBeLessThanOrEqual(ALIVE + 5);
});
