import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { answersFrom } from '../../src/cli/answers.ts';

/** A terminal as far as keys are concerned: bytes come, and raw mode is on or off. */
class Terminal extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }
}

function keyboard() {
  const terminal = new Terminal();
  const stop = new AbortController();
  const told: string[] = [];
  const answers = answersFrom(terminal as unknown as NodeJS.ReadStream, stop.signal, (what) => told.push(what));
  const press = async (keys: string) => {
    terminal.write(keys);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { terminal, stop, told, answers, press };
}

test('one key is one answer, upper case too; other keys are told of', async () => {
  const { answers, press, told } = keyboard();
  for (const [key, reply] of [
    ['y', 'y'],
    ['N', 'n'],
    ['s', 'skip'],
    ['u', 'undo'],
    ['q', 'quit'],
    ['\x03', 'interrupt'],
    ['\x04', 'quit'],
  ] as const) {
    const next = answers.next();
    await press('x');
    await press(key);
    expect(await next).toBe(reply);
  }
  expect(told).toEqual(Array(7).fill('x'));
  answers.close();
});

test('keys pressed before a page is shown are not answers to it; an arrow key is none', async () => {
  const { answers, press, told } = keyboard();
  await press('y');
  const next = answers.next();
  await press('\x1b[A');
  await press('n');
  expect(await next).toBe('n');
  expect(told).toEqual(['\x1b[A']);
  answers.close();
});

test('raw mode is on while answers are waited for, and off when suspended, closed, or at the exit of the process', async () => {
  const listeners = process.listenerCount('exit');
  const { terminal, answers, press } = keyboard();
  expect(terminal.isRaw).toBe(true);
  answers.suspend();
  expect([terminal.isRaw, terminal.isPaused()]).toEqual([false, true]);
  const next = answers.next();
  expect([terminal.isRaw, terminal.isPaused()]).toEqual([true, false]);
  await press('y');
  expect(await next).toBe('y');
  expect(process.listenerCount('exit')).toBe(listeners + 1);
  (process.listeners('exit').at(-1) as () => void)();
  expect(terminal.isRaw).toBe(false);
  answers.close();
  answers.close();
  expect(process.listenerCount('exit')).toBe(listeners);
});

test('a signal ends the waiting, and all that comes after', async () => {
  const { answers, stop, terminal } = keyboard();
  const next = answers.next();
  stop.abort();
  expect(await next).toBe('interrupt');
  expect(await answers.next()).toBe('interrupt');
  answers.close();
  expect(terminal.isRaw).toBe(false);
});

test('a terminal that goes away ends the session', async () => {
  const { answers, terminal } = keyboard();
  const next = answers.next();
  terminal.end();
  expect(await next).toBe('quit');
  answers.close();
});

test('from a pipe each line is an answer, words too; the end is quit', async () => {
  const input = new PassThrough();
  const told: string[] = [];
  const answers = answersFrom(input as unknown as NodeJS.ReadStream, new AbortController().signal, (what) => told.push(what));
  input.end('y\n\nNo\nperhaps\n skip \nundo\n');
  const replies = [];
  for (let i = 0; i < 5; i++) replies.push(await answers.next());
  expect(replies).toEqual(['y', 'n', 'skip', 'undo', 'quit']);
  expect(told).toEqual(['perhaps']);
  answers.close();
});
