/** Labels of a crawl of several topics: each topic has its own questions, answers, estimates and training. */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type CorpusRecord, crawl, harvest, type Labelling, openLabelling, type Question, status, UsageError, verify, why } from 'forager';
import { openCrawl } from 'forager/parts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerLine } from '../../../dist/base/core/types.js';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, refused, start } from './forager.ts';
import { carelessAnswers } from './labelled-crawl.ts';
import { smallWeb, stored } from './small-web.ts';

const NAMES = ['one', 'two'];
const VISITS = 110;

const small = smallWeb(240, 4);
const { path, web } = small;
const whole = path('crawl');

beforeAll(async () => {
  const served = await small.serve();
  const topic: string[] = [];
  for (const [i, name] of NAMES.entries()) {
    const examples = path(`examples-${name}`);
    mkdirSync(examples);
    for (const [j, html] of web.examples(`topic-${i + 1}`, 8).entries()) writeFileSync(`${examples}/${j}.html`, html);
    topic.push(await trainedOnce({ examples: [examples], out: path('models', name) }));
  }
  const seeds = [...web.seeds('topic-1', 2), ...web.seeds('topic-2', 2)];
  await crawl({ dir: whole, topic, seeds, proxy: served.proxy, delay: 0, maxPages: VISITS, concurrency: 1 });
});
afterAll(() => small.close());

function copy(name: string): string {
  const dir = path(`copy-${name}`);
  cpSync(whole, dir, { recursive: true });
  return dir;
}

type Line = Pick<LedgerLine, 'url' | 'state' | 'relevances' | 'keptFor'>;

async function lines(dir: string): Promise<Map<string, Line>> {
  const opened = openCrawl(dir);
  const found = new Map([...opened.frontier.ledger()].map((line): [string, Line] => [line.url, line]));
  await opened.close();
  return found;
}

async function asked(labelling: Labelling): Promise<Question> {
  const question = await labelling.next();
  if (question === null) throw new Error('there is a page to ask about');
  return question;
}

/** Answers by the topic of the web. */
async function answer(dir: string, topicName: string, count: number): Promise<Question[]> {
  const labelling = await openLabelling({ dir, topicName });
  const questions: Question[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const question = await asked(labelling);
      questions.push(question);
      const is = web.topicOf(question.url) === `topic-${NAMES.indexOf(topicName) + 1}`;
      await labelling.answer(is ? 'y' : 'n');
    }
  } finally {
    await labelling.close();
  }
  return questions;
}

/** Pages with an answer in the file of a topic. */
function urlsOfLabels(dir: string, place: number): Set<string> {
  const [, ...entries] = readFileSync(`${dir}/labelling/topic-${place}/labels.jsonl`, 'utf8').trim().split('\n');
  return new Set(entries.map((line) => (JSON.parse(line) as { readonly url: string }).url));
}

async function records(dir: string, name: string, topicName: string | undefined): Promise<CorpusRecord[]> {
  const out = path(name);
  await harvest({ dir, out, dedupe: 'none', ...(topicName !== undefined && { topicName }) });
  const text = readFileSync(`${out}/corpus.jsonl`, 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as CorpusRecord);
}

test('without a topic, or with one that the crawl has not, the topics are named', async () => {
  await refused(2, ['--topic-name: labels are of one topic', 'name one of them: one, two'], 'label', whole, '--count', '1');
  await refused(2, ['--topic-name three: no topic of the crawl', 'it has one, two'], 'label', whole, '--topic-name', 'three');
  await expect(openLabelling({ dir: whole })).rejects.toThrow(UsageError);
});

wholeTest('each topic asks by its own relevance and keeps its own answers, estimates and files', async () => {
  const dir = copy('answers');
  const found = await lines(dir);
  const [ofOne, ofTwo] = [await answer(dir, 'one', 30), await answer(dir, 'two', 12)];
  for (const [place, questions] of [ofOne, ofTwo].entries())
    for (const { url, relevance, kept, threshold } of questions) {
      const line = found.get(url);
      expect(relevance).toBe(line?.relevances?.[place]);
      expect(kept).toBe(line?.state === 'kept' && relevance >= threshold);
    }
  expect(existsSync(`${dir}/labels.jsonl`)).toBe(false);
  for (const [i, questions] of [ofOne, ofTwo].entries()) expect(urlsOfLabels(dir, i + 1)).toEqual(new Set(questions.map(({ url }) => url)));
  const one = await openLabelling({ dir, topicName: 'one' });
  const { kept } = one.estimate();
  const { threshold } = (await status(dir)).topics[0] ?? { threshold: 1 };
  expect(kept.pages).toBe(
    [...found.values()].filter(({ state, relevances }) => state === 'kept' && (relevances?.[0] ?? 0) >= threshold).length,
  );
  expect(one.counts.yes + one.counts.no).toBe(30);
  await one.close();
  const told = await status(dir);
  expect(told.precision).toBeNull();
  expect(told.topics.map(({ precision }) => precision?.share ?? null)).toEqual([kept.share, null]);
  const { card } = await harvest({ dir, out: path('measured') });
  expect(card.topics?.map(({ precision }) => precision?.share ?? null)).toEqual([kept.share, null]);
  const text = await done('status', dir);
  expect(text).toContain('one: precision of the pages the crawl kept: ');
  expect(text).toMatch(/two: precision: not measured .*to measure it: npx forager label .* --topic-name two/);
  expect(await verify({ dir })).toMatchObject({ faults: 0 });
  const anew = ['crawl', dir, '--force', '--topic', path('models', 'one'), '--seeds', 'http://x.test/', '--contact', 'me@x.test'];
  await refused(2, ['has labels', 'topic-1/labels.jsonl'], ...anew);
});

