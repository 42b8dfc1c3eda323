import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CrawlEstimate,
  type CrawlLedgerLine,
  crawl,
  type Explanation,
  harvest,
  judgePages,
  type Labelling,
  openLabelling,
  type Question,
  type RelabelReport,
  StoreError,
  status,
  UsageError,
  verify,
  why,
} from 'forager';
import { ledgerOf, openCrawl } from 'forager/parts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../../src/reading/topic/files.ts';
import { seedEnds } from '../../../src/study/inspect/lost-seeds.ts';
import { type CrawlToLabel, carelessAnswers, crawlToLabel } from '../../faces/cli/labelled-crawl.ts';
import { smallWeb } from '../../faces/cli/small-web.ts';
import { wholeTest } from '../../support/whole-test.ts';

/** The crawl has about a hundred pages, half of them on topic. */
const PAGES = 100;
const small = smallWeb();
const web = small.web;
let made: CrawlToLabel;

beforeAll(async () => {
  made = await crawlToLabel(small, PAGES);
});
afterAll(() => small.close());

/** A copy of the crawl for one test. */
function copy(name: string, from = made.dir): string {
  const dir = small.path(`copy-${name}`);
  cpSync(from, dir, { recursive: true });
  return dir;
}

async function asked(labelling: Labelling): Promise<Question> {
  const question = await labelling.next();
  if (question === null) throw new Error('there is a page to ask about');
  return question;
}

async function ledger(dir: string): Promise<CrawlLedgerLine[]> {
  const opened = openCrawl(dir);
  const lines = [...ledgerOf(opened)];
  await opened.close();
  return lines;
}

function isOnTopic(url: string): boolean {
  return web.topicOf(url) === small.topic;
}

test('a session: each answer is stored at once, taken back when asked, and the next session goes on with the same page', async () => {
  const dir = copy('session');
  const first = await openLabelling({ dir });
  const one = await asked(first);
  expect(one.queue).toBe('uncertain');
  expect(await first.next()).toEqual(one);
  await first.answer('y');
  expect(readFileSync(join(dir, 'labels.jsonl'), 'utf8').split('\n')[1]).toContain(one.url);
  const two = await asked(first);
  expect(two.queue).toBe('new-host');
  await first.answer('n');
  const three = await asked(first);
  expect(first.counts).toEqual({ yes: 1, no: 1, skipped: 0 });
  expect(await first.undo()).toBe(true);
  expect(first.counts).toEqual({ yes: 1, no: 0, skipped: 0 });
  expect(await asked(first)).toEqual(two);
  await first.answer('skip');
  await first.close();
  const second = await openLabelling({ dir });
  expect(await asked(second)).toEqual(three);
  expect(await second.undo()).toBe(false);
  expect(second.counts).toEqual({ yes: 1, no: 0, skipped: 1 });
  await second.close();
});

test('a question shows the page as the model sees it', async () => {
  const dir = copy('question');
  const model = await loadModel(join(dir, 'model'));
  const labelling = await openLabelling({ dir });
  const lines = new Map((await ledger(dir)).map((line) => [line.url, line]));
  const queues = new Set<string>();
  for (let i = 0; i < 12; i++) {
    const question = await asked(labelling);
    queues.add(question.queue);
    if (question.queue === 'random') queues.add(`random ${question.kept}`);
    const line = lines.get(question.url);
    expect(question.relevance).toBe(line?.relevance);
    expect(question.kept).toBe(line?.state === 'kept');
    expect(question.threshold).toBe(model.threshold);
    expect(sumOf(question.explanation)).toBeCloseTo(Math.log(question.relevance / (1 - question.relevance)), 5);
    expect(question.passage.text.length).toBeGreaterThan(50);
    expect(question.title).not.toBe('');
    await labelling.answer(isOnTopic(question.url) ? 'y' : 'n');
  }
  expect([...queues]).toEqual(expect.arrayContaining(['uncertain', 'new-host', 'random true', 'random false']));
  await labelling.close();
});

function sumOf({ bias, contributions }: Explanation): number {
  return contributions.reduce((sum, { contribution }) => sum + contribution, bias);
}

