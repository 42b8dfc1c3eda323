/** Notes about the white space of the text that means something: ends of lines, blanks of preformatted text. `LineNotes` of the oracle. */
import { take } from './arena';

// Edges of elements: EDGE of line-edges.ts.
const PARAGRAPH: u32 = 1;
const ITEM: u32 = 2;
const LINE: u32 = 4;
const SECTION: u32 = 8;

// White space that an element keeps: KEEP of line-edges.ts.
const KEEP_LINES: u32 = 1;
const KEEP_BLANKS: u32 = 2;

/** Most line ends and blanks of one run of white space. */
const MAX_ENDS: i32 = 8;
const MAX_BLANKS: i32 = 255;
/** Set in the gap of a block that is a further line of the paragraph before it. */
const SAME_PARAGRAPH: i32 = 128;

const TAB: u32 = 9;
const LINE_FEED: u32 = 10;
const BLANK: u32 = 32;
const NO_BREAK: u32 = 160;

/** Pairs: a place in the text, and the end of its white space in `blanks`. */
export let lineNotes: usize = 0;
export let lineNoteCount: i32 = 0;
/** White space of the notes, a byte each. */
export let blanks: usize = 0;
export let blankCount: i32 = 0;
/** Number of line ends before each block, a byte each. */
export let gaps: usize = 0;

/** Is there anything to note since the last character of the text? */
export let isMarked: bool = false;
let edges: u32 = 0;
let lineEnds: i32 = 0;
/** Blanks since the last line end. */
const run: usize = memory.data(256);
let runLength: i32 = 0;
/** Was the last unit a no-break space? Then a space after it counts, too. */
export let afterNoBreak: bool = false;
let inRow: bool = false;
/** Has an element ended, and nothing followed? */
let afterEnd: bool = false;

/** Makes room for the notes of a page of `length` units: one needs white space and a character, or a tag. */
export function startNotes(length: i32, maxBlocks: i32): void {
  lineNotes = take((<usize>length / 2 + 8) << 3);
  blanks = take(<usize>length + 64);
  gaps = take(<usize>maxBlocks + 8);
  lineNoteCount = blankCount = 0;
  forget();
}

function forget(): void {
  isMarked = inRow = afterEnd = afterNoBreak = false;
  edges = 0;
  lineEnds = runLength = 0;
}

/** The start or the end of an element that ends a block. */
export function markEdge(edge: u32, isEnd: bool): void {
  isMarked = true;
  edges |= edge;
  if (lineEnds === 0) lineEnds = 1;
  runLength = 0;
  afterNoBreak = false;
  afterEnd = isEnd;
}

/** The edge of a cell that is in one line with the next. */
export function markCell(): void {
  isMarked = inRow = true;
}

export function markBreak(): void {
  isMarked = true;
  lineEnds++;
  runLength = 0;
  afterEnd = afterNoBreak = false;
}

/** A unit of white space, where an element keeps some; elsewhere a no-break space, or one after it. @param next the unit after it; 0 at the end of a text */
export function markSpace(unit: u32, next: u32, keeps: u32): void {
  if (keeps & KEEP_LINES && isLineEnd(unit)) {
    if (unit === 13 && next === LINE_FEED) return;
    // Highlighters put each line into an element, and its line end inside or behind it.
    if (afterEnd) afterEnd = false;
    else markBreak();
    runLength = 0;
    return;
  }
  const isSeen = unit === NO_BREAK || afterNoBreak;
  afterNoBreak = unit === NO_BREAK;
  if (keeps & KEEP_BLANKS || (isSeen && lineEnds > 0)) {
    isMarked = true;
    if (runLength === MAX_BLANKS) return;
    store<u8>(run + <usize>runLength, <u8>(unit === TAB ? TAB : BLANK));
    runLength++;
  }
}

/** Line ends of Unicode (UAX #14, classes BK, CR, LF and NL). */
function isLineEnd(unit: u32): bool {
  return unit - 10 < 4 || unit === 0x85 || unit - 0x2028 < 2;
}

/** White space inside a block is about to be written at a place of the text. */
export function noteSpace(place: i32, keeps: u32): void {
  const ends = edges === 0 ? min(lineEnds, mostEnds(keeps)) : gapHere(keeps);
  const isTab = inRow && ends === 0;
  const isAligned = runLength > 1 || (runLength === 1 && load<u8>(run) === TAB);
  if (ends > 0 || isTab || isAligned) {
    for (let i = 0; i < ends; i++) put(LINE_FEED);
    if (isTab) put(TAB);
    else putRun();
    addNote(place);
  }
  forget();
}

/** The text of a block is about to start at a place of the text. */
export function noteBlock(block: i32, place: i32, keeps: u32): void {
  const isLine = (edges & ~LINE) === 0;
  store<u8>(gaps + <usize>block, block === 0 ? 0 : <u8>(gapHere(keeps) | (isLine ? SAME_PARAGRAPH : 0)));
  if (runLength > 0 && (keeps & KEEP_BLANKS || isLine)) {
    putRun();
    addNote(place);
  }
  forget();
}

function mostEnds(keeps: u32): i32 {
  return keeps & KEEP_BLANKS ? MAX_ENDS : 2;
}

function gapHere(keeps: u32): i32 {
  const isParagraph = edges & SECTION || (edges & PARAGRAPH && (edges & ITEM) === 0);
  return isParagraph ? 2 : max(1, min(lineEnds, mostEnds(keeps)));
}

function put(unit: u32): void {
  store<u8>(blanks + <usize>blankCount, <u8>unit);
  blankCount++;
}

function putRun(): void {
  memory.copy(blanks + <usize>blankCount, run, <usize>runLength);
  blankCount += runLength;
}

function addNote(place: i32): void {
  const at = lineNotes + ((<usize>lineNoteCount) << 3);
  lineNoteCount++;
  store<i32>(at, place);
  store<i32>(at, blankCount, 4);
}
