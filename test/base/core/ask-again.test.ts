import { expect, test } from 'vitest';
import { askAgain } from '../../../src/base/core/ask-again.ts';

/** A clock that notes its pauses, and an asker whose answers are a list. */
function asked(...answers: readonly number[]) {
  const pauses: number[] = [];
  let next = 0;
  const clock = {
    sleep: async (ms: number, signal: AbortSignal) => {
      pauses.push(signal.aborted ? -ms : ms);
    },
  };
  return { pauses, clock, ask: async () => answers[next++] ?? Number.NaN, times: () => next };
}

test('an answer that is final is asked for once', async () => {
  const { ask, clock, pauses, times } = asked(7, 8);
  expect(await askAgain(ask, () => null, clock)).toBe(7);
  expect([times(), pauses]).toEqual([1, []]);
});

test('a pause may depend on the answer and on the number of tries', async () => {
  const { ask, clock, pauses, times } = asked(1, 2, 3, 4, 5);
  expect(await askAgain(ask, (answer, tries) => (answer === 4 ? null : 10 * tries + answer), clock)).toBe(4);
  expect([times(), pauses]).toEqual([4, [11, 22, 33]]);
});

test('a pause of nothing is no pause', async () => {
  const { ask, clock, pauses } = asked(1, 2);
  expect(await askAgain(ask, (answer) => (answer === 1 ? 0 : null), clock)).toBe(2);
  expect(pauses).toEqual([]);
});

test('the signal ends pauses; whether to ask again is for the caller', async () => {
  const { ask, clock, pauses, times } = asked(1, 1, 1, 1);
  const end = new AbortController();
  const pauseAfter = (_: number, tries: number) => {
    if (tries === 2) end.abort();
    return tries === 4 ? null : 5;
  };
  expect(await askAgain(ask, pauseAfter, clock, end.signal)).toBe(1);
  expect([times(), pauses]).toEqual([4, [5, -5, -5]]);
});

test('an error of the asker ends it', async () => {
  const { clock, pauses } = asked();
  let tries = 0;
  const ask = async () => {
    tries += 1;
    if (tries === 3) throw new Error('gone');
    return tries;
  };
  await expect(askAgain(ask, () => 1, clock)).rejects.toThrow('gone');
  expect(pauses).toEqual([1, 1]);
});
