import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { estimateShares, missingForMargin, type ShareEstimate } from '../../../src/study/label/label-estimate.ts';
import {
  type Answer,
  drawOrder,
  type LabelCandidate,
  LabelPlan,
  type LabelState,
  type Turn,
  turnsAhead,
  withGiven,
} from '../../../src/study/label/label-queue.ts';
import { runs, sample } from '../../support/extent.ts';

const NOTHING: LabelState = { answers: new Map(), drawn: new Set(), turns: 0 };
const OPTIONS = { threshold: 0.7, trainedHosts: new Set<string>(), seed: 1 };

function page(url: string, relevance: number, host = url.split('/')[2] ?? ''): LabelCandidate {
  return { url, host, relevance, kept: relevance >= OPTIONS.threshold };
}

/** Pages of twenty hosts, relevance uniform. */
function pagesOf(count: number, seed: number): LabelCandidate[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, (_, i) => page(`http://h${Math.floor(rng() * 20)}.test/${i}`, rng()));
}

/** The state after a turn was answered. */
function after(state: LabelState, { page: { url }, queue }: Turn, answer: Answer): LabelState {
  const drawn = queue === 'random' ? new Set([...state.drawn, url]) : state.drawn;
  return { answers: new Map([...state.answers, [url, answer]]), drawn, turns: state.turns + 1 };
}

/** Label by turns until `turns` were taken or all is labelled. A draw of a labelled page keeps its label. */
function labelled(pages: readonly LabelCandidate[], plan: LabelPlan, turns: number, truth: (page: LabelCandidate) => Answer) {
  const taken: Turn[] = [];
  let state = NOTHING;
  while (taken.length < turns) {
    const turn = plan.next(state);
    if (turn === null) break;
    taken.push(turn);
    state = after(state, turn, turn.known ?? truth(turn.page));
  }
  return { taken, state, pages };
}

test('the queues take turns, one third each', () => {
  const pages = pagesOf(200, 3);
  const { taken } = labelled(pages, new LabelPlan(pages, OPTIONS), 30, () => 'n');
  expect(taken.map(({ queue }) => queue)).toEqual(Array.from({ length: 10 }, () => ['uncertain', 'new-host', 'random']).flat());
});

test('uncertain is nearest to the threshold in log odds, on either side', () => {
  // As shares .8 (.1 above) would be nearer to .7 than .59 (.11 below); in log odds .59 (.483) is nearer than .8 (.539).
  const pages = [page('http://a.test/', 0.8), page('http://b.test/', 0.59), page('http://c.test/', 0.999), page('http://d.test/', 0.3)];
  const plan = new LabelPlan(pages, OPTIONS);
  expect(plan.next(NOTHING)).toMatchObject({ queue: 'uncertain', page: { url: 'http://b.test/' } });
  const strict = new LabelPlan(pages, { ...OPTIONS, threshold: 0.9 });
  expect(strict.next(NOTHING)?.page.url).toBe('http://a.test/');
});

test('a relevance or a threshold of 0 or 1 is far away, not nowhere', () => {
  const pages = [page('http://a.test/', 1), page('http://b.test/', 0), page('http://c.test/', 0.5)];
  expect(new LabelPlan(pages, { ...OPTIONS, threshold: 1 }).next(NOTHING)?.page.url).toBe('http://a.test/');
  expect(new LabelPlan(pages, { ...OPTIONS, threshold: 0 }).next(NOTHING)?.page.url).toBe('http://b.test/');
});

test('new-host is the most relevant page of hosts not seen in training or labels, then of those with the fewest labels', () => {
  const pages = [
    page('http://trained.test/1', 0.99),
    page('http://labelled.test/1', 0.98),
    page('http://labelled.test/2', 0.97),
    page('http://fresh.test/1', 0.4),
    page('http://fresh.test/2', 0.6),
  ];
  const plan = new LabelPlan(pages, { ...OPTIONS, trainedHosts: new Set(['trained.test']) });
  const state: LabelState = { answers: new Map([['http://labelled.test/1', 'y']]), drawn: new Set(), turns: 1 };
  expect(plan.next(state)).toMatchObject({ queue: 'new-host', page: { url: 'http://fresh.test/2' } });
  const none: LabelState = { ...state, answers: new Map([...state.answers, ['http://fresh.test/2', 'skip']]) };
  expect(plan.next(none)?.page.url).toBe('http://trained.test/1');
});

