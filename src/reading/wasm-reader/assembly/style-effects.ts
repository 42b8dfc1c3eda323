/** Effects of a style attribute on sight, lines and white space: inline-style.ts. */
import { STYLE_PROPERTY, STYLE_VALUE, valueNamed } from './name-table';

export const UNSEEN: u32 = 1;
export const SHOWN: u32 = 2;
export const BLOCK_STYLE: u32 = 4;
export const CELL_STYLE: u32 = 8;
export const KEEPS_BLANKS: u32 = 16;
export const KEEPS_LINES: u32 = 32;
export const KEEPS_NOTHING: u32 = 64;

const DISPLAY: i32 = 1;
const VISIBILITY: i32 = 2;
const CONTENT_VISIBILITY: i32 = 3;
const WHITE_SPACE: i32 = 4;

// Kinds of values.
const NONE: i32 = 1;
const AS_BLOCK: i32 = 2;
const AS_CELL: i32 = 3;
const AS_INLINE: i32 = 4;
const HIDDEN: i32 = 5;
const VISIBLE: i32 = 6;
const PRE: i32 = 7;
const PRE_LINE: i32 = 8;

const BANG: u32 = 33;
const QUOTE: u32 = 34;
const APOSTROPHE: u32 = 39;
const OPEN: u32 = 40;
const CLOSE: u32 = 41;
const STAR: u32 = 42;
const HYPHEN: u32 = 45;
const SLASH: u32 = 47;
const COLON: u32 = 58;
const SEMICOLON: u32 = 59;
const BACKSLASH: u32 = 92;
const IMPORTANT: StaticArray<u16> = [105, 109, 112, 111, 114, 116, 97, 110, 116];

let at: usize = 0;
let end: usize = 0;
/** Value of each property: the kind of the value, and whether it is important. */
const kinds: usize = memory.data(5 * 4);
const importance: usize = memory.data(5 * 4);

/** The effects of a style attribute. */
export function effectOfStyle(from: usize, to: usize): u32 {
  at = from;
  end = to;
  memory.fill(kinds, 0, 20);
  memory.fill(importance, 0, 20);
  while (at < end) {
    skipBlanks();
    const property = keyword(STYLE_PROPERTY);
    skipBlanks();
    if (property > 0 && here() === COLON) readValue(property);
    skipDeclaration();
  }
  const display = kindOf(DISPLAY);
  let effect: u32 = display === NONE || kindOf(VISIBILITY) === HIDDEN || kindOf(CONTENT_VISIBILITY) === HIDDEN ? UNSEEN : 0;
  if (display > NONE) effect |= SHOWN;
  if (display === AS_BLOCK) effect |= BLOCK_STYLE;
  else if (display === AS_CELL) effect |= CELL_STYLE;
  return effect | whiteSpace(kindOf(WHITE_SPACE));
}

function whiteSpace(kind: i32): u32 {
  if (kind === 0) return 0;
  if (kind === PRE) return KEEPS_BLANKS;
  return kind === PRE_LINE ? KEEPS_LINES : KEEPS_NOTHING;
}

/** The kinds of values of a property are apart from those of others. */
function takesKind(property: i32, kind: i32): bool {
  if (property === DISPLAY) return kind <= AS_INLINE;
  return property === WHITE_SPACE ? kind > VISIBLE : kind > AS_INLINE && kind <= VISIBLE;
}

function kindOf(property: i32): i32 {
  return load<i32>(kinds + ((<usize>property) << 2));
}

/** The unit here; 0 at the end. */
function here(): u32 {
  return at < end ? load<u16>(at) : 0;
}

function readValue(property: i32): void {
  at += 2;
  let found = 0;
  let important = 0;
  for (;;) {
    skipBlanks();
    const unit = here();
    if (at >= end || unit === SEMICOLON) break;
    if (unit === BANG && found > 0 && important === 0) {
      at += 2;
      skipBlanks();
      if (!isImportant()) return;
      important = 1;
      continue;
    }
    const value = important !== 0 ? 0 : keyword(STYLE_VALUE);
    if (value <= 0 || (found > 0 && (value > AS_INLINE || found > AS_INLINE))) return;
    found = max(found, value);
  }
  if (found === 0 || !takesKind(property, found)) return;
  const place: usize = (<usize>property) << 2;
  if (load<i32>(importance + place) !== 0 && important === 0) return;
  store<i32>(kinds + place, found);
  store<i32>(importance + place, important);
}

function skipBlanks(): void {
  for (; at < end; at += 2) {
    if (load<u16>(at) <= 32) continue;
    if (!isComment()) return;
    skipComment();
  }
}

function isComment(): bool {
  return here() === SLASH && at + 2 < end && load<u16>(at, 2) === STAR;
}

/** Moves to the last sign of the comment. */
function skipComment(): void {
  for (at += 4; at < end; at += 2) {
    if (load<u16>(at) !== STAR || at + 2 >= end || load<u16>(at, 2) !== SLASH) continue;
    at += 2;
    return;
  }
}

function nameEnd(): usize {
  let to = at;
  while (to < end && isNamed(load<u16>(to))) to += 2;
  return to;
}

/** The number of the name here; 0 if it is none of them. */
function keyword(space: u32): i32 {
  const from = at;
  at = nameEnd();
  return max(0, valueNamed(space, from, at));
}

function isImportant(): bool {
  const from = at;
  at = nameEnd();
  if (at - from !== (<usize>IMPORTANT.length) << 1) return false;
  for (let i = 0; i < IMPORTANT.length; i++) if ((load<u16>(from + ((<usize>i) << 1)) | 32) !== unchecked(IMPORTANT[i])) return false;
  return true;
}

/** Moves behind the semicolon that is in no string, comment or parenthesis. */
function skipDeclaration(): void {
  let depth = 0;
  for (; at < end; at += 2) {
    const unit: u32 = load<u16>(at);
    if (unit === BACKSLASH) at += 2;
    else if (unit === QUOTE || unit === APOSTROPHE) skipString(unit);
    else if (isComment()) skipComment();
    else if (unit === OPEN) depth++;
    else if (unit === CLOSE) depth--;
    else if (unit === SEMICOLON && depth <= 0) break;
  }
  at += 2;
}

function skipString(quote: u32): void {
  for (at += 2; at < end && load<u16>(at) !== quote; at += 2) if (load<u16>(at) === BACKSLASH) at += 2;
}

function isNamed(unit: u32): bool {
  return (unit | 32) - 97 < 26 || unit === HYPHEN;
}
