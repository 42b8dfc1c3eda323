/** HTML to blocks, links and declarations in one pass: tokenizer.ts and page-parser.ts. */

import { ENDS, find, release, take } from './arena';
import { decodeText } from './host-functions';
import * as stack from './open-elements';
import { classHashOf, clearAttributes, has, ownFlagsOf, present, takeAttribute, valueEnd, valueStart } from './tag-attributes';
import * as tags from './tag-table';
import {
  BLOCK,
  BREAK,
  blockCount,
  CELL,
  cellEdge,
  countTag,
  cutAndCount,
  endBlock,
  finishText,
  INLINE,
  lineBreak,
  startText,
  textLength,
  write,
} from './text-blocks';

const NAME: u32 = 1;
const ATTRIBUTE: u32 = 2;
const VALUE: u32 = 4;
const BLANK: u32 = 8;

// Contents, as in the host's order.
const DATA: u32 = 0;
const RCDATA: u32 = 1;
const SCRIPT: u32 = 3;
const PLAINTEXT: u32 = 4;

// Readers, as in the host's order.
const READ_NOTHING: u32 = 0;
const READ_LINK: u32 = 1;
const READ_FRAME: u32 = 2;
const READ_IMAGE: u32 = 3;
const READ_SCRIPT: u32 = 6;

/** Further events for the host: text of the title, text of a script, alternative text of an image in a link. */
const TITLE_TEXT: u32 = 16;
const SCRIPT_TEXT: u32 = 17;
const IMAGE_ALT: u32 = 18;

const MAX_LINKS: i32 = 20000;
const LINK_BYTES: usize = 52;
const HREF: u32 = 6;
const REL: u32 = 7;
const ALT: u32 = 8;
const SRC: u32 = 9;

/** Reasons for a warning, a bit each. */
const TOO_DEEP: i32 = 1;
const TOO_MANY_LINKS: i32 = 2;
const ENDS_UNSEEN: i32 = 4;

// Flags, from the host.
let unseenFlag: i32 = 0;
let foreignFlag: i32 = 0;
let titleFlag: i32 = 0;
let hiddenFlag: i32 = 0;
let hintFlags: i32 = 0;
let headerFlag: i32 = 0;
let mainFlag: i32 = 0;

export let html: usize = 0;
let end: usize = 0;
/** Decoded text and attributes, by the host. */
export let scratch: usize = 0;
export let links: usize = 0;
export let linkCount: i32 = 0;
export let events: usize = 0;
export let eventsEnd: usize = 0;
export let headingStart: i32 = -1;
export let headingEnd: i32 = -1;
export let warnings: i32 = 0;
/** The innermost element at the end of a page that ends inside an unseen one. */
export let lastTag: i32 = -1;

let titleDone: bool = false;
let link: i32 = -1;
let linkDepth: i32 = -1;
let tag: i32 = -1;
/** First `--!>` at or after the current comment. */
let bangEnd: usize = 0;
let selfClosing: bool = false;

export function setPageFlags(unseen: i32, foreign: i32, title: i32, hidden: i32, hints: i32, header: i32, main: i32): void {
  unseenFlag = unseen;
  foreignFlag = foreign;
  titleFlag = title;
  hiddenFlag = hidden;
  hintFlags = hints;
  headerFlag = header;
  mainFlag = main;
}

/** Makes room for a page of `length` units. @returns where to write them. */
export function begin(length: i32): usize {
  release();
  tags.startTags();
  html = take((<usize>length + 32) << 1);
  end = html + ((<usize>length) << 1);
  // Four bytes before a decoded text are its length.
  scratch = take((<usize>length + 64) << 1) + 16;
  startText(length);
  stack.startStack(length);
  links = take(<usize>min(MAX_LINKS, length / 4 + 1) * LINK_BYTES);
  events = take(((<usize>length) << 2) + 256);
  memory.fill(end, 0, 64);
  return html;
}