test('a page is asked about once, and none is left out: labelling ends when every page is labelled and drawn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 99 }), (count, seed) => {
      const pages = pagesOf(count, seed);
      const { taken, state } = labelled(pages, new LabelPlan(pages, { ...OPTIONS, seed }), 1000, ({ relevance }) =>
        relevance > 0.5 ? 'y' : 'skip',
      );
      const asked = taken.filter(({ known }) => known === null).map((turn) => turn.page.url);
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked.length).toBe(count);
      expect(state.drawn.size).toBe(count);
    }),
    { numRuns: runs(30) },
  );
});

test('the plan depends on the state alone: taken up anew at any turn, it goes on the same', () => {
  const pages = pagesOf(100, 5);
  const whole = labelled(pages, new LabelPlan(pages, OPTIONS), 40, ({ relevance }) => (relevance > 0.5 ? 'y' : 'n'));
  let state = NOTHING;
  for (const turn of whole.taken) {
    expect(new LabelPlan([...pages].reverse(), OPTIONS).next(state)).toEqual(turn);
    state = after(state, turn, turn.known ?? (turn.page.relevance > 0.5 ? 'y' : 'n'));
  }
});

test('turns ahead are those that follow, whatever is answered', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.infiniteStream(fc.constantFrom<Answer>('y', 'n', 'skip')), (seed, answers) => {
      const plan = new LabelPlan(pagesOf(30, seed), { ...OPTIONS, seed });
      const ahead = [...turnsAhead(NOTHING, (state) => plan.next(state))];
      const { taken } = labelled([], plan, 1000, () => answers.next().value ?? 'skip');
      expect(ahead).toEqual(taken.filter(({ known }) => known === null));
    }),
    { numRuns: runs(20) },
  );
});

test('a page drawn that another queue has shown is not asked about again, and counts', () => {
  const pages = pagesOf(40, 8);
  const first = drawOrder(
    pages.filter(({ kept }) => kept),
    OPTIONS.seed,
  )[0] as LabelCandidate;
  const state: LabelState = { answers: new Map([[first.url, 'y']]), drawn: new Set(), turns: 2 };
  const turn = new LabelPlan(pages, OPTIONS).next(state);
  expect(turn).toEqual({ page: first, queue: 'random', known: 'y' });
});

test('draws go by turns to kept pages and to others, and to the rest when one kind is used up', () => {
  const pages = [
    ...Array.from({ length: 3 }, (_, i) => page(`http://k.test/${i}`, 0.9)),
    ...Array.from({ length: 9 }, (_, i) => page(`http://o.test/${i}`, 0.1)),
  ];
  const plan = new LabelPlan(pages, OPTIONS);
  const { taken } = labelled(pages, plan, 1000, () => 'n');
  const kinds = taken.filter(({ queue }) => queue === 'random').map((turn) => (turn.page.kept ? 'k' : 'o'));
  expect(kinds.join('')).toBe('kokokoooooooo'.slice(0, 12));
});

test('pages found later take their places in the draw order; those before keep theirs', () => {
  const pages = pagesOf(120, 11);
  const early = drawOrder(pages.slice(0, 80), 7).map(({ url }) => url);
  const late = drawOrder(pages, 7).map(({ url }) => url);
  expect(late.filter((url) => early.includes(url))).toEqual(early);
  expect(drawOrder(pages, 8).map(({ url }) => url)).not.toEqual(late);
});

test('the first of the draw order are a fair sample: over many seeds each page is among them equally often', () => {
  const pages = pagesOf(50, 13);
  const [draws, sample] = [2000, 10];
  const times = new Map<string, number>();
  for (let seed = 0; seed < draws; seed++)
    for (const { url } of drawOrder(pages, seed).slice(0, sample)) times.set(url, (times.get(url) ?? 0) + 1);
  // Chi-square of 50 counts with 49 degrees of freedom (less, for draws without replacement): 99.99 % stay below 100.
  const expected = (draws * sample) / pages.length;
  const chiSquare = pages.reduce((sum, { url }) => sum + ((times.get(url) ?? 0) - expected) ** 2 / expected, 0);
  expect(chiSquare).toBeLessThan(100);
});

/** A page is on topic with a chance of its relevance: the model is calibrated, so uncertain and high-scoring pages have other shares than all. */
function truthOf(seed: number) {
  const rng = seededRng(seed);
  const truths = new Map<string, Answer>();
  return (one: LabelCandidate): Answer => {
    const known = truths.get(one.url);
    if (known !== undefined) return known;
    const drawn = rng() < one.relevance ? 'y' : 'n';
    truths.set(one.url, drawn);
    return drawn;
  };
}

