import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AnswerCache, answerKey, type StoredAnswer } from '../../../../src/study/label/judge/answer-cache.ts';

let labelling: string;
const file = () => join(labelling, 'model-answers.jsonl');

beforeEach(() => {
  labelling = mkdtempSync(join(tmpdir(), 'answers-'));
});
afterEach(() => rmSync(labelling, { recursive: true }));

function answer(text: string): StoredAnswer {
  const key = answerKey('small', { system: 'rubric', user: text });
  return { key, model: 'small', onTopic: true, reason: text, tokens: 7, at: '2026-01-01T00:00:00.000Z' };
}

async function withTwo(): Promise<void> {
  const cache = AnswerCache.open({ labelling });
  await cache.add(answer('a'));
  await cache.add(answer('b'));
  await cache.close();
}

test('an answer is on disk when add resolves; a later session has it', async () => {
  const cache = AnswerCache.open({ labelling });
  await cache.add(answer('a'));
  // Not closed: as after kill -9.
  expect(AnswerCache.open({ labelling }).get(answer('a').key)).toEqual(answer('a'));
  expect(AnswerCache.open({ labelling }).get(answer('b').key)).toBeUndefined();
  await cache.close();
});

test('a last line that broke off is cut, at each of its bytes; the answers before it stay', async () => {
  await withTwo();
  const whole = readFileSync(file());
  const start = whole.indexOf('\n') + 1;
  for (let end = start + 1; end < whole.length; end += 17) {
    writeFileSync(file(), whole.subarray(0, end));
    const cache = AnswerCache.open({ labelling });
    expect(cache.get(answer('a').key)).toEqual(answer('a'));
    expect(cache.get(answer('b').key)).toBeUndefined();
    await cache.add(answer('c'));
    await cache.close();
    const again = AnswerCache.open({ labelling });
    expect([answer('a'), answer('c')].map(({ key }) => again.get(key)?.reason)).toEqual(['a', 'c']);
  }
});

test('a changed byte before the last line is damage, with the line', async () => {
  await withTwo();
  const bytes = readFileSync(file());
  bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
  writeFileSync(file(), bytes);
  expect(() => AnswerCache.open({ labelling })).toThrow(/model-answers\.jsonl:1: is not a stored answer \(its checksum is wrong\)/);
});

test('a line without a checksum is no answer', async () => {
  await withTwo();
  appendFileSync(file(), `${JSON.stringify(answer('c'))}\n`);
  expect(() => AnswerCache.open({ labelling })).toThrow(/:3: is not a stored answer/);
});

test('the key is of model, rubric and page', () => {
  const prompt = { system: 's', user: 'u' };
  const keys = [
    answerKey('m', prompt),
    answerKey('n', prompt),
    answerKey('m', { ...prompt, system: 't' }),
    answerKey('m', { ...prompt, user: 'v' }),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(answerKey('m', { ...prompt })).toBe(keys[0]);
});
