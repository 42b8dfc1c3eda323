import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CanonicalUrl, LedgerLine } from '../../../src/base/core/types.ts';
import { contestantOf, DEFAULT_CONTESTANTS } from '../../../src/study/eval/contestants.ts';
import { FINAL_STATES, type FinalStates, finalStatesOf } from '../../../src/study/eval/final-states.ts';
import { whereaboutsTable } from '../../../src/study/eval/tables.ts';
import { runTrial, type Trial } from '../../../src/study/eval/trial.ts';
import { size } from '../../support/extent.ts';
import { type FrozenCase, frozenCase } from './small-web.ts';

let frozen: FrozenCase;
beforeAll(async () => {
  frozen = await frozenCase();
});
afterAll(() => frozen.close());

const sum = (whereabouts: FinalStates) => FINAL_STATES.reduce((total, end) => total + whereabouts[end], 0);

function lineOf(url: CanonicalUrl, state: LedgerLine['state'], reason = ''): LedgerLine {
  const none = { order: null, depth: 0, priority: 0, relevance: null, referrer: null, anchorText: '', status: null, fetchedAt: null };
  return { ...none, url, state, reason };
}

/** A page for each URL: no two are the same. */
function grounds(onTopic: readonly CanonicalUrl[], starts: readonly CanonicalUrl[]) {
  const { web, graph } = frozen;
  const pageOf = new Int32Array(web.size).fill(-1);
  for (const [page, url] of onTopic.entries()) pageOf[web.indexOf(url)] = page;
  return { web, graph, pageOf, starts: starts.map((url) => web.indexOf(url)) };
}

test('each state of a URL is an end, with the reasons of refusals', () => {
  const urls = frozen.onTopic.slice(0, 10);
  const states = ['kept', 'duplicate', 'off-topic', 'refused', 'refused', 'refused', 'failed', 'parked', 'waiting', 'leased'] as const;
  const lines = urls.map((url, i) => lineOf(url, states[i] ?? 'kept', i === 3 ? 'noindex' : 'tunnel'));
  expect(finalStatesOf(grounds(urls, urls), lines)).toEqual({
    onTopic: 10,
    kept: 2,
    judgedOff: 1,
    refused: 3,
    refusals: { noindex: 1, tunnel: 2 },
    failed: 1,
    parked: 1,
    waiting: 2,
    undiscovered: 0,
    unreachable: 0,
  });
});

test('a page without a line is undiscovered where links lead to it, else unreachable', () => {
  const urls = frozen.onTopic.slice(0, 40);
  const [start] = urls as [CanonicalUrl];
  const reachable = frozen.graph.reachable([frozen.web.indexOf(start)]);
  const reached = urls.filter((url) => reachable[frozen.web.indexOf(url)] === 1).length;
  expect(finalStatesOf(grounds(urls, [start]), [])).toMatchObject({ undiscovered: reached, unreachable: 40 - reached, kept: 0 });
  expect(finalStatesOf(grounds(urls, []), [])).toMatchObject({ undiscovered: 0, unreachable: 40 });
});

test('a page under two URLs is where the better of them is', () => {
  const [one, two] = frozen.onTopic.slice(0, 2) as [CanonicalUrl, CanonicalUrl];
  const both = grounds([one], [one]);
  both.pageOf[frozen.web.indexOf(two)] = 0;
  expect(finalStatesOf(both, [lineOf(one, 'waiting'), lineOf(two, 'off-topic')])).toMatchObject({ onTopic: 1, judgedOff: 1, waiting: 0 });
  expect(finalStatesOf(both, [lineOf(one, 'kept'), lineOf(two, 'refused', 'tunnel')])).toMatchObject({ kept: 1, refused: 0, refusals: {} });
});

test('of every run, the ends add up to the pages on topic, and what was found was kept or judged off', async () => {
  const trial: Trial = { ...frozen, starts: frozen.onTopic.slice(0, 3), budget: size(120, 60) };
  for (const name of [...DEFAULT_CONTESTANTS, 'apprentice=truth']) {
    const { whereabouts, found } = await runTrial(trial, contestantOf(name, trial, 1, 1));
    if (whereabouts === null) throw new Error(`${name} has no whereabouts`);
    expect([name, sum(whereabouts)]).toEqual([name, whereabouts.onTopic]);
    expect([name, whereabouts.kept + whereabouts.judgedOff]).toEqual([name, found]);
    expect([name, whereabouts.judgedOff > 0]).toEqual([name, name !== 'apprentice=truth']);
    const refused = Object.values(whereabouts.refusals).reduce((total, count) => total + count, 0);
    expect(refused).toBe(whereabouts.refused);
  }
});

test('the table has a column for each reason, and no row for what visits nothing', async () => {
  const trial: Trial = { ...frozen, starts: frozen.onTopic.slice(0, 3), budget: 60 };
  const of = async (name: string) => ({ topic: 'one', seed: 1, ...(await runTrial(trial, contestantOf(name, trial, 0, 1))) });
  const results = [await of('apprentice'), { ...(await of('bfs')), strategy: 'bound', whereabouts: null }];
  const [head, , ...rows] = whereaboutsTable(['apprentice', 'bound'], results).split('\n');
  expect(head).toContain('| on topic | kept | off-topic | refused: tunnel | failed | parked | waiting |');
  expect(rows).toHaveLength(1);
  const [, , whole = 0, ...cells] = (rows[0] ?? '').split('|').map(Number);
  expect(cells.slice(0, -1).reduce((total, cell) => total + cell, 0)).toBe(whole);
});
