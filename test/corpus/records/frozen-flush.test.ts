/** What is on disk when a frozen web gets its name: calls of the file system are watched, not replaced. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { FrozenFile } from '../../../src/corpus/records/frozen-file.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { freshDir } from './samples.ts';

const watched = vi.hoisted(() => ({ path: '', called: [] as { readonly name: string; readonly isNamed: boolean }[] }));

vi.mock(import('node:fs'), async (importOriginal) => {
  const fs = await importOriginal();
  const note = (name: string) => void watched.called.push({ name, isNamed: fs.existsSync(watched.path) });
  return {
    ...fs,
    fsyncSync: (file) => {
      fs.fsyncSync(file);
      note('flush');
    },
    renameSync: (from, to) => {
      note('rename');
      fs.renameSync(from, to);
    },
  };
});

test('a frozen web is on disk before it gets its name', () => {
  watched.path = join(freshDir(), 'web.jsonl.gz');
  const file = FrozenFile.create(watched.path, { software: 'forager/0.0.0-test', extractor: null });
  file.add({ url: urlOf('http://a.test/'), status: 404, kind: 'failed', code: 'http-4xx' });
  file.finish();
  expect(watched.called).toEqual([
    { name: 'flush', isNamed: false },
    { name: 'rename', isNamed: false },
  ]);
  expect(existsSync(watched.path)).toBe(true);
});
