import { expect, test } from 'vitest';
import { auditLines, estimateLines, questionLines, relabelLines, upheavalText } from '../../../src/faces/cli/label-screen.ts';
import type { ShareEstimate } from '../../../src/study/label/label-estimate.ts';
import type { Question } from '../../../src/study/label/page-questions.ts';
import type { RelabelReport } from '../../../src/study/label/retrain.ts';
import { urlOf } from '../../support/frontier-values.ts';

const PLAIN = { width: 60, colours: false, top: 3 };
const COUNTS = { yes: 2, no: 1, skipped: 0 };

const QUESTION: Question = {
  url: urlOf('http://a.example/moss'),
  title: 'Moss\x1b[31m of the bog',
  passage: {
    text: 'Peat moss grows here.\nThe tram does not run.',
    fromStart: false,
    toEnd: true,
    words: [
      { start: 0, end: 4, contribution: 0.5 },
      { start: 5, end: 9, contribution: 0.05 },
      { start: 26, end: 30, contribution: -0.4 },
    ],
  },
  relevance: 0.8125,
  threshold: 0.7,
  kept: true,
  queue: 'random',
  explanation: {
    logit: 1,
    bias: 0,
    contributions: [
      { feature: 'peat', contribution: 0.5 },
      { feature: 'tram', contribution: -0.4 },
      { feature: 'moss', contribution: 0.3 },
      { feature: 'peat\x1b[2J moss', contribution: 0.2 },
      { feature: 'bog', contribution: 0.1 },
    ],
  },
};

test('a question as it is shown', () => {
  expect(questionLines(QUESTION, 4, COUNTS, PLAIN)).toEqual([
    '── page 4 (so far 2 yes, 1 no) ─────────────────────────────',
    'Moss [31m of the bog',
    'http://a.example/moss',
    '',
    '  … Peat moss grows here.',
    '  The tram does not run.',
    '',
    'relevance 0.813, threshold 0.700: on topic by the model; in the corpus',
    'asked because: drawn at random, to estimate shares',
    'for:     peat +0.50, moss +0.30, peat [2J moss +0.20',
    'against: tram -0.40',
    '',
    'On topic? y yes, n no, s skip, u undo, q quit: ',
  ]);
});

test('on a terminal words that weigh are coloured, where they stand in the text shown', () => {
  const lines = questionLines(QUESTION, 4, COUNTS, { ...PLAIN, colours: true });
  expect(lines).toContain('  … \x1b[32mPeat\x1b[0m moss grows here.');
  expect(lines).toContain('  The \x1b[31mtram\x1b[0m does not run.');
  expect(lines[1]).toBe('\x1b[1mMoss [31m of the bog\x1b[0m');
});

test('a rule is shown with what the model alone would say', () => {
  const rule = { text: 'model AND site:a.example', relevance: 0, conditions: [] };
  const lines = questionLines({ ...QUESTION, relevance: 0, explanation: { ...QUESTION.explanation, rule } }, 1, COUNTS, {
    ...PLAIN,
    width: 80,
  });
  expect(lines).toContain('relevance 0.000, threshold 0.700: off topic by the model; in the corpus');
  expect(lines).toContain('by the rule model AND site:a.example; by the model alone 0.731');
});

test('reasons go on in further lines', () => {
  const lines = questionLines(QUESTION, 1, COUNTS, { ...PLAIN, width: 30, top: 9 });
  const reasons = ['for:     peat +0.50, moss', '         +0.30, peat [2J moss', '         +0.20, bog +0.10', 'against: tram -0.40'];
  expect(lines.slice(-6, -2)).toEqual(reasons);
});

test('a page without title, text or reasons', () => {
  const bare = {
    ...QUESTION,
    title: '',
    passage: { text: '', fromStart: true, toEnd: true, words: [] },
    explanation: { logit: 0, bias: 0, contributions: [] },
  };
  const lines = questionLines(bare, 1, COUNTS, PLAIN);
  for (const line of ['(without a title)', '  (no text)', 'for:     nothing', 'against: nothing']) expect(lines).toContain(line);
});

function share(known: Partial<ShareEstimate>): ShareEstimate {
  const { pages = 200, answered = 0 } = known;
  const measured = { known: answered, effective: answered, isMeasured: answered > 0 && answered >= Math.min(5, pages) };
  const nothing = { answered, skipped: 0, onTopic: 0, share: null, interval: { low: 0, high: 1 }, later: 0, until: null };
  return { pages, ...nothing, ...measured, ...known };
}

