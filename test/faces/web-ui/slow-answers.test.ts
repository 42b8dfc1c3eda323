/** A screen that takes long: the browser is told so, and gets it when it asks again. */
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/base/core/errors.ts';
import { html } from '../../../src/faces/web-ui/markup.ts';
import type { OpenedCrawl } from '../../../src/faces/web-ui/opened-crawl.ts';
import { PageServer } from '../../../src/faces/web-ui/page-server.ts';
import type { Reply } from '../../../src/faces/web-ui/route.ts';
import { NO_RUN } from '../../../src/faces/web-ui/run.ts';
import { SlowAnswers } from '../../../src/faces/web-ui/slow-answers.ts';
import { STRINGS } from '../../../src/faces/web-ui/strings.ts';
import { PageClient, sent } from './page-client.ts';

const PATIENCE = 20;
const screen: Reply = { kind: 'screen', title: 'a', main: html`<p>there</p>` };

/** An answer that comes when it is told to. */
function held() {
  const state = { asked: 0, give: (_: Reply): void => undefined, fail: (_: Error): void => undefined };
  const answer = () => {
    state.asked += 1;
    return new Promise<Reply>((resolve, reject) => {
      [state.give, state.fail] = [resolve, reject];
    });
  };
  return { state, answer };
}

test('what is there in time is given; what is not is waited for, not asked for twice', async () => {
  const answers = new SlowAnswers(PATIENCE);
  expect(await answers.soon('/', () => Promise.resolve(screen))).toBe(screen);
  const { state, answer } = held();
  const first = await answers.soon('/', answer);
  const second = await answers.soon('/', answer);
  expect([first, second].map((reply) => typeof reply)).toEqual(['number', 'number']);
  expect(second).toBeGreaterThan(first as number);
  state.give(screen);
  expect(await answers.soon('/', answer)).toBe(screen);
  expect(state.asked).toBe(1);
  // Given once: the next time it is asked for anew.
  void answers.soon('/', answer);
  expect(state.asked).toBe(2);
});

test('another address has an answer of its own; a failure is told, once', async () => {
  const answers = new SlowAnswers(PATIENCE);
  const { state, answer } = held();
  await answers.soon('/pages', answer);
  expect(await answers.soon('/hosts', () => Promise.resolve(screen))).toBe(screen);
  state.fail(new Error('EIO'));
  await expect(answers.soon('/pages', answer)).rejects.toThrow('EIO');
  expect(await answers.soon('/pages', () => Promise.resolve(screen))).toBe(screen);
});

test('a navigation gets a screen that asks again by itself; scripts and who says so wait for the answer', async () => {
  const fail: ((error: Error) => void)[] = [];
  const survey = { of: () => new Promise((_, reject) => fail.push(reject)) };
  const place = { dir: 'crawls/moss', monitor: null, run: { now: () => NO_RUN }, survey } as unknown as OpenedCrawl;
  const server = await PageServer.open({ project: null, place: () => place }, { host: '127.0.0.1', port: 0 });
  const { cookie, origin } = await PageClient.of(server.url);
  const asked = (headers: Record<string, string>) => sent(origin, '/', { headers: { cookie, ...headers } });
  const others = [asked({ 'sec-fetch-mode': 'cors' }), asked({ 'sec-fetch-mode': 'navigate', prefer: 'wait=300' })];
  const { status, headers, text } = await asked({ 'sec-fetch-mode': 'navigate' });
  expect({ status, refresh: headers['refresh'] }).toEqual({ status: 202, refresh: '1' });
  expect(text).toContain(STRINGS.wait.title);
  for (const end of fail) end(new UsageError('damaged'));
  expect((await Promise.all([...others, asked({ 'sec-fetch-mode': 'navigate' })])).map((answer) => answer.status)).toEqual([400, 400, 400]);
  await server.close();
});
