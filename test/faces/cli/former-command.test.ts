/** Options of `label` in 0.2 that are commands now: each still works, and names the line to write. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readCommandLine } from '../../../src/faces/cli/cli.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-former-'));
afterAll(() => rmSync(dir, { recursive: true }));

let said = '';
beforeEach(() => {
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

async function read(...words: string[]) {
  const line = await readCommandLine(words);
  return { command: line?.command.name, values: line?.values };
}

/** The line that a notice tells to write, as words. */
function told(): string[] {
  return /write: npx forager (.*)$/m.exec(said)?.[1]?.split(' ') ?? [];
}

test.each([
  [['m', '--audit', '30'], 'label audit', { dir: 'm', count: 30 }, 'label audit m --count 30'],
  [
    ['--audit=8', 'm', '--name', 'anna', '--top', '2'],
    'label audit',
    { dir: 'm', count: 8, name: 'anna', top: 2 },
    'label audit m --name anna --top 2 --count 8',
  ],
  [
    ['m', '--labels', 'l.csv', '--no-retrain'],
    'label import',
    { dir: 'm', file: 'l.csv', retrain: false },
    'label import m l.csv --no-retrain',
  ],
  [['m', '--labels', 'l.csv', '--retrain'], 'label import', { dir: 'm', file: 'l.csv', retrain: true }, 'label import m l.csv --retrain'],
  [
    ['m', '--export-labels', 'out.csv', '--json'],
    'label export',
    { dir: 'm', file: 'out.csv', json: true },
    'label export m out.csv --json',
  ],
  [['m', '--none-of', 'shop.example'], 'label none-of', { dir: 'm', place: 'shop.example' }, 'label none-of m shop.example'],
  [['m', '--retrain', '--even-if-worse'], 'label train', { dir: 'm', evenIfWorse: true }, 'label train m --even-if-worse'],
  [['m', '--undo-training', '--topic-name', 'peat'], 'label undo', { dir: 'm', topicName: 'peat' }, 'label undo m --topic-name peat'],
  [
    ['m', '--judge', 'openai', '--judge-model', 'q', '--judge-calls', '9', '--count', '5'],
    'label judge',
    { dir: 'm', judgeModel: 'q', judgeCalls: 9, count: 5 },
    'label judge m --count 5 --judge-model q --judge-calls 9',
  ],
  [['m', '--judge-url', 'http://h/v1'], 'label judge', { dir: 'm', judgeUrl: 'http://h/v1' }, 'label judge m --judge-url http://h/v1'],
])('label %j is %s', async (words, command, values, line) => {
  expect(await read('label', ...words)).toEqual({ command, values });
  expect(told().join(' ')).toBe(line);
  const [former] = [said];
  said = '';
  expect(await read(...line.split(' '))).toEqual({ command, values });
  expect([former.split('\n').length, said]).toEqual([2, '']);
});

test.each([
  [['m', '--audit', '3', '--every', '2'], '--every: label audit does not read it; omit it', 'label audit m --count 3'],
  [['m', '--undo-training', '--retrain'], '--retrain: label undo does not read it; omit it', 'label undo m'],
  [['m', '--export-labels', 'a.csv', '--new-hosts'], '--new-hosts: label export does not read it; omit it', 'label export m a.csv'],
  [['m', '--none-of', 'a.example', '--count', '3'], '--count: label none-of does not read it; omit it', 'label none-of m a.example'],
])('label %j is refused, with the line to write', async (words, error, line) => {
  await expect(read('label', ...words)).rejects.toThrow(error);
  expect(told().join(' ')).toBe(line);
});

test('two commands in one line are refused with the first', async () => {
  await expect(read('label', 'm', '--judge', 'openai', '--labels', 'x.csv')).rejects.toThrow(
    '--labels, --judge: are commands of their own now, so give one of them: npx forager label import m x.csv',
  );
});

test('a word that the option never had is refused still', async () => {
  await expect(read('label', 'm', '--judge', 'other', '--judge-model', 'q')).rejects.toThrow('--judge other: not one of openai');
});

test('a label session is one, also without training, and with a switch that is off', async () => {
  expect(await read('label', 'm', '--no-retrain', '--undo-training', 'off')).toEqual({
    command: 'label',
    values: { dir: 'm', retrain: false },
  });
  expect(said).toBe('');
});

const file = (content: string) => {
  const path = join(dir, 'forager.yaml');
  writeFileSync(path, content);
  return path;
};

test('a file of options of 0.2 means the same', async () => {
  const path = file(
    'label:\n  judge: openai\n  judge-url: http://h/v1\n  judge-model: q\n  name: anna\n  count: 40\ncrawl:\n  dir: crawls/x\n',
  );
  expect(await read('label', 'm', '--config', path)).toEqual({
    command: 'label judge',
    values: { dir: 'm', judgeUrl: 'http://h/v1', judgeModel: 'q', count: 40 },
  });
  expect(said).toContain(`${path}:2: judge: is a command of its own now`);
  expect(told().join(' ')).toBe(`label judge m --config ${path}`);
});

test('options of another command in a file wait for that command', async () => {
  const path = file('label:\n  judge-url: http://h/v1\n  judge-model: q\n  name: anna\n  topic-name: peat\n');
  expect(await read('label', 'm', '--config', path)).toEqual({ command: 'label', values: { dir: 'm', name: 'anna', topicName: 'peat' } });
  expect((await read('label', 'judge', 'm', '--config', path)).values).toEqual({
    dir: 'm',
    topicName: 'peat',
    judgeUrl: 'http://h/v1',
    judgeModel: 'q',
  });
  expect(said).toBe('');
});

test('each command has its section, wider ones supply the rest, and a number of questions is of one command', async () => {
  const path = file('skip-damaged: true\ncount: 7\nlabel:\n  name: anna\n  count: 9\nlabel audit:\n  count: 50\ncrawl:\n  dir: crawls/x\n');
  const shared = { dir: 'crawls/x', skipDamaged: true };
  expect((await read('label', 'audit', '--config', path)).values).toEqual({ ...shared, name: 'anna', count: 50 });
  expect((await read('label', 'judge', '--config', path)).values).toEqual(shared);
  expect((await read('label', 'import', '--config', path, 'l.csv')).values).toEqual({ ...shared, name: 'anna', file: 'l.csv' });
  expect((await read('label', '--config', path)).values).toEqual({ ...shared, name: 'anna', count: 9 });
});

test('a crawl whose name is that of a command is named by its path', async () => {
  expect(await read('label', './audit')).toEqual({ command: 'label', values: { dir: './audit' } });
  await expect(read('label', 'audit')).rejects.toThrow('write: forager label audit <dir>');
  await expect(read('label', 'audti', 'm')).rejects.toThrow('did you mean forager label audit?');
  await expect(read('label', 'import', 'm')).rejects.toThrow('write: forager label import <dir> <file>');
});