test('estimates say what they rest on; nothing is said without an answer', () => {
  const kept = share({ answered: 10, skipped: 1, onTopic: 9, share: 0.9, interval: { low: 0.6, high: 0.98 } });
  expect(estimateLines({ kept, notKept: share({}), judged: null }, null)).toEqual([
    'precision of the pages the crawl kept: 90.0 % (95 % interval 60.0 % to 98.0 %), measured by 10 answers to pages drawn at random; 1 more skipped',
  ]);
  const all = share({ pages: 5, answered: 5, onTopic: 1, share: 0.2, interval: { low: 0.2, high: 0.2 } });
  expect(
    estimateLines({ kept, notKept: all, judged: { pages: 205, share: 0.88, interval: { low: 0.59, high: 0.96 } } }, null).slice(1),
  ).toEqual([
    'on topic among pages not kept: 20.0 % (95 % interval 20.0 % to 20.0 %), measured by 5 answers to pages drawn at random',
    'on topic among all 205 judged pages: 88.0 % (95 % interval 59.0 % to 96.0 %)',
  ]);
});

const REPORT = {
  card: {},
  from: 'old',
  to: 'new',
  active: true,
  threshold: 0.625,
  yes: 12,
  no: 8,
  modelAnswers: 0,
  pool: 0,
  effect: {
    pages: 20,
    hosts: 7,
    heldOut: 'hosts',
    compared: true,
    before: 0.8,
    after: 0.9,
    change: { low: -0.02, high: 0.2 },
    margins: new Map(),
  },
  harvest: share({ pages: 188, answered: 9, known: 20, onTopic: 9, share: 1, interval: { low: 0.7, high: 1 } }),
  changes: {
    onTopicBefore: 10,
    onTopic: 12,
    nowOnTopic: 6,
    reopened: 5,
    visited: 600,
    noLongerOnTopic: 4,
    flipped: {
      nowOnTopic: [{ url: 'http://a.test/1', before: 0.2, now: 0.7 }],
      noLongerOnTopic: [{ url: 'http://a.test/2', before: null, now: 0.1 }],
    },
    kept: 30,
    keptOffTopic: 3,
    waiting: 1200,
    first: 100,
    stillFirst: 40,
  },
} as unknown as RelabelReport;

test('what a relabelling did', () => {
  expect(relabelLines('crawls/moss', REPORT)).toEqual([
    'trained again with 12 pages on topic and 8 off topic: model new replaces old, threshold 0.625',
    'held-out average precision: 0.800 before, 0.900 after (+0.100; 95 % interval -0.020 to +0.200)',
    '  measured on 20 labelled pages of 7 hosts; each was judged by models that had seen no page of its host',
    'precision of the pages a harvest takes now: 100.0 % (95 % interval 70.0 % to 100.0 %), measured by 9 answers to pages drawn at random; 20 of the 188 have an answer of their own',
    'judged again: 6 pages are on topic now, 4 no longer',
    '  now: 0.200 → 0.700 http://a.test/1',
    '  no longer: - → 0.100 http://a.test/2',
    '  5 pages on topic are not in the corpus; a crawl requests them again first: npx forager crawl crawls/moss --max-pages 605',
    '  27 of the 30 in the corpus are on topic by the active model; a harvest omits the others',
    'frontier: 1,200 URLs wait; of the 100 that were next, 40 still are',
  ]);
});

test.each([
  [true, 'judges by them'],
  [false, 'does without'],
])('word vectors that labels chose, or left out: used %s', (used, outcome) => {
  const choice = { pages: 24, hosts: 7, without: 0.61, with: 0.7, change: { low: -0.1, high: 0.2 } };
  const wordVectors = { name: 'bundled', exampleWords: { words: 1010, covered: 812 }, used, averagePrecision: null, choice };
  expect(relabelLines('crawls/moss', { ...REPORT, card: { wordVectors } } as unknown as typeof REPORT)).toContain(
    `word vectors: 812 of 1,010 words of the examples have one; average precision of 24 labelled pages 0.610 without, 0.700 with, so the model ${outcome}`,
  );
});

test('answers of a language model that taught the model are counted apart from those of the person', () => {
  const [first] = relabelLines('crawls/moss', { ...REPORT, modelAnswers: 300 });
  expect(first).toContain('trained again with 12 pages on topic and 8 off topic, and 300 answers of a language model: model');
});

test('a model that is worse by held-out labels: that it is not in force, where it is, and the command that puts it in force', () => {
  const effect = {
    pages: 20,
    hosts: 1,
    heldOut: 'pages',
    compared: true,
    before: 0.208,
    after: 0.155,
    change: { low: -0.2, high: -0.01 },
    margins: new Map(),
  };
  const worse = { ...REPORT, active: false, effect, harvest: null } as unknown as RelabelReport;
  expect(relabelLines('crawls/moss', worse)).toEqual([
    'trained again with 12 pages on topic and 8 off topic: the new model is not activated, since it is worse on held-out labels; old stays active',
    'held-out average precision: 0.208 before, 0.155 after (-0.053; 95 % interval -0.200 to -0.010)',
    '  measured on 20 labelled pages of 1 host; each was judged by models that had not seen it',
    'the new model is kept in crawls/moss/models/new; to activate it anyway: npx forager label train crawls/moss --even-if-worse',
  ]);
});

