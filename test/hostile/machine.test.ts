/** What the system refuses a crawl, by the codes it gives; a full disk itself is played in test/faces/cli/no-space.test.ts and by npm run check -- crash. */
import { expect, test } from 'vitest';
import { EnvironmentError, isFatal, storeErrorFrom } from '../../src/base/core/errors.ts';
import { breakageOf } from '../../src/crawling/fetch/failures.ts';

const withCode = (code: string) => Object.assign(new Error(`${code}: refused, write`), { code, syscall: 'write' });

test.each([
  ['ENOSPC', 'STORE_FULL', 'crawls/moss/corpus: no space left while writing a record; free some and run the same command again'],
  ['EDQUOT', 'STORE_FULL', 'crawls/moss/corpus: no space left while writing a record; free some and run the same command again'],
  [
    'EROFS',
    'STORE_IO',
    'crawls/moss/corpus: EROFS: refused, write while writing a record; the disk is mounted read-only: mount it for writing, or give another path',
  ],
  [
    'EACCES',
    'STORE_IO',
    'crawls/moss/corpus: EACCES: refused, write while writing a record; give your user the right to it (chmod, chown), or give another path',
  ],
])('%s ends the crawl with one line that names what it was about', (code, kind, message) => {
  const error = storeErrorFrom(withCode(code), 'writing a record', 'crawls/moss/corpus');
  expect([error.code, error.message]).toEqual([kind, message]);
  expect(isFatal(error)).toBe(true);
});

test.each(['EMFILE', 'ENFILE'])('%s is no fault of the web: it ends the crawl, and says what to raise', (code) => {
  expect(() => breakageOf(withCode(code))).toThrow(EnvironmentError);
  expect(() => breakageOf(withCode(code))).toThrow(`no file descriptors left (${code}); raise 'ulimit -n' or lower the concurrency`);
});
