/** `label judge`: a language model answers pages of a crawl. */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LedgerLine, openLabelling } from 'forager';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Behaviour, type ChatServerOnLoopback, chatServer, json, reply } from '../../support/chat-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, foragerWith, jsonLines, refused, start } from './forager.ts';
import { type CrawlToLabel, crawlToLabel } from './labelled-crawl.ts';
import { smallWeb, stored } from './small-web.ts';

const KEY = 'sk-never-to-be-seen';
const small = smallWeb();
let made: CrawlToLabel;
let server: ChatServerOnLoopback;

beforeAll(async () => {
  made = await crawlToLabel(small, 120);
});
beforeEach(async () => {
  server = await chatServer(truthful);
});
afterEach(async () => {
  delete process.env['OPENAI_API_KEY'];
  delete process.env['OPENAI_BASE_URL'];
  await server.close();
});
afterAll(() => small.close());

const onTopic = (url: string) => small.web.topicOf(url) === small.topic;
const truthful: Behaviour = (response, { page }) =>
  reply(response, JSON.stringify({ onTopic: onTopic(page.url), reason: 'I know the web' }));
/** Right about every second page, whatever it is. */
const careless: Behaviour = (response, { page }, at) =>
  reply(response, JSON.stringify({ onTopic: onTopic(page.url) === (at % 2 === 0), reason: 'a coin' }));

function copy(name: string): string {
  const dir = small.path(`copy-${name}`);
  cpSync(made.dir, dir, { recursive: true });
  return dir;
}

const judging = (dir: string, ...more: string[]) => ['label', 'judge', dir, '--judge-url', server.url, '--judge-model', 'small', ...more];

interface Line {
  readonly url: string;
  readonly by?: string;
  readonly answer: string;
  readonly queue: string;
  readonly reason?: string;
  readonly languageModel?: string;
}

function modelLines(dir: string): Line[] {
  return jsonLines<Line>(readFileSync(join(dir, 'labels.jsonl'), 'utf8')).filter(({ by }) => by === 'model');
}

interface Outcome {
  readonly judging: {
    readonly answered: number;
    readonly cached: number;
    readonly calls: number;
    readonly tokens: number;
    readonly stop: string;
  };
  readonly modelAnswers: {
    readonly agreement: { readonly pages: number; readonly kappa: number | null; readonly interval: { readonly low: number } };
    readonly untaught: string | null;
  };
  readonly estimate: unknown;
  readonly labels: unknown;
  readonly relabelled: { readonly yes: number; readonly no: number; readonly modelAnswers: number } | null;
}

async function outcomeOf(...args: string[]): Promise<Outcome> {
  return JSON.parse(await done(...args, '--json')) as Outcome;
}

/** A person's right answers to so many judged pages, of each kind. */
async function labelRightly(dir: string, each: number): Promise<void> {
  const judged = jsonLines<LedgerLine>(await done('ledger', dir, '--state', 'kept,off-topic')).map(({ url }) => url);
  const urls = [true, false].flatMap((kind) => judged.filter((url) => onTopic(url) === kind).slice(0, each));
  expect(urls).toHaveLength(2 * each);
  const csv = small.path('right.csv');
  writeFileSync(csv, urls.map((url) => `${url},${onTopic(url) ? 'y' : 'n'}\n`).join(''));
  await done('label', 'import', dir, csv, '--no-retrain');
}

