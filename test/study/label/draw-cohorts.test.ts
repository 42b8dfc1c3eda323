import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { cohortsOf } from '../../../src/study/label/draw-cohorts.ts';
import { estimateShares, type ShareEstimate } from '../../../src/study/label/label-estimate.ts';
import { type Answer, drawOrder, type LabelCandidate, type LabelState } from '../../../src/study/label/label-queue.ts';
import { runs } from '../../support/extent.ts';

const SEED = 7;

/** Kept pages that were read one a second from `from` on. */
function read(from: number, count: number): LabelCandidate[] {
  return Array.from({ length: count }, (_, i) => ({
    url: `http://a.test/${from + i}`,
    host: 'a.test',
    relevance: 0.9,
    kept: true,
    readAt: from + i,
  }));
}

class Drawn {
  readonly answers = new Map<string, Answer>();
  readonly newest = new Map<string, number>();

  get state(): LabelState {
    return { answers: this.answers, drawn: new Set(this.answers.keys()), newest: this.newest, turns: this.answers.size };
  }

  /** Draws from these pages, as a session of that moment. */
  draw(pages: readonly LabelCandidate[], count: number, answer: (page: LabelCandidate) => Answer): void {
    const newest = Math.max(...pages.map(({ readAt = 0 }) => readAt));
    const undrawn = drawOrder(pages, SEED).filter(({ url }) => !this.answers.has(url));
    for (const page of undrawn.slice(0, count)) {
      this.answers.set(page.url, answer(page));
      this.newest.set(page.url, newest);
    }
  }

  kept(pages: readonly LabelCandidate[]): ShareEstimate {
    return estimateShares(pages, this.state, SEED).kept;
  }
}

const yes = (): Answer => 'y';
const no = (): Answer => 'n';
const skip = (): Answer => 'skip';

test('a crawl that goes on after eleven answers keeps their figure, with the time up to which it holds, and the number of later pages', () => {
  const [before, drawn] = [read(1, 60), new Drawn()];
  drawn.draw(before, 11, ({ readAt = 0 }) => (readAt % 4 === 0 ? 'n' : 'y'));
  const at = drawn.kept(before);
  expect(at).toMatchObject({ pages: 60, answered: 11, later: 0, until: null, isMeasured: true });
  for (const more of [1, 3, 500]) expect(drawn.kept([...before, ...read(100, more)])).toEqual({ ...at, later: more, until: 60 });
});

test('answers of both parts count by the number of pages of their part, whatever the order says', () => {
  const [old, later, drawn] = [read(1, 40), read(100, 160), new Drawn()];
  drawn.draw(old, 20, no);
  drawn.draw([...old, ...later], 60, ({ readAt = 0 }) => (readAt < 100 ? 'n' : 'y'));
  const { share, answered, later: none, interval } = drawn.kept([...old, ...later]);
  expect({ answered, none }).toEqual({ answered: 80, none: 0 });
  expect(share).toBeCloseTo(160 / 200, 1);
  expect(interval.low).toBeLessThan(0.8);
  expect(interval.high).toBeGreaterThan(0.8);
});

test('one answer to many newer pages widens the interval instead of hiding what the others say', () => {
  const [old, later, drawn] = [read(1, 30), read(100, 300), new Drawn()];
  drawn.draw(old, 20, yes);
  const narrow = drawn.kept(old).interval;
  drawn.draw(later, 1, yes);
  const wide = drawn.kept([...old, ...later]);
  expect(wide).toMatchObject({ answered: 21, pages: 330, share: 1 });
  expect(wide.interval.low).toBeLessThan(narrow.low - 0.3);
});

