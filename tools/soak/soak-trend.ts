/** Straight lines through what was measured over time. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly slope: number;
  /** Twice the standard error of the slope; Infinity for fewer than three points. */
  readonly margin: number;
}

/** The line of least squares. */
export function lineThrough(points: readonly Point[]): Line {
  const n = points.length;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  const sxx = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / sxx;
  const residual = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, margin: n < 3 ? Number.POSITIVE_INFINITY : 2 * Math.sqrt(residual / (n - 2) / sxx) };
}

/** Means of the points in each stretch of x of that width: neighbours that err together count once. */
export function meansBy(width: number, points: readonly Point[]): Point[] {
  const stretches = new Map<number, Point[]>();
  for (const point of points) {
    const key = Math.floor(point.x / width);
    const stretch = stretches.get(key);
    if (stretch) stretch.push(point);
    else stretches.set(key, [point]);
  }
  return [...stretches.values()].map((stretch) => ({
    x: stretch.reduce((sum, { x }) => sum + x, 0) / stretch.length,
    y: stretch.reduce((sum, { y }) => sum + y, 0) / stretch.length,
  }));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
