/** Agreement of two texts by their pairs of neighbouring words. */

/** A word; of scripts without spaces, a character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{Nd}])+/gu;

/** F1 of the pairs, in [0, 1]; 1 for two texts without pairs. */
export function bigramF1(found: string, truth: string): number {
  const [a, b] = [bigrams(found), bigrams(truth)];
  const [all, sought] = [total(a), total(b)];
  let common = 0;
  for (const [pair, count] of a) common += Math.min(count, b.get(pair) ?? 0);
  return all + sought === 0 ? 1 : (2 * common) / (all + sought);
}

function bigrams(text: string): ReadonlyMap<string, number> {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  const counts = new Map<string, number>();
  for (let at = 1; at < words.length; at++) {
    const pair = `${words[at - 1]} ${words[at]}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
