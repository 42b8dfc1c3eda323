import { takesJoiner } from '../../src/base/text/joiners.ts';
import { CLASS, CLASSES } from '../../src/reading/extract/character-classes.ts';
import { LineNotesWriter } from './line-notes.ts';

/** The visible text of one page, written once: collapses white space as it arrives, and keeps counts of the current block. */

const SPACE = 32;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** The sum of `lookAtBlock` over code units: capitals from bit 0, marks from bit 10; so `LOOKS` units at once. */
const LOOKS = 1000;
const LOOK = Uint32Array.from(CLASSES, (kind, code) => {
  if (code >= 65 && code <= 90) return 1;
  return code === SPACE || code === NEWLINE || kind === CLASS.letter || kind === CLASS.half || kind === CLASS.joiner ? 0 : 1 << 10;
});

/** Number of code units at either end of a block that go into its hash. */
const HASHED = 32;

/** Append-only UTF-16 text of a page with the running counts of its last block. */
export class TextBuffer {
  codes: Uint16Array = new Uint16Array(65_536);
  length = 0;
  readonly notes = new LineNotesWriter();
  #blockCount = 0;
  /** The start of the current block's text. */
  blockStart = 0;
  /** Words of the current block, in half words: a word is 2, a character of an unspaced script 1. */
  halfWords = 0;
  sentenceEnds = 0;
  #pendingSpace = false;
  /** Line ends in the white space that is pending. */
  #lineEnds = 0;
  #inWord = false;
  #lastStop = false;
  #allBits = 0;

  /** Clears the text of the last page; makes room for `capacity` code units. */
  reset(capacity: number): void {
    if (this.codes.length < capacity) this.codes = new Uint16Array(capacity);
    this.length = 0;
    this.#allBits = 0;
    this.#blockCount = 0;
    this.notes.start();
    this.startBlock();
  }

  /** True if the current block has any visible text. */
  get hasText(): boolean {
    return this.length > this.blockStart;
  }

  /** The current block has text, and it does not end with a stop. */
  get isInSentence(): boolean {
    const kind = this.hasText ? CLASSES[this.codes[this.length - 1] as number] : CLASS.stop;
    return kind !== CLASS.stop && kind !== CLASS.wideStop;
  }