/** Parses the page that was written to `html`. */
export function parse(): void {
  eventsEnd = events;
  linkCount = 0;
  headingStart = headingEnd = -1;
  warnings = 0;
  titleDone = false;
  link = linkDepth = tag = lastTag = -1;
  bangEnd = 0;
  selfClosing = false;
  run();
  if (stack.flagsHere() & unseenFlag) {
    warnings |= ENDS_UNSEEN;
    lastTag = stack.topTag();
  }
  popTo(0);
  endLink();
  finishText();
}

// Tokens.

function run(): void {
  let textFrom = html;
  let at = find(html, end, 60);
  while (at + 2 < end) {
    const next: u32 = load<u16>(at, 2);
    const isEnd = next === 47;
    if (isLetter(isEnd ? load<u16>(at, 4) : next)) {
      textOf(textFrom, at);
      textFrom = isEnd ? endTag(at + 4) : startTag(at + 2);
    } else if (next === 33 || next === 63 || (isEnd && at + 4 < end)) {
      textOf(textFrom, at);
      textFrom = next === 33 ? declaration(at + 4) : bogusComment(at + 4);
    } else {
      at = find(at + 2, end, 60);
      continue;
    }
    at = textFrom >= end ? end : find(textFrom, end, 60);
  }
  textOf(textFrom, end);
}

function isLetter(unit: u32): bool {
  return (unit | 32) - 97 < 26;
}

function endsAt(unit: u32, bit: u32): bool {
  return unit < 64 && (<u32>load<u8>(ENDS + unit) & bit) !== 0;
}

/** @returns the place to continue at, like all functions of tags and comments. */
function endTag(nameFrom: usize): usize {
  const nameTo = nameEnd(nameFrom);
  const after = attributes(nameTo, false);
  if (after > end) return end;
  const ended = tags.tagNamed(nameFrom, nameTo);
  if (ended >= 0) {
    if (tags.kindOf(ended) === BREAK) lineBreak();
    else if (!tags.isVoid(ended)) close(ended);
  }
  return after;
}

function startTag(nameFrom: usize): usize {
  const nameTo = nameEnd(nameFrom);
  tag = tags.tagNamed(nameFrom, nameTo);
  clearAttributes();
  if (tag >= 0 && tags.closesAny(tag)) implyEnds(tag);
  const after = attributes(nameTo, tag >= 0);
  if (after > end) return end;
  const opened = tag;
  tag = -1;
  if (opened < 0) return after;
  const isForeign = ((stack.flagsHere() | tags.flagsOf(opened)) & foreignFlag) !== 0;
  // Outside svg and math the slash means nothing (HTML Standard §13.1.2.1).
  open(opened, tags.isVoid(opened) || (selfClosing && isForeign));
  const content = isForeign ? DATA : tags.contentOf(opened);
  return content === DATA ? after : contentEnd(content, after, nameFrom, nameTo);
}

function nameEnd(from: usize): usize {
  let at = from + 2;
  while (at < end && !endsAt(load<u16>(at), NAME)) at += 2;
  return at;
}

/** From the end of a tag's name to the place after its `>`; beyond the end if the page ends first. */
function attributes(from: usize, told: bool): usize {
  selfClosing = false;
  let at = unblank(from);
  while (at < end) {
    const unit: u32 = load<u16>(at);
    if (unit === 62) return at + 2;
    if (unit === 47) {
      selfClosing = load<u16>(at, 2) === 62;
      at += 2;
    } else at = attribute(at, told);
    at = unblank(at);
  }
  return end + 2;
}

function unblank(from: usize): usize {
  let at = from;
  while (at < end && endsAt(load<u16>(at), BLANK)) at += 2;
  return at;
}

function attribute(nameFrom: usize, told: bool): usize {
  // A `=` in the first place is part of the name.
  let at = nameFrom + 2;
  while (at < end && !endsAt(load<u16>(at), ATTRIBUTE)) at += 2;
  const nameTo = at;
  while (at < end && endsAt(load<u16>(at), BLANK)) at += 2;
  let from = nameTo;
  let to = nameTo;
  if (load<u16>(at) === 61) {
    at += 2;
    while (at < end && endsAt(load<u16>(at), BLANK)) at += 2;
    const quote = load<u16>(at);
    from = at;
    if (quote === 34 || quote === 39) {
      from += 2;
      to = find(from, end, quote);
      if (to >= end) return end;
      at = to + 2;
    } else {
      while (at < end && !endsAt(load<u16>(at), VALUE)) at += 2;
      to = at;
    }
  } else at = nameTo;
  if (told) takeAttribute(nameFrom, nameTo, from, to, tags.readerOf(tag));
  return at;
}

