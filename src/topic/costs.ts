import type { Role, TrainingRow } from './training-set.ts';

/**
 * Share of the off-topic half of the cost for pages that are further from the future crawl: the unlabelled ones if there are irrelevant examples,
 * those of the bundled background if there are pages of a crawl. On 8 topics inside big hosts (20 examples, 20 irrelevant pages of the same host,
 * plain tag stripping), none gave average precision .939 inside the host and .969 among other hosts, a quarter .931 and .999, a half .923 and 1.000.
 */
const FAR_SHARE = 0.25;

/** The cost of an error on each row, shape [rows]. Examples sum to ½ and all others to ½. Rows for which `use` is false cost nothing. */
export function rowCosts(rows: readonly TrainingRow[], use: (row: number) => boolean): Float32Array {
  const counts: Record<Role, number> = { example: 0, irrelevant: 0, extra: 0, background: 0 };
  rows.forEach(({ role }, i) => {
    if (use(i)) counts[role]++;
  });
  const near: Role = counts.irrelevant > 0 ? 'irrelevant' : counts.extra > 0 ? 'extra' : 'background';
  const far = counts.irrelevant + counts.extra + counts.background - counts[near];
  const share = far === 0 ? 0 : FAR_SHARE;
  const costOf = (role: Role) => {
    if (role === 'example') return 0.5 / counts.example;
    return role === near ? (0.5 * (1 - share)) / counts[near] : (0.5 * share) / far;
  };
  return Float32Array.from(rows, ({ role }, i) => (use(i) ? costOf(role) : 0));
}

/**
 * At most this share of the unlabelled pages of a role is taken for hidden on-topic pages. A generic sample contains hardly any; a crawl of related
 * hosts about 8–28 % (measured on a university web).
 */
const MAX_DROPPED = { background: 0.02, extra: 0.2 } as const;

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