test('a lower average inside its interval: that the model is active, and why', () => {
  const effect = { ...REPORT.effect, before: 0.924, after: 0.922, change: { low: -0.03, high: 0.02 } };
  const lines = relabelLines('c', { ...REPORT, effect } as unknown as RelabelReport);
  expect(lines[1]).toBe('activated: the difference is inside its own 95 % interval, so it shows nothing');
  expect(lines[2]).toContain('0.924 before, 0.922 after (-0.002; 95 % interval -0.030 to +0.020)');
});

test('a comparison on a few labels is not called one, whether it speaks for the new model or against it', () => {
  const few = { ...REPORT, yes: 4, no: 2, effect: { ...REPORT.effect, pages: 6, compared: false } } as unknown as RelabelReport;
  expect(relabelLines('c', few)[1]).toBe(
    'not compared with the previous model: 4 on topic and 2 off topic are too few labels; 5 of each are needed',
  );
  expect(relabelLines('c', few).join('\n')).not.toMatch(/average precision|95 %/);
  expect(relabelLines('c', { ...few, active: false })[2]).toContain('0.800 before, 0.900 after: a hint, not a measurement');
});

test('a share of a few answers is not called measured, but for a stratum that is answered as a whole', () => {
  const one = share({ answered: 1, onTopic: 1, share: 1, interval: { low: 0.2, high: 1 } });
  const judged = { pages: 205, share: 0.9, interval: { low: 0.2, high: 1 } };
  expect(estimateLines({ kept: one, notKept: share({}), judged }, null)).toEqual([
    'precision: not measured (1 answer to kept pages drawn at random; needed: 5)',
  ]);
  const all = share({ pages: 2, answered: 2, onTopic: 1, share: 0.5, interval: { low: 0.5, high: 0.5 } });
  expect(estimateLines({ kept: all, notKept: share({ pages: 0 }), judged: null }, null)).toEqual([
    'precision of the pages the crawl kept: 50.0 %, from the answers to all 2',
  ]);
});

test('a relabelling that turns more than half of the pages on topic around is worth a warning, a lesser one is not', () => {
  const turned = (onTopicBefore: number, onTopic: number) => upheavalText('c', { ...REPORT.changes, onTopicBefore, onTopic });
  expect(turned(78, 1)).toContain('pages on topic: 78 before, 1 now');
  expect(turned(78, 1)).toContain('npx forager label undo c');
  expect(turned(78, 1)).toContain('forager ledger c --state kept,off-topic; npx forager ledger c --reason reopened');
  expect(upheavalText('c', { ...REPORT.changes, onTopicBefore: 78, onTopic: 1, reopened: 0 })).not.toContain('reopened');
  expect(turned(10, 16)).not.toBeNull();
  expect([turned(10, 15), turned(10, 5), turned(0, 0)]).toEqual([null, null, null]);
});

test('a relabelling that could not be measured, or changed nothing', () => {
  const unmeasured = { ...REPORT, effect: null, harvest: null, changes: { ...REPORT.changes, reopened: 0, keptOffTopic: 0 } };
  expect(relabelLines('c', unmeasured)[1]).toContain('not compared with the previous model');
  expect(relabelLines('c', unmeasured).length).toBe(6);
  expect(relabelLines('c', { ...REPORT, to: 'old' })).toEqual([
    'trained again with 12 pages on topic and 8 off topic: the model stays as it was (old)',
  ]);
});

test('an audit says the precision, and the command for a useful margin', () => {
  const some = share({ answered: 10, onTopic: 9, share: 0.9, interval: { low: 0.6, high: 0.98 } });
  const [precision, margin = ''] = auditLines({ dir: 'crawls/moss' }, { kept: some, notKept: share({}), judged: null });
  expect(precision).toMatch(/^precision of the pages the crawl kept: 90\.0 %/);
  const more = Number(/--count (\d+)$/.exec(margin)?.[1]);
  expect(more).toBeGreaterThan(0);
  expect(margin).toBe(
    `for a margin of ±10 points: ${more} more answers y or n, assuming that 90.0 % of them are y, as so far: npx forager label audit crawls/moss --count ${more}`,
  );
  const all = share({ pages: 5, answered: 5, onTopic: 1, share: 0.2, interval: { low: 0.2, high: 0.2 } });
  expect(auditLines({ dir: 'd' }, { kept: all, notKept: share({}), judged: null })[1]).toBe('the margin is at most ±10 points');
  expect(auditLines({ dir: 'd' }, { kept: share({}), notKept: share({}), judged: null })).toEqual([
    'precision: not measured; no page drawn at random is answered y or n',
    expect.stringContaining('assuming that half of them are y: npx forager label audit d --count '),
  ]);
});

test.each([
  ['new-host', 'the best unanswered page of the least labelled host'],
  ['random', 'drawn at random, to estimate shares'],
] as const)('a question of the queue %s says of its host what is true', (queue, why) => {
  expect(questionLines({ ...QUESTION, queue }, 1, COUNTS, PLAIN)).toContain(`asked because: ${why}`);
});