  /** Writes `source[start, end)`, UTF-16 code units. O(end - start). @param inPre whether a blank line ends a paragraph @param keeps bits of `KEEP` */
  write(source: Uint16Array, start: number, end: number, inPre: boolean, keeps: number): void {
    this.#reserve(end - start);
    const codes = this.codes;
    let length = this.length;
    let pendingSpace = this.#pendingSpace;
    let inWord = this.#inWord;
    let lastStop = this.#lastStop;
    let lineEnds = this.#lineEnds;
    let halfWords = 0;
    let bits = 0;
    for (let i = start; i < end; i += 1) {
      let code = source[i] as number;
      let kind = CLASSES[code];
      if (kind === CLASS.space) {
        pendingSpace = true;
        this.notes.space(code, i + 1 < end ? (source[i + 1] as number) : 0, keeps);
        if (code === NEWLINE || (code === CARRIAGE_RETURN && (i + 1 >= end || source[i + 1] !== NEWLINE))) lineEnds += 1;
        continue;
      }
      if (kind === CLASS.drop) continue;
      if (kind === CLASS.joiner) {
        if (pendingSpace || length === this.blockStart || !takesJoiner(codes[length - 1] as number)) continue;
        codes[length] = code;
        length += 1;
        bits |= code;
        continue;
      }
      if (pendingSpace) {
        pendingSpace = false;
        inWord = false;
        if (length > this.blockStart) {
          this.notes.inBlock(length, keeps);
          codes[length] = inPre && lineEnds > 1 ? NEWLINE : SPACE;
          length += 1;
          if (lastStop) this.sentenceEnds += 1;
          lastStop = false;
        }
        lineEnds = 0;
      }
      if (length === this.blockStart) this.notes.atBlock(this.#blockCount, length, keeps);
      if (kind === CLASS.letter) {
        lastStop = false;
        if (!inWord) halfWords += 2;
        inWord = true;
        // The most frequent case in any text: letters after letters.
        do {
          codes[length] = code;
          length += 1;
          bits |= code;
          i += 1;
          code = i < end ? (source[i] as number) : SPACE;
          kind = CLASSES[code];
        } while (kind === CLASS.letter);
        i -= 1;
        continue;
      }
      codes[length] = code;
      length += 1;
      bits |= code;
      if (kind === CLASS.half) {
        lastStop = false;
        inWord = false;
        halfWords += 1;
      } else if (kind === CLASS.stop) lastStop = true;
      else if (kind === CLASS.wideMark) inWord = false;
      else if (kind === CLASS.wideStop) {
        this.sentenceEnds += 1;
        inWord = false;
      }
    }
    this.length = length;
    this.#pendingSpace = pendingSpace;
    this.#inWord = inWord;
    this.#lastStop = lastStop;
    this.#lineEnds = lineEnds;
    this.halfWords += halfWords;
    this.#allBits |= bits;
  }

  /** A word boundary without a character of its own: `<br>`, a cell's edge. */
  space(): void {
    this.#pendingSpace = true;
  }

  /** Ends the current block with a line break and starts the next. */
  startBlock(): void {
    if (this.length > this.blockStart) {
      this.#reserve(1);
      this.codes[this.length] = NEWLINE;
      this.length += 1;
      this.#blockCount += 1;
    }
    this.blockStart = this.length;
    this.halfWords = 0;
    this.sentenceEnds = 0;
    this.#pendingSpace = false;
    this.#lineEnds = 0;
    this.#inWord = false;
    this.#lastStop = false;
  }

  /** Kinds of characters in the current block, and a hash of its length, start and end. O(length of the block). */
  lookAtBlock(): { readonly capitals: number; readonly marks: number; readonly hash: number } {
    const { codes, length, blockStart } = this;
    let capitals = 0;
    let marks = 0;
    for (let from = blockStart; from < length; from += LOOKS) {
      let looks = 0;
      const to = Math.min(length, from + LOOKS);
      for (let i = from; i < to; i += 1) looks += LOOK[codes[i] as number] as number;
      capitals += looks & 0x3ff;
      marks += looks >>> 10;
    }
    let hash = length - blockStart;
    const headEnd = Math.min(length, blockStart + HASHED);
    for (let i = blockStart; i < headEnd; i += 1) hash = Math.imul(hash ^ (codes[i] as number), 0x01000193);
    for (let i = Math.max(headEnd, length - HASHED); i < length; i += 1) hash = Math.imul(hash ^ (codes[i] as number), 0x01000193);
    return { capitals, marks, hash };
  }

  /** Sentence ends of the current block, including its very end. */
  closingSentenceEnds(): number {
    return this.sentenceEnds + (this.#lastStop ? 1 : 0);
  }

  /** The whole text so far. If all code units of a page are under 256, it is a one-byte string with half the memory. */
  text(): string {
    const used = this.codes.subarray(0, this.length);
    if (this.#allBits < 256) return Buffer.from(used).toString('latin1');
    return Buffer.from(used.buffer, used.byteOffset, used.byteLength).toString('utf16le');
  }

  #reserve(more: number): void {
    // One unit for each of: pending space, closing line break.
    const need = this.length + more + 2;
    if (need <= this.codes.length) return;
    const grown = new Uint16Array(Math.max(need, this.codes.length * 2));
    grown.set(this.codes.subarray(0, this.length));
    this.codes = grown;
  }
}

/** The looks of a text that is not read aloud: a letter or digit is a word, white space is `blank`; marks, emoji and signs of icon fonts are ornaments. */
export function looksOf(source: Uint16Array, start: number, end: number): 'words' | 'blank' | 'ornament' {
  let isBlank = true;
  for (let i = start; i < end; i += 1) {
    const code = source[i] as number;
    if (isLetter(code)) return 'words';
    const kind = CLASSES[code];
    if (kind !== CLASS.space && kind !== CLASS.drop) isBlank = false;
  }
  return isBlank ? 'blank' : 'ornament';
}

/**
 * Whether a code unit is a letter or a sign of a currency; not the signs for multiplication and division, symbols, the private use area,
 * and halves of emoji.
 */
function isLetter(code: number): boolean {
  if (code === 0x24 || (code >= 0xa2 && code <= 0xa5) || (code >= 0x20a0 && code <= 0x20cf)) return true;
  const kind = CLASSES[code];
  if (kind !== CLASS.letter && kind !== CLASS.half) return false;
  if (code < 0x2000) return code !== 0xd7 && code !== 0xf7;
  return code >= 0x2c00 && (code < 0xd83c || code > 0xf8ff || (code > 0xd83e && code < 0xdc00));
}
