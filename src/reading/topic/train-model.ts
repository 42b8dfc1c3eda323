import * as tf from '@tensorflow/tfjs-core';
import { InvariantError } from '../../base/core/errors.ts';
import { chooseBackend, type TrainingBackend } from './backend.ts';
import { STEPS } from './regression.ts';

/** Logistic regression over examples given only by their inner products. */
export interface KernelProblem {
  /** K = X·Xᵀ, shape [n, n]; no diagonal entry above 1. */
  readonly kernel: Float32Array;
  /** 1 for on topic, 0 for off topic, shape [n]. */
  readonly targets: Float32Array;
  /** One fit each: the cost of an error on an example, shape [n], sum at most 1; 0 excludes the example from this fit. */
  readonly costs: readonly Float32Array[];
  readonly lambda: number;
}

/** One fit of a problem. */
export interface KernelFit {
  /** Shape [n]; 0 for excluded examples. */
  readonly alpha: Float32Array;
  readonly bias: number;
  /** K·α + bias for every example, including excluded ones, shape [n], as TF.js computes it. */
  readonly logits: Float32Array;
}

export interface KernelSolution {
  readonly fits: readonly KernelFit[];
  readonly backend: TrainingBackend;
}

/**
 * Fits all cost vectors of a problem at once: minimises Σ cₖ·log-loss(K·α + b) + λ/2·(αᵀKα + b²), where the bias is the share of a constant feature.
 * The fits are the columns of one matrix, so cross-validation takes the same two products a step as a single fit.
 *
 * Functional gradient descent (the gradient of the primal problem, expressed in α; Kivinen, Smola and Williamson 2004) with Nesterov's constant
 * momentum for strongly convex functions. The step 1/L uses L = ½ + λ: the Hessian is at most ¼·λmax(C½(K + 1)C½) + λ, and the trace of that matrix
 * is at most 2·Σc ≤ 2. Deterministic; disposes of all its tensors. Cost: two n×n×fits products a step.
 */
export async function fitKernel(problem: KernelProblem): Promise<KernelSolution> {
  const { backend } = await chooseBackend();
  const before = tf.memory().numTensors;
  const solved = solve(problem);
  // In one turn: meanwhile no other training makes tensors of its own.
  const more = tf.memory().numTensors - before - Object.keys(solved).length;
  if (more !== 0) throw new InvariantError(`training left ${more} tensors behind`);
  const alphas = await readAndDispose(solved.alphas);
  const logits = await readAndDispose(solved.logits);
  const fits = problem.costs.map((_, k) => fitOf(column(alphas, k, problem.costs.length), column(logits, k, problem.costs.length)));
  return { fits, backend };
}

interface Solved {
  /** Both of shape [n, fits]. */
  readonly alphas: tf.Tensor2D;
  readonly logits: tf.Tensor2D;
}

function solve(problem: KernelProblem): Solved {
  const { lambda } = problem;
  const n = problem.targets.length;
  const step = 1 / (0.5 + lambda);
  const ratio = Math.sqrt(lambda * step);
  const momentum = (1 - ratio) / (1 + ratio);
  return tf.tidy(() => {
    const kernel = tf.tensor2d(problem.kernel, [n, n]);
    const targets = tf.tensor2d(problem.targets, [n, 1]);
    const costs = tf.transpose(tf.tensor2d(joined(problem.costs, n), [problem.costs.length, n]));
    let alphas: tf.Tensor2D = tf.zeros([n, problem.costs.length]);
    let ahead: tf.Tensor2D = tf.clone(alphas);
    for (let i = 0; i < STEPS; i++) {
      const [nextAlphas, nextAhead] = tf.tidy(() => {
        const pull = tf.mul(tf.sub(tf.sigmoid(logitsOf(kernel, ahead)), targets), costs);
        const next: tf.Tensor2D = tf.sub(ahead, tf.mul(step, tf.add(pull, tf.mul(lambda, ahead))));
        const further: tf.Tensor2D = tf.add(next, tf.mul(momentum, tf.sub(next, alphas)));
        return [next, further];
      });
      tf.dispose([alphas, ahead]);
      alphas = nextAlphas;
      ahead = nextAhead;
    }
    return { alphas, logits: logitsOf(kernel, alphas) };
  });
}

/** K·α + Σα, one column a fit: the bias of a fit is the sum of its α, because the constant feature is 1 on every page. */
function logitsOf(kernel: tf.Tensor2D, alphas: tf.Tensor2D): tf.Tensor2D {
  return tf.add(tf.matMul(kernel, alphas), tf.sum(alphas, 0, true));
}

async function readAndDispose(tensor: tf.Tensor2D): Promise<Float32Array> {
  const values = Float32Array.from(await tensor.data());
  tensor.dispose();
  return values;
}

function joined(rows: readonly Float32Array[], n: number): Float32Array {
  const out = new Float32Array(rows.length * n);
  rows.forEach((row, k) => {
    out.set(row, k * n);
  });
  return out;
}

function column(matrix: Float32Array, k: number, columns: number): Float32Array {
  return Float32Array.from({ length: matrix.length / columns }, (_, i) => matrix[i * columns + k] ?? 0);
}

function fitOf(alpha: Float32Array, logits: Float32Array): KernelFit {
  return { alpha, bias: alpha.reduce((sum, share) => sum + share, 0), logits };
}
