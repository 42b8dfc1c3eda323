import { expect, test } from 'vitest';
import { curvesSvg, harvestCurve, recallCurve } from '../../../src/study/eval/curves-svg.ts';
import type { Evaluation } from '../../../src/study/eval/report.ts';
import type { SeedResult } from '../../../src/study/eval/tables.ts';

const STRATEGIES = ['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'dfs', 'random', 'one-step', 'distance'];

/** A run that finds a page at every `step`th visit, of 40 visits, and stops after `visits`. */
function resultOf(strategy: string, seed: number, step: number, visits = 40): SeedResult {
  const [budget, total] = [40, 20];
  const found = (at: number) => Math.floor(Math.min(at, visits) / step);
  const curve = Array.from({ length: 100 }, (_, i) => found(Math.max(1, Math.round(((i + 1) * budget) / 100))) / total);
  const measures = { recallAuc: 0, recall: [], harvestRate: [] };
  return {
    topic: 'moss',
    seed,
    strategy,
    measures,
    curve,
    budget,
    total,
    found: found(40),
    kept: 0,
    keptOnTopic: 0,
    visits,
    tunnelled: 0,
    orderSha256: '',
    answers: 0,
    whereabouts: null,
  };
}

function evaluationOf(strategies: readonly string[], name = 'moss'): Evaluation {
  return {
    software: 'forager/test',
    web: { path: 'web.jsonl.gz', urls: 100, pages: 90 },
    guide: { name, id: '0', threshold: 0.5, pages: 'model' },
    judge: { name: 'a<b>&"c".csv', isGuide: false, onTopic: 20 },
    strategies,
    tunnel: 4,
    starts: [{ seed: 1, urls: [] }],
    startsGiven: false,
    notes: [],
    results: strategies.flatMap((strategy, i) => [1, 2].map((seed) => resultOf(strategy, seed, 2 + i))),
  };
}

/** The opening tags of a well-formed piece of XML; throws where an element is not closed, or a character is not escaped. */
function elementsOf(xml: string): { readonly name: string; readonly attributes: ReadonlyMap<string, string> }[] {
  const open: string[] = [];
  const elements: { name: string; attributes: Map<string, string> }[] = [];
  const token = /<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  for (const [whole, closing, name = '', attributes = '', selfClosing, text] of xml.matchAll(token)) {
    if (text !== undefined) expect(text.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[&>]/);
    else if (closing === '/') expect([open.pop(), whole]).toEqual([name, whole]);
    else {
      elements.push({
        name,
        attributes: new Map([...attributes.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
      });
      if (selfClosing !== '/') open.push(name);
    }
  }
  expect(open).toEqual([]);
  expect([...xml.matchAll(token)].map(([whole]) => whole).join('')).toBe(xml);
  return elements;
}

test.each([1, 2, 5, 9])('%i strategies: well-formed, a line of a hundred points for each in both plots and one in the legend', (count) => {
  const svg = curvesSvg(evaluationOf(STRATEGIES.slice(0, count)));
  const elements = elementsOf(svg);
  const lines = elements.filter(({ attributes }) => attributes.get('class')?.startsWith('line '));
  expect(lines).toHaveLength(3 * count);
  const points = lines.map(({ attributes }) => attributes.get('d')?.split('L').length);
  expect(points.filter((one) => one === 100)).toHaveLength(2 * count);
  for (const name of STRATEGIES.slice(0, count)) expect(svg).toContain(`>${name}</text>`);
  for (const label of ['Harvest rate (pages found / visits)', 'Recall (pages found / pages to find)', 'share of the budget visited'])
    expect(svg).toContain(`>${label}</text>`);
});

test('no two lines look the same without colour, and there are colours for light and dark', () => {
  const svg = curvesSvg(evaluationOf(STRATEGIES));
  const dashes = STRATEGIES.map((_, i) => new RegExp(`\\.line\\.s${i}\\{stroke-dasharray:([^}]*)\\}`).exec(svg)?.[1] ?? 'whole');
  const markers = STRATEGIES.map((_, i) => new RegExp(`class="mark s${i}"[^>]* d="([^"]*)"`).exec(svg)?.[1]);
  expect(new Set(dashes).size).toBe(STRATEGIES.length);
  expect(new Set(markers).size).toBe(STRATEGIES.length);
  const [light = '', dark = ''] = svg.split('@media (prefers-color-scheme:dark)');
  for (const [i] of STRATEGIES.entries())
    for (const half of [light, dark]) expect(half).toMatch(new RegExp(`\\.s${i}\\{stroke:#[0-9a-f]{6}\\}`));
});

test('what it names is escaped, and nothing is loaded', () => {
  const svg = curvesSvg(evaluationOf(['bfs'], 'moss & <peat>'));
  expect(svg).toContain('moss &amp; &lt;peat&gt;: harvest rate and recall, judged by a&lt;b&gt;&amp;&quot;c&quot;.csv');
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|<script|<image/);
});

test('the curves are means of the seeds; a run that ran out keeps its rate', () => {
  const [fast, slow] = [resultOf('bfs', 1, 2), resultOf('bfs', 2, 4)];
  expect(recallCurve([fast, slow])[99]).toBeCloseTo((20 / 20 + 10 / 20) / 2, 9);
  expect(harvestCurve([fast, slow])[99]).toBeCloseTo((20 / 40 + 10 / 40) / 2, 9);
  expect(recallCurve([fast, slow])[49]).toBeCloseTo((10 / 20 + 5 / 20) / 2, 9);
  const drained = resultOf('bfs', 1, 2, 10);
  expect(harvestCurve([drained])[99]).toBeCloseTo(5 / 10, 9);
  expect(harvestCurve([drained])[24]).toBeCloseTo(5 / 10, 9);
  expect(recallCurve([drained])[99]).toBeCloseTo(5 / 20, 9);
});
