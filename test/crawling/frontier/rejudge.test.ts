import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { CanonicalUrl, Discovery, Fate, RecordId, Unit } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { type Rejudge, rejudgeFrontier } from '../../../src/crawling/frontier/rejudge.ts';
import { fate, link, outlinks, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const clock = new VirtualClock();
const ready = Promise.resolve();
const KEPT = 'http://kept.test/';
const COPY = 'http://copy.test/';
const OFF = 'http://off.test/';
const LOW = 'http://low.test/';
const SHY = 'http://shy.test/';
const NEXT = 'http://next.test/';
const record = 'urn:uuid:1' as RecordId;

function open(folder: string, judgedBy: string | null = null): Frontier {
  return openLmdbFrontier(folder, { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY }, judgedBy);
}

function settle(frontier: Frontier, ended: Fate, discovered: Discovery | null = null): string {
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  frontier.settle(next.lease, { kind: 'done', fate: ended, discovered, host: WELL });
  return next.lease.entry.url;
}

/** One page of each kind, read by a model whose threshold was one half, and a link that waits. */
async function crawled(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-rejudge-'));
  folders.push(folder);
  const frontier = open(folder);
  frontier.add(seeds(link(KEPT, 1), link(COPY, 0.9), link(OFF, 0.8), link(LOW, 0.7), link(SHY, 0.6)));
  const words = { anchorText: 'moss', context: 'moss and fern', contextScore: 0.3, anchorScore: null };
  const text = (title: string) => ({ title, text: 'text', lang: null });
  settle(frontier, fate('kept', { relevance: 0.9, recordId: record }));
  settle(frontier, fate('duplicate', { relevance: 0.9, reason: { kind: 'copy', of: KEPT as CanonicalUrl } }));
  settle(
    frontier,
    fate('off-topic', { relevance: 0.4, page: text('off') }),
    outlinks(OFF, [link(NEXT, 0.35, null, words)], { offTopicDepth: 1 }),
  );
  settle(frontier, fate('off-topic', { relevance: 0.1, page: text('low') }));
  settle(frontier, fate('refused', { relevance: 0.8, reason: 'noindex' }));
  await frontier.commit({ 'records.jsonl': 1 }, ready);
  await frontier.close();
  return folder;
}

function model(modelId: string, relevances: Readonly<Record<string, Unit>>, inForce: string | null = null): Rejudge {
  return {
    modelId,
    threshold: 0.5,
    active: inForce,
    kept: new Map([[record, { relevance: relevances['kept'] ?? 0 }]]),
    payloads: new Map([['earlier', { relevance: relevances['earlier'] ?? 0 }]]),
    judge: ({ title }) => ({ relevance: relevances[title] ?? 0 }),
    scoresOf: ({ anchorScore, contextScore }) => ({ anchorScore, contextScore: contextScore === null ? null : (relevances['link'] ?? 0) }),
  };
}

test('an alternate has the new relevance of its kept page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-rejudge-'));
  folders.push(folder);
  const before = open(folder);
  before.add(seeds(link(KEPT, 1), link(NEXT, 0.9)));
  settle(before, fate('kept', { relevance: 0.9, recordId: record }));
  const reason = { kind: 'alternate', of: KEPT as CanonicalUrl } as const;
  settle(before, fate('kept', { reason, relevance: 0.9, recordId: 'urn:uuid:2' as RecordId }));
  await before.commit({}, ready);
  await before.close();
  await rejudgeFrontier(folder, SECOND);
  const after = open(folder, 'second');
  expect(after.find(NEXT as CanonicalUrl)?.line).toMatchObject({ state: 'kept', reason: `alternate:${KEPT}`, relevance: 0.2 });
  await after.close();
});

const SECOND = model('second', { kept: 0.2, off: 0.95, low: 0.05, link: 0.7 });

function relevances(frontier: Frontier): Record<string, number | null> {
  return Object.fromEntries([...frontier.ledger()].map(({ url, relevance }) => [new URL(url).hostname.split('.')[0], relevance]));
}

test('all pages have the relevance the new model gives them; a copy that of its original, and what is not stored its own', async () => {
  const folder = await crawled();
  expect(await rejudgeFrontier(folder, SECOND)).toBe(5);
  const frontier = open(folder, 'second');
  expect(relevances(frontier)).toEqual({ kept: 0.2, copy: 0.2, off: 0.95, low: 0.05, shy: 0.8, next: null });
  expect([...frontier.settled()].map(({ fate: { relevance } }) => relevance)).toEqual([0.2, 0.2, 0.05, 0.8]);
  await frontier.close();
});

test('a copy has the relevance of the very version that it is a copy of', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-rejudge-'));
  folders.push(folder);
  const before = open(folder);
  before.add(seeds(link(KEPT, 1), link(COPY, 0.9)));
  settle(before, fate('kept', { relevance: 0.9, recordId: record }));
  settle(before, fate('duplicate', { relevance: 0.9, reason: { kind: 'copy', of: KEPT as CanonicalUrl }, payloadSha256: 'earlier' }));
  await before.commit({}, ready);
  await before.close();
  await rejudgeFrontier(folder, model('second', { kept: 0.2, earlier: 0.7 }));
  const after = open(folder, 'second');
  expect(relevances(after)).toEqual({ kept: 0.2, copy: 0.7 });
  await after.close();
});

test('what is stored stays: opened without the model, or after a rejudgement that was not finished, all is as it was', async () => {
  const folder = await crawled();
  const before = open(folder);
  const was = [...before.ledger()];
  await before.close();
  await rejudgeFrontier(folder, SECOND);
  const after = open(folder);
  expect([...after.ledger()]).toEqual(was);
  await after.close();
  expect(() => open(folder, 'third')).toThrow(StoreError);
  expect(() => open(folder, 'third')).toThrow(/has no judgements of model third/);
});

