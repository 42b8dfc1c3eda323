/** A wrong name with up to this many edits from a right one counts as a typing mistake. */
const MAX_EDITS = 3;

/** The known name with the fewest edits, if they are few enough for its length. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.min(MAX_EDITS, Math.ceil(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = editDistance(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance. O(a·b). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