test('while it is labelled no crawl runs on a directory, and while a crawl runs it is not labelled', async () => {
  const dir = copy('locked');
  const labelling = await openLabelling({ dir });
  const again: unknown = await crawl({ dir, proxy: made.served.proxy }).catch((error: unknown) => error);
  expect(again).toBeInstanceOf(StoreError);
  expect(again).toMatchObject({ code: 'STORE_LOCKED' });
  await expect(openLabelling({ dir })).rejects.toThrow(StoreError);
  await labelling.close();
  const after = await openLabelling({ dir });
  await labelling.close();
  await expect(openLabelling({ dir })).rejects.toThrow(StoreError);
  await after.close();
});

test('a directory without a crawl, and a seed that is not that of the labels, are refused', async () => {
  await expect(openLabelling({ dir: small.path('nothing') })).rejects.toThrow(UsageError);
  const dir = copy('seed');
  const labelling = await openLabelling({ dir, rngSeed: 5 });
  await asked(labelling);
  await labelling.answer('y');
  await labelling.close();
  await expect(openLabelling({ dir, rngSeed: 6 })).rejects.toThrow('--seed-rng 5');
});

/** Label every judged page as of another topic than the crawl's: pages change sides, both ways. */
async function labelledAs(dir: string, topic: string): Promise<{ stored: number; already: number; unknown: readonly string[] }> {
  const judged = (await ledger(dir)).filter(({ state }) => state === 'kept' || state === 'off-topic');
  const half = judged.filter((_, i) => i % 2 === 0);
  writeFileSync(
    small.path('labels.csv'),
    `${half.map(({ url }) => `${url},${web.topicOf(url) === topic ? 'y' : 'n'}\n`).join('')}http://elsewhere.example/,y\n`,
  );
  const labelling = await openLabelling({ dir });
  const report = await labelling.import(small.path('labels.csv'));
  await labelling.close();
  return report;
}

test('labels made elsewhere: stored for pages of the crawl, the others told of; no part of the sample', async () => {
  const dir = copy('import');
  const { stored, unknown } = await labelledAs(dir, small.topic);
  expect(stored).toBeGreaterThan(40);
  expect(unknown).toEqual(['http://elsewhere.example/']);
  const labelling = await openLabelling({ dir });
  expect(labelling.counts.yes + labelling.counts.no).toBe(stored);
  expect(labelling.estimate().kept).toMatchObject({ answered: 0, share: null });
  await labelling.close();
});

test('a label of a page whose text is lost is told of, not passed over in silence', async () => {
  const dir = copy('lost');
  const records = join(dir, 'corpus', 'records.jsonl');
  const lines = readFileSync(records, 'utf8').trimEnd().split('\n');
  const { url } = JSON.parse(lines.pop() ?? '') as { url: string };
  writeFileSync(records, `${lines.join('\n')}\n`);
  writeFileSync(small.path('lost.csv'), `${url},y\n`);
  await expect(openLabelling({ dir })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining('--skip-damaged'),
  });
  const told: string[] = [];
  const labelling = await openLabelling({ dir, onDamaged: (message) => told.push(message) });
  expect(told.join()).toContain('records.jsonl');
  expect(await labelling.import(small.path('lost.csv'))).toEqual({ stored: 0, already: 0, unknown: [url] });
  await labelling.close();
});

test('labels that are there already are not stored again; of others the last counts', async () => {
  const dir = copy('twice');
  const { stored } = await labelledAs(dir, small.topic);
  const file = join(dir, 'labels.jsonl');
  const once = readFileSync(file, 'utf8');
  expect(await labelledAs(dir, small.topic)).toMatchObject({ stored: 0, already: stored });
  expect(readFileSync(file, 'utf8')).toBe(once);
  // Another answer to one of them, then the first again: both are answers of their own.
  const [url = '', answer = ''] = readFileSync(small.path('labels.csv'), 'utf8').split('\n')[0]?.split(',') ?? [];
  for (const word of [answer === 'y' ? 'n' : 'y', answer]) {
    writeFileSync(small.path('one.csv'), `${url},${word}\n`);
    const labelling = await openLabelling({ dir });
    expect(await labelling.import(small.path('one.csv'))).toEqual({ stored: 1, already: 0, unknown: [] });
    await labelling.close();
  }
  const labelling = await openLabelling({ dir });
  expect(labelling.counts.yes + labelling.counts.no).toBe(stored);
  await labelling.close();
});

