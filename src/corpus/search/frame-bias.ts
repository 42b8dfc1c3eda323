/** The difference between a corpus and a frame in one property, beyond chance. Pure. */
import type { Rng } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';

export type Counts = ReadonlyMap<string, number>;

/** A value whose shares differ. */
export interface ShareGap {
  readonly value: string;
  readonly corpus: Unit;
  readonly frame: Unit;
}

/** Difference in one property. */
export interface FacetBias {
  readonly values: number;
  /**
   * Total variation distance (half the sum of the absolute differences of shares) less that of two samples of one distribution, in [0, 1]; and its interval at
   * 95 %, by the bootstrap.
   */
  readonly distance: Unit;
  readonly low: Unit;
  readonly high: Unit;
  /** Values whose shares differ by more than chance, those that the corpus lacks first, then by the size of the gap. */
  readonly gaps: readonly ShareGap[];
}

/** Values with fewer pages in both together count as one. */
const RARE = 5;
const OTHERS = 'others';
/** Resamples of an interval: half as many as in `eval`. A table of 200 hosts takes some 100 ms. */
const RESAMPLES = 1000;
const TAIL = 0.025;
/** A normal deviate that one value in 700 exceeds by chance: a table has a hundred or so. */
const BEYOND_CHANCE = 3.2;

/** @throws nothing; distance 0 of an empty side */
export function facetBias(corpus: Counts, frame: Counts, rng: Rng): FacetBias {
  const values = valuesOf(corpus, frame);
  const [p, q] = [countsBy(values, corpus), countsBy(values, frame)];
  const [n, m] = [sumOf(p), sumOf(q)];
  if (n === 0 || m === 0) return { values: values.length, distance: 0, low: 0, high: 0, gaps: [] };
  const found = distanceOf(p, n, q, m);
  const pooled = p.map((count, i) => (count + (q[i] ?? 0)) / (n + m));
  const chance = resampled(() => distanceOfShares(drawn(pooled, n, rng), drawn(pooled, m, rng)));
  const again = resampled(() =>
    distanceOfShares(
      drawn(
        p.map((count) => count / n),
        n,
        rng,
      ),
      drawn(
        q.map((count) => count / m),
        m,
        rng,
      ),
    ),
  );
  // Samples differ more than the pages behind them: by this much if those are equal, and by that much at this distance.
  const [expected, excess] = [meanOf(chance), Math.max(0, meanOf(again) - found)];
  const isChance = found <= quantile(chance, 1 - TAIL);
  const centre = found - (isChance ? expected : excess);
  const low = isChance ? 0 : centre - (quantile(again, 1 - TAIL) - meanOf(again));
  const high = found - excess + (meanOf(again) - quantile(again, TAIL));
  const gaps = gapsOf(values, p, n, q, m);
  return { values: values.length, distance: bounded(centre), low: bounded(low), high: bounded(Math.max(high, centre)), gaps };
}

function bounded(share: number): Unit {
  return Math.min(1, Math.max(0, share));
}

/** Factor by which a page with each value counts for the frame: the ratio of the shares, in [1 / cap, cap]; 1 for values that the frame lacks. */
export function frameWeights(corpus: Counts, frame: Counts, cap: number): ReadonlyMap<string, number> {
  const [n, m] = [sumOf([...corpus.values()]), sumOf([...frame.values()])];
  return new Map(
    [...corpus].map(([value, count]) => {
      const inFrame = frame.get(value) ?? 0;
      return [value, inFrame === 0 || m === 0 ? 1 / cap : Math.min(cap, Math.max(1 / cap, inFrame / m / (count / n)))];
    }),
  );
}

function valuesOf(corpus: Counts, frame: Counts): string[] {
  const all = [...new Set([...corpus.keys(), ...frame.keys()])];
  const isRare = (value: string) => (corpus.get(value) ?? 0) + (frame.get(value) ?? 0) < RARE;
  const common = all.filter((value) => !isRare(value));
  return common.length < all.length ? [...common, OTHERS] : common;
}

/** The last value stands for the rare ones, if it is `others`. */
function countsBy(values: readonly string[], counts: Counts): number[] {
  const own = values.map((value) => counts.get(value) ?? 0);
  if (values.at(-1) === OTHERS) own[own.length - 1] = sumOf([...counts.values()]) - sumOf(own.slice(0, -1));
  return own;
}

function gapsOf(values: readonly string[], p: readonly number[], n: number, q: readonly number[], m: number): ShareGap[] {
  const gaps = values.flatMap((value, i) => {
    const [corpus, frame] = [(p[i] ?? 0) / n, (q[i] ?? 0) / m];
    const pooled = ((p[i] ?? 0) + (q[i] ?? 0)) / (n + m);
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
    return Math.abs(corpus - frame) > BEYOND_CHANCE * error ? [{ value, corpus, frame }] : [];
  });
  return gaps.sort(byGap);
}

/** Absent values first, then by the gap. */
export function byGap(a: ShareGap, b: ShareGap): number {
  const absent = (gap: ShareGap) => Number(gap.corpus === 0);
  return absent(b) - absent(a) || Math.abs(b.corpus - b.frame) - Math.abs(a.corpus - a.frame);
}

function distanceOf(p: readonly number[], n: number, q: readonly number[], m: number): Unit {
  return distanceOfShares(
    p.map((count) => count / n),
    q.map((count) => count / m),
  );
}

function distanceOfShares(p: readonly number[], q: readonly number[]): Unit {
  return p.reduce((sum, share, i) => sum + Math.abs(share - (q[i] ?? 0)), 0) / 2;
}

function resampled(draw: () => number): number[] {
  return Array.from({ length: RESAMPLES }, draw).sort((a, b) => a - b);
}

/** Shares of a sample of `count` pages: independent Poisson counts, divided by their sum, are multinomial up to its size. */
function drawn(shares: readonly Unit[], count: number, rng: Rng): number[] {
  const counts = shares.map((share) => poisson(share * count, rng));
  const sum = Math.max(1, sumOf(counts));
  return counts.map((one) => one / sum);
}

/** A mean up to which the product of uniform numbers is cheap. Above it, the normal distribution is near enough. */
const EXACT_UP_TO = 30;

function poisson(mean: number, rng: Rng): number {
  if (mean <= 0) return 0;
  if (mean > EXACT_UP_TO) {
    const normal = Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = rng(); product > least; product *= rng()) count += 1;
  return count;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function meanOf(numbers: readonly number[]): number {
  return sumOf(numbers) / numbers.length;
}

function quantile(sorted: readonly number[], share: Unit): number {
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}