/** After `<!`. */
function declaration(from: usize): usize {
  if (load<u32>(from) === 0x002d002d) return comment(from + 4);
  if ((stack.flagsHere() & foreignFlag) !== 0 && isCdata(from)) {
    const to = findThree(from + 14, 93, 93, 62);
    if (to > from + 14) text(from + 14, to, false);
    return min(to + 6, end);
  }
  return bogusComment(from);
}

function isCdata(from: usize): bool {
  // [CDATA[
  return (
    load<u32>(from) === 0x0043_005b &&
    load<u32>(from, 4) === 0x0041_0044 &&
    load<u32>(from, 8) === 0x0041_0054 &&
    load<u16>(from, 12) === 91 &&
    from + 14 <= end
  );
}

function comment(from: usize): usize {
  // `<!-->` and `<!--->` are whole comments.
  if (load<u16>(from) === 62 && from < end) return from + 2;
  if (load<u32>(from) === 0x003e_002d && from + 2 < end) return from + 4;
  const to = findThree(from, 45, 45, 62);
  if (bangEnd < from) bangEnd = findBang(from);
  if (to === end) return min(bangEnd + 8, end);
  return bangEnd < to ? bangEnd + 8 : to + 6;
}

/** The first three units like these; the end if there are none. */
function findThree(from: usize, one: u16, two: u16, three: u16): usize {
  for (let at = find(from, end, one); at < end; at = find(at + 2, end, one)) {
    if (load<u16>(at, 2) === two && load<u16>(at, 4) === three && at + 4 < end) return at;
  }
  return end;
}

/** The first `--!>`. */
function findBang(from: usize): usize {
  for (let at = findThree(from, 45, 45, 33); at < end; at = findThree(at + 2, 45, 45, 33)) {
    if (load<u16>(at, 6) === 62 && at + 6 < end) return at;
  }
  return end;
}

function bogusComment(from: usize): usize {
  const to = find(from, end, 62);
  return to < end ? to + 2 : end;
}

/** The content of an element without markup, up to the end of its end tag. */
function contentEnd(content: u32, from: usize, nameFrom: usize, nameTo: usize): usize {
  const to = content === PLAINTEXT ? end : content === SCRIPT ? scriptEnd(from) : rawEnd(nameFrom, nameTo, from);
  if (content === RCDATA) textOf(from, to);
  else if (to > from) text(from, to, false);
  return to >= end ? end : endTag(to + 4);
}

/** The start of the end tag of this name; the end of the page if there is none. */
function rawEnd(nameFrom: usize, nameTo: usize, from: usize): usize {
  const length = nameTo - nameFrom;
  for (let at = find(from, end, 60); at < end; at = find(at + 2, end, 60)) {
    if (load<u16>(at, 2) !== 47) continue;
    const after = at + 4 + length;
    if (after < end && endsAt(load<u16>(after), NAME) && isSameName(at + 4, nameFrom, length)) return at;
  }
  return end;
}

function isSameName(one: usize, other: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i += 2) if (lower(load<u16>(one + i)) !== lower(load<u16>(other + i))) return false;
  return true;
}

function lower(unit: u32): u32 {
  return unit - 65 < 26 ? unit | 32 : unit;
}

