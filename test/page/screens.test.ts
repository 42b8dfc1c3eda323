/** Pages, explanations, hosts and frontier: every cell is that of the library. */

import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ledger, status, why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrawlLedgerLine } from '../../dist/inspect/ledger-lines.js';
import { survey } from '../../dist/inspect/survey.js';
import { type OpenPage, openPage } from '../../dist/page/open-page.js';
import { ROUTES } from '../../src/page/screens.ts';
import { wilson } from '../../src/topic/wilson.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';
import { cellsOf, PageClient } from './page-client.ts';

const small = smallWeb();
let dir: string;
let page: OpenPage;
let client: PageClient;
let lines: CrawlLedgerLine[];

beforeAll(async () => {
  ({ dir } = await crawlToLabel(small, 120));
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
  lines = [];
  for await (const line of ledger(dir)) lines.push(line);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

const unit = (value: number | null) => (value === null ? '–' : value.toFixed(4));
const rowOf = ({ order, state, reason, relevance, priority, depth, url, anchorText }: CrawlLedgerLine) => [
  order === null ? '–' : String(order),
  state,
  reason,
  unit(relevance),
  unit(priority),
  String(depth),
  url,
  anchorText,
];

/** All lines that a query shows, screen after screen. */
async function shown(query: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let path: string | null = `/pages?${query}`; path !== null; ) {
    const screen = await client.screen(path);
    found.push(...cellsOf(screen, 'Discovered URLs'));
    const more = screen.querySelector('main form[action="/pages"]:not(.filter)');
    const fields = [...(more?.querySelectorAll('input') ?? [])].map((input): [string, string] => [
      input.getAttribute('name') ?? '',
      input.getAttribute('value') ?? '',
    ]);
    path = more === null ? null : `/pages?${new URLSearchParams(fields)}`;
  }
  return found;
}

test('Pages: the whole ledger, and each filter', async () => {
  expect(await shown('')).toEqual(lines.map(rowOf));
  const host = new URL(lines[0]?.url ?? '').host;
  const cases: readonly (readonly [string, (line: CrawlLedgerLine) => boolean])[] = [
    ['state=kept', ({ state }) => state === 'kept'],
    ['state=not-reached&reason=max-pages', ({ state, reason }) => state === 'not-reached' && reason === 'max-pages'],
    [`host=${host}`, ({ url }) => new URL(url).host === host],
    ['text=ABOUT', ({ url, anchorText }) => /about/i.test(url + anchorText)],
    ['least=0.2&most=0.6', ({ relevance }) => relevance !== null && relevance >= 0.2 && relevance <= 0.6],
  ];
  for (const [query, matches] of cases) {
    const expected = lines.filter(matches).map(rowOf);
    expect(expected.length, query).toBeGreaterThan(0);
    expect(await shown(query), query).toEqual(expected);
  }
  expect((await client.get('/pages?host=nowhere.example')).text).toContain('No URL has all of that.');
});

test('Why: page and link, and bars that add up to the logit', async () => {
  const kept = lines.filter(({ state, referrer }) => state === 'kept' && referrer !== null).slice(0, 5);
  for (const { url } of kept) {
    const [found, screen] = [await why(dir, url), await client.screen(`/why?url=${encodeURIComponent(url)}`)];
    const sums = [...screen.querySelectorAll('table.bars')].map((table) => ({
      parts: [...table.querySelectorAll('tbody tr td:nth-child(2)')].map((cell) => Number(cell.textContent)),
      logit: Number(table.querySelector('tfoot td:nth-child(2)')?.textContent),
    }));
    expect(sums.map(({ logit }) => logit.toFixed(6))).toEqual(
      [found.page?.explanation.logit, found.link?.explanation.logit].map((one) => one?.toFixed(6)),
    );
    for (const { parts, logit } of sums) expect(parts.reduce((all, one) => all + one, 0)).toBeCloseTo(logit, 4);
    const text = screen.querySelector('main')?.textContent ?? '';
    expect(text).toContain(`Relevance ${unit(found.page?.relevance ?? null)}, threshold ${unit(found.page?.threshold ?? null)}.`);
    expect(text).toContain(
      `Priority ${unit(found.link?.explanation.priority ?? null)}, scored after lessons from ${found.link?.edge.learnedFrom} pages.`,
    );
  }
});

test('Why of an unknown URL, and of none, says so', async () => {
  for (const [url, message] of [
    ['http://nowhere.example/', 'this crawl never discovered it'],
    ['javascript:alert(1)', 'not an http(s) URL'],
    ['', 'not an http(s) URL'],
  ] as const) {
    const { status: code, text } = await client.get(`/why?url=${encodeURIComponent(url)}`);
    expect([code, text.includes(message)], url).toEqual([400, true]);
  }
});

test('Hosts: every count, the interval, the filter and the order', async () => {
  const { hosts } = await survey(dir);
  const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
  const expected = hosts.map(({ host, kept, visited, waiting, parked, failed, refused }) => {
    const { low, high } = wilson(kept, visited);
    const text = visited === 0 ? '–' : `${share.format(kept / visited)} (${share.format(low)} to ${share.format(high)})`;
    return [host, String(kept), String(visited), text, ...[waiting, parked, failed, refused].map(String), ''];
  });
  expect(cellsOf(await client.screen('/hosts'), 'Hosts')).toEqual(expected);
  const one = hosts[3]?.host ?? '';
  expect(cellsOf(await client.screen(`/hosts?host=${encodeURIComponent(one)}`), 'Hosts')).toEqual(
    expected.filter(([host]) => host?.includes(one)),
  );
  const waiting = cellsOf(await client.screen('/hosts?by=waiting'), 'Hosts').map((row) => Number(row[4]));
  expect(waiting).toEqual([...waiting].sort((a, b) => b - a));
});

test('Frontier: bands, depths and hosts are those of the survey', async () => {
  const [{ waiting, hosts }, { parked }, screen] = [await survey(dir), await status(dir), await client.screen('/frontier')];
  const counts = (caption: string) => cellsOf(screen, caption).map(([, count]) => Number(count?.replaceAll(',', '')));
  expect(counts('Waiting URLs by priority')).toEqual([...waiting.bands].reverse());
  expect(counts('Waiting URLs by depth')).toEqual(waiting.depths);
  expect(counts('Hosts with the most waiting URLs')).toEqual(
    hosts
      .map((one) => one.waiting)
      .filter((count) => count > 0)
      .sort((a, b) => b - a)
      .slice(0, 20),
  );
  expect(counts('Parked URLs')).toEqual(Object.values(parked).sort((a, b) => b - a));
});

/** Of each file of a folder. */
function digests(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

test('GET changes no file of the crawl', async () => {
  const copy = small.path('looked-at');
  cpSync(dir, copy, { recursive: true });
  const before = digests(copy);
  const opened = await openPage({ dir: copy, address: '0', run: null });
  const looking = await PageClient.of(opened.url);
  for (const { method, path } of ROUTES) if (method === 'GET') await looking.get(path);
  await opened.close();
  // LMDB marks its readers in the lock file.
  const { 'frontier/lock.mdb': _, ...after } = digests(copy);
  const { 'frontier/lock.mdb': __, ...was } = before;
  expect(after).toEqual(was);
});
