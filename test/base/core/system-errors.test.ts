import { describe, expect, test } from 'vitest';
import {
  DamageError,
  DataError,
  damageIn,
  inWords,
  ModelError,
  StoreError,
  storeErrorFrom,
  UsageError,
} from '../../../src/base/core/errors.ts';
import { systemFault } from '../../../src/base/core/system-errors.ts';

/** As Node makes it. */
function fault(code: string, syscall = 'open', path?: string): Error {
  const place = path === undefined ? '' : ` '${path}'`;
  return Object.assign(new Error(`${code}: some reason, ${syscall}${place}`), { code, syscall, ...(path !== undefined && { path }) });
}

const MACHINE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'EIO', 'ENOSPC', 'EDQUOT', 'ESTALE'];

describe.each(MACHINE)('%s', (code) => {
  test('is a fault of the machine whichever error has it as its cause, with its own remedy', () => {
    const remedy = systemFault(fault(code))?.remedy ?? 'none';
    const errors = [UsageError, DataError, DamageError, ModelError].map(
      (Kind) => new Kind('a.json: cannot be read; start a new crawl directory', { cause: fault(code) }),
    );
    for (const error of errors) {
      expect(error).toMatchObject({ exitCode: 3, code: 'ENVIRONMENT' });
      expect(error.message).toBe(`a.json: cannot be read; ${remedy}`);
    }
  });

  test('stays one through an error that wraps another', () => {
    const inner = new DataError('a.json: cannot be read; mend it', { cause: fault(code) });
    expect(damageIn(inner)).toMatchObject({ exitCode: 3, code: 'ENVIRONMENT' });
  });

  test('that nobody expected has the path, the reason and the remedy in one line', async () => {
    const work = inWords(() => Promise.reject(fault(code, 'stat', 'c/some')));
    await expect(work).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^c\/some: some reason \(\w+, stat\); [^\n]+$/),
    });
  });
});

test('a store error has the remedy too, and a full disk its own code', () => {
  expect(storeErrorFrom(fault('EROFS'), 'writing', 'h')).toMatchObject({
    code: 'STORE_IO',
    message: expect.stringContaining('mounted read-only'),
  });
  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG'])
    expect(storeErrorFrom(fault(code, 'write'), 'writing', 'h')).toMatchObject({ code: 'STORE_FULL' });
  const first = new StoreError('STORE_LOCKED', 'h: in use');
  expect(storeErrorFrom(first, 'writing', 'h')).toBe(first);
});

test('no other error is one: a missing file, a host, a parser, our bug', async () => {
  expect(systemFault(fault('ENOENT'))).toBeNull();
  for (const syscall of ['connect', 'listen', 'getaddrinfo']) expect(systemFault(fault('EACCES', syscall))).toBeNull();
  expect(systemFault(Object.assign(new Error('EIO'), { code: 'EIO' }))).toBeNull();
  expect(new DataError('a: is not JSON; mend it', { cause: new SyntaxError('no') })).toMatchObject({ code: 'DATA', exitCode: 2 });
  const bug = new TypeError('undefined is not a function');
  await expect(inWords(() => Promise.reject(bug))).rejects.toBe(bug);
});

test('causes in a circle end', () => {
  const [a, b] = [new Error('a'), new Error('b')];
  a.cause = b;
  b.cause = a;
  expect(systemFault(a)).toBeNull();
});