test('pages are chosen like those for a person; the answers are no labels, and count in no estimate', async () => {
  const dir = copy('chosen');
  const outcome = await outcomeOf(...judging(dir, '--count', '30', '--judge-question', 'Is it about the practice?'));
  expect(outcome).toMatchObject({
    judging: { answered: 30, cached: 0, failed: 0, calls: 30, tokens: 3000, stop: 'count', failure: null },
    labels: { yes: 0, no: 0, skipped: 0 },
    estimate: { kept: { answered: 0, share: null }, notKept: { answered: 0, share: null }, judged: null },
    modelAnswers: { languageModel: 'small', agreement: { pages: 0, kappa: null }, untaught: expect.stringContaining('needed: 20') },
    relabelled: null,
    notTrained: 'no page is labelled y or n',
  });
  const lines = modelLines(dir);
  expect(new Set(lines.map(({ url }) => url)).size).toBe(30);
  for (const { url, answer, reason, languageModel } of lines)
    expect({ answer, reason, languageModel }).toEqual({
      answer: onTopic(url) ? 'y' : 'n',
      reason: 'I know the web',
      languageModel: 'small',
    });
  for (const queue of ['uncertain', 'new-host', 'random']) expect(lines.filter((line) => line.queue === queue)).toHaveLength(10);
  const system = server.requests[0]?.body.messages[0]?.content ?? '';
  expect(system).toContain('Is it about the practice?');
  expect(system).toContain('Words that are frequent on pages of the topic:');
  const status = await done('status', dir);
  expect(status).toMatch(/^answers of small: \d+ y, \d+ n; they count in no estimate$/m);
  expect(status).toContain('precision: not measured');
});

test('a person is asked as if no model had answered; a file of labels of another crawl takes no answer of a model', async () => {
  const dir = copy('person');
  await done(...judging(dir, '--count', '20', '--no-retrain'));
  const shown = async (labelled: string) => {
    const { stdout } = await foragerWith('y\ny\ny\n', 'label', labelled, '--no-retrain');
    return [...stdout.matchAll(/^http:\S+$/gm)].map(([url]) => url);
  };
  const [mine, untouched] = [await shown(dir), await shown(copy('untouched'))];
  expect(mine.length).toBeGreaterThanOrEqual(3);
  expect(mine).toEqual(untouched);
  const other = copy('taken');
  expect(await done('label', 'import', other, join(dir, 'labels.jsonl'), '--no-retrain')).toMatch(/^3 labels of .* stored$/m);
});

wholeTest('with agreement the answers teach, with the weight of kappa; the estimates are those of the person', async () => {
  const dir = copy('agreement');
  await labelRightly(dir, 15);
  const before = await outcomeOf('label', 'train', dir, '--even-if-worse');
  const right = await outcomeOf(...judging(dir, '--count', '75', '--even-if-worse'));
  expect(right.modelAnswers).toMatchObject({ agreement: { yesNo: 0, noYes: 0, kappa: 1 }, untaught: null });
  // A third of the pages has labels; a random draw may meet further ones.
  const both = right.modelAnswers.agreement.pages;
  expect(both).toBeGreaterThanOrEqual(25);
  const taught = 75 - both;
  expect(right.modelAnswers.agreement.interval.low).toBeLessThan(0.9);
  expect(right).toMatchObject({ labels: before.labels, estimate: before.estimate, relabelled: { yes: 15, no: 15, modelAnswers: taught } });
  const manifest = JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8')) as { relabelled: readonly object[] };
  expect(manifest.relabelled.at(-1)).toMatchObject({ labels: 30, modelAnswers: taught });
  const [, id = ''] = /model ([0-9a-f]{16})/.exec(await done('label', 'undo', dir)) ?? [];
  const later = readdirSync(join(dir, 'models')).filter((name) => name !== id);
  const cards = later.map((name) => JSON.parse(readFileSync(join(dir, 'models', name, 'card.json'), 'utf8')) as { counts: object });
  expect(cards.map(({ counts }) => counts)).toContainEqual(expect.objectContaining({ guessed: taught }));
  await done('label', 'train', dir, '--even-if-worse');
  const again = await done('label', 'train', dir);
  expect(again).toContain('they train the topic with weight 1.00');
  expect(again).toContain('not trained again: the active model was already trained with all labels');
  expect((await done('verify', dir)).toLowerCase()).not.toContain('labels.jsonl');
});

wholeTest('without agreement they do not teach', async () => {
  const doubtful = copy('doubtful');
  await labelRightly(doubtful, 15);
  server.behave(careless);
  const wrong = await done(...judging(doubtful, '--count', '75'));
  expect(wrong).toMatch(/they do not train the topic: the lower bound of kappa is -?0\.\d{3}; needed: 0\.4/);
  expect(wrong).toMatch(/^ {2}you [yn], model [yn]: http:\S+ \(a coin\)$/m);
  expect(wrong).not.toContain('of a language model');
  expect(wrong).toContain('trained again with 15 pages on topic and 15 off topic:');
});

