import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ReplyLine } from '../../src/reader/reply-line.ts';

test('the first reply is handed over at once, each other one in a turn of its own, in their order', async () => {
  const line = new ReplyLine();
  const log: string[] = [];
  for (const reply of ['a', 'b', 'c']) line.add(() => log.push(reply));
  expect(log).toEqual(['a']);
  for (let turn = 1; turn <= 4; turn++) {
    await turnOfLoop();
    log.push(`turn ${turn}`);
  }
  expect(log).toEqual(['a', 'b', 'turn 1', 'c', 'turn 2', 'turn 3', 'turn 4']);
});

test('a reply that comes while others wait is behind them', async () => {
  const line = new ReplyLine();
  const log: string[] = [];
  line.add(() => log.push('a'));
  line.add(() => {
    log.push('b');
    line.add(() => log.push('d'));
  });
  line.add(() => log.push('c'));
  for (let turn = 0; turn < 5; turn++) await turnOfLoop();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
  line.add(() => log.push('e'));
  expect(log.at(-1)).toBe('e');
});