test('without labels, or without the rows of the model, there is nothing to train with', async () => {
  const dir = copy('untrainable');
  const none = await openLabelling({ dir });
  await expect(none.relabel()).rejects.toThrow('no page has a label yet');
  await none.close();
  rmSync(join(dir, 'model', 'training.bin.gz'));
  await labelledAs(dir, small.topic);
  const labelling = await openLabelling({ dir });
  await expect(labelling.relabel()).rejects.toThrow(UsageError);
  await expect(labelling.relabel()).rejects.toThrow('train the topic again from its examples');
  await labelling.close();
});

let relabelling: Promise<{ dir: string; report: RelabelReport; estimate: CrawlEstimate }> | null = null;

/** The crawl relabelled for another topic, once for all tests. */
function relabelled() {
  relabelling ??= (async () => {
    const dir = copy('relabelled');
    await labelledAs(dir, 'topic-2');
    const labelling = await openLabelling({ dir });
    expect(labelling.unused).toBe(true);
    const report = await labelling.relabel();
    expect(labelling.unused).toBe(false);
    const estimate = labelling.estimate();
    await labelling.close();
    return { dir, report, estimate };
  })();
  return relabelling;
}

wholeTest(
  'relabelled: a new model, which all pages, links, ledger, status, why and harvest go by; what was stored is as it was',
  async () => {
    const before = await ledger(made.dir);
    const records = readFileSync(join(made.dir, 'corpus', 'records.jsonl'), 'utf8');
    const { dir, report, estimate } = await relabelled();

    const old = await loadModel(join(dir, 'model'));
    const model = await loadModel(join(dir, 'models', report.to));
    expect(report).toMatchObject({ from: old.id, to: model.id, threshold: model.threshold });
    expect(estimate.kept.pages).toBe(before.filter(({ state }) => state === 'kept').length);
    expect(readFileSync(join(dir, 'corpus', 'records.jsonl'), 'utf8')).toBe(records);
    const manifest = JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as { topic: object; relabelled: object[] };
    expect(manifest.topic).toEqual({ name: 'model', id: model.id, threshold: model.threshold });
    // A file of reservations is settled too, and is no visit.
    const settled = before.filter(({ order, state }) => order !== null || state === 'fetched').length;
    expect(manifest.relabelled).toMatchObject([{ from: old.id, to: model.id, labels: report.yes + report.no, settled }]);

    const after = await ledger(dir);
    const was = new Map(before.map((line) => [line.url, line]));
    expect(after.map(({ url }) => url)).toEqual(before.map(({ url }) => url));
    const flips = { nowOnTopic: new Map<string, object>(), noLongerOnTopic: new Map<string, object>() };
    let [now, nowOff, reopened] = [0, 0, 0];
    for (const line of after) {
      const { state, relevance } = was.get(line.url) as CrawlLedgerLine;
      if (relevance === null || line.relevance === null) {
        expect(line.relevance).toBe(relevance);
        continue;
      }
      if (line.relevance >= model.threshold !== relevance >= old.threshold) {
        const isNow = line.relevance >= model.threshold;
        isNow ? now++ : nowOff++;
        flips[isNow ? 'nowOnTopic' : 'noLongerOnTopic'].set(line.url, { url: line.url, before: relevance, now: line.relevance });
      }
      const again = state === 'off-topic' && line.relevance >= model.threshold;
      expect(line.state).toBe(again ? 'waiting' : state);
      expect(line.reason === 'reopened').toBe(again);
      if (again) {
        reopened++;
        expect(line.priority).toBe(Math.fround(line.relevance));
      }
    }
    expect(report.changes).toMatchObject({ nowOnTopic: now, noLongerOnTopic: nowOff, reopened });
    for (const kind of ['nowOnTopic', 'noLongerOnTopic'] as const) {
      const samples = report.changes.flipped[kind];
      expect(samples).toHaveLength(Math.min(10, flips[kind].size));
      expect(samples).toEqual(samples.map(({ url }) => flips[kind].get(url)));
    }
    // As seeds they have given a page, though they wait.
    const again = after.filter(({ url, state }) => state === 'waiting' && was.get(url)?.state === 'off-topic').map(({ url }) => url);
    const reading = openCrawl(dir);
    expect(seedEnds(again as never, reading.frontier as never)).toMatchObject({
      seedsWithPage: reopened,
      lostSeeds: [],
    });
    await reading.close();
    expect(Math.min(now, nowOff, reopened)).toBeGreaterThan(0);
    const waits = (line: CrawlLedgerLine) => line.state === 'waiting' && line.relevance === null;
    expect(after.filter(waits).map(({ priority }) => priority)).not.toEqual(before.filter(waits).map(({ priority }) => priority));

    const kept = after.filter(({ state }) => state === 'kept');
    const keptOffTopic = kept.filter(({ relevance }) => (relevance ?? 0) < model.threshold).length;
    expect(await status(dir)).toMatchObject({
      keptOffTopic,
      topic: { id: model.id },
      // What was visited was visited, whatever a model says of it later.
      counts: { kept: kept.length, visited: PAGES, earlierVisits: reopened, reopened },
      reasons: { 'waiting:reopened': reopened },
    });
    const settledOnTopic = after.filter(({ state, relevance }) => state !== 'waiting' && (relevance ?? 0) >= model.threshold).length;
    expect((await status(dir)).harvestRate).toBeCloseTo(settledOnTopic / (PAGES - reopened), 9);
    const hostsBefore = (await status(made.dir)).topHosts.reduce((sum, { visited }) => sum + visited, 0);
    expect((await status(dir)).topHosts.reduce((sum, { visited }) => sum + visited, 0)).toBe(hostsBefore);
    expect(await verify({ dir })).toMatchObject({ faults: 0 });

    const { card, outDir } = await harvest({ dir, out: small.path('corpus-relabelled'), formats: ['jsonl', 'warc'] });
    expect(card.crawl).toMatchObject({ visited: PAGES, reopened });
    expect(card.records).toMatchObject({ read: kept.length, kept: kept.length - keptOffTopic, leftOut: { relevance: keptOffTopic } });
    const lines = readFileSync(join(outDir, 'corpus.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const line of lines) expect(line).toMatchObject({ modelId: model.id, threshold: model.threshold });
    const judged = new Map<string | null, number>();
    for await (const page of judgePages(join(dir, 'models', model.id), join(outDir, 'corpus-00000.warc.gz'), {}))
      judged.set(page.url, page.relevance);
    expect(judged.size).toBe(lines.length);
    for (const { url, relevance } of lines) expect(relevance).toBeCloseTo(judged.get(String(url)) ?? Number.NaN, 9);

    await explained(dir, after, model.id);
  },
);

/** Every kind of URL is explained, and what is said adds up to what the ledger says. */
async function explained(dir: string, lines: readonly CrawlLedgerLine[], modelId: string): Promise<void> {
  const linked = lines.filter(({ referrer }) => referrer !== null);
  const visited = linked.find(({ state }) => state === 'kept');
  const reopened = linked.find(({ state, relevance }) => state === 'waiting' && relevance !== null);
  const waiting = linked.find(({ state, relevance }) => state === 'waiting' && relevance === null);
  for (const [line, rule] of [
    [visited, `when model ${modelId}, trained with labels`],
    [reopened, 'its priority is that relevance'],
    [waiting, '1 / (1 + exp(-logit))'],
  ] as const) {
    if (!line) throw new Error('the crawl has pages of each kind');
    const { page, link } = await why(dir, line.url);
    expect(link?.explanation.rule).toContain(rule);
    expect(link?.explanation.priority).toBeCloseTo(line.priority, 6);
    expect(page?.relevance ?? null).toBe(line.relevance);
  }
}

test('a relabelled crawl goes on by the command that began it: what was reopened waits at its relevance, is judged by the new model, and is kept', async () => {
  const done = await relabelled();
  const dir = copy('resumed', done.dir);
  const { changes, to } = done.report;
  const reopened = (await ledger(dir)).filter(({ state, relevance }) => state === 'waiting' && relevance !== null);
  expect(reopened.length).toBe(changes.reopened);
  for (const { priority, relevance } of reopened) expect(priority).toBeCloseTo(relevance ?? Number.NaN, 6);

  const report = await crawl({
    dir,
    topic: made.topic,
    seeds: small.seeds,
    proxy: made.served.proxy,
    delay: 0,
    concurrency: 1,
    maxPages: PAGES + 30,
  });
  expect(report.counts.visited).toBe(PAGES + 30);
  const after = new Map((await ledger(dir)).map((line) => [line.url, line]));
  const again = reopened.map(({ url }) => after.get(url) as CrawlLedgerLine).filter(({ order }) => order !== null);
  expect(again.length).toBeGreaterThan(0);
  // Each request counts, also a second one for the same page.
  expect(report.counts).toMatchObject({ earlierVisits: reopened.length, reopened: reopened.length - again.length });
  expect((await status(dir)).counts).toEqual(report.counts);
  for (const line of again) expect(line).toMatchObject({ state: 'kept' });
  const added = readFileSync(join(dir, 'corpus', 'records.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { url: string; modelId: string });
  expect(added.filter(({ modelId }) => modelId === to).map(({ url }) => url)).toEqual(expect.arrayContaining(again.map(({ url }) => url)));
  expect(new Set(added.map(({ url }) => url)).size).toBe(added.length);
  const first = again[0] as CrawlLedgerLine;
  expect((await why(dir, first.url)).link?.explanation).toMatchObject({ priority: first.priority });
  await expect(crawl({ dir, topic: made.topic, seeds: small.seeds, force: true })).rejects.toThrow('has labels');
  expect(existsSync(join(dir, 'labels.jsonl'))).toBe(true);
});

wholeTest('the same labels give the same model: training again changes nothing, and says so', async () => {
  const done = await relabelled();
  const dir = copy('twice', done.dir);
  const lines = await ledger(dir);
  const labelling = await openLabelling({ dir });
  const twice = await labelling.relabel();
  await labelling.close();
  expect(twice).toMatchObject({ from: done.report.to, to: done.report.to, changes: { nowOnTopic: 0, noLongerOnTopic: 0 } });
  expect(await ledger(dir)).toEqual(lines);
});

wholeTest(
  'a relabelling is taken back: the model before it judges as it did; labels stay, and what it is trained with next are all of them',
  async () => {
    const done = await relabelled();
    const dir = copy('undone', done.dir);
    let labelling = await openLabelling({ dir });
    const { changes, ...ids } = await labelling.undoRelabelling();
    expect(ids).toMatchObject({ from: done.report.to, to: done.report.from });
    expect(changes).toMatchObject({
      onTopic: done.report.changes.onTopicBefore,
      onTopicBefore: done.report.changes.onTopic,
      nowOnTopic: done.report.changes.noLongerOnTopic,
      reopened: 0,
      visited: PAGES,
      keptOffTopic: 0,
    });
    expect(labelling.undone).toBe(true);
    expect(labelling.unused).toBe(true);
    await expect(labelling.undoRelabelling()).rejects.toThrow("the active model is the crawl's first one");
    await labelling.close();
    const was = new Map((await ledger(made.dir)).map((line) => [line.url, line]));
    for (const { url, state, relevance } of await ledger(dir)) {
      expect(state).toBe(was.get(url)?.state);
      if (relevance !== null) expect(relevance).toBeCloseTo(was.get(url)?.relevance ?? Number.NaN, 9);
    }
    const linked = (await ledger(dir)).find(({ state, referrer }) => state === 'kept' && referrer !== null);
    expect((await why(dir, linked?.url ?? '')).link?.explanation.rule).toContain(
      `model ${done.report.from} replaced ${done.report.to} again`,
    );

    labelling = await openLabelling({ dir });
    const again = await labelling.relabel();
    expect(again).toMatchObject({ from: done.report.from, to: done.report.to, yes: done.report.yes });
    expect(again.effect?.before).toBeCloseTo(done.report.effect?.before ?? Number.NaN, 9);
    expect({ undone: labelling.undone, unused: labelling.unused }).toEqual({ undone: false, unused: false });
    expect((await labelling.undoRelabelling()).to).toBe(done.report.from);
    await asked(labelling);
    await labelling.answer('y');
    expect(labelling.undone).toBe(false);
    await labelling.close();
    expect((await status(dir)).relabelled.map(({ undone }) => undone ?? false)).toEqual([false, true, false, true]);
  },
);

wholeTest('two relabellings are taken back one by one, to the model they were trained from', async () => {
  const done = await relabelled();
  const dir = copy('undone-twice', done.dir);
  const labelling = await openLabelling({ dir });
  for (let i = 0; i < 5; i++) {
    const { url } = await asked(labelling);
    await labelling.answer(isOnTopic(url) ? 'y' : 'n');
  }
  const second = await labelling.relabel({ evenIfWorse: true });
  expect(second.from).toBe(done.report.to);
  expect(second.to).not.toBe(second.from);
  const first = await labelling.undoRelabelling();
  expect(first).toMatchObject({ from: second.to, to: done.report.to });
  expect(first.changes).toMatchObject({ onTopic: second.changes.onTopicBefore, onTopicBefore: second.changes.onTopic });
  expect(labelling.unused).toBe(true);
  expect(await labelling.undoRelabelling()).toMatchObject({ from: done.report.to, to: done.report.from });
  await labelling.close();
  expect((await status(dir)).topic.id).toBe(done.report.from);
});

/** Labels as a person gives them who is often wrong: every third is the other way round. */
async function labelledCarelessly(dir: string): Promise<void> {
  writeFileSync(small.path('careless.csv'), await carelessAnswers(dir, isOnTopic));
  const labelling = await openLabelling({ dir });
  await labelling.import(small.path('careless.csv'));
  await labelling.close();
}

let careless: Promise<{ dir: string; report: RelabelReport; unrelabelled: string }> | null = null;

/** The crawl with careless labels, and a model of them that is kept beside, once for all tests. `unrelabelled` is a copy from before that training. */
function withCarelessLabels() {
  careless ??= (async () => {
    const dir = copy('careless');
    await labelledCarelessly(dir);
    const unrelabelled = copy('careless-unrelabelled', dir);
    const labelling = await openLabelling({ dir });
    const report = await labelling.relabel();
    expect({ keptBeside: labelling.keptBeside, unused: labelling.unused }).toEqual({ keptBeside: true, unused: true });
    await labelling.close();
    return { dir, report, unrelabelled };
  })();
  return careless;
}

wholeTest(
  'a model that held-out labels say is worse is kept beside, and nothing else changes; asked for by name, it is put in force',
  async () => {
    const made = await withCarelessLabels();
    const { report, unrelabelled } = made;
    const dir = copy('worse', made.dir);
    const before = await status(unrelabelled);
    if (report.effect === null) throw new Error('labels of both kinds, on many hosts');
    expect(report.effect.after).toBeLessThan(report.effect.before);
    expect(report).toMatchObject({
      from: before.topic.id,
      active: false,
      inForce: false,
      harvest: null,
      changes: { nowOnTopic: 0, noLongerOnTopic: 0 },
    });
    expect((await loadModel(join(dir, 'models', report.to))).id).toBe(report.to);
    expect(await ledger(dir)).toEqual(await ledger(unrelabelled));
    const after = await status(dir);
    expect(after).toMatchObject({ topic: before.topic, relabelled: [], keptBeside: { id: report.to, labels: report.yes + report.no } });

    const again = await openLabelling({ dir });
    const forced = await again.relabel({ evenIfWorse: true });
    expect(forced).toMatchObject({ from: before.topic.id, to: report.to, active: true, inForce: true });
    expect(again.keptBeside).toBe(false);
    expect((await again.undoRelabelling()).to).toBe(before.topic.id);
    await again.close();
    expect(await status(dir)).toMatchObject({ topic: before.topic, keptBeside: null });
  },
);

wholeTest('a crash after a model is saved and before the manifest names it leaves the crawl as it was', async () => {
  const { dir: relabelled, report, unrelabelled } = await withCarelessLabels();
  const dir = copy('crash-beside', relabelled);
  cpSync(join(unrelabelled, 'crawl.json'), join(dir, 'crawl.json'));
  expect(existsSync(join(dir, 'models', report.to))).toBe(true);
  const after = await openLabelling({ dir });
  expect({ keptBeside: after.keptBeside, unused: after.unused }).toEqual({ keptBeside: false, unused: true });
  expect(await after.relabel()).toMatchObject({ to: report.to, active: false });
  await after.close();
});

test('too few labels: nothing is put in force, and what is missing is said', async () => {
  const dir = copy('few');
  const labelling = await openLabelling({ dir });
  for (let i = 0; i < 4; i++) {
    await asked(labelling);
    await labelling.answer(i === 0 ? 'y' : 'n');
  }
  expect(labelling.missing).toEqual({ yes: 0, no: 0, any: 1 });
  await expect(labelling.relabel()).rejects.toThrow(
    '1 y and 3 n are too few labels to train with, the model stays as it is: answer 1 more y or n',
  );
  await asked(labelling);
  await labelling.answer('n');
  expect(labelling.missing).toBeNull();
  await labelling.close();
  expect((await status(dir)).relabelled).toEqual([]);
});

test('a skipped page is nothing new to the model; labels that are gone are damage', async () => {
  const done = await relabelled();
  const dir = copy('anew', done.dir);
  const labelling = await openLabelling({ dir });
  await asked(labelling);
  await labelling.answer('skip');
  expect(labelling.unused).toBe(false);
  await asked(labelling);
  await labelling.answer('y');
  expect(labelling.unused).toBe(true);
  await labelling.close();
  rmSync(join(dir, 'labels.jsonl'));
  await expect(openLabelling({ dir })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining('were trained with'),
  });
});

wholeTest('labels of one kind: nothing can be held out, and four answers do not measure what a harvest takes', async () => {
  const dir = copy('one-kind');
  const labelling = await openLabelling({ dir });
  for (let i = 0; i < 20; i++) {
    const { url } = await asked(labelling);
    await labelling.answer(isOnTopic(url) ? 'y' : 'skip');
  }
  const { effect, harvest: taken } = await labelling.relabel();
  expect(effect).toBeNull();
  expect(taken).toMatchObject({ answered: 4, onTopic: 4, isMeasured: false });
  expect(labelling.estimate().kept.answered).toBeGreaterThan(0);
  await labelling.close();
});

wholeTest(
  'what labels brought is measured on hosts held out, and what a harvest takes by models that have not seen it; a page that has changed since is left out',
  async () => {
    const dir = copy('effect');
    const labelling = await openLabelling({ dir });
    for (let i = 0; i < 45; i++) {
      const { url } = await asked(labelling);
      await labelling.answer(isOnTopic(url) ? 'y' : 'n');
    }
    await labelling.close();
    const path = join(dir, 'labels.jsonl');
    // As Forager 0.1 wrote them: lines without checksums, and no note of their number.
    rmSync(join(dir, 'labels-known.json'));
    // The page of the first label may be drawn once more, at random.
    const lines = readFileSync(path, 'utf8').replaceAll(/,"crc32":"[0-9a-f]{8}"/g, '');
    const { sha256 } = JSON.parse(lines.split('\n')[1] ?? '') as { sha256: string };
    writeFileSync(path, lines.replaceAll(sha256, '0'.repeat(64)));

    const again = await openLabelling({ dir });
    const warnings: string[] = [];
    const { effect, harvest: taken, yes, no } = await again.relabel({ warn: (message) => warnings.push(message), evenIfWorse: true });
    const { kept } = again.estimate();
    await again.close();
    expect(warnings).toEqual(['labels of pages whose text has changed or is lost are omitted: 1']);
    expect(yes + no).toBe(44);
    if (effect === null || taken === null) throw new Error('labels of both kinds, on many hosts');
    expect(effect.pages).toBe(44);
    expect(effect.hosts).toBeGreaterThan(3);
    for (const share of [effect.before, effect.after]) expect(share).toBeGreaterThan(0.5);
    expect(effect.change.low).toBeLessThanOrEqual(effect.after - effect.before);
    expect(effect.change.high).toBeGreaterThanOrEqual(effect.after - effect.before);
    expect(taken.answered).toBeGreaterThan(0);
    expect(taken.pages).toBeLessThanOrEqual(kept.pages);
  },
);
