import { EDGE, KEEP } from '../../src/reading/extract/line-edges.ts';
import { type LineNotes, SAME_PARAGRAPH } from '../../src/reading/extract/line-notes.ts';

/** Most line ends and blanks of one run of white space. */
const MAX_ENDS = 8;
const MAX_BLANKS = 255;
const LINE_END = /[\n-\r\u0085\u2028\u2029]/;
const NO_BREAK = 0xa0;

/** Notes the white space of a text that means something, as the text arrives. */
export class LineNotesWriter {
  #runs: number[] = [];
  #blanks: string[] = [];
  #blankCount = 0;
  #gaps: number[] = [];
  // Since the last character of the text.
  #edges = 0;
  #lineEnds = 0;
  #run = '';
  #inRow = false;
  #afterEnd = false;
  /** Was the last unit a no-break space? Then a space after it counts, too. */
  #afterNoBreak = false;

  start(): void {
    this.#runs = [];
    this.#blanks = [];
    this.#blankCount = 0;
    this.#gaps = [];
    this.#forget();
  }

  finish(blocks: number): LineNotes {
    return { runs: Int32Array.from(this.#runs), blanks: this.#blanks.join(''), gaps: Uint8Array.from(this.#gaps.slice(0, blocks)) };
  }

  edge(edge: number, isEnd: boolean): void {
    this.#edges |= edge;
    this.#lineEnds ||= 1;
    this.#run = '';
    this.#afterNoBreak = false;
    this.#afterEnd = isEnd;
  }

  cell(): void {
    this.#inRow = true;
  }

  break(): void {
    this.#lineEnds += 1;
    this.#run = '';
    this.#afterEnd = this.#afterNoBreak = false;
  }

  space(code: number, next: number, keeps: number): void {
    if (keeps & KEEP.lines && LINE_END.test(String.fromCharCode(code))) {
      this.#lineEnd(code === 13 && next === 10);
      return;
    }
    const isSeen = code === NO_BREAK || this.#afterNoBreak;
    this.#afterNoBreak = code === NO_BREAK;
    const isKept = keeps & KEEP.blanks || (isSeen && this.#lineEnds > 0);
    if (isKept && this.#run.length < MAX_BLANKS) this.#run += code === 9 ? '\t' : ' ';
  }

  /** Highlighters put each line into an element, and its line end inside or behind it. */
  #lineEnd(isHalf: boolean): void {
    if (isHalf) return;
    if (!this.#afterEnd) this.#lineEnds += 1;
    this.#afterEnd = false;
    this.#run = '';
  }

  inBlock(place: number, keeps: number): void {
    const ends = this.#edges === 0 ? Math.min(this.#lineEnds, mostEnds(keeps)) : this.#gap(keeps);
    const run = ends === 0 && this.#inRow ? '\t' : '\n'.repeat(ends) + this.#run;
    if (run !== '' && run !== ' ') this.#note(place, run);
    this.#forget();
  }

  atBlock(block: number, place: number, keeps: number): void {
    const isLine = (this.#edges & ~EDGE.line) === 0;
    this.#gaps[block] = block === 0 ? 0 : this.#gap(keeps) | (isLine ? SAME_PARAGRAPH : 0);
    if (this.#run !== '' && (isLine || keeps & KEEP.blanks)) this.#note(place, this.#run);
    this.#forget();
  }

  #gap(keeps: number): number {
    const isItem = this.#edges & EDGE.item;
    if (this.#edges & EDGE.section || (this.#edges & EDGE.paragraph && !isItem)) return 2;
    return Math.max(1, Math.min(this.#lineEnds, mostEnds(keeps)));
  }

  #note(place: number, run: string): void {
    this.#blanks.push(run);
    this.#blankCount += run.length;
    this.#runs.push(place, this.#blankCount);
  }

  #forget(): void {
    this.#edges = this.#lineEnds = 0;
    this.#run = '';
    this.#inRow = this.#afterEnd = this.#afterNoBreak = false;
  }
}

function mostEnds(keeps: number): number {
  return keeps & KEEP.blanks ? MAX_ENDS : 2;
}
