import { expect, test } from 'vitest';
import { shareNames, sharesOf } from './shares.ts';

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  command: ['errors', 'help'],
  library: ['records', 'errors'],
  records: ['json'],
  help: ['errors'],
  errors: ['words'],
  json: ['records'],
};
const shareOf = sharesOf(['command', 'library'], (module) => IMPORTS[module] ?? []);

test('a module has the starts that reach it, directly or not', () => {
  expect(['errors', 'words', 'help', 'records', 'json'].map(shareOf)).toEqual(['01', '01', '0', '1', '1']);
});

test('starts, and modules that none of them needs at once, have none', () => {
  expect(['command', 'library', 'later'].map(shareOf)).toEqual([null, null, null]);
});

test('a file that several starts need comes before those of fewer, which import it', () => {
  expect(shareNames(2)).toEqual(['01', '0', '1']);
  expect(new Set(shareNames(3))).toEqual(new Set(['0', '1', '2', '01', '02', '12', '012']));
});