wholeTest('while the crawl runs, it trains itself with the answers of person and model', async () => {
  const pace = { latency: 0 };
  const served = await small.serve(pace);
  const dir = small.path('running');
  const more = ['--proxy', served.proxy, '--delay', '0ms', '--concurrency', '1', '--max-pages', '200'];
  const run = start(['crawl', dir, '--topic', made.topic, '--seeds', ...small.seeds, ...more]);
  await served.reached(100);
  // The crawl must not end before it has trained.
  pace.latency = 400;
  await stored(dir, 95);
  const labelling = await openLabelling({ dir });
  try {
    for (let i = 0; i < 30; i++) {
      const question = await labelling.next();
      await labelling.answer(question !== null && onTopic(question.url) ? 'y' : 'n');
    }
    const report = await labelling.judge({ judgeUrl: server.url, judgeModel: 'small', count: 60 });
    expect(report).toMatchObject({ answered: 60, stop: 'count' });
    expect(labelling.modelAnswers).toMatchObject({ agreement: { kappa: 1 }, untaught: null });
    expect(await labelling.requestTraining()).toBe(true);
  } finally {
    await labelling.close();
  }
  await run.says('trained again with');
  pace.latency = 0;
  expect((await run.ended).code).toBe(0);
  expect(run.said()).toMatch(/trained again with \d+ pages on topic and \d+ off topic, and [34]\d answers of a language model: /);
});

wholeTest('kill -9: what was answered costs no second call, and nothing is lost', async () => {
  const dir = copy('killed');
  const asked = (at: number) =>
    new Promise<void>((resolve) => {
      server.behave((response, request, n) => {
        if (n <= at) truthful(response, request, n);
        else resolve();
      });
    });
  for (const at of [7, 16]) {
    const waiting = asked(at);
    const { child, ended } = start(judging(dir, '--count', '40', '--no-retrain'));
    await waiting;
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
  }
  // One call was in flight at each kill.
  expect(server.requests).toHaveLength(17);
  expect(modelLines(dir)).toHaveLength(15);
  // The label of the last answer is lost, and its stored answer is not.
  const labels = join(dir, 'labels.jsonl');
  writeFileSync(labels, readFileSync(labels).subarray(0, -20));
  // The note of the written lines follows a line.
  rmSync(join(dir, 'labels-known.json'));
  const cached = readFileSync(join(dir, 'labelling/model-answers.jsonl'), 'utf8').split('\n').length - 1;
  expect(cached).toBe(15);
  server.behave(truthful);
  const outcome = await outcomeOf(...judging(dir, '--count', '26', '--no-retrain'));
  expect(outcome.judging).toMatchObject({ answered: 26, cached: 1, calls: 25 });
  const urls = server.requests.map(({ page }) => page.url);
  const inFlight = [urls[7], urls[16]];
  const answered = urls.filter((_, i) => i !== 7 && i !== 16);
  expect(new Set(answered).size).toBe(answered.length);
  expect(new Set(modelLines(dir).map(({ url }) => url))).toEqual(new Set(answered));
  expect(answered).toEqual(expect.arrayContaining(inFlight));
});

wholeTest.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the session; the answers so far are stored, and nothing is trained',
  async (signal) => {
    const dir = copy(`interrupted-${signal}`);
    const waiting = new Promise<void>((resolve) => {
      server.behave((response, request, n) => {
        if (n <= 5) truthful(response, request, n);
        else resolve();
      });
    });
    const { child, ended } = start(judging(dir, '--json'));
    await waiting;
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Ending: the answers of the language model are stored.');
    expect(JSON.parse(stdout)).toMatchObject({ judging: { answered: 5, stop: 'interrupted' }, relabelled: null });
    expect(modelLines(dir)).toHaveLength(5);
  },
);

