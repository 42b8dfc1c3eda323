import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ReplyLine } from '../../../src/base/core/reply-line.ts';

test('as many replies a turn as fit into its share, in their order', async () => {
  let now = 0;
  const line = new ReplyLine(() => now);
  const log: string[] = [];
  for (const reply of ['a', 'b', 'c', 'd', 'e'])
    line.add(() => {
      log.push(reply);
      now += 5;
    });
  expect(log).toEqual(['a']);
  for (let turn = 1; turn <= 4; turn++) {
    await turnOfLoop();
    log.push(`turn ${turn}`);
  }
  expect(log.filter((line) => line.length === 1)).toEqual(['a', 'b', 'c', 'd', 'e']);
  const sizes = log
    .join(' ')
    .split(/ ?turn \d ?/)
    .map((replies) => replies.split(' ').filter((reply) => reply !== '').length);
  expect(Math.max(...sizes)).toBe(2);
});

test('the visit that a reply starts runs before the next reply is handed over', async () => {
  const line = new ReplyLine();
  const log: string[] = [];
  for (const reply of ['a', 'b'])
    line.add(() => {
      void (async () => {
        for (let step = 0; step < 5; step++) await undefined;
        log.push(`${reply} settled`);
      })();
      log.push(reply);
    });
  for (let turn = 0; turn < 3; turn++) await turnOfLoop();
  expect(log).toEqual(['a', 'a settled', 'b', 'b settled']);
});

test('a reply that comes while others wait is behind them; later ones are handed over at once', async () => {
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

test('a reply that throws does not stop the line', async () => {
  const line = new ReplyLine();
  const log: string[] = [];
  const broken = () => {
    throw new Error('broken');
  };
  expect(() => line.add(broken)).toThrow('broken');
  line.add(() => log.push('next'));
  await turnOfLoop();
  expect(log).toEqual(['next']);
});
