import { DataError } from '../../base/core/errors.ts';
import { scanWords } from '../../base/text/tokens.ts';
import { unitVectors } from './unit-vectors.ts';
import type { WordTable } from './word-vectors.ts';

export interface RowLimits {
  /** Rows of a file that are read: its first ones, which are the most frequent words. */
  readonly words: number;
  readonly dimensions: number;
}

const REMEDY =
  'give word vectors as text (word2vec with binary=0, fastText .vec, GloVe): a word and its numbers a line, with spaces between them';
/** One number is no direction, and a list of words with their counts has one number a line. */
const MIN_DIMENSIONS = 2;
/** Characters of a word that an error quotes. */
const QUOTED = 40;

/** Rows of a file of word vectors, as its lines come. The first line may be a header: the number of words, and of dimensions. */
export class WordVectorRows {
  readonly #limits: RowLimits;
  readonly #path: string;
  /** Line of each word. */
  readonly #lineOf = new Map<string, number>();
  #announced: number | null = null;
  #dimensions = 0;
  #values = new Float32Array(0);
  #rows = 0;

  /** @param path name of the file in errors */
  constructor(path: string, limits: RowLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** Number of rows read, also of those without a word. */
  get rows(): number {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows === this.#limits.words;
  }

  /** @param number of the line, from 1 @throws DataError naming the line */
  add(line: string, number: number): void {
    const fields = fieldsOf(line);
    if (fields.length < 2 && fields[0] === '') return;
    if (this.#dimensions > 0) this.#addRow(fields, number);
    else if (fields.length === 2 && fields.every((field) => /^\d+$/.test(field))) this.#begin(Number(fields[1]), number, Number(fields[0]));
    else {
      this.#begin(fields.length - 1, number, null);
      this.#addRow(fields, number);
    }
  }

  /** The words, and their vectors in their final form. @throws DataError for a file that is cut, or without words */
  finish(): WordTable {
    if (this.#announced !== null && this.#rows < Math.min(this.#announced, this.#limits.words))
      throw new DataError(
        `${this.#path}: ends after ${this.#rows} of the ${this.#announced} words that its first line announces; fetch it again, or correct that line`,
      );
    if (this.#lineOf.size === 0) throw new DataError(`${this.#path}: has no row with a word; ${REMEDY}`);
    const words = [...this.#lineOf.keys()];
    const vectors = unitVectors(this.#values.subarray(0, words.length * this.#dimensions), this.#dimensions);
    if (vectors.every((part) => part === 0))
      throw new DataError(`${this.#path}: all its vectors are equal; give vectors that distinguish words`);
    return { words, vectors };
  }

  #begin(dimensions: number, number: number, announced: number | null): void {
    if (announced === 0) throw this.#fault(number, `announces no words; ${REMEDY}`);
    if (dimensions < MIN_DIMENSIONS) throw this.#fault(number, `has ${dimensions === 1 ? 'one number' : 'no numbers'} a word; ${REMEDY}`);
    if (dimensions > this.#limits.dimensions)
      throw this.#fault(
        number,
        `has ${dimensions} dimensions, over the cap of ${this.#limits.dimensions}; reduce them, or give smaller vectors`,
      );
    this.#announced = announced;
    this.#dimensions = dimensions;
    // The system gives memory only to pages that are written.
    this.#values = new Float32Array(Math.min(announced ?? this.#limits.words, this.#limits.words) * dimensions);
  }

  #addRow(fields: readonly string[], number: number): void {
    if (this.#rows === this.#announced)
      throw this.#fault(number, `is more than the ${this.#rows} words that line 1 announces; correct line 1`);
    this.#rows++;
    const start = fields.length - this.#dimensions;
    if (start < 1) throw this.#wrongLength(fields.length - 1, number);
    const at = this.#lineOf.size * this.#dimensions;
    for (let d = 0; d < this.#dimensions; d++) this.#values[at + d] = this.#numberOf(fields[start + d] ?? '', number);
    // More than a word before the numbers: a phrase, which no page has as a word.
    if (start > 1 && fields.slice(1, start).every((field) => decimalOf(field) !== null)) throw this.#wrongLength(fields.length - 1, number);
    if (start === 1) this.#keep(fields[0] ?? '', number);
  }

  #keep(word: string, number: number): void {
    if (!isWholeWord(word)) return;
    const first = this.#lineOf.get(word);
    if (first !== undefined) throw this.#fault(number, `has the word ${quoted(word)} of line ${first} again; remove one of them`);
    this.#lineOf.set(word, number);
  }

  #numberOf(field: string, number: number): number {
    const value = decimalOf(field);
    if (value === null) throw this.#fault(number, `has ${quoted(field)} in place of a number; remove the line, or correct it`);
    return value;
  }

  #wrongLength(found: number, number: number): DataError {
    return this.#fault(number, `has ${found} numbers, not ${this.#dimensions}; remove the line, or correct it`);
  }

  #fault(number: number, why: string): DataError {
    return new DataError(`${this.#path}:${number}: ${why}`);
  }
}

/** Fields between blanks. The first is empty if the line begins with a blank. */
function fieldsOf(line: string): string[] {
  const text = line.replace(/[ \t\r]+$/, '');
  return text.includes('\t') || text.includes('  ') ? text.split(/[ \t]+/) : text.split(' ');
}

/** Greatest size of a number, so that a square stays a number of 32 bits. */
const MOST = 1e18;

/** A decimal number; null for anything else. */
function decimalOf(field: string): number | null {
  const value = Number(field);
  // Blanks other than those between fields are 0 too.
  if (value === 0) return /^[-+]?[0.]/.test(field) ? 0 : null;
  return Math.abs(value) <= MOST ? value : null;
}

/** Is it one word of a page? Not a mark, a piece of a word, or data. */
function isWholeWord(text: string): boolean {
  let words = 0;
  let isWhole = false;
  scanWords(text, (_hash, start, end) => {
    words++;
    isWhole = start === 0 && end === text.length;
  });
  return words === 1 && isWhole;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}
