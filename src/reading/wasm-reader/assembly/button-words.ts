/** Elements that a reader of a page sees: element-sight.ts. */
import { find, KINDS } from './arena';
import { valueNamed, WORD_TAG } from './name-table';
import { isBlank } from './tag-attributes';
import { HALF, LETTER } from './text-blocks';

/** Longest button, in units. */
const MAX_BUTTON: usize = 600;
const MAX_TAGS: i32 = 4;
const LESS: u16 = 60;
const GREATER: u16 = 62;
const SLASH: u16 = 47;
const BUTTON: StaticArray<u16> = [98, 117, 116, 116, 111, 110];

/** The first unit of the text that follows a button in its line; -1 for none. @param from after the name of its start tag @param pageEnd of the page */
export function unitAfterButton(from: usize, pageEnd: usize): i32 {
  const end = min(pageEnd, from + (MAX_BUTTON << 1));
  let at = afterEndTag(from, end);
  if (at === 0) return -1;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const after = afterWordTag(at, end);
    if (after === 0) break;
    at = after;
  }
  while (at < end && load<u16>(at) <= 32) at += 2;
  return at < end ? <i32>load<u16>(at) : -1;
}

/** Place behind the first end tag of a button; 0 for none. */
function afterEndTag(from: usize, end: usize): usize {
  for (let at = find(from, end, LESS); at < end; at = find(at + 2, end, LESS)) {
    if (at + 16 > end || load<u16>(at, 2) !== SLASH || !isButton(at + 4)) continue;
    const close = find(at, end, GREATER);
    return close < end ? close + 2 : 0;
  }
  return 0;
}

function isButton(at: usize): bool {
  for (let i = 0; i < BUTTON.length; i++) if ((load<u16>(at + ((<usize>i) << 1)) | 32) !== unchecked(BUTTON[i])) return false;
  return true;
}

/** Place behind a tag of words, with white space before it; 0 for none. */
function afterWordTag(from: usize, end: usize): usize {
  let at = from;
  while (at < end && isBlank(load<u16>(at))) at += 2;
  if (at >= end || load<u16>(at) !== LESS) return 0;
  at += 2;
  if (at < end && load<u16>(at) === SLASH) at += 2;
  const name = at;
  while (at < end && (<u32>load<u16>(at) | 32) - 97 < 26) at += 2;
  if (at === name || valueNamed(WORD_TAG, name, at) < 0) return 0;
  const close = find(at, end, GREATER);
  return close < end ? close + 2 : 0;
}

/** A letter or digit, or a sign that a sentence has after a word. */
export function continuesSentence(unit: i32): bool {
  if (unit > 127) return isForeignLetter(unit);
  if (isSmall(unit) || <u32>(unit - 65) < 26 || <u32>(unit - 48) < 10 || unit === 95) return true;
  return (
    unit === 44 || unit === 46 || unit === 59 || unit === 58 || unit === 33 || unit === 63 || unit === 41 || unit === 39 || unit === 34
  );
}

/** A small letter, or one that is not ASCII. */
export function isSmall(unit: i32): bool {
  return unit > 127 ? isForeignLetter(unit) : <u32>(unit - 97) < 26;
}

function isForeignLetter(unit: i32): bool {
  const kind: u32 = load<u8>(KINDS + <usize>unit);
  return kind === LETTER || kind === HALF;
}
