/**
 * Spearman's rank correlation of two equally long lists, in [-1, 1]: do they put the same things in the same order? Equal numbers share
 * the mean of their ranks. NaN when all numbers of a list are equal.
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [centredRanks(a), centredRanks(b)];
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

function centredRanks(numbers: readonly number[]): number[] {
  const middle = (numbers.length + 1) / 2;
  return numbers.map((number) => {
    const less = numbers.filter((other) => other < number).length;
    const equal = numbers.filter((other) => other === number).length;
    return less + (equal + 1) / 2 - middle;
  });
}

function dot(x: readonly number[], y: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}
