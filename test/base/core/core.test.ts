import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import {
  DataError,
  EnvironmentError,
  InvariantError,
  isFatal,
  ModelError,
  StoreError,
  storeErrorFrom,
  UsageError,
} from '../../../src/base/core/errors.ts';
import { seededRng, shuffled } from '../../../src/base/core/rng.ts';

test('the same seed gives the same numbers in [0, 1), another seed others', () => {
  const draw = (seed: number) => Array.from({ length: 100 }, seededRng(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).every((x) => x >= 0 && x < 1)).toBe(true);
  const mean = Array.from({ length: 20_000 }, seededRng(1)).reduce((sum, x) => sum + x, 0) / 20_000;
  expect(mean).toBeCloseTo(0.5, 1);
});

test('shuffling keeps every item and leaves the input', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
      const before = [...items];
      const out = shuffled(items, seededRng(seed));
      expect([...out].sort()).toEqual([...items].sort());
      expect(items).toEqual(before);
    }),
  );
});

test('sleep ends at once when its signal aborts, before or meanwhile', async () => {
  await systemClock.sleep(60_000, AbortSignal.abort());
  const controller = new AbortController();
  const slept = systemClock.sleep(60_000, controller.signal);
  controller.abort();
  await slept;
});

test('exit codes: 2 for usage and data, 3 for the environment, 1 for our bug', () => {
  const codes = [
    new UsageError('x'),
    new DataError('x'),
    new ModelError('x'),
    new StoreError('STORE_FULL', 'x'),
    new EnvironmentError('x'),
    new InvariantError('x'),
  ].map(({ exitCode }) => exitCode);
  expect(codes).toEqual([2, 2, 2, 3, 3, 1]);
});

test('only a broken machine ends a crawl', () => {
  expect([new StoreError('STORE_IO', 'x'), new EnvironmentError('x'), new DataError('x'), new Error('x')].map(isFatal)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('store errors name what is full, damaged or broken', () => {
  expect(storeErrorFrom(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }), 'writing', '/d').code).toBe(
    'STORE_FULL',
  );
  expect(storeErrorFrom(new Error('MDB_MAP_FULL: Environment mapsize limit reached'), 'writing', '/d').code).toBe('STORE_FULL');
  expect(storeErrorFrom(new Error('MDB_CORRUPTED: Located page was wrong type'), 'opening', '/d').code).toBe('STORE_CORRUPT');
  const other = storeErrorFrom(new Error('EIO'), 'writing the manifest', '/d/crawl.json');
  expect([other.code, other.message]).toEqual(['STORE_IO', '/d/crawl.json: EIO while writing the manifest']);
});
