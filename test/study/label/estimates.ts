/**
 * Random histories of labelled crawls whose truth is known (`histories.ts`): how often the 95 % intervals hold the truth, for the pages that the crawl kept, for
 * those that a harvest takes after a training, and for a corpus of some hosts. Exit code 1 unless that is so in 92 to 98 % of all figures, and if a
 * random answer does not count.
 *
 *   npm run check -- estimates [--histories 200] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { coverageOf } from './histories-coverage.ts';

const LEAST = 0.92;
const MOST = 0.98;

const { values } = parseArgs({ options: { histories: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } } });
const { coverage, uncounted } = await coverageOf(Number(values.seed), Number(values.histories));
for (const { of, figures, held, width, bias } of coverage)
  console.log(
    `${of.padEnd(8)} ${String(held).padStart(4)} of ${String(figures).padStart(4)} intervals hold the truth (${((100 * held) / figures).toFixed(1)} %), mean width ${width.toFixed(3)}, mean error ${bias.toFixed(4)}`,
  );
const [all, held] = [coverage.reduce((sum, one) => sum + one.figures, 0), coverage.reduce((sum, one) => sum + one.held, 0)];
console.log(`all      ${held} of ${all} (${((100 * held) / all).toFixed(1)} %)`);
console.log(
  uncounted.length === 0 ? 'each random answer counts' : `random answers that do not count, in histories ${uncounted.join(', ')}`,
);
if (uncounted.length > 0 || held < LEAST * all || held > MOST * all) process.exitCode = 1;
