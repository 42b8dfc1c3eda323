import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataError, UsageError } from '../../../src/base/core/errors.ts';
import { readGivenFile, readGivenText, refusal } from '../../../src/base/text/given-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-given-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const path = (name: string) => join(dir, name);
const LIST = { maxBytes: 1000, what: 'URLs', remedy: 'give a list' };

function errorOf(name: string): unknown {
  try {
    return readGivenFile(name, LIST);
  } catch (error) {
    return error;
  }
}

test('a regular file is read up to its cap, also one of the system whose size is told as 0', () => {
  writeFileSync(path('list'), 'a'.repeat(1000));
  expect(readGivenFile(path('list'), LIST)).toHaveLength(1000);
  expect(readGivenFile('/proc/self/status', { ...LIST, maxBytes: 100_000 }).length).toBeGreaterThan(100);
  writeFileSync(path('long'), 'a'.repeat(1001));
  expect(errorOf(path('long'))).toEqual(new DataError(`${path('long')}: is over the cap of 1000 bytes for URLs; split or remove it`));
});

test('a size that the system does not tell is capped while it is read', () => {
  expect(() => readGivenFile('/proc/self/status', { ...LIST, maxBytes: 10 })).toThrow('over the cap of 10 bytes');
});

test('what may have no end is refused before it is read: a pipe, devices, a socket, a folder', async () => {
  execFileSync('mkfifo', [path('pipe')]);
  mkdirSync(path('folder'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path('socket'), resolve));
  for (const [name, kind] of [
    [path('pipe'), 'a pipe'],
    ['/dev/zero', 'a device'],
    ['/dev/urandom', 'a device'],
    ['/dev/null', 'a device'],
    [path('socket'), 'a socket'],
    [path('folder'), 'a folder'],
  ] as const)
    expect(errorOf(name)).toEqual(new UsageError(`${name}: cannot be read (it is ${kind}, not a file); give a list`));
  server.close();
});

test('each fault has its error, with the name that the user knows', () => {
  expect(errorOf(path('none'))).toEqual(new UsageError(`${path('none')}: cannot be read (no such file); give a list`));
  expect(errorOf(join(path('list'), 'below'))).toMatchObject({
    code: 'ENVIRONMENT',
    message: expect.stringContaining('is a file, not a folder'),
  });
  const fault = (code: string) => Object.assign(new Error(`${code}: told, open 'h.yaml'`), { code, syscall: 'open' });
  const denied = refusal(fault('EACCES'), '--hosts h.yaml', 'give another');
  expect(denied).toMatchObject({ code: 'ENVIRONMENT', exitCode: 3 });
  expect(denied.message).toMatch(/^--hosts h\.yaml: may not be read by you \(permission denied\); give your user the right to it/);
  expect(refusal(fault('EIO'), 'f', 'mend it')).toMatchObject({ exitCode: 3, message: expect.stringContaining('the disk fails') });
  expect(refusal(new Error('odd'), 'f', 'mend it')).toMatchObject({ exitCode: 2, message: 'f: cannot be read (odd); mend it' });
});

test('text in UTF-8 and UTF-16, without its mark', () => {
  const of = (bytes: Buffer) => {
    writeFileSync(path('text'), bytes);
    return readGivenText(path('text'), LIST);
  };
  expect(of(Buffer.from('\ufeffmoß\n'))).toBe('moß\n');
  expect(of(Buffer.from('\ufeffmoß\n', 'utf16le'))).toBe('moß\n');
  expect(of(Buffer.from('\ufeffmoß\n', 'utf16le').swap16())).toBe('moß\n');
});
