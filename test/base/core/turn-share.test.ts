import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnShare } from '../../../src/base/core/turn-share.ts';

test('a share begins with the first question of a turn, and is used up when its time is over', async () => {
  let now = 10;
  const share = new TurnShare(4, () => now);
  expect(share.isUsedUp()).toBe(false);
  now += 3.9;
  expect(share.isUsedUp()).toBe(false);
  now += 0.1;
  expect(share.isUsedUp()).toBe(true);
  await turnOfLoop();
  expect(share.isUsedUp()).toBe(false);
});
