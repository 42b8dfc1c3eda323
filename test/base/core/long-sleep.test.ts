import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';

test('a wait of years does not end at once', async () => {
  const stop = new AbortController();
  let isAwake = false;
  const sleep = systemClock.sleep(1000 * 86_400_000, stop.signal).then(() => {
    isAwake = true;
  });
  await pause(100);
  expect(isAwake).toBe(false);
  stop.abort();
  await sleep;
});
