/** The attributes of one start tag that are read, and the flags that they give: attributes.ts and class-hints.ts. */

import { find, plainHash } from './arena';
import { decodeAttribute } from './host-functions';
import { ATTRIBUTE, lowered, ROLE, valueNamed, WORD } from './name-table';
import { BLOCK_STYLE, CELL_STYLE, effectOfStyle, SHOWN, UNSEEN } from './style-effects';
import { BLOCK, CELL, INLINE } from './text-blocks';
import { AMPERSAND } from './text-references';

const MAX_VALUE: usize = 8192;
const LONGEST_NAME: usize = 13;
const MAX_NAMES: i32 = 40;
const MAX_WORDS: i32 = 12;
/** Value of a word that describes a state of the page; others are flags. */
const STATE: i32 = 1 << 30;

/** Places of names that are read here, in the order of the host. */
export const CLASS: u32 = 0;
const ID: u32 = 1;
const ROLE_PLACE: u32 = 2;
const STYLE: u32 = 3;
const HIDDEN_PLACE: u32 = 4;
const ARIA_HIDDEN: u32 = 5;

/** Wanted places of each reader, and the first letters of their names; a bit each. */
const wanted: usize = memory.data(16 * 4);
const firstLetters: usize = memory.data(16 * 4);
/** Start and end of each value of the tag. */
const values: usize = memory.data(32 * 8);

export let present: u32 = 0;
/** Number of its attributes. */
export let attributeCount: i32 = 0;
/** Names that some start tag of the page has: SIGN of page-signs.ts. */
export let signs: u32 = 0;
let boilerplateHint: i32 = 0;
let bodyHint: i32 = 0;
let veiledFlag: i32 = 0;
let quietFlag: i32 = 0;
/** Effects of the style attribute, after `ownFlagsOf`. */
export let style: u32 = 0;
/** Hints of the class names about lines, after `ownFlagsOf`: LINE_HINT of class-hints.ts. */
export let lineHints: u32 = 0;
export const VERSE_HINT: u32 = 1;
export const STANZA_HINT: u32 = 2;
export const LINE_HINT: u32 = 4;
const LINE_HINTS: i32 = 7;

export function wantedAt(): usize {
  return wanted;
}
export function firstLettersAt(): usize {
  return firstLetters;
}
export function setHints(boilerplate: i32, body: i32, veiled: i32, quiet: i32): void {
  boilerplateHint = boilerplate;
  bodyHint = body;
  veiledFlag = veiled;
  quietFlag = quiet;
}

/** Starts a page. */
export function startSigns(): void {
  signs = 0;
}

/** Starts a tag. */
export function clearAttributes(nameFrom: usize, nameTo: usize): void {
  present = 0;
  attributeCount = 0;
  if (nameTo - nameFrom !== 8) return;
  if (isNamed(nameFrom, TIME)) signs |= TIME_SIGN;
  else if (isNamed(nameFrom, MATH)) signs |= FORMULA_SIGN;
}

export function has(place: u32): bool {
  return ((present >>> place) & 1) !== 0;
}
export function valueStart(place: u32): usize {
  return load<u32>(values + ((<usize>place) << 3));
}
export function valueEnd(place: u32): usize {
  return load<u32>(values + ((<usize>place) << 3), 4);
}

/** An attribute as written; it is kept if `reader` wants it and it is the first of its name. */
export function takeAttribute(nameFrom: usize, nameTo: usize, from: usize, to: usize, reader: u32): void {
  attributeCount++;
  const length = (nameTo - nameFrom) >> 1;
  if (length === 8 && isNamed(nameFrom, ITEMPROP)) signs |= ITEMPROP_SIGN;
  else if (length === 6 && isNamed(nameFrom, TYPEOF)) signs |= TYPEOF_SIGN;
  else if (length === 14 && isNamed(nameFrom, SHADOWROOTMODE)) signs |= SHADOW_SIGN;
  else if (isOfFormula(from, to) && ((length === 5 && isNamed(nameFrom, CLASS_NAME)) || (length === 4 && isNamed(nameFrom, TYPE))))
    signs |= FORMULA_SIGN;
  else if (length === 3 && isTex(from, to) && isNamed(nameFrom, ALT)) signs |= FORMULA_SIGN;
  if (length > LONGEST_NAME || length < 2 || (to - from) >> 1 > MAX_VALUE) return;
  const letter = (<u32>load<u16>(nameFrom) | 32) - 97;
  // Shifts count modulo 32, as in the host.
  if (((load<u32>(firstLetters + ((<usize>reader) << 2)) >>> (letter & 31)) & 1) === 0) return;
  const place = valueNamed(ATTRIBUTE, nameFrom, nameTo);
  if (place < 0 || ((load<u32>(wanted + ((<usize>reader) << 2)) >>> <u32>place) & 1) === 0 || has(<u32>place)) return;
  store<u32>(values + ((<usize>place) << 3), <u32>from);
  store<u32>(values + ((<usize>place) << 3), <u32>to, 4);
  present |= 1 << place;
}

