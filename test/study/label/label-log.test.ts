import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { DataError, StoreError, UsageError } from '../../../src/base/core/errors.ts';
import { type LabelEntry, LabelLog, type ModelAnswer } from '../../../src/study/label/label-log.ts';
import { runs } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-labels-'));
const path = join(dir, 'labels.jsonl');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => rmSync(path, { force: true }));

const AT = '2026-01-02T03:04:05.000Z';
const warnings: string[] = [];

/** The lines alone: for the note beside them see `label-witness.test.ts`. */
function open(seed?: number): LabelLog {
  rmSync(join(dir, 'labels-known.json'), { force: true });
  warnings.length = 0;
  return LabelLog.open(path, seed, (message) => warnings.push(message));
}

function entry(page: string, answer: LabelEntry['answer'], queue: LabelEntry['queue'] = 'uncertain', known = false): LabelEntry {
  return {
    url: `http://a.test/${page}`,
    answer,
    queue,
    ...(known ? { known: true } : {}),
    relevance: 0.5,
    modelId: 'm',
    sha256: 'f'.repeat(64),
    at: AT,
  };
}

async function stored(...entries: readonly LabelEntry[]): Promise<void> {
  const log = open();
  for (const one of entries) await log.append([one]);
  await log.close();
}

/** As Forager 0.1 wrote them. */
function withoutChecksums(lines: string): string {
  return lines.replaceAll(/,"crc32":"[0-9a-f]{8}"/g, '');
}

test('answers come back in order, with the state they make', async () => {
  await stored(entry('1', 'y'), entry('2', 'n', 'random'), entry('3', 'skip', 'import'), entry('1', 'n', 'random', true));
  const log = open();
  expect(log.entries).toEqual([entry('1', 'y'), entry('2', 'n', 'random'), entry('3', 'skip', 'import'), entry('1', 'n', 'random', true)]);
  expect([...log.state.answers]).toEqual([
    ['http://a.test/1', 'n'],
    ['http://a.test/2', 'n'],
    ['http://a.test/3', 'skip'],
  ]);
  expect([...log.state.drawn]).toEqual(['http://a.test/2', 'http://a.test/1']);
  expect(log.state.turns).toBe(3);
  expect(log.labels.map(({ url, answer }) => [url, answer])).toEqual([
    ['http://a.test/1', 'n'],
    ['http://a.test/2', 'n'],
  ]);
  expect(log.lines).toBe(5);
});

function modelAnswer(page: string, answer: ModelAnswer['answer'], judge = 'first'): ModelAnswer {
  const by = { by: 'model', judge, languageModel: 'small', reason: 'because' } as const;
  return { ...by, url: `http://a.test/${page}`, answer, queue: 'random', relevance: 0.5, modelId: 'm', sha256: 'f'.repeat(64), at: AT };
}

test('answers of a language model are stored beside those of a person, and are none of its labels, turns, draws and undone answers', async () => {
  const log = open();
  await log.append([entry('1', 'y')]);
  await log.appendModelAnswer(modelAnswer('1', 'n'));
  await log.append([entry('2', 'n', 'random')]);
  await log.appendModelAnswer(modelAnswer('3', 'y'));
  expect(await log.undo(0, AT)).toBe(true);
  await log.close();
  for (const one of [log, open()]) {
    expect(one.entries).toEqual([entry('1', 'y')]);
    expect(one.labels).toHaveLength(1);
    expect(one.labelsUnder(new Set(['m']))).toHaveLength(1);
    expect(one.state).toMatchObject({ turns: 1, drawn: new Set() });
    expect(one.modelAnswers()).toEqual([modelAnswer('1', 'n'), modelAnswer('3', 'y')]);
    expect(one.modelAnswers(3)).toEqual([modelAnswer('1', 'n')]);
    expect(one.lines).toBe(6);
  }
});

test('another rubric or language model is another judge: the answers of the last one count, the last of each page', async () => {
  const log = open();
  for (const one of [
    modelAnswer('1', 'n'),
    modelAnswer('2', 'n', 'second'),
    modelAnswer('2', 'y', 'second'),
    modelAnswer('3', 'n', 'second'),
  ])
    await log.appendModelAnswer(one);
  await log.close();
  expect(open().modelAnswers()).toEqual([modelAnswer('2', 'y', 'second'), modelAnswer('3', 'n', 'second')]);
});

test('opening and closing writes nothing', async () => {
  await open().close();
  expect(existsSync(path)).toBe(false);
});

test('an answer taken back does not count, nor draws after it that needed none; what the session began with stays', async () => {
  await stored(entry('1', 'y'));
  const log = open();
  await log.append([entry('2', 'n')]);
  await log.append([entry('1', 'y', 'random', true)]);
  expect(await log.undo(1, AT)).toBe(true);
  expect(log.state.turns).toBe(1);
  expect(await log.undo(1, AT)).toBe(false);
  await log.append([entry('2', 'y')]);
  await log.close();
  expect(open().entries).toEqual([entry('1', 'y'), entry('2', 'y')]);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBe(6);
});

