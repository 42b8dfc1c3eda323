import { expect, test } from 'vitest';
import { PARTITIONS, partitionsOf } from '../../../src/crawling/cluster/partition-of.ts';
import { sample } from '../../support/extent.ts';
import { hostOf } from '../../support/frontier-values.ts';

const partitionOf = partitionsOf(PARTITIONS);
const of = (url: string) => partitionOf(hostOf(url));

test('hosts of one registrable domain are in one partition, whatever their scheme and port', () => {
  const first = of('http://www.example.org/');
  expect(['https://example.org/', 'http://a.b.example.org:8080/'].map(of)).toEqual([first, first]);
  expect(of('http://a.github.io/')).not.toBe(of('http://b.github.io/'));
});

const SHARES = [
  [2, 1.1],
  [3, 1.1],
  [4, 1.1],
  [5, 1.1],
  // Seven partitions of 64 are 1.09 of a tenth.
  [10, 1.15],
] as const;
test.each(sample(SHARES, [4]))(
  'of 100,000 hosts, none of %i workers has more than %f of its share, even with the largest partitions together',
  (workers, most) => {
    const counts = new Map<number, number>();
    for (let i = 0; i < 100_000; i++) {
      const partition = of(`http://host-${i}.test/`);
      counts.set(partition, (counts.get(partition) ?? 0) + 1);
    }
    const largest = [...counts.values()].sort((a, b) => b - a).slice(0, Math.ceil(PARTITIONS / workers));
    expect(largest.reduce((sum, count) => sum + count, 0) / (100_000 / workers)).toBeLessThanOrEqual(most);
  },
);
