/** A fresh scorer is brought to where a crawl left it, and so are the priorities of what waits. */
import { expect, test } from 'vitest';
import { resumeScoring } from '../../../src/crawling/crawl/rescore-waiting.ts';
import { linkScorer } from '../../../src/reading/links/strategies.ts';
import { randomWeb, smallCrawl } from './small-crawl.ts';

const fresh = () => linkScorer('apprentice', { threshold: 0.5, seed: 1 });

test.each([5, 10, 57, 130])('after %d visits it has learned every lesson, and rescored when the crawl last did', async (maxPages) => {
  const scorer = fresh();
  const { frontier } = await smallCrawl({ ...randomWeb(200, 10, 4), scorer, limits: { maxPages } });
  const waiting = () => [...frontier.ledger()].filter(({ state }) => state === 'waiting').map(({ url, priority }) => [url, priority]);
  const was = waiting();
  const again = fresh();
  const rescored: number[] = [];
  const rescore: typeof frontier.rescore = (by, learnedFrom, foundBefore) => {
    rescored.push(by === again ? again.learnedFrom : -1, learnedFrom);
    return frontier.rescore(by, learnedFrom, foundBefore);
  };
  resumeScoring(again, { rescore }, frontier);
  expect(again.learnedFrom).toBe(scorer.learnedFrom);
  const last = Math.floor(again.learnedFrom / 10) * 10;
  expect(rescored).toEqual(last === 0 ? [] : [last, last]);
  expect(waiting()).toEqual(was);
});

test('a scorer that does not learn has nothing to be brought to', async () => {
  const { frontier } = await smallCrawl({ ...randomWeb(20, 2, 1) });
  const rescore = () => {
    throw new Error('rescored');
  };
  const settled = () => {
    throw new Error('looked at');
  };
  resumeScoring(linkScorer('bfs', { threshold: 0.5, seed: 1 }), { rescore }, { settled });
  expect(frontier.counts().waiting).toBe(0);
});
