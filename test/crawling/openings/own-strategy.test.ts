import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { ReadLink } from '../../../src/base/core/parts/reading.ts';
import type { CanonicalUrl, Referrer } from '../../../src/base/core/types.ts';
import { checkStrategy, OwnStrategy } from '../../../src/crawling/openings/own-strategy.ts';
import { ownScorer } from '../../../src/reading/links/own-scorer.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-strategy-'));
const LIMITS = { time: 20_000, start: 20_000, heap: 32 * 2 ** 20 };
/** A strategy that hangs is given up after this. */
const HANGS_AFTER = 700;
const SETTINGS = { threshold: 0.5, seed: 1 };
let opened: OwnStrategy[] = [];
let warnings: string[] = [];

afterEach(async () => {
  for (const strategy of opened) await strategy.close();
  [opened, warnings] = [[], []];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let files = 0;
function fileOf(code: string): string {
  const file = join(dir, `${++files}.mjs`);
  writeFileSync(file, code);
  return file;
}

/** A strategy whose links have the priority .25, except where the code says something else. */
const strategyOf = (score: string, explain = '') => `
  export default {
    name: 'mine',
    scorer: ({ threshold }) => ({
      score: (links) => links.map((link) => { const url = link.url; ${score} return 0.25; }),
      explain: (link) => { const url = link.url; ${explain} return { contributions: [{ feature: 'half of the threshold', contribution: threshold / 2 }] }; },
    }),
  };`;

async function opens(code: string, time = LIMITS.time): Promise<OwnStrategy> {
  const strategy = await OwnStrategy.open(fileOf(code), SETTINGS, (message) => warnings.push(message), { ...LIMITS, time });
  opened.push(strategy);
  return strategy;
}

const REFERRER: Referrer = { url: 'http://own.example/' as CanonicalUrl, title: 'Own', relevance: 0.75, depth: 0, offTopicDepth: 0 };

function linkTo(path: string): ReadLink {
  const text = {
    anchorText: path,
    context: '',
    imageAlt: '',
    zone: 'content',
    tagPath: 'a',
    anchorScore: null,
    contextScore: null,
  } as const;
  return { url: `http://own.example/${path}` as CanonicalUrl, text };
}

/** Priorities and rules of links, as the crawl's own scorer reads them. */
async function explained(strategy: OwnStrategy, ...paths: readonly string[]) {
  const { links, troubles } = await strategy.scored(REFERRER, paths.map(linkTo));
  const scorer = ownScorer('mine.mjs', 'none');
  const scorable = links.map(({ url, text: link }) => ({
    url,
    depth: 1,
    offTopicDepth: 0,
    edge: { referrer: REFERRER, link, learnedFrom: 0 },
  }));
  const scores = [...scorer.score(scorable)];
  const explanations = scorable.map((link) => scorer.explain(link));
  for (const [i, { logit, bias, contributions, priority }] of explanations.entries()) {
    expect(contributions.reduce((sum, { contribution }) => sum + contribution, bias)).toBeCloseTo(logit, 6);
    expect(priority).toBe(scores[i]);
  }
  return { scores, rules: explanations.map(({ rule }) => rule), troubles };
}

test('a link has the score of the strategy, and its terms', async () => {
  const strategy = await opens(strategyOf(''));
  expect(await strategy.judgement()).toBe('none');
  expect(await explained(strategy, 'a', 'b')).toEqual({
    scores: [0.25, 0.25],
    rules: Array.from({ length: 2 }, () => 'priority = sum of the contributions, by a strategy of the user'),
    troubles: [],
  });
});

test('a rule of its own turns the sum into the priority', async () => {
  const code = strategyOf('return 0.5;', "return { bias: 1, contributions: [{ feature: 'x', contribution: -1 }], rule: 'sigmoid' };");
  expect(await explained(await opens(code), 'a')).toEqual({ scores: [0.5], rules: ['sigmoid'], troubles: [] });
});

const BAD = "if (url.endsWith('/bad'))";
const FAULTS: readonly (readonly [string, string, RegExp])[] = [
  ['throws', strategyOf(`${BAD} throw new TypeError('no');`), /^strategy threw: TypeError: no$/],
  ['explains nothing', strategyOf('', `${BAD} return undefined;`), /^strategy returned rubbish: explain: /],
  ['scores NaN', strategyOf(`${BAD} return NaN;`), /^strategy returned rubbish: score: NaN is not a number from 0 to 1$/],
  ['scores 2', strategyOf(`${BAD} return 2;`), /^strategy returned rubbish: score: 2 is not a number from 0 to 1$/],
  ['scores a word', strategyOf(`${BAD} return 'much';`), /^strategy returned rubbish: score: much is not/],
  ['does not add up', strategyOf(`${BAD} return 0.5;`), /^strategy returned rubbish: explain: its terms give 0.25, and the score is 0.5$/],
];

test.each(FAULTS)(
  'a strategy that %s for a link: that link alone has the relevance of its page, and why says so',
  async (_, code, trouble) => {
    const { scores, rules, troubles } = await explained(await opens(code), 'a', 'bad', 'c');
    expect(scores).toEqual([0.25, 0.75, 0.25]);
    expect(troubles).toEqual([expect.stringMatching(trouble)]);
    expect(rules[1]).toBe(`${troubles[0]}; priority = relevance of the page with the link`);
    expect(warnings).toEqual([expect.stringContaining('at http://own.example/bad; its links have the relevance of their page')]);
  },
);

test.each([
  ['hangs', `${BAD} for (;;);`, 'strategy hung: no answer within 700 ms'],
  ['exits', `${BAD} process.exit(0);`, 'strategy ended its thread: its thread ended'],
])('a strategy that %s costs the links of that page their scores, and the next page has its own', async (_, code, trouble) => {
  const strategy = await opens(strategyOf(code), HANGS_AFTER);
  expect(await explained(strategy, 'a', 'bad')).toMatchObject({ scores: [0.75, 0.75], troubles: [trouble] });
  expect(await explained(strategy, 'a')).toMatchObject({ scores: [0.25], troubles: [] });
});

test('a slow strategy is waited for', async () => {
  const slow = 'for (const end = Date.now() + 200; Date.now() < end; );';
  expect(await explained(await opens(strategyOf(slow)), 'a')).toMatchObject({ scores: [0.25], troubles: [] });
  expect(warnings).toEqual([]);
});

test('a strategy that hangs three times is not asked any more', async () => {
  const strategy = await opens(strategyOf(`${BAD} for (;;);`), HANGS_AFTER);
  for (let time = 0; time < 3; time++) await explained(strategy, 'bad');
  expect(await explained(strategy, 'a')).toMatchObject({ scores: [0.75], troubles: ['strategy not asked: it hung 3 times in a row'] });
  expect(warnings.filter((warning) => warning.includes('is not asked again in this run'))).toHaveLength(1);
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['no default export', 'export const name = "mine";', 'its default export is not an object'],
  ['no scorer', 'export default { name: "mine" };', 'its default export.scorer is not a function'],
  [
    'no explain',
    'export default { name: "mine", scorer: () => ({ score: (links) => links.map(() => 0.5) }) };',
    'the scorer of mine.explain is not a function; a strategy must explain',
  ],
  ['an explain that does not add up', strategyOf('return 0.5;'), 'explain: its terms give 0.25, and the score is 0.5'],
  [
    'lessons',
    'export default { name: "mine", scorer: () => ({ score: () => [], explain: () => ({}), learn() {} }) };',
    'the scorer of mine.learn is not possible',
  ],
  ['a fault in its code', 'export default {', 'SyntaxError'],
];

test.each(REFUSED)('a module with %s is refused', async (_, code, why) => {
  await expect(checkStrategy(fileOf(code), SETTINGS)).rejects.toThrow(why);
  await expect(checkStrategy(fileOf(code), SETTINGS)).rejects.toThrow('mend it, or give --strategy apprentice');
});
