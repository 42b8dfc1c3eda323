/** Weights of a logistic regression, by gradient descent on standardised columns. The first column is a constant. */
export function fitted(rows: readonly (readonly number[])[], labels: readonly boolean[], rounds = 2000): number[] {
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, c) => rows.map((row) => row[c] ?? 0));
  const means = columns.map((column, c) => (c === 0 ? 0 : column.reduce((sum, x) => sum + x, 0) / column.length));
  const scales = columns.map((column, c) =>
    c === 0 ? 1 : Math.sqrt(column.reduce((sum, x) => sum + (x - (means[c] ?? 0)) ** 2, 0) / column.length) || 1,
  );
  const weights = columns.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    const gradient = columns.map(() => 0);
    for (const [i, row] of rows.entries()) {
      const standard = row.map((x, c) => (x - (means[c] ?? 0)) / (scales[c] ?? 1));
      const odds = standard.reduce((sum, x, c) => sum + x * (weights[c] ?? 0), 0);
      const error = (labels[i] ? 1 : 0) - 1 / (1 + Math.exp(-odds));
      for (const [c, x] of standard.entries()) gradient[c] = (gradient[c] ?? 0) + (x * error) / rows.length;
    }
    for (const [c, g] of gradient.entries()) weights[c] = (weights[c] ?? 0) + 2 * g;
  }
  const plain = weights.map((weight, c) => weight / (scales[c] ?? 1));
  plain[0] = (weights[0] ?? 0) - plain.slice(1).reduce((sum, weight, c) => sum + weight * (means[c + 1] ?? 0), 0);
  return plain;
}
