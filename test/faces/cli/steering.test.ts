/** Wishes about subtopics: they act on pages and links, at rest and in a running crawl, and can be taken back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crawl, ledger, status, steer, subtopics, verify, why } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, refused, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(400);
const dir = small.path('crawl');
let served: Served;
let topic: string;
const options = () => ({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, concurrency: 1, warmUp: 0 }) as const;

beforeAll(async () => {
  served = await small.serve();
  topic = await trainedOn(small);
  await crawl({ dir, ...options(), maxPages: 60 });
  await subtopics({ dir, groups: 3 });
});
afterAll(() => small.close());

const lines = async (of = dir) => {
  const all = [];
  for await (const line of ledger(of)) all.push(line);
  return all;
};
const ids = async () => (await subtopics({ dir, groups: 3 })).subtopics.map(({ id }) => id);
const relevances = async () => new Map((await lines()).map(({ url, relevance }) => [url, relevance]));

test('none: pages of a subtopic are off topic, with a reason of their own, until the wish is taken back', async () => {
  const before = await relevances();
  const [id = ''] = await ids();
  const text = await done('topics', dir, '--none', id, '--name', 'anna');
  expect(text).toContain('none of “');
  expect(text).toContain('(anna, ');
  const { keptOffTopic, counts } = await status(dir);
  expect(keptOffTopic).toBeGreaterThan(0);
  expect(keptOffTopic).toBeLessThan(counts.kept);
  await done('harvest', dir, '--out', small.path('out'));
  const card = JSON.parse(readFileSync(small.path('out', 'corpus-card.json'), 'utf8')) as { pages: number; crawl: { wishes: unknown[] } };
  expect(card.crawl.wishes).toMatchObject([{ way: 'none', id, by: 'anna' }]);
  expect(readFileSync(small.path('out', 'corpus-card.md'), 'utf8')).toContain('wishes about subtopics: none of “');
  expect(await done('status', dir)).toContain('wishes about subtopics: none of “');

  await crawl({ dir, proxy: served.proxy, concurrency: 1, maxPages: 110 });
  const unwanted = (await lines()).filter(({ reason }) => reason === 'unwanted-subtopic');
  expect(unwanted.length).toBeGreaterThan(0);
  expect(unwanted.every(({ state, relevance }) => state === 'off-topic' && relevance === 0)).toBe(true);
  expect((await why(dir, unwanted[0]?.url ?? '')).page?.explanation.steering).toMatchObject({ way: 'none' });
  expect(await done('why', dir, unwanted[0]?.url ?? '')).toContain('a person wants none of it');

  expect(await done('topics', dir, '--undo')).toContain('taken back: none of “');
  expect((await status(dir)).keptOffTopic).toBe(0);
  const after = await relevances();
  for (const [url, relevance] of before) if (relevance !== null) expect(after.get(url)).toBe(relevance);
  expect((await lines()).filter(({ reason }) => reason === 'reopened').length).toBe(unwanted.length);
  expect(await done('verify', dir)).toContain('nothing is damaged');
});

test('more: the priorities of links have a term of the wish, which adds up', async () => {
  const [, id = ''] = await ids();
  const priorities = async () =>
    new Map((await lines()).filter(({ state }) => state === 'waiting').map(({ url, priority }) => [url, priority]));
  const before = await priorities();
  expect(await done('topics', dir, '--more', id)).toContain('more of “');
  const after = await priorities();
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect(after).not.toEqual(before);
  const waiting = (await lines()).find(({ state, reason }) => state === 'waiting' && reason !== 'reopened');
  const { link } = await why(dir, waiting?.url ?? '');
  const { logit, bias, contributions, priority } = link?.explanation ?? { logit: 0, bias: 0, contributions: [], priority: 0 };
  expect(contributions.map(({ feature }) => feature)).toContain('more of the wanted subtopics');
  expect(contributions.reduce((sum, { contribution }) => sum + contribution, bias)).toBeCloseTo(logit, 6);
  expect(1 / (1 + Math.exp(-logit))).toBeCloseTo(priority, 4);
  await steer({ dir, way: 'undo' });
  expect(await priorities()).toEqual(before);
});

wholeTest('a running crawl takes a wish, and a resumed one has the order of one that was not interrupted', async () => {
  const copies = [small.path('whole'), small.path('parts')];
  for (const copy of copies) {
    await crawl({ dir: copy, ...options(), maxPages: 60 });
    await subtopics({ dir: copy, groups: 3 });
    const [one] = (await subtopics({ dir: copy, groups: 3 })).subtopics;
    await steer({ dir: copy, way: 'more', id: one?.id ?? '' });
  }
  const [whole = '', parts = ''] = copies;
  await crawl({ dir: whole, proxy: served.proxy, concurrency: 1, maxPages: 100 });
  await crawl({ dir: parts, proxy: served.proxy, concurrency: 1, maxPages: 80 });
  await crawl({ dir: parts, proxy: served.proxy, concurrency: 1, maxPages: 100 });
  const orders = await Promise.all(copies.map(async (copy) => (await lines(copy)).map(({ url, order }) => [url, order])));
  expect(orders[1]).toEqual(orders[0]);

  const [one] = (await subtopics({ dir: parts, groups: 3 })).subtopics;
  const { proxy } = await small.serve({ latency: 40 });
  let asked = 0;
  const events: string[] = [];
  await crawl({
    dir: parts,
    proxy,
    concurrency: 1,
    maxPages: 160,
    onEvent: (event) => {
      if (event.type === 'warning') events.push(event.message);
      if (event.type === 'settled' && asked++ === 4) void steer({ dir: parts, way: 'none', id: one?.id ?? '', name: 'ben' });
    },
  });
  expect(events.some((message) => message.includes('; none of '))).toBe(true);
  expect((await status(parts)).relabelled.at(-1)?.wishes?.active).toMatchObject([{ way: 'more' }, { way: 'none', by: 'ben' }]);
});

test('a broken last line is dropped, any other damage is named, and an unapplied wish is given by the next run', async () => {
  const copy = small.path('damaged');
  await crawl({ dir: copy, ...options(), maxPages: 40 });
  const [one] = (await subtopics({ dir: copy, groups: 2 })).subtopics;
  await steer({ dir: copy, way: 'more', id: one?.id ?? '' });
  const file = small.path('damaged', 'wishes.jsonl');
  const whole = readFileSync(file, 'utf8');
  await steer({ dir: copy, way: 'undo' });
  // A crash between the line and its effect.
  writeFileSync(file, `${whole}{"undo":tr`);
  await crawl({ dir: copy, proxy: served.proxy, concurrency: 1, maxPages: 60 });
  expect((await status(copy)).relabelled.at(-1)?.wishes?.active).toMatchObject([{ way: 'more' }]);
  await steer({ dir: copy, way: 'undo' });
  expect((await status(copy)).relabelled.at(-1)?.wishes?.active).toEqual([]);
  writeFileSync(file, whole.replace('"way":"more"', '"way":"none"'));
  await refused(3, ['wishes.jsonl:1', 'checksum'], 'topics', copy, '--undo');
  const { checks } = await verify({ dir: copy });
  expect(checks.flatMap(({ check, faults }) => (faults.length > 0 ? [check] : []))).toEqual(['wishes about subtopics']);
});

wholeTest('kill -9 while a wish is given: the crawl is whole, and its next run has the wish', async () => {
  const copy = small.path('killed');
  await crawl({ dir: copy, ...options(), maxPages: 60 });
  const [one] = (await subtopics({ dir: copy, groups: 3 })).subtopics;
  let most = 60;
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    const before = (await status(copy)).relabelled.at(-1)?.wishes?.active ?? [];
    const { child, ended } = start(['topics', copy, ...(before.length === 0 ? ['--none', one?.id ?? ''] : ['--undo'])]);
    // The whole command takes about a second.
    await sleep(part * 900);
    child.kill('SIGKILL');
    await ended;
    expect(await done('verify', copy)).toContain('nothing is damaged');
    most += 5;
    await crawl({ dir: copy, proxy: served.proxy, concurrency: 1, maxPages: most });
    const { relabelled, keptOffTopic } = await status(copy);
    const active = relabelled.at(-1)?.wishes?.active ?? [];
    const logged = (await subtopics({ dir: copy, groups: 3 })).wishes;
    expect(active).toEqual(logged);
    expect(keptOffTopic > 0).toBe(active.length > 0);
  }
});

wholeTest('a training with labels keeps the wishes, and label undo takes back trainings alone', async () => {
  const copy = small.path('trained');
  await crawl({ dir: copy, ...options(), maxPages: 80 });
  const [one] = (await subtopics({ dir: copy, groups: 3 })).subtopics;
  await steer({ dir: copy, way: 'none', id: one?.id ?? '' });
  await refused(2, ['wish about a subtopic', '--undo'], 'label', 'undo', copy);
  const { keptOffTopic } = await status(copy);
  const judged = (await lines(copy)).filter(({ relevance }) => relevance !== null);
  const answer = (url: string) => (small.web.page(url)?.topic === small.topic ? 'y' : 'n');
  writeFileSync(small.path('labels.csv'), `url,label\n${judged.map(({ url }) => `${url},${answer(url)}\n`).join('')}`);
  await done('label', 'import', copy, small.path('labels.csv'), '--even-if-worse');
  const trained = await status(copy);
  expect(trained.relabelled.at(-1)).toMatchObject({ wishes: { active: [{ way: 'none', id: one?.id }] } });
  expect(trained.relabelled.at(-1)?.labels).toBeGreaterThan(0);
  expect(trained.keptOffTopic).toBeGreaterThan(0);
  await done('label', 'undo', copy);
  expect((await status(copy)).keptOffTopic).toBe(keptOffTopic);
  await steer({ dir: copy, way: 'undo' });
  expect((await status(copy)).keptOffTopic).toBe(0);
});

test('an unknown subtopic, and a wish that is not there, are refused', async () => {
  await refused(2, ['nothing-like-it', 'it has '], 'topics', dir, '--more', 'nothing-like-it');
  await refused(2, ['no wish'], 'topics', dir, '--undo');
  await refused(2, ['one wish at a time'], 'topics', dir, '--undo', '--more', 'x');
  await refused(2, ['in a command of its own'], 'topics', dir, '--more', 'x', '--groups', '3');
});
