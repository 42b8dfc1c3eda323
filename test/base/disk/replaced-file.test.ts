import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFile } from '../../../src/base/disk/replaced-file.ts';
import { chooseSeeds, chosenFile, chosenSeeds } from '../../../src/faces/web-ui/chosen-seeds.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-replaced-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the whole new content, or the old one if it cannot be written', () => {
  const path = join(dir, 'file');
  writeFileSync(path, 'old');
  mkdirSync(`${path}.tmp`);
  expect(() => replaceFile(path, 'new')).toThrow('EISDIR');
  expect(readFileSync(path, 'utf8')).toBe('old');
  rmSync(`${path}.tmp`, { recursive: true });
  replaceFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(existsSync(`${path}.tmp`)).toBe(false);
});

test('so are chosen seeds, with an error that names the file', () => {
  chooseSeeds(dir, ['http://a.test/']);
  mkdirSync(`${chosenFile(dir)}.tmp`);
  expect(() => chooseSeeds(dir, ['http://b.test/'])).toThrow(chosenFile(dir));
  expect(chosenSeeds(dir)).toEqual(['http://a.test/']);
});
