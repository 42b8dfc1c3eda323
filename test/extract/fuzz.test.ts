import { expect, test } from 'vitest';
import { fuzzCorpus, fuzzPage } from '../soak/fuzz-extract-input.ts';
import { heapTrend, runFuzz } from '../soak/fuzz-extract-run.ts';

const CAP_MS = 150;
const KB = 1024;

test('3,000 mutated pages: no throw, none over the cap, every result as promised', { timeout: 120_000 }, () => {
  const begun: number[] = [];
  const onInput = (n: number) => void begun.push(n);
  const report = runFuzz({ seed: 1, first: 0, step: 1, count: 3000, until: Number.POSITIVE_INFINITY, cap: CAP_MS, samples: 12, onInput });
  expect(report.violations).toEqual([]);
  expect(report.inputs).toBe(3000);
  expect(begun.length).toBe(3000);
  expect(report.slowest[0]?.ms).toBeLessThan(CAP_MS);
  expect(heapTrend(report.heap).grows).toBe(false);
});

test('a seed and a number are one input, and inputs differ', () => {
  const corpus = fuzzCorpus();
  expect(fuzzPage(corpus, 5, 77)).toEqual(fuzzPage(corpus, 5, 77));
  const bodies = new Set(Array.from({ length: 300 }, (_, n) => Buffer.from(fuzzPage(corpus, 5, n).body).toString('latin1')));
  expect(bodies.size).toBeGreaterThan(280);
});

test('a heap that grows by the page is seen, one that wavers is not', () => {
  const samples = (bytesAt: (at: number) => number) => Array.from({ length: 30 }, (_, at) => ({ inputs: at * 100, bytes: bytesAt(at) }));
  expect(heapTrend(samples((at) => 20_000 * KB + at * 1000 * KB)).grows).toBe(true);
  expect(heapTrend(samples((at) => 20_000 * KB + (at % 2) * 1000 * KB)).grows).toBe(false);
});
