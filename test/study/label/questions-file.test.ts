import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import { openQuestions, readQuestions, writeQuestions } from '../../../src/study/label/questions-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-questions-'));
const labelling = join(dir, 'labelling');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => rmSync(labelling, { recursive: true, force: true }));

const BATCH = {
  visits: 80,
  at: '2026-01-02T03:04:05.000Z',
  questions: [
    { url: 'http://a.test/1', queue: 'random' as const },
    { url: 'http://a.test/2', queue: 'spread' as const },
  ],
};

test('questions come back; without a file there are none', () => {
  expect(readQuestions({ labelling })).toEqual([]);
  writeQuestions({ labelling }, [BATCH]);
  writeQuestions({ labelling }, [BATCH, { ...BATCH, visits: 240 }]);
  expect(readQuestions({ labelling }).map(({ visits }) => visits)).toEqual([80, 240]);
});

test('a question is open until its page has an answer or a skip', () => {
  expect(openQuestions([BATCH], new Map([['http://a.test/1', 'skip']]))).toEqual([BATCH.questions[1]]);
  expect(openQuestions([BATCH], new Map())).toHaveLength(2);
});

test('a changed file is damage with a remedy', () => {
  writeQuestions({ labelling }, [BATCH]);
  const path = join(labelling, 'questions.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"visits":80', '"visits":81'));
  expect(() => readQuestions({ labelling })).toThrow(DataError);
  expect(() => readQuestions({ labelling })).toThrow('delete it, and the crawl asks again');
});