/** `<!-- <script> </script>` does not end a script (HTML Standard §13.2.5.27). */
function scriptEnd(from: usize): usize {
  // 0 plain, 1 escaped, 2 double escaped.
  let state = 0;
  let at = from;
  while (at < end) {
    at = state === 0 ? find(at, end, 60) : findEither(at);
    if (at >= end) break;
    if (load<u16>(at) === 45) {
      if (load<u16>(at, 2) === 45 && load<u16>(at, 4) === 62 && at + 4 < end) {
        state = 0;
        at += 6;
      } else at += 2;
      continue;
    }
    if (load<u16>(at, 2) === 33 && load<u32>(at, 4) === 0x002d002d && at + 6 < end) {
      if (state === 0) state = 1;
      // The dashes may also be those of `-->`.
      at += 4;
      continue;
    }
    const slash: usize = load<u16>(at, 2) === 47 ? 2 : 0;
    if (!isScriptTag(at + 2 + slash)) {
      at += 2;
      continue;
    }
    if (slash === 0) {
      if (state === 1) state = 2;
    } else if (state === 2) state = 1;
    else return at;
    at += 2 + slash + 14;
  }
  return end;
}

/** The first `<` or `-`. */
function findEither(from: usize): usize {
  const one = i16x8.splat(60);
  const other = i16x8.splat(45);
  for (let at = from; at < end; at += 16) {
    const units = v128.load(at);
    const found = i16x8.bitmask(v128.or(i16x8.eq(units, one), i16x8.eq(units, other)));
    if (found !== 0) return min(end, at + ((<usize>ctz(found)) << 1));
  }
  return end;
}

/** `script` and one of the characters that end a tag name. */
function isScriptTag(at: usize): bool {
  if (at + 12 >= end) return false;
  // script, two letters at a time.
  const isScript =
    (load<u32>(at) | 0x0020_0020) === 0x0063_0073 &&
    (load<u32>(at, 4) | 0x0020_0020) === 0x0069_0072 &&
    (load<u32>(at, 8) | 0x0020_0020) === 0x0074_0070;
  if (!isScript) return false;
  return endsAt(load<u16>(at, 12), NAME);
}

// Text.

function textOf(from: usize, to: usize): void {
  if (from < to) text(from, to, true);
}

function text(from: usize, to: usize, references: bool): void {
  const flags = stack.flagsHere();
  if (flags & unseenFlag) {
    if ((flags & (titleFlag | foreignFlag)) === titleFlag && !titleDone) event(TITLE_TEXT, from, to);
    else {
      const top = stack.topTag();
      if (top >= 0 && tags.readerOf(top) === READ_SCRIPT) event(SCRIPT_TEXT, from, to);
    }
    return;
  }
  if (references && find(from, to, 38) < to) {
    const decoded = decodeText(from, to);
    write(decoded, decoded + ((<usize>load<u32>(decoded - 4)) << 1), flags, link >= 0);
  } else write(from, to, flags, link >= 0);
}

// Elements.

function implyEnds(opened: i32): void {
  for (let top = stack.topTag(); top >= 0 && tags.closes(opened, top); top = stack.topTag()) popTo(stack.depth - 1);
}

function open(opened: i32, isEmpty: bool): void {
  const kind = tags.kindOf(opened);
  if (kind === BREAK) lineBreak();
  else cutAndCount(kind);
  const own = ownFlags(opened, kind);
  const reader = tags.readerOf(opened);
  if (reader !== READ_NOTHING) read(reader, opened, isEmpty);
  if (isEmpty) return;
  if (tags.specialOf(opened) === tags.H1 && headingStart < 0) headingStart = textLength();
  if (stack.depth >= stack.MAX_DEPTH) warnings |= TOO_DEEP;
  else stack.push(opened, own, classHashOf());
}

function ownFlags(opened: i32, kind: u32): i32 {
  let own = tags.flagsOf(opened) | ownFlagsOf();
  // Anti-flicker styles hide whole pages until a script has run.
  if (tags.specialOf(opened) === tags.WHOLE) own &= ~(hiddenFlag | hintFlags);
  else if (kind === INLINE) own &= ~hintFlags;
  if (own & headerFlag && stack.flagsHere() & mainFlag) own &= ~headerFlag;
  if (own & hiddenFlag && kind === INLINE) own |= unseenFlag;
  return own;
}

function close(ended: i32): void {
  const index = stack.indexOf(ended, tags.isTablePart(ended));
  const kind = tags.kindOf(ended);
  if (index < 0) {
    cutAndCount(kind);
    return;
  }
  if (kind === INLINE && stack.hasBlockAbove(index)) {
    if (index === linkDepth) endLink();
    stack.strike(index);
  } else popTo(index);
  countTag(kind);
}

