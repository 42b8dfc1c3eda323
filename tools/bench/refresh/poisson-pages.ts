/** Pages that change as Poisson processes, whose rates are known. */
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import type { ChangeRate, Days } from '../../../src/crawling/revisits/age-index.ts';
import type { ChangingPage } from './replay.ts';

export interface PoissonPage extends ChangingPage {
  readonly rate: ChangeRate;
}

/** Pages whose rates are even in the logarithm over three decades, once in 1,000 days to once a day, and some that change every hour. */
export function poissonPages(count: number, hourly: number, days: Days, seed: number): readonly PoissonPage[] {
  const rng = seededRng(seed);
  return Array.from({ length: count + hourly }, (_, page) => {
    const rate = page < count ? 10 ** (-3 * rng()) : 24;
    return {
      name: `https://poisson.example/${page < count ? 'pages' : 'tickers'}/${String.fromCharCode(97 + (page % 26))}`,
      rate,
      changes: changes(rng, rate, days),
    };
  });
}

/** The appearance within the first 50 days, then the changes, and the end of the history. */
function changes(rng: Rng, rate: ChangeRate, days: Days): readonly number[] {
  const out = [50 * rng()];
  for (let next = out[0] ?? 0; ; ) {
    next -= Math.log(1 - rng()) / rate;
    if (next >= days) return out;
    out.push(next);
  }
}
