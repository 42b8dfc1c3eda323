/** Marks of a text that a translation keeps: numbers, names, code, and words that both languages write alike. */
import { hashText } from '../../base/text/hash-text.ts';
import { combineHashes } from '../../base/text/tokens.ts';
import { europeanDigits } from './number-tokens.ts';

/** Characters of a text that count, so that a page of any size takes at most some 50 ms. */
const MAX_CHARS = 200_000;
/** Marks of one kind that a sketch has. With half as many, twins share too few of long pages; more change no pair of the bench. */
export const MAX_MARKS = 96;
/** Lines of a text that a sketch has. */
export const MAX_LINES = 64;

const TOKEN = /[\p{L}\p{N}]+(?:[._\-/:@][\p{L}\p{N}]+)*/gu;
const NUMBER = /^\p{Nd}+(?:[._\-/:]\p{Nd}+)*$/u;
/** Words with digits, signs or capitals inside: names of programs, files, functions, people's abbreviations. */
const CODE = /\p{Nd}|[._/:@]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;
/** Scripts without spaces have no words here; those of Latin, Greek or Cyrillic are names or loans. */
const WORD = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,}/u;
const SALT = { number: 0x51ed270b, code: 0x2545f491, word: 0x68bc21eb } as const;

export interface TextMarks {
  /** Hashes of numbers and code, ascending: the lowest `MAX_MARKS`, so that two texts have the same sample of their shared ones. */
  readonly firm: Uint32Array;
  /** Hashes of plain words, in the same way. */
  readonly words: Uint32Array;
  /** Two bytes for each of the first lines: length on a log scale, and the sum of its firm marks (0 for none). */
  readonly lines: Uint8Array;
  /** Number of all lines of the text, up to its cap. */
  readonly lineCount: number;
}

/** O(length), up to 200,000 characters. */
export function textMarks(text: string): TextMarks {
  const firm: number[] = [];
  const words: number[] = [];
  const lines: number[] = [];
  let lineCount = 0;
  for (const line of linesOf(text.slice(0, MAX_CHARS).normalize('NFKC'))) {
    const before = firm.length;
    for (const [token] of line.matchAll(TOKEN)) addMark(token, firm, words);
    if (lineCount < MAX_LINES) lines.push(lengthByte(line), sumByte(firm, before));
    lineCount += 1;
  }
  return { firm: lowest(firm), words: lowest(words), lines: Uint8Array.from(lines), lineCount };
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    if (line !== '') yield line;
    from = end < 0 ? text.length : end + 1;
  }
}

function addMark(token: string, firm: number[], words: number[]): void {
  if (NUMBER.test(token)) {
    // 1,000 and 1.000 are one number; a digit by itself is in every list.
    const digits = europeanDigits(token);
    if (digits.length > 1) firm.push(markOf(digits, SALT.number));
  } else if (CODE.test(token)) firm.push(markOf(token.toLowerCase(), SALT.code));
  else if (WORD.test(token)) words.push(markOf(token.toLowerCase(), SALT.word));
}

function markOf(token: string, salt: number): number {
  return combineHashes(hashText(token, 0, token.length), salt) >>> 0;
}

/** Han, kana and Hangul say in one character as much as other scripts in three or two. */
const DENSE = /[\p{Script=Han}\p{Script=Hira}\p{Script=Kana}\p{Script=Hang}]/gu;

/** Length of a text in letters of an alphabet. */
export function alphabetLength(text: string): number {
  return text.length + (text.length > 0 ? 1.5 * (text.match(DENSE)?.length ?? 0) : 0);
}

/** Twelve steps a doubling. */
export const LENGTH_STEPS = 12;

function lengthByte(line: string): number {
  return Math.min(255, Math.round(LENGTH_STEPS * Math.log2(1 + alphabetLength(line))));
}

function sumByte(firm: readonly number[], from: number): number {
  let sum = 0;
  for (let i = from; i < firm.length; i++) sum = (sum + (firm[i] as number)) >>> 0;
  return from === firm.length ? 0 : 1 + (sum % 255);
}

function lowest(hashes: readonly number[]): Uint32Array {
  const sorted = Uint32Array.from(hashes).sort();
  const out: number[] = [];
  for (const hash of sorted) {
    if (out.length === MAX_MARKS) break;
    if (hash !== out.at(-1)) out.push(hash);
  }
  return Uint32Array.from(out);
}