wholeTest('budgets of the command line hold to the call', async () => {
  const dir = copy('budget');
  expect((await outcomeOf(...judging(dir, '--judge-calls', '9'))).judging).toMatchObject({ answered: 9, calls: 9, stop: 'calls' });
  const { judging: byTokens } = await outcomeOf(...judging(dir, '--judge-tokens', '12000'));
  expect(byTokens.stop).toBe('tokens');
  expect(byTokens.tokens).toBeLessThanOrEqual(12_000);
  expect(byTokens.answered).toBeGreaterThan(10);
  server.behave((response) => json(response, 429, {}, { 'retry-after': '3600' }));
  const stdout = await done(...judging(dir, '--judge-time', '5s'));
  expect(stdout).toContain('stopped: the time is up, or a pause would outlast it (--judge-time)');
  expect(server.requests).toHaveLength(9 + byTokens.answered + 1);
});

test('the key comes from the environment, goes to the server, and nowhere else', async () => {
  process.env['OPENAI_API_KEY'] = KEY;
  process.env['OPENAI_BASE_URL'] = server.url;
  const dir = copy('key');
  const { stdout, stderr } = await forager('label', 'judge', dir, '--judge-model', 'small', '--count', '3');
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(stdout + stderr).not.toContain(KEY);
  server.behave((response) => json(response, 401, { error: { message: `wrong key ${KEY}` } }));
  const refusal = await forager('label', 'judge', dir, '--judge-model', 'small', '--count', '3');
  expect(refusal.code).toBe(3);
  expect(refusal.stdout).toContain('last failure: 401: wrong key (key)');
  expect(refusal.stdout + refusal.stderr).not.toContain(KEY);
  expect(refusal.stderr).not.toContain('without encryption');
  const elsewhere = ['--judge-url', 'http://nowhere.invalid/v1', '--judge-time', '1s'];
  const { stderr: warned } = await forager('label', 'judge', dir, '--judge-model', 'small', ...elsewhere);
  expect(warned).toContain('without encryption; give an https address');
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    if (/\.jsonl?$/.test(name)) expect(readFileSync(join(dir, name), 'utf8')).not.toContain(KEY);
});

test('damaged stored answers are refused with the line; a last line that broke off is dropped', async () => {
  const dir = copy('damaged');
  await done(...judging(dir, '--count', '3', '--no-retrain'));
  const path = join(dir, 'labelling/model-answers.jsonl');
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.slice(0, -30));
  await done(...judging(dir, '--count', '3', '--no-retrain'));
  writeFileSync(path, whole.replace('I know', 'I knew'));
  const { code, stderr } = await forager(...judging(dir, '--count', '3', '--no-retrain'));
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('model-answers.jsonl:1: is not a stored answer') });
  expect((await forager('verify', dir)).stdout).toContain('model-answers.jsonl:1: is not a stored answer');
});

test('what cannot be is refused in one line, before a call', async () => {
  const dir = copy('refused');
  await refused(2, ['--judge-url', 'OPENAI_BASE_URL'], 'label', 'judge', dir, '--judge-model', 'small');
  await refused(2, ['--judge-model'], 'label', 'judge', dir, '--judge-url', server.url);
  await refused(2, ['--judge-url', 'not an http(s) URL'], 'label', 'judge', dir, '--judge-url', 'small', '--judge-model', 'small');
  const withKey = server.url.replace('//', '//me:secret@');
  await refused(2, ['keys are read from OPENAI_API_KEY'], 'label', 'judge', dir, '--judge-url', withKey, '--judge-model', 'small');
  await refused(2, ['--judge other', 'openai'], 'label', dir, '--judge', 'other');
  await refused(2, ['unknown option --audit'], ...judging(dir, '--audit', '3'));
  process.env['OPENAI_API_KEY'] = 'two\nlines';
  await refused(2, ['OPENAI_API_KEY', 'set it again'], ...judging(dir));
  expect(server.requests).toEqual([]);
  expect(existsSync(join(dir, 'labels.jsonl'))).toBe(false);
});
