/** All evidence for a bead. */
import { type BeadGains, type Corridor, LEFTS, MAX_BEAD, RIGHTS } from './bead-search.ts';
import { type LengthModel, lengthGain } from './length-gain.ts';
import type { CutText, SentenceBorder } from './text-sentences.ts';
import type { WordGains } from './word-gain.ts';

/** Cost of a border inside of a bead. This and the constants below were chosen by `npm run bench -- align --use tuning`. */
const INSIDE: Readonly<Record<SentenceBorder, number>> = { none: 0, line: 2, paragraph: 3 };
/** Share of that cost in a text that may have a sentence a line, and a line for each paragraph; and share of inner sentences that excludes that. */
const LINES = { cost: 1 / 3, inner: 0.02 };
/** Cost of a border that only one text has between two beads. */
const BORDER_ALONE = 3;
/** Cost of a sentence without partner where the other text has no border of a paragraph. */
const ALONE_INSIDE = 1.5;
/** Weight of words beside lengths: the words of a sentence depend on each other. */
const WORD_WEIGHT = 0.7;

/** A text with the sums that its ranges need. */
interface SummedText {
  /** Characters before each sentence. */
  readonly chars: Float64Array;
  /** Costs of the borders before each sentence and the earlier ones. */
  readonly inside: Float64Array;
  readonly borders: readonly SentenceBorder[];
}

/** Gains of beads by their shares, lengths, borders and words. */
export class AllGains implements BeadGains {
  readonly #left: SummedText;
  readonly #right: SummedText;
  readonly #words: WordGains | null;
  #model: LengthModel = { ratio: 1, variance: 1 };
  #corridor: Corridor = { from: new Int32Array(1), to: new Int32Array(1) };
  #kinds: readonly number[] = [];
  #most = 0;

  constructor(left: CutText, right: CutText, words: WordGains | null) {
    this.#left = summed(left);
    this.#right = summed(right);
    this.#words = words;
  }

  /** @param shares of the beads, in the order of `BEAD_KINDS` @param most places of a word that are looked at */
  start(corridor: Corridor, shares: readonly number[], model: LengthModel, most: number): void {
    this.#corridor = corridor;
    this.#kinds = shares.map(Math.log);
    this.#model = model;
    this.#most = most;
  }

  prepare(leftEnd: number): void {
    if (leftEnd === 0 || this.#words === null) return;
    const { from, to } = this.#corridor;
    const last = Math.min(from.length - 1, leftEnd + MAX_BEAD - 1);
    this.#words.prepare(leftEnd - 1, Math.max(0, (from[leftEnd] as number) - MAX_BEAD), to[last] as number, this.#most);
  }

  gain(kind: number, leftEnd: number, rightEnd: number): number {
    const a = LEFTS[kind] as number;
    const b = RIGHTS[kind] as number;
    const share = this.#kinds[kind] as number;
    if (a === 0 || b === 0) return share - this.#aloneCost(a === 0 ? this.#left : this.#right, a === 0 ? leftEnd : rightEnd);
    const [left, right] = [leftEnd - a, rightEnd - b];
    const { chars: leftChars, inside: leftInside, borders: leftBorders } = this.#left;
    const { chars: rightChars, inside: rightInside, borders: rightBorders } = this.#right;
    let gain =
      share +
      lengthGain(
        (leftChars[leftEnd] as number) - (leftChars[left] as number),
        (rightChars[rightEnd] as number) - (rightChars[right] as number),
        this.#model,
      );
    if (a > 1) gain -= (leftInside[leftEnd] as number) - (leftInside[left + 1] as number);
    if (b > 1) gain -= (rightInside[rightEnd] as number) - (rightInside[right + 1] as number);
    if ((leftBorders[left] === 'paragraph') !== (rightBorders[right] === 'paragraph')) gain -= BORDER_ALONE;
    if (this.#words !== null) gain += WORD_WEIGHT * this.#words.gain(left, leftEnd, right, rightEnd);
    return gain;
  }

  /** Cost of sentences without partner, if the other text has no border of a paragraph there. */
  #aloneCost({ borders }: SummedText, at: number): number {
    return at === borders.length || borders[at] === 'paragraph' ? 0 : ALONE_INSIDE;
  }
}

function summed({ sentences, borders }: CutText): SummedText {
  const chars = new Float64Array(sentences.length + 1);
  const inside = new Float64Array(sentences.length + 1);
  const inner = borders.filter((border) => border !== 'paragraph').length / Math.max(1, borders.length);
  const share = Math.max(LINES.cost, Math.min(1, inner / LINES.inner));
  for (const [i, { start, end }] of sentences.entries()) {
    chars[i + 1] = (chars[i] as number) + end - start;
    inside[i + 1] = (inside[i] as number) + share * INSIDE[borders[i] as SentenceBorder];
  }
  return { chars, inside, borders };
}
