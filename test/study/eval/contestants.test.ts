import { expect, test } from 'vitest';
import { strategiesThat } from '../../../src/reading/links/strategy-names.ts';
import { contestantNamed, DEFAULT_CONTESTANTS } from '../../../src/study/eval/contestants.ts';

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph);

test('strategies and oracles have plain names', () => {
  for (const name of ['shark', 'one-step', 'distance'])
    expect(contestantNamed(name)).toMatchObject({ plain: name, aid: { truth: false, asks: [] } });
});

test('those by the graph of links compete only where they are named', () => {
  for (const name of BY_GRAPH) {
    expect(DEFAULT_CONTESTANTS).not.toContain(name);
    expect(contestantNamed(name).plain).toBe(name);
  }
  expect(DEFAULT_CONTESTANTS).toContain('apprentice');
});

test.each([
  'best',
  '',
  'apprentice-url',
  'apprentice@2',
  'apprentice+5',
  'apprentice=true',
  'apprentice@ask',
  'apprentice@ask30=truth',
  '=truth',
])('%s is refused, with the names that are', (name) => {
  expect(() => contestantNamed(name)).toThrow(`--strategies ${name}: not one of apprentice, `);
});

test('an aid is the end of a name', () => {
  expect(contestantNamed('shark=truth')).toEqual({ plain: 'shark', aid: { truth: true, asks: [], warmUp: 0, listed: false } });
  expect(contestantNamed('apprentice@warm60').aid).toEqual({ truth: false, asks: [], warmUp: 60, listed: false });
  const { plain, aid } = contestantNamed('apprentice@ask15@240+10@80');
  expect(plain).toBe('apprentice');
  expect(aid.asks.map(({ questions, after }) => [questions, after(600), after(10)])).toEqual([
    [10, 80, 80],
    [15, 240, 240],
  ]);
});

test('with sitemaps of the web, alone and before another aid', () => {
  expect(contestantNamed('apprentice@list')).toEqual({ plain: 'apprentice', aid: { truth: false, asks: [], warmUp: 0, listed: true } });
  expect(contestantNamed('shark@list=truth')).toMatchObject({ plain: 'shark', aid: { truth: true, listed: true } });
  expect(contestantNamed('apprentice@list@ask30')).toMatchObject({ plain: 'apprentice', aid: { asks: [{}, {}], listed: true } });
  expect(() => contestantNamed('bfs@list')).toThrow('does not look at the topic');
});

test.each([
  [30, [15, 15]],
  [7, [4, 3]],
  [1, [1]],
])('%i questions without moments are asked in halves, by the budget', (count, halves) => {
  const { asks } = contestantNamed(`apprentice@ask${count}`).aid;
  expect(asks.map(({ questions }) => questions)).toEqual(halves);
  expect(asks.map(({ after }) => after(600))).toEqual([80, 240].slice(0, halves.length));
});

test.each(['apprentice@warm0', 'apprentice@ask0', 'apprentice@ask5@0', 'apprentice@ask0@5', 'apprentice@ask5@80+6@80'])(
  '%s is refused',
  (name) => {
    expect(() => contestantNamed(name)).toThrow('asks nothing, asks twice at one visit');
  },
);

test.each(['bfs=truth', 'random@ask30', 'distance=truth', 'one-step@ask5@10'])('%s is refused, for it changes nothing', (name) => {
  expect(() => contestantNamed(name)).toThrow('does not look at the topic of pages');
});