function popTo(depth: i32): void {
  while (stack.depth > depth) {
    if (link >= 0 && stack.depth - 1 === linkDepth) endLink();
    const ended = stack.pop();
    if (ended < 0) continue;
    const special = tags.specialOf(ended);
    if (special === tags.H1) endHeading();
    else if (special === tags.TITLE) titleDone = true;
    const kind = tags.kindOf(ended);
    if (kind === BLOCK) endBlock();
    else if (kind === CELL) cellEdge();
  }
}

/** The first `h1` with text is the page's heading; a logo in an empty one is not. */
function endHeading(): void {
  if (headingStart < 0 || headingEnd >= 0) return;
  if (textLength() > headingStart) headingEnd = textLength();
  else headingStart = -1;
}

function read(reader: u32, opened: i32, isEmpty: bool): void {
  if (reader === READ_LINK) readLink(opened, isEmpty);
  else if (reader === READ_IMAGE) {
    if (link >= 0 && has(ALT)) event(IMAGE_ALT, valueStart(ALT), valueEnd(ALT));
  } else if (reader === READ_FRAME) sight(SRC, false, opened);
  else tell(reader);
}

function readLink(opened: i32, isEmpty: bool): void {
  if (!isEmpty) endLink();
  const sighting = sight(HREF, true, opened);
  if (sighting < 0) return;
  if (isEmpty) {
    const at = links + <usize>sighting * LINK_BYTES;
    if (has(ALT)) {
      store<i32>(at, units(valueStart(ALT)), 44);
      store<i32>(at, units(valueEnd(ALT)), 48);
    }
  } else {
    link = sighting;
    linkDepth = stack.depth;
  }
}

function units(at: usize): i32 {
  return <i32>(at - html) >> 1;
}

function sight(place: u32, withRel: bool, opened: i32): i32 {
  if (!has(place)) return -1;
  if (linkCount >= MAX_LINKS) {
    warnings |= TOO_MANY_LINKS;
    return -1;
  }
  const at = links + <usize>linkCount * LINK_BYTES;
  store<i32>(at, units(valueStart(place)));
  store<i32>(at, units(valueEnd(place)), 4);
  store<i32>(at, textLength(), 8);
  store<i32>(at, textLength(), 12);
  store<i32>(at, blockCount, 16);
  store<i32>(at, stack.flagsHere(), 20);
  store<i32>(at, opened, 24);
  stack.innermost(at + 28);
  const hasRel = withRel && has(REL);
  store<i32>(at, hasRel ? units(valueStart(REL)) : -1, 36);
  store<i32>(at, hasRel ? units(valueEnd(REL)) : -1, 40);
  store<i32>(at, -1, 44);
  store<i32>(at, -1, 48);
  linkCount++;
  return linkCount - 1;
}

function endLink(): void {
  if (link < 0) return;
  store<i32>(links + <usize>link * LINK_BYTES, textLength(), 12);
  link = linkDepth = -1;
}

// Events for the host.

/** A part of the page: kind, start, end; the link, if any. */
function event(kind: u32, from: usize, to: usize): void {
  store<u32>(eventsEnd, kind);
  store<i32>(eventsEnd, units(from), 4);
  store<i32>(eventsEnd, units(to), 8);
  store<i32>(eventsEnd, link, 12);
  eventsEnd += 16;
}

/** A start tag with its attributes: reader, flags around it, a bit for each place, start and end of each value. */
function tell(reader: u32): void {
  store<u32>(eventsEnd, reader);
  store<i32>(eventsEnd, stack.flagsHere(), 4);
  store<u32>(eventsEnd, present, 8);
  eventsEnd += 12;
  for (let left = present; left !== 0; left &= left - 1) {
    const place = ctz(left);
    store<i32>(eventsEnd, units(valueStart(place)));
    store<i32>(eventsEnd, units(valueEnd(place)), 4);
    eventsEnd += 8;
  }
}
