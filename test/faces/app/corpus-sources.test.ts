import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isHere } from '../../../src/faces/app/corpus-sources.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-sources-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a corpus is here if its folder has its id, and a path that leads nowhere on this machine is that of another one', () => {
  mkdirSync(join(root, 'crawl'));
  writeFileSync(join(root, 'crawl', 'corpus-id'), 'one\n');
  writeFileSync(join(root, 'file'), 'x');
  symlinkSync('round', join(root, 'round'));
  const here = (id: string, ...parts: string[]) => isHere({ id, path: join(root, ...parts, 'corpus') });
  expect([here('one', 'crawl'), here('two', 'crawl')]).toEqual([true, false]);
  expect(['gone', 'file', 'round', 'n'.repeat(300)].map((name) => here('one', name))).toEqual([false, false, false, false]);
});