test('estimates are unbiased although two thirds of the labels are chosen by the model, and their intervals hold the truth', () => {
  const pages = pagesOf(150, 17);
  const truth = truthOf(19);
  const share = (of: readonly LabelCandidate[]) => of.filter((one) => truth(one) === 'y').length / of.length;
  const truths = { kept: share(pages.filter(({ kept }) => kept)), notKept: share(pages.filter(({ kept }) => !kept)), judged: share(pages) };
  const runs = 400;
  const sums = { kept: 0, notKept: 0, judged: 0 };
  const held = { kept: 0, notKept: 0, judged: 0 };
  for (let seed = 0; seed < runs; seed++) {
    const { state } = labelled(pages, new LabelPlan(pages, { ...OPTIONS, seed }), 90, truth);
    const estimate = estimateShares(pages, state, seed);
    for (const part of ['kept', 'notKept', 'judged'] as const) {
      const { share: found, interval } = estimate[part] ?? { share: null, interval: { low: 1, high: 0 } };
      sums[part] += found ?? Number.NaN;
      if (interval.low <= truths[part] && truths[part] <= interval.high) held[part] += 1;
    }
  }
  // 15 draws of each stratum have a standard error of about .1, their mean over 400 runs of .005; four of these.
  for (const part of ['kept', 'notKept', 'judged'] as const) {
    expect(Math.abs(sums[part] / runs - truths[part])).toBeLessThan(0.02);
    // A Wilson interval of so few draws covers 92 to 98 %; 400 runs are 1 % exact.
    expect(held[part] / runs).toBeGreaterThan(0.9);
  }
});

test('labels of the other queues do not enter an estimate, however many there are', () => {
  const pages = pagesOf(60, 23);
  const kept = pages.filter((one) => one.kept);
  const order = drawOrder(kept, 1);
  const answers = new Map(order.map(({ url }, i): [string, Answer] => [url, i < 4 ? 'n' : 'y']));
  const state: LabelState = { answers, drawn: new Set(order.slice(0, 4).map(({ url }) => url)), turns: 0 };
  expect(estimateShares(pages, state, 1).kept).toMatchObject({ pages: kept.length, answered: 4, onTopic: 0, share: 0, skipped: 0 });
});

test('a page that precedes the drawn ones in the order and has no answer takes none of theirs away; it is drawn next', () => {
  const pages = pagesOf(60, 29).map((one) => ({ ...one, kept: true }));
  const order = drawOrder(pages, 1);
  const drawn = new Set(order.slice(0, 10).map(({ url }) => url));
  drawn.delete(order[6]?.url ?? '');
  const state: LabelState = { answers: new Map([...drawn].map((url) => [url, 'y'])), drawn, turns: 0 };
  expect(estimateShares(pages, state, 1).kept.answered).toBe(9);
  expect(new LabelPlan(pages, OPTIONS).next({ ...state, turns: 2 })?.page.url).toBe(order[6]?.url);
});

test('skipped draws are counted apart; a stratum that is labelled whole is known, not estimated', () => {
  const pages = [page('http://a.test/', 0.9), page('http://b.test/', 0.8), page('http://c.test/', 0.1)];
  const drawn = new Set(pages.map(({ url }) => url));
  const answers = new Map<string, Answer>([
    ['http://a.test/', 'y'],
    ['http://b.test/', 'n'],
    ['http://c.test/', 'skip'],
  ]);
  const estimate = estimateShares(pages, { answers, drawn, turns: 3 }, 1);
  expect(estimate.kept).toMatchObject({
    known: 2,
    later: 0,
    isMeasured: true,
    pages: 2,
    answered: 2,
    skipped: 0,
    onTopic: 1,
    share: 0.5,
    interval: { low: 0.5, high: 0.5 },
  });
  expect(estimate.notKept).toMatchObject({
    known: 0,
    isMeasured: false,
    pages: 1,
    answered: 0,
    skipped: 1,
    onTopic: 0,
    share: null,
    interval: { low: 0, high: 1 },
  });
  expect(estimate.judged).toBeNull();
});

test('without pages there is nothing to ask, and nothing is claimed', () => {
  expect(new LabelPlan([], OPTIONS).next(NOTHING)).toBeNull();
  expect(estimateShares([], NOTHING, 1).judged).toBeNull();
});

