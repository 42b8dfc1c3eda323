import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { Discovery, Fate } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { StoredVisits } from '../../../src/crawling/frontier/stored-visits.ts';
import { fate, link, outlinks, seeds, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-stored-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function visit(frontier: Frontier, ended: Fate, discovered: Discovery | null): void {
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  frontier.settle(next.lease, { kind: 'done', fate: ended, discovered, host: WELL });
}

test('settled URLs in their order, each with its text and the links that were news; what waits is none of them', async () => {
  const folder = newFolder();
  const frontier = openLmdbFrontier(folder, { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 });
  frontier.add(seeds(link('http://a.test/second', 0.5), link('http://a.test/first', 1), link('http://a.test/from', 0.4)));
  const page = { title: 'Peat', text: 'Moss makes peat.', lang: 'en' };
  const links = [link('http://b.test/1', 0.3), link('http://a.test/second', 0.1), link('http://b.test/2', 0.2, 'robots')];
  visit(frontier, fate('off-topic', { relevance: 0.1, page }), outlinks('http://a.test/first', links));
  visit(frontier, fate('kept', { relevance: 0.9 }), outlinks('http://a.test/second', [link('http://b.test/3', 0.3)], { depth: 1 }));
  // What a redirect leads to is no link of the page it was met on.
  visit(
    frontier,
    fate('fetched', { reason: { kind: 'redirect', to: urlOf('http://a.test/first') } }),
    outlinks('http://a.test/first', [link('http://c.test/', 0.1)], { redirects: 1 }),
  );
  await frontier.commit({ 'records.jsonl': 7 }, Promise.resolve());
  await frontier.close();

  const visits = StoredVisits.open(folder);
  expect([...visits].map(({ url, fate: { state, page: text } }) => [url, state, text])).toEqual([
    ['http://a.test/first', 'off-topic', null],
    ['http://a.test/second', 'kept', null],
    ['http://a.test/from', 'fetched', null],
  ]);
  expect([...visits].map((one) => one.page())).toEqual([page, null, null]);
  expect([...visits].map((one) => one.links().map(({ url }) => url))).toEqual([
    ['http://b.test/1', 'http://b.test/2'],
    ['http://b.test/3'],
    [],
  ]);
  expect([visits.size, visits.offsets]).toEqual([3, { 'records.jsonl': 7 }]);
  await visits.close();
});

test('of a frontier that never had a commit there is none', async () => {
  const folder = newFolder();
  await openLmdbFrontier(folder, { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 }).close();
  const visits = StoredVisits.open(folder);
  expect([[...visits], visits.size, visits.offsets]).toEqual([[], 0, {}]);
  await visits.close();
});

test('of a page that was visited twice the links of both visits are there; a seed that was settled has none of another', async () => {
  const folder = newFolder();
  const frontier = openLmdbFrontier(folder, { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 9 });
  frontier.add(seeds(link('http://a.test/', 1)));
  visit(frontier, fate('kept', { relevance: 0.9 }), outlinks('http://a.test/', [link('http://b.test/1', 0.3)]));
  frontier.add(outlinks('http://a.test/', [link('http://b.test/2', 0.2)]));
  visit(frontier, fate('kept', { relevance: 0.9 }), null);
  await frontier.commit({}, Promise.resolve());
  await frontier.close();
  const visits = StoredVisits.open(folder);
  expect([...visits].map((one) => [one.url, one.links().map(({ url }) => url)])).toEqual([
    ['http://a.test/', ['http://b.test/1', 'http://b.test/2']],
    ['http://b.test/1', []],
  ]);
  await visits.close();
});