test.each([
  ['later', 20, yes, 6, skip],
  ['earlier', 20, skip, 6, yes],
] as const)(
  'a part whose draws were all skipped has the share of its neighbour: the %s one',
  (_, ofOld, answerOld, ofLater, answerLater) => {
    const [old, later, drawn] = [read(1, 30), read(100, 30), new Drawn()];
    drawn.draw(old, ofOld, answerOld);
    drawn.draw(later, ofLater, answerLater);
    const [answered, skipped] = answerOld === yes ? [ofOld, ofLater] : [ofLater, ofOld];
    const kept = drawn.kept([...old, ...later]);
    expect(kept).toMatchObject({ answered, skipped, pages: 60, share: 1 });
    expect(kept.interval.low).toBeGreaterThan(0.5);
  },
);

test('a page that became kept because of its own answer counts as itself and stands for no other', () => {
  const [pages, drawn] = [read(1, 50), new Drawn()];
  drawn.draw(pages, 10, no);
  const again = { url: 'http://b.test/', host: 'b.test', relevance: 1, kept: true, readAt: 900 };
  drawn.answers.set(again.url, 'y');
  drawn.newest.set(again.url, 60);
  const kept = drawn.kept([...pages, again]);
  expect(kept).toMatchObject({ answered: 10, known: 11, pages: 51, later: 0 });
  expect(kept.share).toBeCloseTo(1 / 51);
});

test('cohorts have each page once, in the order of time; draws of one moment are the first of their cohort', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 8 })), { maxLength: 6 }), (steps) => {
      const [pages, drawn]: [LabelCandidate[], Drawn] = [[], new Drawn()];
      for (const [visits, draws] of steps) {
        pages.push(...read(pages.length + 1, visits));
        drawn.draw(pages, draws, yes);
      }
      const { cohorts, later } = cohortsOf(drawOrder(pages, SEED), drawn.state);
      expect([...cohorts.flatMap((cohort) => cohort.pages), ...later].length).toBe(pages.length);
      for (const cohort of cohorts) {
        const isDrawn = cohort.pages.map(({ url }) => drawn.answers.has(url));
        expect(isDrawn).toEqual([...isDrawn].sort((a, b) => Number(b) - Number(a)));
      }
      expect(later.some(({ url }) => drawn.answers.has(url))).toBe(false);
    }),
    { numRuns: runs(40) },
  );
});

test('a cohort reaches as far as its draws and all later ones: equal reaches are sampled alike', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 }), (draws) => {
      const [pages, drawn]: [LabelCandidate[], Drawn] = [[], new Drawn()];
      for (const count of draws) {
        pages.push(...read(pages.length + 1, 6));
        drawn.draw(pages, count, yes);
      }
      const ordered = drawOrder(pages, SEED);
      const { cohorts } = cohortsOf(ordered, drawn.state);
      const placesFrom = (time: number) => ordered.flatMap(({ url }, place) => ((drawn.newest.get(url) ?? 0) >= time ? [place] : []));
      expect(cohorts.map(({ reach }) => reach)).toEqual(cohorts.map(({ until }) => Math.max(...placesFrom(until))));
    }),
    { numRuns: runs(40) },
  );
});

test('with one draw of each page in many small parts, the estimate is right on average', () => {
  const rng = seededRng(3);
  const shares = [0.2, 0.9, 0.5, 0.7];
  let sum = 0;
  const runs = 300;
  for (let run = 0; run < runs; run++) {
    const [pages, drawn]: [LabelCandidate[], Drawn] = [[], new Drawn()];
    const truths = new Map<string, boolean>();
    for (const share of shares) {
      const fresh = read(1000 * run + pages.length + 1, 25);
      for (const [i, { url }] of fresh.entries()) truths.set(url, i < share * 25);
      pages.push(...fresh);
      drawn.draw(pages, 3 + Math.floor(rng() * 4), ({ url }) => (truths.get(url) ? 'y' : 'n'));
    }
    sum += drawn.kept(pages).share ?? Number.NaN;
  }
  // One estimate has a standard error of about .1: the mean of 300 of .006.
  expect(Math.abs(sum / runs - 0.575)).toBeLessThan(0.025);
});
