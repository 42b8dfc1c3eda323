/** Ends of lines at elements, and the white space that these keep: line-edges.ts. */
import { preFlag } from './block-veils';
import { flagsHere, keepsHere } from './open-elements';
import { KEEPS_BLANKS, KEEPS_LINES, KEEPS_NOTHING } from './style-effects';
import { LINE_HINT, lineHints, STANZA_HINT, style, VERSE_HINT } from './tag-attributes';
import { edgeOfTag, keepsOfTag, kindOf, specialOf, WHOLE } from './tag-table';
import { BLOCK, CELL, INLINE } from './text-blocks';

// As in EDGE and KEEP.
const PARAGRAPH: u32 = 1;
const ITEM: u32 = 2;
const LINE: u32 = 4;
const SECTION: u32 = 8;
const LIST: u32 = 16;
const GENERIC: u32 = 32;
const LINES: u32 = 1;
const BLANKS: u32 = 2;
const VERSE: u32 = 4;

let listFlag: i32 = 0;
let mainFlag: i32 = 0;

export function setLineFlags(list: i32, main: i32): void {
  listFlag = list;
  mainFlag = main;
}

/** The edge of an element that is about to open, or of an end tag without a start tag, at the current place. */
export function edgeOf(tag: i32, kind: u32): u32 {
  if (kind === CELL) return ITEM;
  if (kind !== BLOCK) return 0;
  if (kindOf(tag) === INLINE) return LINE;
  return plainEdge(edgeOfTag(tag));
}

/** The edge of an element with class names, which is about to open. */
export function hintedEdge(tag: i32, kind: u32): u32 {
  if (kind === BLOCK && lineHints & (STANZA_HINT | LINE_HINT)) return lineHints & STANZA_HINT ? SECTION : LINE;
  return edgeOf(tag, kind);
}

function plainEdge(edge: u32): u32 {
  if (edge === LIST) return flagsHere() & listFlag ? ITEM : SECTION;
  const kept = keepsHere();
  if (edge === GENERIC) return kept & (BLANKS | VERSE) ? LINE : PARAGRAPH;
  return edge === PARAGRAPH && kept & BLANKS ? LINE : edge;
}

/** The white space that an element keeps that is about to open. @param own its flags */
export function keepsOf(tag: i32, own: i32): u32 {
  const kept = keepsHere() | keepsOfTag(tag);
  if ((lineHints | style) === 0) return kept;
  const isVerse = (lineHints & (VERSE_HINT | STANZA_HINT)) !== 0 && (own & mainFlag) === 0 && specialOf(tag) !== WHOLE;
  return styled(kept, own) | (isVerse ? VERSE : 0);
}

function styled(kept: u32, own: i32): u32 {
  if (style & KEEPS_BLANKS) return kept | LINES | BLANKS;
  if ((flagsHere() | own) & preFlag) return kept;
  if (style & KEEPS_LINES) return (kept & ~BLANKS) | LINES;
  return style & KEEPS_NOTHING ? kept & ~(LINES | BLANKS) : kept;
}