/** Bounds of the value being read: with its references decoded. */
let valueFrom: usize = 0;
let valueTo: usize = 0;

function open(place: u32): void {
  valueFrom = valueStart(place);
  valueTo = valueEnd(place);
  if (find(valueFrom, valueTo, AMPERSAND) === valueTo) return;
  const decoded = decodeAttribute(valueFrom, valueTo);
  valueTo = decoded + ((<usize>load<u32>(decoded - 4)) << 1);
  valueFrom = decoded;
}

/** Flags from class, id, role, hidden, aria-hidden and style. */
export function ownFlagsOf(): i32 {
  style = lineHints = 0;
  if (present === 0) return 0;
  let flags = 0;
  if (has(CLASS)) {
    open(CLASS);
    flags |= hintsOf(valueFrom, valueTo);
    lineHints = <u32>(flags & LINE_HINTS);
  }
  if (has(ID)) {
    open(ID);
    flags |= hintsOf(valueFrom, valueTo);
  }
  flags &= ~LINE_HINTS;
  if (has(ROLE_PLACE)) {
    open(ROLE_PLACE);
    // Roles are in lower case as written.
    const role = isLower(valueFrom, valueTo) ? valueNamed(ROLE, valueFrom, valueTo) : -1;
    if (role > 0) flags |= role;
  }
  if (has(STYLE)) {
    open(STYLE);
    style = effectOfStyle(valueFrom, valueTo);
  }
  if ((style & UNSEEN) !== 0 || (isHidden() && (style & SHOWN) === 0)) flags |= veiledFlag;
  if (has(ARIA_HIDDEN)) {
    open(ARIA_HIDDEN);
    if (isTrue(valueFrom, valueTo)) flags |= quietFlag;
  }
  return flags;
}

/** The kind that the style gives an element, after `ownFlagsOf`; `INLINE` if none. */
export function kindByStyle(): u32 {
  if (style & BLOCK_STYLE) return BLOCK;
  return style & CELL_STYLE ? CELL : INLINE;
}

/** A hash of the class attribute; 0 without one. */
export function classHashOf(): i32 {
  if (!has(CLASS)) return 0;
  open(CLASS);
  return <i32>plainHash(valueFrom, valueTo);
}

function isLower(from: usize, to: usize): bool {
  for (let at = from; at < to; at += 2) if (<u32>load<u16>(at) - 65 < 26) return false;
  return true;
}

/** A search in the page finds text that is hidden until then. */
function isHidden(): bool {
  if (!has(HIDDEN_PLACE)) return false;
  open(HIDDEN_PLACE);
  if (valueTo - valueFrom !== (<usize>UNTIL_FOUND.length) << 1) return true;
  for (let i = 0; i < UNTIL_FOUND.length; i++) {
    if (lowered(load<u16>(valueFrom + ((<usize>i) << 1))) !== unchecked(UNTIL_FOUND[i])) return true;
  }
  return false;
}

/** A class name has several words; `camelCase` has two. */
function hintsOf(from: usize, to: usize): i32 {
  let flags = 0;
  let names = 0;
  for (let at = from; at < to && names < MAX_NAMES; at += 2) {
    if (load<u16>(at) <= 32) continue;
    let end = at + 2;
    while (end < to && load<u16>(end) > 32) end += 2;
    flags |= flagsOfName(at, end);
    names++;
    at = end;
  }
  return flags & boilerplateHint ? flags & ~bodyHint : flags;
}

function flagsOfName(from: usize, to: usize): i32 {
  let flags = 0;
  let words = 0;
  let wordFrom: usize = 0;
  let isLowerBefore = false;
  for (let at = from; at <= to && words < MAX_WORDS; at += 2) {
    const unit: u32 = at < to ? load<u16>(at) : 32;
    const lower = unit - 97 < 26;
    const upper = unit - 65 < 26;
    if (wordFrom !== 0 && (!(lower || upper) || (upper && isLowerBefore))) {
      const value = hasShape(wordFrom, at) ? valueNamed(WORD, wordFrom, at) : -1;
      if (value > 0) {
        if (value === STATE) {
          if (wordFrom === from) return 0;
        } else if (value !== <i32>LINE_HINT || (wordFrom === from && at === to)) flags |= value;
      }
      words++;
      wordFrom = 0;
    }
    if (wordFrom === 0 && (lower || upper)) wordFrom = at;
    isLowerBefore = lower;
  }
  return flags;
}

