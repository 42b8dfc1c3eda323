import { expect, test } from 'vitest';
import { BLAME_AFTER } from '../../src/core/failure-policy.ts';
import { HostHealth } from '../../src/crawl/host-health.ts';
import { hostOf } from '../support/frontier-values.ts';

test('a host is blamed from its third failure in a row on; a success wipes the slate, of that host only', () => {
  const health = new HostHealth();
  const [a, b] = [hostOf('http://a.test/'), hostOf('http://b.test/')];
  const blamed = (times: number) => Array.from({ length: times }, () => health.failed(a));
  expect(BLAME_AFTER).toBe(3);
  expect(blamed(4)).toEqual([false, false, true, true]);
  health.succeeded(b);
  expect(health.failed(a)).toBe(true);
  health.succeeded(a);
  expect(blamed(3)).toEqual([false, false, true]);
  expect(health.failed(b)).toBe(false);
});
