/** Many requests at once: how much of the loop's work comes in one turn of the event loop. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runCrawl } from '../../../src/crawling/crawl/loop.ts';
import { type SmallWeb, smallCrawl } from './small-crawl.ts';

const HOSTS = 60;
const A_TURN = 16;

/** Requests of each turn of the event loop, in a crawl whose pauses take a turn, as they do with timers. */
async function requestsByTurn(concurrency: number, stopAfter = Number.POSITIVE_INFINITY) {
  const seeds = Array.from({ length: HOSTS }, (_, i) => `http://h${i}.test/`);
  const web: SmallWeb = Object.fromEntries(seeds.map((url) => [url, { relevance: 0.9 }]));
  const { parts, clock, frontier } = await smallCrawl({ web, seeds, limits: { maxPages: 0 } });
  const turns: string[][] = [];
  let isOver = false;
  // Scheduled before all others, so it is the first in each turn.
  const nextTurn = () => {
    turns.push([]);
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const stop = new AbortController();
  const fetch: typeof parts.fetcher.fetch = (url, signal) => {
    turns.at(-1)?.push(url);
    if (turns.flat().length === stopAfter) stop.abort();
    return parts.fetcher.fetch(url, signal);
  };
  const pausing: typeof parts.clock = {
    now: () => clock.now(),
    sleep: (ms, signal) => (ms > 0 ? clock.sleep(ms, signal) : turnOfLoop()),
  };
  const limits = { maxPages: HOSTS, maxTime: Number.POSITIVE_INFINITY, patience: null, stopYield: null, concurrency };
  const reason = await runCrawl({ ...parts, clock: pausing, fetcher: { ...parts.fetcher, fetch } }, limits, stop.signal);
  isOver = true;
  return { reason, turns, seeds, counts: frontier.counts() };
}

test('a thousand requests do not begin in one turn, and begin in the order of the frontier', async () => {
  const { reason, turns, seeds } = await requestsByTurn(1000);
  expect(reason).toBe('max-pages');
  expect(Math.max(...turns.map((requests) => requests.length))).toBeLessThanOrEqual(A_TURN);
  expect(turns.flat()).toEqual(seeds);
});

test('a crawl that is stopped between two turns begins no request in the next one', async () => {
  const { reason, turns, counts } = await requestsByTurn(1000, A_TURN);
  expect([reason, turns.flat().length, counts.leased]).toEqual(['interrupted', A_TURN, 0]);
});