test('answers of some lines are taken back, and draws that they answered; those of others, and from before the session, stay', async () => {
  const log = open();
  for (const one of [entry('1', 'y'), entry('2', 'n'), entry('3', 'y'), entry('2', 'n', 'random', true), entry('3', 'y', 'random', true)])
    await log.append([one]);
  expect(await log.undoLines([2], 1, AT)).toBe(false);
  expect(await log.undoLines([9], 0, AT)).toBe(false);
  expect(await log.undoLines([3], 1, AT)).toBe(true);
  await log.append([entry('4', 'y')]);
  await log.close();
  const left = [entry('1', 'y'), entry('3', 'y'), entry('3', 'y', 'random', true), entry('4', 'y')];
  for (const one of [log, open()]) {
    expect(one.entries).toEqual(left);
    expect(one.labelsUnder(new Set(['m']), 6)).toHaveLength(2);
  }
  expect(readFileSync(path, 'utf8')).toContain('{"undo":[3,5]');
});

test('the last lines are taken back as the last answers are', async () => {
  const log = open();
  for (const one of [entry('1', 'y'), entry('2', 'n'), entry('1', 'y', 'random', true)]) await log.append([one]);
  expect(await log.undoLines([3], 0, AT)).toBe(true);
  await log.close();
  expect(open().entries).toEqual([entry('1', 'y')]);
  expect(readFileSync(path, 'utf8')).toContain('{"undo":2');
});

test('labels as the answers under some models gave them', async () => {
  await stored(entry('1', 'y'), entry('2', 'n'), { ...entry('1', 'n'), modelId: 'later' });
  const answersUnder = (...models: string[]) =>
    open()
      .labelsUnder(new Set(models))
      .map(({ answer }) => answer);
  expect(answersUnder('m')).toEqual(['y', 'n']);
  expect(answersUnder('m', 'later')).toEqual(['n', 'n']);
  expect(answersUnder()).toEqual([]);
  expect(open().labels.map(({ answer }) => answer)).toEqual(['n', 'n']);
});

test('what could not be written is by the next call: file and memory say the same', async () => {
  const folder = join(dir, 'later');
  const log = LabelLog.open(join(folder, 'labels.jsonl'), undefined, (message) => warnings.push(message));
  await expect(log.append([entry('1', 'y'), entry('2', 'y')])).rejects.toThrow(StoreError);
  await expect(log.undo(0, AT)).rejects.toThrow(StoreError);
  mkdirSync(folder);
  await log.append([entry('3', 'n')]);
  await log.close();
  expect(LabelLog.open(log.path, undefined, () => undefined).entries).toEqual(log.entries);
  expect(log.entries).toEqual([entry('1', 'y'), entry('3', 'n')]);
});

wholeTest('as many at once as a file of labels can bring', async () => {
  const log = open();
  await log.append(Array.from({ length: 200_000 }, () => entry('1', 'y', 'import')));
  await log.close();
  expect(log.entries.length).toBe(200_000);
});

test('bytes that are no UTF-8 do not move what is written after them', async () => {
  await stored(entry('caf\u00e9', 'y'));
  const utf8 = withoutChecksums(readFileSync(path, 'utf8'));
  writeFileSync(path, Buffer.from(utf8, 'latin1'));
  await stored(entry('2', 'n'));
  expect(open().entries.map(({ answer }) => answer)).toEqual(['y', 'n']);
});

test('cut anywhere, as by a crash: what stood in whole lines is there, the rest is told of, and writing goes on', async () => {
  await stored(entry('1', 'y'), entry('2', 'n', 'random'), entry('ü'.repeat(300), 'y'));
  const whole = readFileSync(path);
  const ends = [...whole.keys()].filter((at) => whole[at] === 10).map((at) => at + 1);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (length) => {
      writeFileSync(path, whole);
      truncateSync(path, length);
      const log = open();
      const lines = ends.filter((end) => end <= length).length;
      expect(log.entries.length).toBe(Math.max(0, lines - 1));
      expect(warnings.length).toBe(length === 0 || ends.includes(length) ? 0 : 1);
      await log.append([entry('4', 'skip')]);
      await log.close();
      expect(open().entries.at(-1)).toEqual(entry('4', 'skip'));
      expect(open().entries.length).toBe(Math.max(0, lines - 1) + 1);
      expect(warnings).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});

test('any bit flipped in a stored line is told with the number of the line', async () => {
  await stored(entry('1', 'y'), entry('2', 'n', 'random'));
  const whole = readFileSync(path);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length - 2 }), fc.integer({ min: 0, max: 7 }), (at, bit) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, bytes);
      expect(() => open()).toThrow(/labels\.jsonl:[123]/);
    }),
  );
});

