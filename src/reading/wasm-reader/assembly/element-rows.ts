/** The elements of the page, for readers that ask for more of them than its text: page-elements.ts of the extractor. */
import { take, takeUntil } from './arena';
import { rowHere } from './open-elements';
import { html } from './page-parse';
import { attributeCount, CLASS, has, valueEnd, valueStart } from './tag-attributes';
import { blockCount } from './text-blocks';

/**
 * Numbers of an element: tag, start, start and end of its content, the element around it, the one after its last descendant, first and last block,
 * start and end of its class, number of its attributes. Places are in units of the page.
 */
const BYTES: usize = 44;
const PARENT: usize = 16;
const AFTER: usize = 20;
const FIRST: usize = 24;
const MAX_ELEMENTS: i32 = 200000;
/** Memory is taken for so many elements at once. */
const MORE: usize = 1024 * 44;

export let elements: usize = 0;
export let elementCount: i32 = 0;
let limit: usize = 0;
/** Two numbers for each piece of visible text that is not blank: its block, and its place in the page. */
export let shown: usize = 0;
export let shownCount: i32 = 0;
/** The place at which elements end. */
let here: i32 = 0;

/** Takes the memory, the last of the page's: it grows. */
export function beginElements(length: i32): void {
  // A piece of text and the markup around it have two units at least.
  shown = take((<usize>length / 2 + 2) << 3);
  elements = take(0);
  limit = elements;
}

export function startElements(): void {
  elementCount = shownCount = here = 0;
}

export function endsHere(place: i32): void {
  here = place;
}

/** A piece of visible text, as it is written in the page. @param place its start, in units */
export function noteShown(from: usize, to: usize, place: i32): void {
  let at = from;
  while (at < to && load<u16>(at) <= 32) at += 2;
  if (at >= to) return;
  const pair = shown + ((<usize>shownCount) << 3);
  store<i32>(pair, blockCount);
  store<i32>(pair, place, 4);
  shownCount++;
}

/** A start tag ends: its element is empty until `endElementAt`. @returns its number; -1 beyond the cap */
export function addElement(tag: i32, start: i32, from: i32): i32 {
  if (elementCount >= MAX_ELEMENTS) return -1;
  const at = elements + <usize>elementCount * BYTES;
  if (at + BYTES > limit) {
    limit = at + MORE;
    takeUntil(limit);
  }
  const hasClass = has(CLASS);
  store<i32>(at, tag);
  store<i32>(at, start, 4);
  store<i32>(at, from, 8);
  store<i32>(at, from, 12);
  store<i32>(at, rowHere(), PARENT);
  store<i32>(at, elementCount + 1, AFTER);
  store<i32>(at, shownCount, FIRST);
  store<i32>(at, -1, FIRST + 4);
  store<i32>(at, hasClass ? <i32>(valueStart(CLASS) - html) >> 1 : -1, 32);
  store<i32>(at, hasClass ? <i32>(valueEnd(CLASS) - html) >> 1 : -1, 36);
  store<i32>(at, attributeCount, 40);
  return elementCount++;
}

/** The element ends here: its last descendant and its blocks are known. */
export function endElementAt(row: i32): void {
  if (row < 0) return;
  const at = elements + <usize>row * BYTES;
  store<i32>(at, here, 12);
  store<i32>(at, elementCount, AFTER);
  const first = load<i32>(at, FIRST);
  if (first >= shownCount) {
    store<i32>(at, 0, FIRST);
    return;
  }
  store<i32>(at, load<i32>(shown + ((<usize>first) << 3)), FIRST);
  store<i32>(at, load<i32>(shown + ((<usize>(shownCount - 1)) << 3)), FIRST + 4);
}