/** Of pages drawn at random with that share of y. */
function drawnShare(pages: number, answered: number, onTopic: number): ShareEstimate {
  const all = Array.from({ length: pages }, (_, i) => page(`http://a.test/${i}`, 0.9));
  const drawn = drawOrder(all, 1).slice(0, answered);
  const answers = new Map(drawn.map(({ url }, i): [string, Answer] => [url, i < onTopic ? 'y' : 'n']));
  return estimateShares(all, { answers, drawn: new Set(answers.keys()), turns: answered }, 1).kept;
}

/** Pages, answers, and answers that are on topic. */
const DRAWN = [
  [400, 20, 12],
  [50, 10, 5],
  [1000, 8, 8],
  [300, 30, 27],
] as const;

test('the answers missing for a margin are the least that reach it, if the share stays', () => {
  // Wilson for one half, without a correction of note: n + z² ≥ (z / 0.2)², so 93.
  expect(missingForMargin(drawnShare(100_000, 0, 0), 0.1)).toBe(93);
  for (const [pages, answered, onTopic] of sample(DRAWN, [1, 3])) {
    const more = missingForMargin(drawnShare(pages, answered, onTopic), 0.1);
    const widthOf = (n: number) => {
      const { low, high } = drawnShare(pages, n, Math.round((onTopic / answered) * n)).interval;
      return high - low;
    };
    expect(more).toBeGreaterThan(0);
    expect(widthOf(answered + more)).toBeLessThan(0.215);
    expect(widthOf(answered + more - 3)).toBeGreaterThan(0.185);
  }
});

test('nothing is missing once the margin is reached, or all pages are answered', () => {
  expect(missingForMargin(drawnShare(1000, 200, 180), 0.1)).toBe(0);
  expect(missingForMargin(drawnShare(7, 7, 3), 0.1)).toBe(0);
  expect(missingForMargin(drawnShare(6, 2, 1), 0.1)).toBe(3);
  expect(missingForMargin(drawnShare(0, 0, 0), 0.1)).toBe(0);
});

test('an audit draws kept pages alone, in the order of the random third, and no page twice', () => {
  const pages = pagesOf(60, 31);
  const plan = new LabelPlan(pages, OPTIONS);
  const kept = drawOrder(
    pages.filter((one) => one.kept),
    OPTIONS.seed,
  ).map(({ url }) => url);
  let state: LabelState = { ...NOTHING, answers: new Map([[kept[2] ?? '', 'y']]) };
  const taken: string[] = [];
  for (let turn = plan.nextKept(state); turn !== null; turn = plan.nextKept(state)) {
    expect(turn).toMatchObject({ queue: 'random', known: taken.length === 2 ? 'y' : null });
    taken.push(turn.page.url);
    state = after(state, turn, 'n');
  }
  expect(taken).toEqual(kept);
});

test.each(['kept', 'notKept'] as const)(
  'a page that the person gave for the training is never asked about, drawn or not: %s',
  (stratum) => {
    const pages = pagesOf(40, 31);
    const plan = new LabelPlan(pages, OPTIONS);
    const own = plan.strata[stratum][0];
    if (own === undefined) throw new Error('there is a page');
    const given = new Map<string, Answer>([[own.url, stratum === 'kept' ? 'y' : 'n']]);
    const asked = [...turnsAhead(withGiven(NOTHING, given), (state) => plan.next(state))].map(({ page: { url } }) => url);
    expect(asked).not.toContain(own.url);
    expect(asked.length).toBe(pages.length - 1);
    const kept = plan.nextKept(withGiven(NOTHING, given));
    if (stratum === 'kept') expect(kept).toMatchObject({ page: { url: own.url }, known: 'y' });
  },
);

test('an answer of the person has precedence over what a page was given as; a host with a given page comes after the others', () => {
  const pages = pagesOf(40, 31);
  const [first] = pages;
  if (first === undefined) throw new Error('there is a page');
  const answered = { ...NOTHING, answers: new Map<string, Answer>([[first.url, 'n']]) };
  expect(withGiven(answered, new Map([[first.url, 'y']])).answers.get(first.url)).toBe('n');
  const plan = new LabelPlan(pages, OPTIONS);
  const best = plan.nextOfNewHost(NOTHING)?.page;
  const given = new Map<string, Answer>([[best?.url ?? '', 'y']]);
  expect(plan.nextOfNewHost(withGiven(NOTHING, given))?.page.host).not.toBe(best?.host);
});