test('a file that Forager 0.1 began goes on, its new lines with checksums; a line without one after them is damaged', async () => {
  await stored(entry('1', 'y'));
  writeFileSync(path, withoutChecksums(readFileSync(path, 'utf8')));
  await stored(entry('2', 'n'));
  expect(open().entries).toEqual([entry('1', 'y'), entry('2', 'n')]);
  appendFileSync(path, `${withoutChecksums(readFileSync(path, 'utf8')).split('\n')[2]}\n`);
  expect(() => open()).toThrow(`${path}:4`);
});

test('the seed is that of the first labels', async () => {
  const log = open(7);
  await log.append([entry('1', 'y')]);
  await log.close();
  expect(open().seed).toBe(7);
  expect(open(7).seed).toBe(7);
  expect(() => open(8)).toThrow(UsageError);
  expect(() => open(8)).toThrow(/--seed-rng 7/);
});

test.each([
  ['{"url":1}', 'is not a line of a label file'],
  ['nonsense', 'is not a line of a label file'],
  [`{"undo":9,"at":"${AT}"}`, 'takes back more answers than there are'],
  [`{"undo":[9],"at":"${AT}"}`, 'takes back answers that are not there'],
])('a line that makes no sense, %s, is named', async (line, why) => {
  await stored(entry('1', 'y'));
  writeFileSync(path, `${withoutChecksums(readFileSync(path, 'utf8'))}${line}\n`);
  expect(() => open()).toThrow(DataError);
  expect(() => open()).toThrow(`${path}:3`);
  expect(() => open()).toThrow(why);
});

test.each(['my thesis\n', 'my thesis', '{"format":"forager-corpus"}'])('a file that is something else, %j, is refused', (content) => {
  writeFileSync(path, content);
  expect(() => open()).toThrow(/labels.jsonl:1: is not a line of a label file/);
  expect(warnings).toEqual([]);
});

test('answers after an undo have the lines that they are on: they are taken back by these, and learned up to these', async () => {
  const log = open();
  await log.append([entry('1', 'y'), entry('2', 'n')]);
  expect(await log.undo(0, AT)).toBe(true);
  await log.append([entry('3', 'y')]);
  const under = (lines: number) => log.labelsUnder(new Set(['m']), lines).map(({ url }) => url.slice(-1));
  expect(log.lines).toBe(5);
  // The lines 2 and 5: line 3 was taken back by line 4.
  expect([1, 2, 3, 4, 5].map(under)).toEqual([[], ['1'], ['1'], ['1'], ['1', '3']]);
  expect(await log.undoLines([5], 0, AT)).toBe(true);
  expect(log.entries.map(({ url }) => url.slice(-1))).toEqual(['1']);
  await log.close();
  const again = open();
  expect(again.entries.map(({ url }) => url.slice(-1))).toEqual(['1']);
  await again.close();
});

test.each([[[1]], [[1, 1]], [[2, 1]], [[1, 2, 1]]])(
  'the same in a file that is read: undo of the last answers, %j each time',
  async (undone) => {
    const log = open();
    for (const [i, count] of undone.entries()) {
      await log.append([entry(`a${i}`, 'y'), entry(`b${i}`, 'n')]);
      await log.undo(0, AT, count);
    }
    await log.append([entry('last', 'y')]);
    await log.close();
    const again = open();
    const lines = again.lines;
    expect(again.labelsUnder(new Set(['m']), lines - 1).map(({ url }) => url)).not.toContain('http://a.test/last');
    expect(again.labelsUnder(new Set(['m']), lines).map(({ url }) => url)).toContain('http://a.test/last');
    expect(await again.undoLines([lines], 0, AT)).toBe(true);
    expect(again.entries.map(({ url }) => url)).not.toContain('http://a.test/last');
    await again.close();
  },
);

test('a decision counts before all answers, later ones and draws too; it takes no turn, and undo takes it back', async () => {
  await stored(entry('1', 'y', 'random'), entry('1', 'n', 'import'), entry('1', 'y', 'decision'), entry('1', 'n', 'import'));
  const log = open();
  expect(log.labels.map(({ answer }) => answer)).toEqual(['y']);
  expect(log.state.answers.get('http://a.test/1')).toBe('y');
  expect(log.state.turns).toBe(1);
  await log.append([entry('1', 'skip', 'decision')]);
  expect(log.labels).toEqual([]);
  expect(await log.undo(4, AT)).toBe(true);
  expect(log.labels.map(({ answer }) => answer)).toEqual(['y']);
  await log.close();
  expect(open().labels.map(({ answer }) => answer)).toEqual(['y']);
});