test('labels go out and come in by topic', async () => {
  const dir = copy('csv');
  await answer(dir, 'one', 9);
  const file = path('labels-of-one.csv');
  expect(await done('label', 'export', dir, file, '--topic-name', 'one')).toContain('has the labels of 9 pages');
  expect(await done('label', 'import', dir, file, '--topic-name', 'two', '--no-retrain')).toContain('9 labels of');
  expect(urlsOfLabels(dir, 2)).toEqual(urlsOfLabels(dir, 1));
});

wholeTest('a training changes the judgements of its topic alone, and taken back, all are as before', async () => {
  const dir = copy('trained');
  const before = await lines(dir);
  const manifest = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8'));
  await answer(dir, 'two', 30);
  const trained = await done('label', 'train', dir, '--topic-name', 'two', '--even-if-worse');
  expect(trained).toMatch(/model \w+ replaces/);
  const after = await lines(dir);
  let changed = 0;
  for (const [url, { relevances, state }] of before) {
    const now = after.get(url);
    if (relevances === undefined) continue;
    expect(now?.relevances?.[0]).toBeCloseTo(relevances[0] ?? Number.NaN, 10);
    if (now?.relevances?.[1] !== relevances[1]) changed += 1;
    // The draws are from the pages that the crawl kept for the topic at the time.
    if (state === 'kept') expect(now?.keptFor).toEqual(relevances.map((one, i) => one >= manifest.topics[i].threshold));
  }
  expect(changed).toBeGreaterThan(VISITS / 2);
  const now = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8'));
  expect(now.topics[0]).toEqual(manifest.topics[0]);
  expect(now.topics[1].id).not.toBe(manifest.topics[1].id);
  expect(now.topic.id).not.toBe(manifest.topic.id);
  expect(now.relabelled).toMatchObject([{ topic: 'two', from: manifest.topics[1].id, to: now.topics[1].id }]);

  const [page] = [...after.values()].filter(
    ({ state, relevances }) => state === 'kept' && (relevances?.[1] ?? 0) >= now.topics[1].threshold,
  );
  const explained = await why(dir, page?.url ?? '', { topicName: 'two' });
  expect(explained.page?.relevance).toBeCloseTo(page?.relevances?.[1] ?? Number.NaN, 10);
  expect(explained.page?.threshold).toBe(now.topics[1].threshold);
  const harvested = await records(dir, 'corpus-two', 'two');
  expect(harvested.map(({ url }) => url).sort()).toEqual(
    [...after.values()]
      .filter(({ state, relevances }) => state === 'kept' && (relevances?.[1] ?? 0) >= now.topics[1].threshold)
      .map(({ url }) => url)
      .sort(),
  );
  expect(new Set(harvested.map(({ modelId }) => modelId))).toEqual(new Set([now.topics[1].id]));
  const all = await records(dir, 'corpus-all', undefined);
  const isOnOne = ({ relevances }: Line) => relevances?.some((one, i) => one >= now.topics[i].threshold);
  expect(all.length).toBe([...after.values()].filter((line) => line.state === 'kept' && isOnOne(line)).length);
  expect(await verify({ dir })).toMatchObject({ faults: 0 });
  expect(await done('status', dir)).toContain('trained the model of two');

  // One topic trained does not keep the other from it.
  await answer(dir, 'one', 30);
  await done('label', 'train', dir, '--topic-name', 'one', '--even-if-worse');
  const both = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8'));
  expect(both.topics[1]).toEqual(now.topics[1]);
  expect(both.topics[0].id).not.toBe(manifest.topics[0].id);
  expect([...(await lines(dir)).values()].filter(({ keptFor }) => keptFor !== undefined).map(({ keptFor }) => keptFor)).toEqual(
    [...after.values()].filter(({ keptFor }) => keptFor !== undefined).map(({ keptFor }) => keptFor),
  );

  for (const topic of ['two', 'one']) await done('label', 'undo', dir, '--topic-name', topic);
  const undone = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8'));
  expect([undone.topic, undone.topics]).toEqual([manifest.topic, manifest.topics]);
  for (const [url, line] of await lines(dir)) expect(line.relevances?.[1]).toBe(before.get(url)?.relevances?.[1]);
  await refused(2, ['the active model of two is the crawl'], 'label', 'undo', dir, '--topic-name', 'two');
  expect(await verify({ dir })).toMatchObject({ faults: 0 });

  // The crawl goes on by the models of now.
  const served = await small.serve();
  const report = await crawl({ dir, proxy: served.proxy, delay: 0, maxPages: VISITS + 10, concurrency: 1 });
  expect(report.counts.visited).toBeGreaterThan(VISITS);
});

