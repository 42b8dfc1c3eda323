/** Two methods on the same cases, where cases come in groups that are no independent witnesses. */

/** One case: its group, and what the two methods came to on it. */
export interface PairedCase {
  readonly cluster: string;
  readonly ours: number;
  readonly theirs: number;
}

export interface PairedDifference {
  /** Ours less theirs, each cluster counting once. */
  readonly mean: number;
  /** From the spread of the clusters' means; NaN for a single cluster. */
  readonly standardError: number;
  readonly clusters: number;
  /** Clusters in which ours is the greater. */
  readonly ahead: number;
}

/**
 * Mean over clusters of their mean differences, with its standard error. The clusters' means are the observations, so more cases of one
 * cluster do not make the error smaller than the clusters differ.
 */
export function pairedDifference(cases: readonly PairedCase[]): PairedDifference {
  const byCluster = new Map<string, number[]>();
  for (const { cluster, ours, theirs } of cases) byCluster.set(cluster, [...(byCluster.get(cluster) ?? []), ours - theirs]);
  const means = [...byCluster.values()].map(mean);
  return {
    mean: mean(means),
    standardError: standardError(means),
    clusters: means.length,
    ahead: means.filter((difference) => difference > 0).length,
  };
}

/** NaN of none. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Of the mean; NaN of fewer than two. */
export function standardError(numbers: readonly number[]): number {
  const middle = mean(numbers);
  const variance = numbers.reduce((sum, number) => sum + (number - middle) ** 2, 0) / (numbers.length - 1);
  return Math.sqrt(variance / numbers.length);
}

/** To three places, with its sign. */
export function signed(number: number): string {
  return `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(3)}`;
}
