import type { LearningRung } from './rungs.ts';
import { fitKernel, type KernelFit, type KernelProblem } from './train-model.ts';

/** The mean example less the mean other page, as the fits of a problem: the means are weighted by the costs. One n×n product a fit. */
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

export interface RungSolution {
  readonly fits: readonly KernelFit[];
  /** What computed it: a TF.js backend, or `none`, as means take no steps. */
  readonly backend: string;
}

/** All fits of a problem by a rung. */
export async function solveRung(rung: LearningRung, problem: KernelProblem): Promise<RungSolution> {
  return rung === 'prototype' ? { fits: prototypeFits(problem), backend: 'none' } : await fitKernel(problem);
}
