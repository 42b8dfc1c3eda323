import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Labelling, openLabelling, status, verify } from 'forager';
import { afterAll, beforeAll, expect } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { foragerWith, type Running, start } from './forager.ts';
import { type Served, smallWeb, stored, trainedOnAll } from './small-web.ts';

const small = smallWeb(600);
let topic: string;
beforeAll(async () => {
  topic = await trainedOnAll(small);
});
afterAll(() => small.close());

const MAX_PAGES = 300;
/** Of an answer while a training is awaited: the crawl must not end before, on a busy machine either. */
const SLOW = 400;

async function crawlOf(name: string): Promise<{ dir: string; args: string[]; served: Served; run: Running; hurry: () => void }> {
  const pace = { latency: 0 };
  const served = await small.serve(pace);
  const dir = small.path(name);
  const options = ['--proxy', served.proxy, '--delay', '0ms', '--concurrency', '1', '--max-pages', String(MAX_PAGES)];
  const args = ['crawl', dir, '--topic', topic, '--seeds', ...small.seeds, ...options];
  const run = start(args);
  await served.reached(60);
  pace.latency = SLOW;
  await stored(dir, 55);
  const hurry = () => {
    pace.latency = 0;
  };
  return { dir, args, served, run, hurry };
}

/** Answers as the truth is. */
async function answered(labelling: Labelling, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const question = await labelling.next();
    if (question === null) throw new Error('there is a page to ask about');
    await labelling.answer(small.web.topicOf(question.url) === small.topic ? 'y' : 'n');
  }
}

interface Manifest {
  readonly topic: { readonly id: string };
  readonly relabelled: readonly { readonly from: string; readonly to: string; readonly lines: number; readonly settled: number }[];
  readonly keptBeside: { readonly id: string; readonly lines: number } | null;
  readonly runs: readonly { readonly stopReason: string | null }[];
}

function manifestOf(dir: string): Manifest {
  return JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as Manifest;
}

/** The lines of the label file that a training has used. */
function trainedWith(dir: string): number {
  const { relabelled, keptBeside } = manifestOf(dir);
  return relabelled.at(-1)?.lines ?? keptBeside?.lines ?? 0;
}

function linesOf(dir: string): number {
  return readFileSync(join(dir, 'labels.jsonl'), 'utf8').trimEnd().split('\n').length;
}

wholeTest(
  'answers from another process while the crawl runs: the crawl trains itself, goes on under the new model, and asks for no robots.txt again',
  async () => {
    const { dir, served, run, hurry } = await crawlOf('beside');
    const labelling = await openLabelling({ dir });
    expect(labelling.isRunning).toBe(true);
    await expect(openLabelling({ dir })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    await answered(labelling, 30);
    await expect(labelling.relabel()).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    await expect(labelling.undoRelabelling()).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    expect(await labelling.requestTraining()).toBe(true);
    const lines = linesOf(dir);
    const before = served.pages.length;
    await labelling.close();
    await run.says('trained again with');
    const at = served.pages.length;
    hurry();
    // The thread trained while the crawl went on.
    expect(at).toBeGreaterThan(before);
    const { code, stderr, stdout } = await run.ended;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('the page budget is spent');
    expect(served.pages.length).toBeGreaterThan(at);
    expect(trainedWith(dir)).toBe(lines);
    const { relabelled, topic: active, runs } = manifestOf(dir);
    expect(runs.map(({ stopReason }) => stopReason)).toEqual(['max-pages']);
    expect(relabelled).toMatchObject([{ to: active.id, lines }]);
    expect(run.said()).toContain(`model ${active.id} replaces`);
    expect((await verify({ dir })).faults).toBe(0);
    const { counts } = await status(dir);
    expect(counts.visited).toBe(MAX_PAGES);
    expect(new Set(served.robots).size).toBe(served.robots.length);
  },
);

// `npm test` has kills in a training by tools/soak/killed-answers.test.ts.
wholeTest('kill -9 of a crawl that was asked to train: no answer is lost, and the next run trains with all of them', async () => {
  const { dir, args, run, hurry } = await crawlOf('killed');
  const labelling = await openLabelling({ dir });
  await answered(labelling, 12);
  await labelling.requestTraining();
  await answered(labelling, 1);
  await labelling.close();
  const lines = linesOf(dir);
  run.child.kill('SIGKILL');
  await run.ended;
  expect(linesOf(dir)).toBe(lines);
  expect(trainedWith(dir)).toBe(0);
  const again = start(args);
  await again.says('trained again with');
  // The answer after the request counts too: it was there when the training started.
  expect(trainedWith(dir)).toBe(lines);
  again.child.kill('SIGKILL');
  await again.ended;
  hurry();
  const { stdout } = await start(args).ended;
  expect(stdout).toContain('the page budget is spent');
  expect((await verify({ dir })).faults).toBe(0);
  expect(trainedWith(dir)).toBe(lines);
});

wholeTest('the command: answers while the crawl runs, then asks the crawl to train; a model is not taken back meanwhile', async () => {
  const { dir, run } = await crawlOf('command');
  const { code, stdout } = await foragerWith('y\nn\n'.repeat(4), 'label', dir, '--count', '8');
  expect({ code, said: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 0,
    said: 'the running crawl trains with the answers; it sees them within ten visits',
  });
  const undo = await foragerWith('', 'label', 'undo', dir);
  expect(undo.code).toBe(3);
  expect(undo.stderr).toContain('only it can change its model');
  const audited = await foragerWith('y\n'.repeat(5), 'label', 'audit', dir, '--count', '5');
  expect(audited.stdout).not.toContain('trains with');
  await run.says('trained again with');
  run.child.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
});
