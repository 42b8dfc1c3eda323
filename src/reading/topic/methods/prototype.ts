import type { KernelFit, KernelProblem } from '../train-model.ts';
import { countOf, type PageMethod } from '../training-method.ts';

/**
 * Number of examples below which the prototype is the method. From two examples on, logistic regression ranks held-out pages at least as
 * well. On 40 sub-topics inside hosts of the Debian web, examples alone and with unlabelled pages: .627 against .621 and .666 against .652
 * for 2 examples, .797 against .799 and .845 against .814 for 5, .879 against .871 and .967 against .914 for 10. `npm run bench -- topic
 * --methods forager,forager.prototype` compares them on its topics.
 */
export const PROTOTYPE_BELOW = 2;

export const prototype = {
  name: 'prototype',
  help: 'the mean of the examples less the mean of the others (Rocchio 1971)',
  learnsFrom: 'pages',
  described: 'mean of the examples less the mean of the others (Rocchio)',
  suits: (rows) => countOf(rows, 'irrelevant') === 0 && countOf(rows, 'example') < PROTOTYPE_BELOW,
  lacks: () => null,
  fit: async (problem) => ({ fits: prototypeFits(problem), backend: 'none' }),
} as const satisfies PageMethod;

/** The mean example minus the mean other page, as the fits of a problem: the means are weighted by the costs. One n×n product a fit. */
function prototypeFits({ kernel, targets, costs }: KernelProblem): KernelFit[] {
  const n = targets.length;
  return costs.map((cost) => {
    const alpha = cost.map((share, i) => (targets[i] === 1 ? share : -share));
    const logits = Float32Array.from({ length: n }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += (kernel[i * n + j] as number) * (alpha[j] as number);
      return sum;
    });
    return { alpha, bias: 0, logits };
  });
}
