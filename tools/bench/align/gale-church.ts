/** The method of Gale and Church (1993) as they published it, for comparison: their six beads, over the sentences of a whole page. */
import type { AlignSide, TextAlignment } from '../../../src/corpus/align/aligned-text.ts';
import { BEAD_KINDS, type BeadGains, diagonalCorridor, searchBeads } from '../../../src/corpus/align/bead-search.ts';
import { cutText } from '../../../src/corpus/align/text-sentences.ts';

const VARIANCE = 6.8;
/** Their shares, in the order of `BEAD_KINDS`: 0.89 1-1, 0.0099 1-0 and 0-1, 0.089 2-1 and 1-2, 0.011 2-2. */
const SHARES = [0.89, 0.00495, 0.00495, 0.0445, 0.0445, 0.011, 0, 0];
const CELLS = 2 ** 24;

/** Beads of two texts, without scores. */
export function galeChurch(left: AlignSide, right: AlignSide): TextAlignment {
  const [lefts, rights] = [cutText(left.text, left.lang).sentences, cutText(right.text, right.lang).sentences];
  const [leftSums, rightSums] = [lefts, rights].map((sentences) => {
    const sums = [0];
    for (const { start, end } of sentences) sums.push((sums.at(-1) ?? 0) + end - start);
    return sums;
  }) as [number[], number[]];
  const gains: BeadGains = {
    prepare: () => {},
    gain: (kind, leftEnd, rightEnd) => {
      const [a, b] = BEAD_KINDS[kind] ?? [0, 0];
      const l = (leftSums[leftEnd] ?? 0) - (leftSums[leftEnd - a] ?? 0);
      const r = (rightSums[rightEnd] ?? 0) - (rightSums[rightEnd - b] ?? 0);
      const distance = Math.abs(r - l) / Math.sqrt(VARIANCE * Math.max(1, (l + r) / 2));
      return Math.log(SHARES[kind] ?? 0) + Math.log(Math.max(1e-40, 2 * upperTail(distance)));
    },
  };
  const beads = searchBeads(lefts.length, rights.length, diagonalCorridor(lefts.length, rights.length, CELLS), gains);
  return { left: lefts, right: rights, beads: beads.map((bead) => ({ left: bead.left, right: bead.right, score: 0 })), isCapped: false };
}

/** Probability that a normal variable is larger: Abramowitz and Stegun, 26.2.17, error below 7.5e-8. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
