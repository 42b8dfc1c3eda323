import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { signalWithin } from '../../../src/base/core/time-signal.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Long enough that the collection comes before it. */
const SHORT = 300;

test.each([
  ['alone', () => []],
  ['with a signal that never aborts', () => [new AbortController().signal]],
  ['with the signals of a caller and of a closing crawl', () => [new AbortController().signal, new AbortController().signal]],
])('the time is over for a signal %s, also after a collection of garbage', async (_, others) => {
  const signal = signalWithin(SHORT, ...others());
  await sleep(20);
  collect();
  expect(signal.aborted).toBe(false);
  await expect.poll(() => signal.aborted, { timeout: 5000 }).toBe(true);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a signal that aborts first gives its reason', () => {
  const stop = new AbortController();
  const signal = signalWithin(60_000, stop.signal);
  stop.abort('stopped');
  expect(signal.reason).toBe('stopped');
});
