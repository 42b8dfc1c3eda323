import { expect, test } from 'vitest';
import { exampleHostsLine } from '../../src/cli/grounds-text.ts';

test.each([
  [{ hosts: 4, unvisited: ['a.test', 'b.test'] }, '2 of 4 example hosts were not visited: a.test, b.test'],
  [{ hosts: 1, unvisited: ['a.test'] }, '1 of 1 example host was not visited: a.test'],
  [{ hosts: 3, unvisited: [] }, null],
  [{ hosts: 0, unvisited: [] }, null],
])('hosts of the examples that were not visited are named: %j', (hosts, line) => {
  expect(exampleHostsLine(hosts)).toBe(line);
});

test('of many hosts ten are named, and the others counted', () => {
  const unvisited = Array.from({ length: 13 }, (_, i) => `h${i}.test`);
  expect(exampleHostsLine({ hosts: 20, unvisited })).toMatch(/^13 of 20 example hosts were not visited: h0\.test, .*h9\.test and 3 more$/);
});
