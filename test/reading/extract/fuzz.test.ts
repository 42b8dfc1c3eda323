import { expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { fuzzCorpus, fuzzPage } from '../../../tools/soak/fuzz-extract-input.ts';
import { collector, heapTrend, liveBytes, runFuzz } from '../../../tools/soak/fuzz-extract-run.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { size } from '../../support/extent.ts';
import { page } from './page.ts';

/** Guards against hanging alone; `npm run check -- fuzz` has the cap that is promised. */
const CAP_MS = HANGS;
const KB = 1024;

const PAGES = size(3000, 20);

test('mutated pages: no throw, none over the cap, every result as promised, the same in the core', async () => {
  const begun: number[] = [];
  const onInput = (n: number) => void begun.push(n);
  const report = await runFuzz({
    seed: 1,
    first: 0,
    step: 1,
    count: PAGES,
    until: Number.POSITIVE_INFINITY,
    cap: CAP_MS,
    samples: size(12, 6),
    onInput,
  });
  expect(report.violations).toEqual([]);
  expect(report.inputs).toBe(PAGES);
  expect(begun.length).toBe(PAGES);
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

test('an extractor keeps nothing of the pages it has read, whatever names they have', () => {
  const extractor = pageExtractor({ productToken: 'forager' });
  const collect = collector();
  const filler = 'word and word. '.repeat(8 * KB);
  const names = 'class id rel href data-thing lang title content'.split(' ');
  const read = (n: number) => {
    const attributes = names.map((name) => `${name}="a-name-that-no-other-page-has-${n}"`).join(' ');
    extractor.extract(page(`<meta name=author ${attributes}><x-${n}-element ${attributes}><a ${attributes}>${filler}</a>`));
  };
  for (let n = 0; n < 20; n++) read(n);
  const before = liveBytes(collect);
  for (let n = 20; n < 220; n++) read(n);
  // 200 pages are 24 MB.
  expect(liveBytes(collect) - before).toBeLessThan(4 * KB * KB);
});
