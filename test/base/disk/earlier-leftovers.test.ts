import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { endLeftovers, FILE_OUTPUT, Output, publishFile, withOutput } from '../../../src/base/disk/output.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'forager-earlier-')));
let count = 0;
beforeEach(() => {
  count += 1;
});
afterAll(() => rmSync(root, { recursive: true }));

const at = (...parts: string[]) => join(root, String(count), ...parts);
function put(...parts: string[]): void {
  mkdirSync(dirname(at(...parts)), { recursive: true });
  writeFileSync(at(...parts), 'x');
}
/** All paths below the folder of the test. */
const state = () => readdirSync(at(), { recursive: true, encoding: 'utf8' }).sort();
const HALF = '.m.new-0b5b8a54-43c7-4cf0-9d2e-6a4f5f3f0a11';

test('a former harvest comes back for a command that reads, and for one that writes', async () => {
  put('h.harvest-replaced', 'corpus-card.json');
  await endLeftovers(at('h'));
  expect(state()).toEqual(['h', 'h/corpus-card.json']);
  put('k.harvest-replaced', 'corpus-card.json');
  await expect(Output.claim(at('k'), FILE_OUTPUT)).rejects.toThrow('is a folder');
  expect(existsSync(at('k', 'corpus-card.json'))).toBe(true);
});

test('a former model comes back, and half of one goes', async () => {
  put(`${HALF}.old`, 'model.json');
  put(HALF, 'weights.bin');
  mkdirSync(at('.m.new-11111111-43c7-4cf0-9d2e-6a4f5f3f0a11'));
  await endLeftovers(at('m'));
  expect(state()).toEqual(['m', 'm/model.json']);
});

test('a folder that has a new content beside it, or may be the user’s, is named and stays', async () => {
  put('h.harvest-replaced', 'corpus-card.json');
  put('h.harvest-partial', 'chapter.txt');
  writeFileSync(at('h'), 'former');
  const told: string[] = [];
  await withOutput(at('h'), FILE_OUTPUT, { force: true, warn: (line) => told.push(line) }, (output) => publishFile(output, 'new'));
  expect(told).toEqual([
    expect.stringMatching(/h\.harvest-replaced: is a former output .* delete it, or move it elsewhere/),
    expect.stringMatching(/h\.harvest-partial: is perhaps half a harvest .* look into it/),
  ]);
  expect(state()).toEqual([
    'h',
    'h.harvest-partial',
    'h.harvest-partial/chapter.txt',
    'h.harvest-replaced',
    'h.harvest-replaced/corpus-card.json',
  ]);
});

test('other names and other contents are not touched', async () => {
  for (const path of [
    [HALF, 'notes.txt'],
    [`${HALF}.old`, 'notes.txt'],
    ['.m.new-1', 'weights.bin'],
    [`.mm${HALF.slice(2)}`, 'weights.bin'],
    ['m.harvest-replaced', 'x'],
  ])
    put(...path);
  const before = state();
  await endLeftovers(at('m'));
  await withOutput(at('m'), FILE_OUTPUT, {}, () => undefined);
  expect(state()).toEqual(before);
});