test('the words of a link and the relevance of its referrer are judged anew', async () => {
  const folder = await crawled();
  await rejudgeFrontier(folder, SECOND);
  const frontier = open(folder, 'second');
  const seen: unknown[] = [];
  frontier.rescore(
    {
      score: (entries) => {
        for (const { url, edge } of entries)
          if (edge) seen.push([url, edge.referrer.relevance, edge.link.anchorScore, edge.link.contextScore, edge.link.anchorText]);
        return Float32Array.from(entries, () => 0.5);
      },
    },
    0,
    1,
  );
  expect(seen).toEqual([[NEXT, 0.95, null, 0.7, 'moss']]);
  await frontier.close();
});

test('a page that was left out and is on topic now waits again, with its relevance as priority whatever is expected of its link', async () => {
  const folder = await crawled();
  await rejudgeFrontier(folder, SECOND);
  const frontier = open(folder, 'second');
  expect(frontier.counts()).toMatchObject({
    discovered: 6,
    waiting: 2,
    offTopic: 1,
    kept: 1,
    duplicate: 1,
    refused: 1,
    visited: 5,
    reopened: 1,
  });
  expect(frontier.earlierVisits()).toEqual([3]);
  frontier.rescore({ score: (links) => Float32Array.from(links, () => 0.99) }, 0, 1);
  expect(frontier.find(OFF as CanonicalUrl)).toMatchObject({
    reopened: true,
    line: { state: 'waiting', order: null, priority: Math.fround(0.95) },
  });
  expect(frontier.find(KEPT as CanonicalUrl)?.reopened).toBe(false);
  // A better link to it changes nothing: more is known of the page than any link says.
  frontier.add(outlinks(KEPT, [link(OFF, 1)]));
  expect(frontier.find(OFF as CanonicalUrl)?.line.priority).toBe(Math.fround(0.95));
  await frontier.close();
});

test('visited again it has a new fate, which no later opening undoes; its earlier text is let go of', async () => {
  const folder = await crawled();
  await rejudgeFrontier(folder, SECOND);
  const frontier = open(folder, 'second');
  expect(frontier.find(OFF as CanonicalUrl)?.fate?.page?.title).toBe('off');
  expect(settle(frontier, fate('kept', { relevance: 0.96, recordId: 'urn:uuid:2' as RecordId }))).toBe(OFF);
  expect(frontier.find(OFF as CanonicalUrl)?.fate?.page).toBeNull();
  await frontier.commit({ 'records.jsonl': 2 }, ready);
  await frontier.close();
  const later = open(folder, 'second');
  expect(later.counts()).toMatchObject({ waiting: 1, kept: 2, visited: 6, earlierVisits: 1, reopened: 0 });
  expect(later.earlierVisits()).toEqual([3]);
  const found = later.find(OFF as CanonicalUrl);
  expect(found).toMatchObject({
    reopened: true,
    settled: 6,
    // Five pages are visited; its earlier visit has no place any more.
    line: { state: 'kept', order: 5, relevance: 0.96, priority: Math.fround(0.95) },
    fate: { page: null },
  });
  expect([...later.settled()].at(-1)?.entry.url).toBe(OFF);
  await later.close();
});

test('a page judged by the new model itself keeps that judgement; the next model judges all', async () => {
  const folder = await crawled();
  await rejudgeFrontier(folder, SECOND);
  const frontier = open(folder, 'second');
  settle(frontier, fate('off-topic', { relevance: 0.31, page: { title: 'off', text: 'changed', lang: null } }));
  settle(frontier, fate('off-topic', { relevance: 0.33, page: { title: 'next', text: 'text', lang: null } }));
  await frontier.commit({ 'records.jsonl': 1 }, ready);
  await frontier.close();
  const between = open(folder, 'second');
  expect(relevances(between)).toMatchObject({ off: 0.31, next: 0.33 });
  expect(between.counts()).toMatchObject({ waiting: 0, offTopic: 3 });
  await between.close();
  expect(await rejudgeFrontier(folder, model('third', { kept: 0.6, off: 0.7, next: 0.2 }, 'second'))).toBe(7);
  const second = open(folder, 'second');
  expect(relevances(second)).toMatchObject({ off: 0.31, next: 0.33 });
  await second.close();
  const third = open(folder, 'third');
  expect(relevances(third)).toEqual({ kept: 0.6, copy: 0.6, off: 0.7, low: 0, shy: 0.8, next: 0.2 });
  // Asked for under the first model and the second, and to be asked for a third time.
  expect(third.counts()).toMatchObject({ waiting: 1, visited: 7, earlierVisits: 2, reopened: 1 });
  expect(third.earlierVisits()).toEqual([3, 6]);
  await third.close();
  await rejudgeFrontier(folder, model('fourth', {}, 'third'));
  expect(() => open(folder, 'second')).toThrow(StoreError);
});

test('a reopened page that is gone has failed, and is judged no more', async () => {
  const folder = await crawled();
  await rejudgeFrontier(folder, SECOND);
  const frontier = open(folder, 'second');
  settle(frontier, fate('failed', { relevance: null, reason: 'http-4xx' }));
  await frontier.commit({ 'records.jsonl': 1 }, ready);
  await frontier.close();
  const later = open(folder, 'second');
  expect(later.find(OFF as CanonicalUrl)?.line).toMatchObject({ state: 'failed', reason: 'http-4xx', relevance: null });
  await later.close();
});
