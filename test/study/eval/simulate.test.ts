import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grouped } from '../../../src/base/core/grouped.ts';
import { STRATEGIES, strategiesThat } from '../../../src/reading/links/strategy-names.ts';
import { contestantOf, DEFAULT_CONTESTANTS } from '../../../src/study/eval/contestants.ts';
import { Targets } from '../../../src/study/eval/measures.ts';
import { type SimulatedTiming, simulate } from '../../../src/study/eval/simulate.ts';
import { boundOn, runTrial, type Trial, type TrialResult } from '../../../src/study/eval/trial.ts';
import { sample, size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type FrozenCase, frozenCase } from './small-web.ts';

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph);

let frozen: FrozenCase;
beforeAll(async () => {
  frozen = await frozenCase();
});
afterAll(() => frozen.close());

function trialOf(start: number, budget: number): Trial {
  return { ...frozen, starts: frozen.onTopic.slice(start, start + 3), budget };
}

function run(name: string, start: number, budget: number): Promise<TrialResult> {
  const trial = trialOf(start, budget);
  return runTrial(trial, contestantOf(name, trial, 4, 1));
}

test.each([...DEFAULT_CONTESTANTS, ...BY_GRAPH, 'dfs'])('%s: the same run twice, to the last visit', async (name) => {
  const visits = size(120, 60);
  const [one, two] = [await run(name, 0, visits), await run(name, 0, visits)];
  expect(one.orderSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(two).toEqual(one);
  expect((await run(name, 6, visits)).orderSha256).not.toBe(one.orderSha256);
});

wholeTest('random has another order for another seed, the others have not', async () => {
  const trial = trialOf(0, 100);
  const hash = async (name: string, seed: number) => (await runTrial(trial, contestantOf(name, trial, 4, seed))).orderSha256;
  expect(await hash('random', 2)).not.toBe(await hash('random', 1));
  for (const name of ['parent', 'bfs', 'one-step']) expect(await hash(name, 2)).toBe(await hash(name, 1));
});

test('an order has no URL twice, and every URL of it is a start or linked from one before it', async () => {
  const budget = size(200, 100);
  const trial = trialOf(0, budget);
  for (const name of DEFAULT_CONTESTANTS) {
    const { order } = await simulate({ ...trial, budget, ...runnerOf(name, trial) });
    const visited = new Set<number>();
    const starts = trial.starts.map((url) => trial.web.indexOf(url));
    expect(new Set(order).size).toBe(order.length);
    expect(order).toEqual(expect.arrayContaining(starts));
    for (const [i, at] of order.entries()) {
      const reached = starts.includes(at) || [...visited].some((from) => trial.graph.targets[from]?.includes(at));
      expect([name, i, reached]).toEqual([name, i, true]);
      visited.add(at);
    }
  }
});

function runnerOf(name: string, trial: Trial) {
  const { scorer, tunnel, explore } = contestantOf(name, trial, 4, 1);
  return { scorer: scorer(trial.guide.model.threshold), tunnel, explore };
}

test('what does not look at the topic passes through any number of off-topic pages', () => {
  const tunnels = [...STRATEGIES].map((name) => [name, contestantOf(name, trialOf(0, 100), 4, 1).tunnel] as const);
  const without = tunnels.filter(([, tunnel]) => tunnel === Number.POSITIVE_INFINITY).map(([name]) => name);
  expect(without).toEqual(strategiesThat(({ usesTopic }) => !usesTopic));
  expect(without).toEqual(expect.arrayContaining(['opic', 'pagerank', 'bfs', 'dfs', 'random']));
  expect(without).not.toContain('apprentice');
});

wholeTest('links to what was not recorded are not followed', async () => {
  const half = await frozenCase({}, 200);
  const trial: Trial = { ...half, starts: half.onTopic.slice(0, 3), budget: 400 };
  for (const name of ['apprentice', 'bfs', 'distance']) {
    const { order } = await simulate({ ...trial, budget: 400, ...runnerOf(name, trial) });
    expect([name, Math.min(...order), order.length > 100, order.length <= 200]).toEqual([name, 0, true, true]);
  }
  half.close();
});

test('a run that is stopped ends there', async () => {
  const stop = new AbortController();
  stop.abort();
  expect((await simulate({ ...trialOf(0, 100), budget: 100, ...runnerOf('bfs', trialOf(0, 100)), signal: stop.signal })).order).toEqual([]);
});

describe('on a simulated clock', () => {
  const timing = { delay: 1000, latency: 100, concurrency: 8, patience: null };
  const timed = (one: Partial<SimulatedTiming> = {}) => {
    const trial = trialOf(0, 80);
    return simulate({ ...trial, budget: 80, ...runnerOf('apprentice', trial), timing: { ...timing, ...one } });
  };

  test('requests at once have one order, and take the time that their hosts need', async () => {
    const [one, two] = [await timed(), await timed()];
    expect(two).toEqual(one);
    const onBusiest = Math.max(
      ...[...grouped(one.order, (at) => new URL(frozen.web.urls[at] ?? '').host).values()].map((own) => own.length),
    );
    expect(one.order).toHaveLength(80);
    expect(one.ms).toBeGreaterThanOrEqual((onBusiest - 1) * 1001);
    expect((await timed({ delay: 0 })).ms).toBeLessThan(one.ms);
  });

  test('a limit of time ends it', async () => {
    const { order, ms } = await timed({ maxTime: 2000 });
    expect(order.length).toBeLessThan(80);
    expect(ms).toBeLessThan(2000 + 1.5 * timing.latency + 1);
  });
});

describe('the oracles', () => {
  /** A greedy order is not the best one, so another may be ahead by a few pages of a hundred. */
  const CHANCE = 0.03;

  test('find what nobody else finds more of, at every share of the budget', async () => {
    for (const start of sample([0, 10, 20, 30], [1])) {
      const results = new Map<string, TrialResult>();
      for (const name of DEFAULT_CONTESTANTS) results.set(name, await run(name, start, 120));
      const best = (i: number) => Math.max(...['one-step', 'distance'].map((name) => results.get(name)?.measures.recall[i] ?? 0));
      for (const [name, { measures }] of results)
        for (const [i, recall] of measures.recall.entries())
          expect([start, name, i, recall <= best(i) + CHANCE]).toEqual([start, name, i, true]);
      expect(results.get('distance')?.measures.recallAuc).toBeGreaterThan((results.get('random')?.measures.recallAuc ?? 1) + 0.2);
    }
  });

  wholeTest('and nobody finds more than the bound', async () => {
    const bound = boundOn(trialOf(10, 120));
    for (const name of [...DEFAULT_CONTESTANTS, 'apprentice=truth']) {
      const { measures, curve } = await run(name, 10, 120);
      for (const [i, recall] of measures.recall.entries())
        expect([name, i, recall <= (bound.measures.recall[i] ?? 0)]).toEqual([name, i, true]);
      for (const [i, recall] of curve.entries()) expect([name, i, recall <= (bound.curve[i] ?? 0)]).toEqual([name, i, true]);
    }
    expect(bound.total).toBe((await run('distance', 10, 120)).total);
  });

  wholeTest('distance goes through off-topic pages to what lies behind them', async () => {
    const behind = await frozenCase({ seed: 8, tunnels: { islands: 4, size: 8, depth: 3 } });
    const trial: Trial = { ...behind, starts: behind.onTopic.slice(0, 3), budget: 150 };
    const results = await Promise.all(['distance', 'one-step'].map((name) => runTrial(trial, contestantOf(name, trial, 4, 1))));
    const [distance, oneStep] = results.map(({ found }) => found);
    expect(distance).toBeGreaterThanOrEqual(oneStep ?? 0);
    expect(results[0]?.total).toBe(
      new Targets(
        trial.web,
        trial.graph,
        trial.judge,
        trial.starts.map((url) => trial.web.indexOf(url)),
      ).total,
    );
    behind.close();
  });
});
