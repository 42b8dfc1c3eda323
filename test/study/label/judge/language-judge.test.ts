/** A judge against a server that errs, is slow, sends no JSON, answers 429: the budget holds, and nothing is asked twice. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../../src/base/core/types.ts';
import { AnswerCache } from '../../../../src/study/label/judge/answer-cache.ts';
import { ANSWER_TOKENS, ChatClient, mostTokens } from '../../../../src/study/label/judge/chat-client.ts';
import { type BudgetLimits, JudgeBudget } from '../../../../src/study/label/judge/judge-budget.ts';
import { promptOf, type Rubric } from '../../../../src/study/label/judge/judge-prompt.ts';
import { LanguageJudge, type LanguageJudgement } from '../../../../src/study/label/judge/language-judge.ts';
import type { PageOfCrawl } from '../../../../src/study/label/judged-pages.ts';
import { type Behaviour, type ChatServerOnLoopback, chatServer, json, judgesBy, reply } from '../../../support/chat-server.ts';
import { IS_WHOLE } from '../../../support/extent.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const RUBRIC: Rubric = {
  topic: 'moss',
  question: 'Is the page about mosses?',
  examples: ['Peat moss'],
  irrelevant: ['Car parts'],
  termsFor: ['moss'],
  termsAgainst: ['car'],
};
const NO_LIMIT: BudgetLimits = { calls: 1000, tokens: 1e9, time: 1e9 };
const MODEL = 'small';

let dir: string;
let server: ChatServerOnLoopback;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'judge-'));
  mkdirSync(join(dir, 'labelling'));
  server = await chatServer(judgesBy('moss'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await server.close();
  rmSync(dir, { recursive: true });
});

function cacheOf(): AnswerCache {
  const cache = AnswerCache.open({ labelling: join(dir, 'labelling') });
  open.push(cache);
  return cache;
}

interface Setup {
  readonly judge: LanguageJudge;
  readonly budget: JudgeBudget;
  readonly clock: VirtualClock;
  readonly end: AbortController;
}

function judgeWith(limits: Partial<BudgetLimits> = {}, { callTime = 60_000, url = server.url, key = null as string | null } = {}): Setup {
  const clock = new VirtualClock(1_000_000, true);
  const budget = new JudgeBudget({ ...NO_LIMIT, ...limits }, clock);
  const client = new ChatClient({ url, model: MODEL, key }, callTime);
  open.push(client);
  const end = new AbortController();
  const judge = new LanguageJudge({ model: MODEL, rubric: RUBRIC, client, cache: cacheOf(), budget, clock, signal: end.signal });
  return { judge, budget, clock, end };
}

function page(n: number, text = `moss grows here ${n}`): PageOfCrawl {
  return { url: `http://a.test/${n}` as CanonicalUrl, title: `Page ${n}`, text, lang: null };
}

async function judgeAll(judge: LanguageJudge, count: number): Promise<LanguageJudgement[]> {
  const all: LanguageJudgement[] = [];
  for (let n = 1; n <= count; n++) all.push(await judge.judge(page(n)));
  return all;
}

const kinds = (all: readonly LanguageJudgement[]) => all.map((one) => (one.kind === 'stop' ? one.stop : one.kind));

test('the server gets the rubric and one page; the answer has a verdict and a reason', async () => {
  const { judge } = judgeWith({}, { key: 'sk-secret' });
  expect(await judge.judge(page(1))).toEqual({ kind: 'answer', cached: false, onTopic: true, reason: 'looked for moss' });
  expect(await judge.judge(page(2, 'wheels'))).toMatchObject({ kind: 'answer', onTopic: false });
  const [first] = server.requests;
  expect(first?.path).toBe('/v1/chat/completions');
  expect(first?.headers.authorization).toBe('Bearer sk-secret');
  expect(first?.body).toMatchObject({ model: MODEL, max_tokens: ANSWER_TOKENS, temperature: 0, response_format: { type: 'json_object' } });
  expect(first?.body.messages[0]?.content).toContain('Is the page about mosses?');
  expect(first?.page).toEqual({ url: 'http://a.test/1', title: 'Page 1', text: 'moss grows here 1' });
  expect(readFileSync(join(dir, 'labelling/model-answers.jsonl'), 'utf8')).not.toContain('sk-secret');
});

test('a stored answer costs no call, for the same rubric, model and page alone', async () => {
  await judgeWith().judge.judge(page(1));
  expect(await judgeWith({ calls: 0 }).judge.judge(page(1))).toMatchObject({ kind: 'answer', cached: true, onTopic: true });
  expect(server.requests).toHaveLength(1);
  await judgeWith().judge.judge(page(1, 'moss, another text'));
  const other = judgeWith();
  const clock = new VirtualClock(0, true);
  const client = new ChatClient({ url: server.url, model: MODEL, key: null });
  open.push(client);
  const parts = { client, cache: cacheOf(), clock, signal: other.end.signal, budget: new JudgeBudget(NO_LIMIT, clock) };
  await new LanguageJudge({ ...parts, model: MODEL, rubric: { ...RUBRIC, question: 'Other?' } }).judge(page(1));
  await new LanguageJudge({ ...parts, model: 'large', rubric: RUBRIC }).judge(page(1));
  expect(server.requests).toHaveLength(4);
});

describe('budgets hold to the call', () => {
  test('calls: retries count', async () => {
    server.behave((response, request, at) => (at % 3 === 0 ? judgesBy('moss')(response, request, at) : json(response, 500, {})));
    const { judge, budget } = judgeWith({ calls: 7 });
    expect(kinds(await judgeAll(judge, 4))).toEqual(['answer', 'answer', 'calls', 'calls']);
    expect(server.requests).toHaveLength(7);
    expect(budget.calls).toBe(7);
  });

  test('tokens: the worst case must fit before a call, and what the server reports takes its place', async () => {
    const most = mostTokens(promptOf(RUBRIC, page(1)));
    const { judge, budget } = judgeWith({ tokens: most + 250 });
    expect(kinds(await judgeAll(judge, 5))).toEqual(['answer', 'answer', 'answer', 'tokens', 'tokens']);
    expect(budget.tokens).toBe(300);
  });

  test('tokens: a call whose cost is not told counts as the worst', async () => {
    server.behave((response) => reply(response, '{"onTopic":true,"reason":""}', null));
    const most = mostTokens(promptOf(RUBRIC, page(1)));
    const { judge, budget } = judgeWith({ tokens: 3 * most - 1 });
    expect(kinds(await judgeAll(judge, 3))).toEqual(['answer', 'answer', 'tokens']);
    expect(budget.tokens).toBeLessThanOrEqual(3 * most - 1);
    expect(budget.tokens).toBe(2 * most);
  });

  test('tokens: after a call that cost more than its reservation, reservations are larger', async () => {
    const most = mostTokens(promptOf(RUBRIC, page(1)));
    server.behave((response) => reply(response, '{"onTopic":true}', 3 * most));
    const { judge, budget } = judgeWith({ tokens: 7 * most });
    expect(kinds(await judgeAll(judge, 3))).toEqual(['answer', 'answer', 'tokens']);
    expect(budget.tokens).toBe(6 * most);
  });

  test('time: a pause that outlasts it ends the judging at once', async () => {
    server.behave((response) => json(response, 429, {}, { 'retry-after': '600' }));
    const { judge, clock } = judgeWith({ time: 300_000 });
    const before = clock.now();
    expect(kinds(await judgeAll(judge, 1))).toEqual(['time']);
    expect(clock.now()).toBe(before);
    expect(server.requests).toHaveLength(1);
  });

  test('time: a call in flight ends with the budget', async () => {
    server.behave(() => undefined);
    const { judge } = judgeWith({ time: 300 });
    const before = performance.now();
    expect(kinds(await judgeAll(judge, 1))).toEqual(['time']);
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

describe('a server that misbehaves', () => {
  test('429 with Retry-After: waits as long as asked, then has the answer', async () => {
    server.behave((response, request, at) =>
      at === 1
        ? json(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '77' })
        : judgesBy('moss')(response, request, at),
    );
    const { judge, clock, budget } = judgeWith();
    const before = clock.now();
    expect(kinds(await judgeAll(judge, 1))).toEqual(['answer']);
    expect(clock.now() - before).toBe(77_000);
    expect(budget.tokens).toBe(100);
  });

  test('429 without Retry-After: 30 s, doubled, five times by the failure table, and no token', async () => {
    server.behave((response) => json(response, 429, {}));
    const { judge, clock, budget } = judgeWith();
    const before = clock.now();
    expect(await judge.judge(page(1))).toEqual({ kind: 'failed', why: 'http-429: 429: {}' });
    expect(clock.now() - before).toBe((30 + 60 + 120 + 240 + 480) * 1000);
    expect([server.requests.length, budget.tokens]).toEqual([6, 0]);
  });

  test('500: twice more; three pages in a row end the judging', async () => {
    server.behave((response) => json(response, 500, { error: 'broken' }));
    const { judge } = judgeWith();
    const all = await judgeAll(judge, 3);
    expect(kinds(all)).toEqual(['failed', 'failed', 'server']);
    expect(all[2]).toMatchObject({ why: 'http-5xx: 500: broken; 3 pages in a row' });
    expect(server.requests).toHaveLength(9);
  });

  test('a page that fails between answers ends nothing', async () => {
    server.behave((response, request, at) => {
      if (request.page.url.endsWith('3')) json(response, 503, {});
      else judgesBy('moss')(response, request, at);
    });
    const { judge } = judgeWith();
    expect(kinds(await judgeAll(judge, 6))).toEqual(['answer', 'answer', 'failed', 'answer', 'answer', 'answer']);
  });

  test('slower than a call may take', async () => {
    server.behave(() => undefined);
    const { judge, budget } = judgeWith({ calls: 2 }, { callTime: 150 });
    expect(kinds([await judge.judge(page(1))])).toEqual(['calls']);
    expect(server.requests).toHaveLength(2);
    // The server may have worked on both.
    expect(budget.tokens).toBe(2 * mostTokens(promptOf(RUBRIC, page(1))));
  });

  const NO_ANSWERS: readonly (readonly [string, Behaviour, RegExp])[] = [
    ['no JSON', (response) => reply(response, 'I think that it is on topic.'), /not JSON/],
    ['another field', (response) => reply(response, '{"relevant":true}'), /no field onTopic/],
    ['a word for the verdict', (response) => reply(response, '{"onTopic":"yes","reason":""}'), /no field onTopic/],
    ['an empty answer', (response) => reply(response, null), /empty/],
    ['a page of HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'), /chat protocol/],
    ['no choices', (response) => json(response, 200, { choices: [] }), /chat protocol/],
    ['a huge answer', (response) => response.writeHead(200).end('x'.repeat(5_000_000)), /longer than 262144 bytes/],
    [
      'half an answer',
      (response) => {
        response.writeHead(200, { 'content-length': '900' }).write('{"choices":');
        response.destroy();
      },
      /broke off|chat protocol|closed|terminated/,
    ],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://b.test/' }).end(), /302/],
  ];
  for (const [name, behaviour, why] of NO_ANSWERS)
    test(`${name}: a failure of the page, and nothing is stored`, async () => {
      server.behave(behaviour);
      const { judge } = judgeWith();
      const judged = await judge.judge(page(1));
      expect(judged).toMatchObject({ kind: 'failed' });
      expect(judged.kind === 'failed' ? judged.why : '').toMatch(why);
      server.behave(judgesBy('moss'));
      expect(await judgeWith().judge.judge(page(1))).toMatchObject({ kind: 'answer', cached: false });
    });

  test('ten pages in a row without an answer of the asked form end the judging', async () => {
    server.behave((response) => reply(response, 'yes'));
    const { judge } = judgeWith();
    expect(kinds(await judgeAll(judge, 10))).toEqual([...Array(9).fill('failed'), 'server']);
  });

  test('JSON in a fence is an answer', async () => {
    server.behave((response) => reply(response, '```json\n{"onTopic": false, "reason": "about\\ncars"}\n```'));
    expect(await judgeWith().judge.judge(page(1))).toEqual({ kind: 'answer', cached: false, onTopic: false, reason: 'about cars' });
  });

  test('a wrong key ends the judging at once, and the message does not quote it', async () => {
    server.behave((response, { headers }) => json(response, 401, { error: { message: `Incorrect API key: ${headers.authorization}` } }));
    const judged = await judgeWith({}, { key: 'sk-secret' }).judge.judge(page(1));
    expect(judged).toEqual({ kind: 'stop', stop: 'server', why: '401: Incorrect API key: Bearer (key)' });
    expect(server.requests).toHaveLength(1);
  });

  test('nothing listens: tried again by the failure table, without a token', async () => {
    const { url } = server;
    await server.close();
    const { judge, budget } = judgeWith({}, { url });
    expect(await judge.judge(page(1))).toMatchObject({ kind: 'failed', why: expect.stringMatching(/^connect: /) });
    expect([budget.calls, budget.tokens]).toEqual([3, 0]);
    server = await chatServer(judgesBy('moss'));
  });

  test('fields that a server refuses are left out from then on', async () => {
    server.behave((response, request, at) => {
      const { body } = request;
      if ('response_format' in body) json(response, 400, { error: { message: "'response_format.type' must be 'text'" } });
      else if ('max_tokens' in body) json(response, 400, { error: { message: "Unsupported parameter: use 'max_completion_tokens'" } });
      else judgesBy('moss')(response, request, at);
    });
    const { judge } = judgeWith();
    expect(kinds(await judgeAll(judge, 2))).toEqual(['answer', 'answer']);
    expect(server.requests).toHaveLength(4);
    expect(server.requests.at(-1)?.body['max_completion_tokens']).toBe(ANSWER_TOKENS);
  });

  test('a prompt that is too long fails that page alone, at once', async () => {
    server.behave((response) => json(response, 400, { error: { message: 'maximum context length is 512; lower max_tokens' } }));
    expect(await judgeWith().judge.judge(page(1))).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('maximum context length'),
    });
    expect(server.requests).toHaveLength(1);
  });
});

test('all of that by turns: each budget holds to the call, and every usable answer is stored', async () => {
  let usable = 0;
  const right: Behaviour = (response, request, at) => {
    usable += 1;
    judgesBy('moss')(response, request, at);
  };
  const turns: readonly Behaviour[] = [
    right,
    (response) => json(response, 500, {}),
    (response) => json(response, 429, {}, { 'retry-after': '5' }),
    (response) => reply(response, 'certainly'),
    right,
    (response) => response.destroy(),
    () => undefined,
    (response) => response.writeHead(200).end('y'.repeat(400_000)),
  ];
  server.behave((response, request, at) => turns[(at * 5) % turns.length]?.(response, request, at));
  for (const calls of IS_WHOLE ? [1, 10, 33] : [1, 26]) {
    const before = { requests: server.requests.length, usable };
    const tokens = 20_000;
    const { judge, budget } = judgeWith({ calls, tokens }, { callTime: 1000 });
    const all: LanguageJudgement[] = [];
    // As a session does: a page with an answer is not asked about again.
    for (let n = 1; all.at(-1)?.kind !== 'stop'; n++) all.push(await judge.judge(page(1000 * calls + n)));
    expect(server.requests.length - before.requests).toBe(budget.calls);
    expect(budget.calls).toBeLessThanOrEqual(calls);
    expect(budget.tokens).toBeLessThanOrEqual(tokens);
    expect(['calls', 'tokens']).toContain(kinds(all).at(-1));
    expect(kinds(all).filter((kind) => kind === 'answer')).toHaveLength(usable - before.usable);
  }
  const lines = readFileSync(join(dir, 'labelling/model-answers.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(usable);
  expect(usable).toBeGreaterThan(5);
});

test('Ctrl-C ends a call in flight and a pause', async () => {
  server.behave(() => undefined);
  const { judge, end } = judgeWith();
  const judging = judge.judge(page(1));
  setTimeout(() => end.abort(), 100);
  expect(await judging).toMatchObject({ kind: 'stop', stop: 'interrupted' });
  expect(kinds(await judgeAll(judge, 1))).toEqual(['interrupted']);
  expect(server.requests).toHaveLength(1);
});
