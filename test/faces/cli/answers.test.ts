import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { answersFrom } from '../../../src/faces/cli/answers.ts';

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
  /** Once what was shown before has been seen. */
  const press = async (keys: string) => {
    await turns();
    terminal.write(keys);
    await turns();
  };
  return { terminal, stop, told, answers, press };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('one key is one answer, upper case too; other keys are told of', async () => {
  const { answers, press, told } = keyboard();
  for (const [key, reply] of [
    ['y', 'y'],
    ['N', 'n'],
    ['s', 'skip'],
    ['u', 'undo'],
    ['q', 'quit'],
    ['\x04', 'quit'],
    ['\x03', 'interrupt'],
  ] as const) {
    const next = answers.next();
    await press('x');
    await press(key);
    expect(await next).toBe(reply);
  }
  expect(told).toEqual(Array(7).fill('x'));
  answers.close();
});

test('Ctrl-C ends the session whenever it is pressed', async () => {
  const { answers, press } = keyboard();
  await press('\x03');
  expect(await answers.next()).toBe('interrupt');
  answers.close();
});

test('keys pressed before a page is shown are not answers to it, nor those while the topic is trained; an arrow key is none', async () => {
  const { answers, press, told, terminal } = keyboard();
  await press('y');
  answers.suspend();
  terminal.write('s');
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

/** A process that waits for an answer of a terminal that writes down its modes, and sends itself a signal. */
const SIGNALLED = `
  import { PassThrough } from 'node:stream';
  import { answersFrom } from ${JSON.stringify(new URL('../../../dist/faces/cli/answers.js', import.meta.url).href)};
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw) => process.stdout.write(raw ? 'raw ' : 'cooked ') });
  void answersFrom(terminal, new AbortController().signal, () => undefined).next();
  process.kill(process.pid, process.argv[1]);
  setTimeout(() => process.stdout.write('survived'), 60_000);
`;

test.each(['SIGHUP', 'SIGQUIT'])('%s still ends the process, with the terminal as it was', (signal) => {
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', SIGNALLED, signal], {
    encoding: 'utf8',
    // SIGQUIT may leave a core file.
    cwd: tmpdir(),
  });
  expect([ended.stdout, ended.stderr, ended.signal]).toEqual(['raw cooked ', '', signal]);
});

test('a terminal that goes away ends the session, whether or not an answer is waited for', async () => {
  const { answers, terminal } = keyboard();
  const next = answers.next();
  await turns();
  terminal.end();
  expect(await next).toBe('quit');
  expect(await answers.next()).toBe('quit');
  answers.close();
  const broken = keyboard();
  broken.terminal.destroy(new Error('EIO'));
  await turns();
  expect(await broken.answers.next()).toBe('quit');
  broken.answers.close();
});

test('from a pipe each line is an answer, words too; the end is quit', async () => {
  const input = new PassThrough();
  const told: string[] = [];
  const answers = answersFrom(input as unknown as NodeJS.ReadStream, new AbortController().signal, (what) => told.push(what));
  input.end('y\n\nNo\nperhaps\nconstructor\n skip \nundo\n');
  const replies = [];
  for (let i = 0; i < 5; i++) replies.push(await answers.next());
  expect(replies).toEqual(['y', 'n', 'skip', 'undo', 'quit']);
  expect(told).toEqual(['perhaps', 'constructor']);
  answers.close();
});
