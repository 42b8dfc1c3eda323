/** The description of the logistic regression in `train-model.ts`, for modules that do not run it: running it needs TF.js. */
import type { KernelFit, KernelProblem } from './train-model.ts';

/**
 * Strength λ of the L2 penalty, with the costs of all examples summing to 1. From 1e-3 down to 1e-4, average precision inside the host rose by .006
 * and stayed the same among other hosts (8 topics of datasets/background/README.md).
 */
export const LAMBDA = 3e-4;

/** Number of steps of accelerated descent. The error shrinks by (1 - √(λ/L)) a step, L = ½ + λ: after 400 steps to e^-9 of its start. */
export const STEPS = 400;
/** Description on model cards. */
export const REGRESSION = `L2 logistic regression, dual form, ${STEPS} accelerated steps in TF.js`;

/** `fitKernel`, loaded on first use. */
export async function regressionFits(problem: KernelProblem): Promise<{ readonly fits: readonly KernelFit[]; readonly backend: string }> {
  const { fitKernel } = await import('./train-model.ts');
  return fitKernel(problem);
}
