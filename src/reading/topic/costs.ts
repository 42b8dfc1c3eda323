import type { Unit } from '../../base/core/types.ts';
import type { Role, TrainingRow } from './training-set.ts';

/**
 * Share of the off-topic half of the cost for pages that are further from the future crawl: the unlabelled ones if there are irrelevant examples,
 * those of the bundled background if there are pages of a crawl. On 8 topics inside big hosts (20 examples, 20 irrelevant pages of the same host,
 * plain tag stripping), none gave average precision .939 inside the host and .969 among other hosts, a quarter .931 and .999, a half .923 and 1.000. With the weights of
 * `trainingWeights`, a tenth in place of a quarter gives +.003 with a pool and +.005 with labels on the texts named there; calibration error .080 to .085.
 */
const FAR_SHARE = 0.1;

/**
 * The cost of an error on each row, shape [rows]. Examples sum to ½ and all others to ½.
 * @param weightOf weight of a row among those of its kind, from 0 (it costs nothing) to 1; multiplied by the row's own weight
 */
export function rowCosts(rows: readonly TrainingRow[], weightOf: (row: number) => Unit): Float32Array {
  const weights = rows.map(({ weight = 1 }, i) => weight * weightOf(i));
  const sums: Record<Role, number> = { example: 0, irrelevant: 0, extra: 0, background: 0 };
  rows.forEach(({ role }, i) => {
    sums[role] += weights[i] ?? 0;
  });
  const near: Role = sums.irrelevant > 0 ? 'irrelevant' : sums.extra > 0 ? 'extra' : 'background';
  const far = sums.irrelevant + sums.extra + sums.background - sums[near];
  const share = far === 0 ? 0 : FAR_SHARE;
  const costOf = (role: Role) => {
    if (role === 'example') return 0.5 / sums.example;
    return role === near ? (0.5 * (1 - share)) / sums[near] : (0.5 * share) / far;
  };
  return Float32Array.from(rows, ({ role }, i) => ((weights[i] ?? 0) > 0 ? (weights[i] ?? 0) * costOf(role) : 0));
}

/**
 * The probability that each row is an example in hiding, shape [rows]; 0 for rows that are not unlabelled pages of a crawl or pool. With both classes
 * of equal weight, a logit is the log ratio of the densities of examples and others (Elkan and Noto 2008). A page at the median of the held-out
 * examples is surely on topic, and the odds fall from there. Examples and others must be held out alike.
 * @param logits of each row, by a fit without it
 */
export function hiddenShares(rows: readonly TrainingRow[], logits: ArrayLike<number>): Float32Array {
  const examples = rows.flatMap(({ role }, i) => (role === 'example' ? [logits[i] ?? 0] : [])).sort((a, b) => a - b);
  const median = examples[examples.length >> 1] ?? Number.POSITIVE_INFINITY;
  return Float32Array.from(rows, ({ role }, i) => (role === 'extra' ? Math.min(1, Math.exp((logits[i] ?? 0) - median)) : 0));
}

/**
 * Share of the unlabelled pages of a role that is taken for hidden on-topic pages, at most. A generic sample contains hardly any. A crawl
 * of related hosts has 8 to 28 % (measured on a university web), and a pool half of whose pages are on topic lost less with .6 than with
 * .2.
 */
const MAX_DROPPED = { background: 0.02, extra: 0.6 } as const;

/**
 * Unlabelled pages that are at least as similar to the examples as the median example is to the other examples. They are probably on topic, and
 * harmful as counter-examples. The most similar first. Needs `rows` with the examples first.
 * @returns row numbers
 */
export function hiddenExamples(rows: readonly TrainingRow[], kernel: Float32Array): Set<number> {
  const examples = rows.filter(({ role }) => role === 'example').length;
  if (examples < 2) return new Set();
  const similarity = rows.map(({ role }, i) => meanSimilarity(kernel, rows.length, i, examples, role === 'example'));
  const median = similarity.slice(0, examples).sort((a, b) => a - b)[examples >> 1] ?? 1;
  const hidden = new Set<number>();
  for (const role of ['background', 'extra'] as const) {
    const ofRole = [...rows.keys()].filter((i) => rows[i]?.role === role);
    const alike = ofRole.filter((i) => (similarity[i] ?? 0) >= median).sort((a, b) => (similarity[b] ?? 0) - (similarity[a] ?? 0));
    for (const i of alike.slice(0, Math.floor(MAX_DROPPED[role] * ofRole.length))) hidden.add(i);
  }
  return hidden;
}

/** Mean cosine of a row with the examples, except itself. */
function meanSimilarity(kernel: Float32Array, n: number, row: number, examples: number, isExample: boolean): number {
  let sum = isExample ? -(kernel[row * n + row] ?? 0) : 0;
  for (let j = 0; j < examples; j++) sum += kernel[row * n + j] ?? 0;
  return sum / (isExample ? examples - 1 : examples);
}