/** Lengths of the known words with a first letter, a bit for each; from the host. */
const shapes: usize = memory.data(26 * 4);

export function shapesAt(): usize {
  return shapes;
}

/** Can it be a known word? Most words of class names are not, and are not looked up. */
function hasShape(from: usize, end: usize): bool {
  const length = <u32>(end - from) >> 1;
  const letter = (<u32>load<u16>(from) | 32) - 97;
  return length < 32 && ((load<u32>(shapes + ((<usize>letter) << 2)) >>> length) & 1) !== 0;
}

// Values, as units.
const UNTIL_FOUND: StaticArray<u16> = [117, 110, 116, 105, 108, 45, 102, 111, 117, 110, 100];
/** The four units of `true`. */
const TRUE: u64 = 0x0065_0075_0072_0074;

// Names of the signs, as units, and the bit of each.
const ITEMPROP: StaticArray<u16> = [105, 116, 101, 109, 112, 114, 111, 112];
const TIME: StaticArray<u16> = [116, 105, 109, 101];
const SHADOWROOTMODE: StaticArray<u16> = [115, 104, 97, 100, 111, 119, 114, 111, 111, 116, 109, 111, 100, 101];
const TYPEOF: StaticArray<u16> = [116, 121, 112, 101, 111, 102];
const MATH: StaticArray<u16> = [109, 97, 116, 104];
const MWE_MATH: StaticArray<u16> = [109, 119, 101, 45, 109, 97, 116, 104];
const TEX: StaticArray<u16> = [116, 101, 120];
const LATEX: StaticArray<u16> = [108, 97, 116, 101, 120];
const EQUATION: StaticArray<u16> = [101, 113, 117, 97, 116, 105, 111, 110];
const FORMULA: StaticArray<u16> = [102, 111, 114, 109, 117, 108, 97];
const DISPLAYMATH: StaticArray<u16> = [100, 105, 115, 112, 108, 97, 121, 109, 97, 116, 104];
const ALT: StaticArray<u16> = [97, 108, 116];
const CLASS_NAME: StaticArray<u16> = [99, 108, 97, 115, 115];
const TYPE: StaticArray<u16> = [116, 121, 112, 101];
const ITEMPROP_SIGN: u32 = 1;
const TIME_SIGN: u32 = 2;
const SHADOW_SIGN: u32 = 4;
const TYPEOF_SIGN: u32 = 8;
const FORMULA_SIGN: u32 = 16;

/** Does a class name or a type begin with one of `FORMULA_NAMES` of page-signs.ts? */
function isOfFormula(from: usize, to: usize): bool {
  if (from === to) return false;
  const first = lowered(load<u16>(from));
  if (first === 109) return startsWith(from, to, MATH) || startsWith(from, to, MWE_MATH);
  if (first === 116) return isFirstWord(from, to, TEX);
  if (first === 108) return isFirstWord(from, to, LATEX);
  if (first === 102) return startsWith(from, to, FORMULA);
  if (first === 100) return startsWith(from, to, DISPLAYMATH);
  return first === 101 && startsWith(from, to, EQUATION);
}

/** Does a value begin as `FORMULA_ALT` of page-signs.ts? */
function isTex(from: usize, to: usize): bool {
  if (from === to) return false;
  const first = load<u16>(from);
  return first === 36 || first === 92 || (first === 123 && to - from > 2 && load<u16>(from, 2) === 92);
}

function isFirstWord(from: usize, to: usize, word: StaticArray<u16>): bool {
  const end = from + ((<usize>word.length) << 1);
  return startsWith(from, to, word) && (end === to || load<u16>(end) === 32);
}

/** Is it `true`, in lower case? */
function isTrue(from: usize, to: usize): bool {
  return to - from === 8 && load<u64>(from) === TRUE;
}

/** Is a name of that length this one, in any case? */
function isNamed(at: usize, word: StaticArray<u16>): bool {
  for (let i = 0; i < word.length; i++) if (lowered(load<u16>(at + ((<usize>i) << 1))) !== unchecked(word[i])) return false;
  return true;
}

/** Does it begin with a word, in any case? */
function startsWith(at: usize, end: usize, word: StaticArray<u16>): bool {
  return at + ((<usize>word.length) << 1) <= end && isNamed(at, word);
}

/** White space of regular expressions (ECMAScript, WhiteSpace and LineTerminator). */
export function isBlank(unit: u32): bool {
  if (unit <= 32) return unit === 32 || unit - 9 < 5;
  if (unit < 160) return false;
  return (
    unit === 160 ||
    unit === 0x1680 ||
    unit - 0x2000 < 11 ||
    unit - 0x2028 < 2 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}