wholeTest('a model that held-out labels say is worse is kept beside for its topic', async () => {
  const dir = copy('beside');
  const careless = await carelessAnswers(dir, (url) => web.topicOf(url) === 'topic-1', 'one');
  writeFileSync(path('careless.csv'), careless);
  const told = await done('label', 'import', dir, path('careless.csv'), '--topic-name', 'one');
  expect(told).toContain('not activated');
  expect(told).toMatch(/forager label train .* --topic-name one --even-if-worse/);
  const { topics, relabelled } = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8'));
  expect(topics.map(({ keptBeside }: { keptBeside?: object }) => keptBeside !== undefined)).toEqual([true, false]);
  expect(relabelled).toEqual([]);
  expect(await done('status', dir)).toContain(`one: trained again with ${careless.trimEnd().split('\n').length} labels and not activated`);
});

wholeTest('a running crawl trains the topic that was asked for, and goes on under its new model', async () => {
  const pace = { latency: 0 };
  const served = await small.serve(pace);
  const dir = path('running');
  const topics = NAMES.flatMap((name) => ['--topic', path('models', name)]);
  const limits = ['--delay', '0ms', '--concurrency', '1', '--max-pages', '140', '--proxy', served.proxy];
  const run = start(['crawl', dir, ...topics, '--seeds', ...web.seeds('topic-1', 2), ...web.seeds('topic-2', 2), ...limits]);
  await served.reached(60);
  // Of an answer while a training is awaited: the crawl must not end before.
  pace.latency = 400;
  await stored(dir, 50);
  const labelling = await openLabelling({ dir, topicName: 'two' });
  expect(labelling.isRunning).toBe(true);
  for (let i = 0; i < 30; i++) {
    const { url } = await asked(labelling);
    // A person who means another subject: on any held-out answers, the model of before is worse.
    await labelling.answer(web.topicOf(url) === 'topic-1' ? 'y' : 'n');
  }
  expect(await labelling.requestTraining()).toBe(true);
  await run.says('topic two trained again with');
  expect((await labelling.next())?.threshold).toBeDefined();
  await labelling.close();
  pace.latency = 0;
  const { code, stderr } = await run.ended;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const { topics: now, relabelled } = JSON.parse(readFileSync(`${dir}/crawl.json`, 'utf8'));
  expect(relabelled).toMatchObject([{ topic: 'two', to: now[1].id }]);
  expect(await verify({ dir })).toMatchObject({ faults: 0 });
  // Pages of before and of after.
  const found = [...(await lines(dir)).values()].filter(({ state, relevances }) => state === 'kept' && relevances !== undefined);
  expect(new Set(found.map(({ keptFor }) => keptFor === undefined))).toEqual(new Set([true, false]));
});

wholeTest('a crawl asks about each topic by its relevance; its session shows these questions first', async () => {
  const served = await small.serve();
  const dir = path('asking');
  const topics = NAMES.flatMap((name) => ['--topic', path('models', name)]);
  const seeds = ['--seeds', ...web.seeds('topic-1', 2), ...web.seeds('topic-2', 2)];
  const limits = ['--delay', '0ms', '--max-pages', '60', '--proxy', served.proxy];
  const args = ['crawl', dir, ...topics, ...seeds, ...limits, '--ask', '6@40'];
  await refused(2, ['--answers-by: a program answers for one topic, and this crawl has 2'], ...args, '--answers-by', 'true');
  expect(await done(...args)).toContain(`12 questions wait for answers: npx forager label ${dir} --topic-name <name>`);
  const urls = NAMES.map((_, i) => {
    const { batches } = JSON.parse(readFileSync(`${dir}/labelling/topic-${i + 1}/questions.json`, 'utf8'));
    return batches.flatMap(({ questions }: { questions: { url: string }[] }) => questions.map(({ url }) => url)) as string[];
  });
  expect(urls.map(({ length }) => length)).toEqual([6, 6]);
  expect(urls[0]).not.toEqual(urls[1]);
  expect((await answer(dir, 'two', 6)).map(({ url }) => url)).toEqual(urls[1]);
  expect((await status(dir)).questions).toBe(6);
});
