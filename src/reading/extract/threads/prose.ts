/** Words of the blocks of a page that are neither hidden nor links, in sums, so that a range of blocks is asked at once. */
import { LINE, lineNumber } from '../blocks.ts';
import { FLAG } from '../tags.ts';

const UNSEEN = FLAG.hidden | FLAG.nav;

export class Prose {
  readonly #sums: Float64Array;

  private constructor(sums: Float64Array) {
    this.#sums = sums;
  }

  static of(lines: Int32Array, blocks: number): Prose {
    return Prose.#summed(blocks, (block) => wordsOf(lines, block));
  }

  /** Words without those of some blocks. */
  without(isLeft: (block: number) => boolean): Prose {
    return Prose.#summed(this.#sums.length - 1, (block) => (isLeft(block) ? 0 : this.words(block, block)));
  }

  static #summed(blocks: number, wordsIn: (block: number) => number): Prose {
    const sums = new Float64Array(blocks + 1);
    for (let i = 0; i < blocks; i += 1) sums[i + 1] = (sums[i] ?? 0) + wordsIn(i);
    return new Prose(sums);
  }

  /** Words of the blocks from `first` to `last`. */
  words(first: number, last: number): number {
    return last < first ? 0 : (this.#sums[last + 1] ?? 0) - (this.#sums[first] ?? 0);
  }
}

function wordsOf(lines: Int32Array, block: number): number {
  if (lineNumber(lines, block, LINE.flags) & UNSEEN) return 0;
  const words = lineNumber(lines, block, LINE.halfWords) / 2;
  const linked = lineNumber(lines, block, LINE.linkHalfWords) / 2;
  return 2 * linked > words ? 0 : words;
}
