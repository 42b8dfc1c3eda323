import { expect, test } from 'vitest';
import { type LabelCandidate, LabelPlan, type LabelState } from '../../../src/study/label/label-queue.ts';
import { MOST_OF_PLACE, refuseMany, unansweredOf } from '../../../src/study/label/page-places.ts';

const page = (url: string): LabelCandidate => ({ url, host: url.split('/')[2] ?? '', relevance: 0.5, kept: false });
const PAGES = ['http://a.test/', 'http://a.test/forum/1', 'http://a.test/forum/2', 'http://a.test/forums', 'http://b.test/forum/1'];
const plan = new LabelPlan(PAGES.map(page), { threshold: 0.5, trainedHosts: new Set(), seed: 1 });
const STATE: LabelState = { answers: new Map([['http://a.test/forum/2', 'y']]), drawn: new Set(), turns: 1 };

test.each([
  ['a.test', ['http://a.test/', 'http://a.test/forum/1', 'http://a.test/forums']],
  ['A.test', ['http://a.test/', 'http://a.test/forum/1', 'http://a.test/forums']],
  ['http://a.test/forum/', ['http://a.test/forum/1']],
  ['http://a.test/forum/2', ['http://a.test/forum/1']],
  ['test', []],
])('%s: its pages without an answer', (place, urls) => {
  expect(unansweredOf(plan, STATE, place).map(({ url }) => url)).toEqual(urls);
});

test('a place that is none, and one with too many pages, are refused', () => {
  expect(() => unansweredOf(plan, STATE, 'ftp://a.test/')).toThrow(/neither a host name nor/);
  expect(() => refuseMany(Array.from({ length: MOST_OF_PLACE + 1 }), 'a.test')).toThrow(/a\.test: has 501 pages/);
});
