/** An oracle of near-duplicates with no code of ours: sets of strings, compared pair by pair. */

/** Runs of five words, as strings. Words are those of a Unicode regular expression; a character of Han, kana or Thai is a word. */
export function shingleStrings(text: string): Set<string> {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{N}\p{M}])+/gu) ??
    [];
  if (words.length < 5) return new Set(words.length === 0 ? [] : [words.join(' ')]);
  return new Set(words.slice(4).map((_, i) => words.slice(i, i + 5).join(' ')));
}

export function jaccardOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared / (one.size + other.size - shared);
}

export interface Pair {
  readonly a: number;
  readonly b: number;
  readonly similarity: number;
}

/**
 * All pairs at or above a threshold, without an estimate: by the prefix filter of Chaudhuri, Ganti and Kaushik 2006. Shingles are ordered from the rarest
 * on; sets of a similarity t share one of their first n − ⌈t·n⌉ + 1.
 */
export function similarPairs(sets: readonly ReadonlySet<string>[], threshold: number): Pair[] {
  const frequency = new Map<string, number>();
  for (const set of sets) for (const shingle of set) frequency.set(shingle, (frequency.get(shingle) ?? 0) + 1);
  const holders = new Map<string, number[]>();
  const pairs: Pair[] = [];
  for (const [b, set] of sets.entries()) {
    const inOrder = [...set].sort((x, y) => (frequency.get(x) ?? 0) - (frequency.get(y) ?? 0) || (x < y ? -1 : 1));
    const candidates = new Set<number>();
    for (const shingle of inOrder.slice(0, set.size - Math.ceil(threshold * set.size) + 1)) {
      for (const a of holders.get(shingle) ?? []) candidates.add(a);
      holders.set(shingle, [...(holders.get(shingle) ?? []), b]);
    }
    for (const a of candidates) {
      const similarity = jaccardOf(sets[a] ?? new Set(), set);
      if (similarity >= threshold) pairs.push({ a, b, similarity });
    }
  }
  return pairs;
}

/** The cluster of each page: the least page that a chain of pairs leads to. */
export function clustersOf(pages: number, pairs: readonly Pair[]): number[] {
  const cluster = Array.from({ length: pages }, (_, i) => i);
  for (let changed = true; changed; ) {
    changed = false;
    for (const { a, b } of pairs) {
      const least = Math.min(cluster[a] ?? a, cluster[b] ?? b);
      if (cluster[a] !== least || cluster[b] !== least) changed = true;
      cluster[a] = least;
      cluster[b] = least;
    }
  }
  return cluster;
}
