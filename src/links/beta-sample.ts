import type { Rng } from '../core/rng.ts';
import type { Unit } from '../core/types.ts';

/** A draw from Beta(a, b), both at least 1, as X / (X + Y) of two gamma draws. */
export function betaSample(a: number, b: number, rng: Rng): Unit {
  const x = gammaSample(a, rng);
  return x / (x + gammaSample(b, rng));
}

/** A draw from Gamma(shape, 1), shape at least 1 (Marsaglia & Tsang 2000: about 1.05 rounds). */
function gammaSample(shape: number, rng: Rng): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalSample(rng);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - rng()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box & Muller 1958. */
function normalSample(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng());
}
