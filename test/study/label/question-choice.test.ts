import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { drawOrder, type LabelCandidate, LabelPlan, type LabelState } from '../../../src/study/label/label-queue.ts';
import { chooseQuestions } from '../../../src/study/label/question-choice.ts';
import { runs } from '../../support/extent.ts';

const NOTHING: LabelState = { answers: new Map(), drawn: new Set(), turns: 0 };
const OPTIONS = { threshold: 0.7, trainedHosts: new Set<string>(), seed: 1 };

function pagesOf(count: number, seed: number, hosts = 10): LabelCandidate[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, (_, i) => {
    const host = `h${Math.floor(rng() * hosts)}.test`;
    const relevance = rng();
    return { url: `http://${host}/d${Math.floor(rng() * 4)}/${i}`, host, relevance, kept: relevance >= OPTIONS.threshold };
  });
}

function chosen(pages: readonly LabelCandidate[], count: number, state = NOTHING, asked: Parameters<typeof chooseQuestions>[3] = []) {
  return chooseQuestions(pages, new LabelPlan(pages, OPTIONS), state, asked, count);
}

test('a third is drawn at random in the draw order of labelling, from kept and other pages by turns', () => {
  const pages = pagesOf(300, 5);
  const random = chosen(pages, 15).filter(({ queue }) => queue === 'random');
  const first = (kept: boolean, n: number) =>
    drawOrder(
      pages.filter((page) => page.kept === kept),
      1,
    )
      .slice(0, n)
      .map(({ url }) => url);
  expect(new Set(random.map(({ url }) => url))).toEqual(new Set([...first(true, 3), ...first(false, 2)]));
});

test('the others are spread over hosts, directories and relevance', () => {
  const pages = pagesOf(400, 7);
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const spread = chosen(pages, 15)
    .filter(({ queue }) => queue === 'spread')
    .map(({ url }) => byUrl.get(url) as LabelCandidate);
  expect(spread).toHaveLength(10);
  const counts = new Map<string, number>();
  for (const { host } of spread) counts.set(host, (counts.get(host) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(2);
  const tenths = new Set(spread.map(({ relevance }) => Math.min(9, Math.floor(relevance * 10))));
  expect(tenths.size).toBeGreaterThanOrEqual(8);
  const oneHost = pagesOf(400, 7, 1);
  const uses = new Map<string, number>();
  for (const { url } of chosen(oneHost, 16)) uses.set(url.split('/')[3] ?? '', (uses.get(url.split('/')[3] ?? '') ?? 0) + 1);
  expect([...uses.values()]).toEqual([4, 4, 4, 4]);
});

test('any pages and answers: no page twice, only draws of answered or asked pages, as many as there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 30 }), fc.nat(1000), (count, questions, seed) => {
      const pages = pagesOf(count, seed);
      const answers = new Map(pages.slice(0, 5).map(({ url }) => [url, 'y' as const]));
      const asked = chosen(pages.slice(5, 15), 4);
      const found = chosen(pages, questions, { ...NOTHING, answers }, asked);
      const urls = found.map(({ url }) => url);
      expect(new Set(urls).size).toBe(urls.length);
      const before = new Set(asked.map(({ url }) => url));
      expect(found.length).toBeLessThanOrEqual(questions);
      for (const { url, queue } of found) if (queue === 'spread') expect(answers.has(url) || before.has(url)).toBe(false);
      if (pages.length - answers.size - asked.length >= questions) expect(found.length).toBe(questions);
      expect(chosen(pages, questions, { ...NOTHING, answers }, asked)).toEqual(found);
    }),
    { numRuns: runs(60) },
  );
});
