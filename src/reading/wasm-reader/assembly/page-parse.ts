/** Tags and texts to blocks, links and events for declarations: page-parser.ts. */

import { find, release, take } from './arena';
import { addVeil, startVeils } from './block-veils';
import { continuesSentence, isSmall, unitAfterButton } from './button-words';
import { addElement, beginElements, endsHere, noteShown, startElements } from './element-rows';
import { decodeText } from './host-functions';
import { tokenize } from './html-tokens';
import * as stack from './open-elements';
import { classHashOf, clearAttributes, has, kindByStyle, ownFlagsOf, present, startSigns, valueEnd, valueStart } from './tag-attributes';
import { edgeOf, hintedEdge, keepsOf } from './tag-edges';
import * as tags from './tag-table';
import {
  BLOCK,
  BREAK,
  blockCount,
  blockLength,
  countTag,
  cut,
  cutAndCount,
  finishText,
  INLINE,
  isInSentence,
  lineBreak,
  looksOf,
  ORNAMENT,
  startText,
  textLength,
  WORDS,
  write,
} from './text-blocks';
import { AMPERSAND, decodeReferences } from './text-references';

/** Content with tags, as in the host's order of contents. */
const DATA: u32 = 0;

// Readers, as in the host's order.
const READ_NOTHING: u32 = 0;
const READ_LINK: u32 = 1;
const READ_FRAME: u32 = 2;
const READ_IMAGE: u32 = 3;
const READ_SCRIPT: u32 = 6;
const READ_BUTTON: u32 = 9;

/** Further events for the host: text of the title, text of a script, alternative text of an image in a link. */
const TITLE_TEXT: u32 = 16;
const SCRIPT_TEXT: u32 = 17;
const IMAGE_ALT: u32 = 18;

const MAX_LINKS: i32 = 20000;
export const LINK_BYTES: usize = 52;
const HREF: u32 = 6;
const REL: u32 = 7;
const ALT: u32 = 8;
const HREFLANG: u32 = 9;
const SRC: u32 = 10;
const EXPANDED: u32 = 11;
const CONTROLS: u32 = 12;
/** Most units before the button of a heading that are a number. */
const MAX_NUMBER: i32 = 4;

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
let headingFlag: i32 = 0;
let veiledFlag: i32 = 0;
let quietFlag: i32 = 0;
let spokenFlag: i32 = 0;
let iconFlag: i32 = 0;
let disclosureFlag: i32 = 0;

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

// For a host that reads the tags a second time: noting takes no time that can be measured.

/** Three numbers each: the place in the page where a piece of visible text starts, its block, the white space that it keeps. */
export let spans: usize = 0;
export let spansEnd: usize = 0;
/** The content model of each start tag, a byte each. */
export let contents: usize = 0;
export let contentsEnd: usize = 0;
/** A byte for each markup declaration: 1 in svg or math. */
export let foreigns: usize = 0;
export let foreignsEnd: usize = 0;

let titleDone: bool = false;
let link: i32 = -1;
let linkDepth: i32 = -1;
let tag: i32 = -1;
/** Start and end of its name. */
let nameStart: usize = 0;
let nameEnd: usize = 0;
/** Number of the opened element among those of the page. */
let row: i32 = -1;
/** End of the piece of text that is read, as written in the page. */
let textEnd: usize = 0;

export function setPageFlags(unseen: i32, foreign: i32, title: i32, hidden: i32, hints: i32, header: i32, main: i32): void {
  unseenFlag = unseen;
  foreignFlag = foreign;
  titleFlag = title;
  hiddenFlag = hidden;
  hintFlags = hints;
  headerFlag = header;
  mainFlag = main;
}

export function setSightFlags(heading: i32, veiled: i32, quiet: i32, spoken: i32, icon: i32, disclosure: i32): void {
  headingFlag = heading;
  veiledFlag = veiled;
  quietFlag = quiet;
  spokenFlag = spoken;
  iconFlag = icon;
  disclosureFlag = disclosure;
}

/**
 * Makes room for a page of `length` units.
 * @returns where to write them
 */
export function begin(length: i32): usize {
  release();
  tags.startTags();
  html = take((<usize>length + 32) << 1);
  end = html + ((<usize>length) << 1);
  // Four bytes before a decoded text are its length.
  scratch = take((<usize>length + 64) << 1) + 16;
  startText(length);
  startVeils(length);
  stack.startStack(length);
  links = take(<usize>min(MAX_LINKS, length / 4 + 1) * LINK_BYTES);
  events = take(((<usize>length) << 2) + 256);
  takeNotes(length);
  memory.fill(end, 0, 64);
  beginElements(length);
  return html;
}

/** A piece of text and the markup around it have two units at least; so have a tag and a declaration. */
function takeNotes(length: i32): void {
  const most = <usize>length / 2 + 2;
  spans = take(most * 12);
  contents = take(most);
  foreigns = take(most);
}

/** Parses the page that was written to `html`. */
export function parse(): void {
  spansEnd = spans;
  contentsEnd = contents;
  foreignsEnd = foreigns;
  eventsEnd = events;
  linkCount = 0;
  headingStart = headingEnd = -1;
  warnings = 0;
  startSigns();
  startElements();
  titleDone = false;
  link = linkDepth = tag = lastTag = -1;
  tokenize(html, end);
  if (stack.flagsHere() & unseenFlag) {
    warnings |= ENDS_UNSEEN;
    lastTag = stack.topTag();
  }
  endsHere(units(end));
  popTo(0);
  endLink();
  finishText();
}

// Tokens.

/** Is a markup declaration in svg or math? */
export function isForeign(): bool {
  const foreign = (stack.flagsHere() & foreignFlag) !== 0;
  store<u8>(foreignsEnd++, foreign);
  return foreign;
}

/** A start tag begins. @returns its reader; -1 for a tag that is not read */
export function startElement(nameFrom: usize, nameTo: usize): i32 {
  tag = tags.tagNamed(nameFrom, nameTo);
  nameStart = nameFrom;
  nameEnd = nameTo;
  clearAttributes(nameFrom, nameTo);
  if (tag < 0) return -1;
  endsHere(units(nameFrom) - 1);
  if (tags.closesAny(tag)) implyEnds(tag);
  return <i32>tags.readerOf(tag);
}

/** The start tag ends. @param after start of the content @returns how it is read */
export function openElement(selfClosing: bool, after: usize): u32 {
  const content = contentOfOpened(selfClosing, after);
  store<u8>(contentsEnd++, content);
  return content;
}

function contentOfOpened(selfClosing: bool, after: usize): u32 {
  const opened = tag;
  tag = -1;
  if (opened < 0) return DATA;
  const foreign = ((stack.flagsHere() | tags.flagsOf(opened)) & foreignFlag) !== 0;
  row = addElement(opened, units(nameStart) - 1, units(after));
  // Outside svg and math the slash means nothing (HTML Standard §13.1.2.1).
  open(opened, tags.isVoid(opened) || (selfClosing && foreign));
  return foreign ? DATA : tags.contentOf(opened);
}

export function endElement(nameFrom: usize, nameTo: usize): void {
  const ended = tags.tagNamed(nameFrom, nameTo);
  if (ended < 0) return;
  endsHere(units(nameFrom) - 2);
  if (tags.kindOf(ended) === BREAK) lineBreak();
  else if (!tags.isVoid(ended)) close(ended);
}

/** @param references whether it may contain character references */
export function text(from: usize, to: usize, references: bool): void {
  const flags = stack.flagsHere();
  if (flags & unseenFlag) {
    if ((flags & (titleFlag | foreignFlag)) === titleFlag && !titleDone) event(TITLE_TEXT, from, to);
    else {
      const top = stack.topTag();
      if (top >= 0 && tags.readerOf(top) === READ_SCRIPT) event(SCRIPT_TEXT, from, to);
    }
    return;
  }
  textEnd = to;
  const mark = references ? find(from, to, AMPERSAND) : to;
  if (mark < to) writeDecoded(from, mark, to, flags);
  else writeShown(from, from, to, flags);
}

/** @param mark the first ampersand of the text */
function writeDecoded(from: usize, mark: usize, to: usize, flags: i32): void {
  const end = decodeReferences(from, mark, to, scratch);
  if (end !== 0) {
    writeShown(from, scratch, end, flags);
    return;
  }
  const decoded = decodeText(from, to);
  writeShown(from, decoded, decoded + ((<usize>load<u32>(decoded - 4)) << 1), flags);
}

/** @param place of the text in the page */
function writeShown(place: usize, from: usize, to: usize, flags: i32): void {
  if (flags & (quietFlag | spokenFlag)) {
    const looks = looksOf(from, to);
    if (!isVoiceShown(flags, quietFlag, spokenFlag, looks) || !isVoiceShown(flags, spokenFlag, quietFlag, looks)) return;
  }
  store<i32>(spansEnd, units(place));
  store<i32>(spansEnd, blockCount, 4);
  store<i32>(spansEnd, <i32>stack.keepsHere(), 8);
  spansEnd += 12;
  noteShown(place, textEnd, units(place));
  write(from, to, flags, stack.keepsHere(), link >= 0);
}

/**
 * Whether a text of one voice is shown. Ornaments that nobody reads aloud are not, nor is the second of two versions: one to be seen, one
 * to be read aloud.
 */
function isVoiceShown(flags: i32, own: i32, other: i32, looks: i32): bool {
  const element = flags & own ? stack.innermostWith(own) : -1;
  if (element < 0) return true;
  const beside = stack.voicesBeside(element);
  if (beside & other) return false;
  if (looks === WORDS) stack.addVoice(element, own);
  return looks !== ORNAMENT || own !== quietFlag || (beside & own) !== 0;
}

// Elements.

function implyEnds(opened: i32): void {
  for (let top = stack.topTag(); top >= 0 && tags.closes(opened, top); top = stack.topTag()) popTo(stack.depth - 1);
}

function open(opened: i32, isEmpty: bool): void {
  const given = tags.flagsOf(opened) | ownFlagsOf();
  const kind = isEmpty ? tags.kindOf(opened) : kindHere(opened, given);
  const own = ownFlags(opened, kind, given);
  const edge = hintedEdge(opened, kind);
  if (kind === BREAK) lineBreak();
  else if ((own & quietFlag) === 0) cutAndCount(kind, edge, false);
  const reader = tags.readerOf(opened);
  if (reader !== READ_NOTHING && reader !== READ_BUTTON) read(reader, opened, isEmpty);
  if (isEmpty) return;
  if (tags.specialOf(opened) === tags.H1 && headingStart < 0) headingStart = textLength();
  if (stack.depth >= stack.MAX_DEPTH) warnings |= TOO_DEEP;
  else {
    if (own & ~stack.flagsHere() & veiledFlag) addVeil(textLength());
    stack.push(opened, kind, own, classHashOf(), edge, keepsOf(opened, own), row);
  }
}

/** @param given flags of the tag and of its attributes */
function kindHere(opened: i32, given: i32): u32 {
  if (tags.specialOf(opened) === tags.BUTTON) return isWordButton() ? INLINE : BLOCK;
  const kind = tags.kindOf(opened);
  if (kind !== INLINE || tags.flagsOf(opened) & unseenFlag) return kind;
  const styled = kindByStyle();
  if (styled !== INLINE) return styled;
  return given & veiledFlag && tags.isCustom(opened) ? BLOCK : INLINE;
}

/** The button is the heading or the term itself, as in accordions, or a word of a sentence. */
function isWordButton(): bool {
  const around = stack.blockSpecial();
  if (stack.flagsHere() & headingFlag || around === tags.LABEL) return blockLength() <= MAX_NUMBER;
  const next = unitAfterButton(nameEnd, end);
  if (isInSentence()) return continuesSentence(next);
  return blockLength() === 0 && around === tags.PROSE && isSmall(next);
}

function ownFlags(opened: i32, kind: u32, given: i32): i32 {
  let own = given;
  const special = tags.specialOf(opened);
  // Anti-flicker styles hide whole pages until a script has run.
  if (special === tags.WHOLE) own &= ~(hiddenFlag | veiledFlag | quietFlag | hintFlags);
  else if (kind === INLINE) own &= ~hintFlags;
  if (own & headerFlag && stack.flagsHere() & mainFlag) own &= ~headerFlag;
  if (special === tags.BUTTON) own = buttonFlags(own, kind);
  if (own & quietFlag) own = quietFlags(own, kind, opened);
  if (own & spokenFlag && kind !== INLINE) own &= ~spokenFlag;
  const isInline = tags.kindOf(opened) === INLINE;
  if (own & (hiddenFlag | veiledFlag) && isInline && !(own & veiledFlag && tags.isCustom(opened))) own |= unseenFlag;
  return own & ~iconFlag;
}

function buttonFlags(own: i32, kind: u32): i32 {
  if (kind === INLINE) return own & ~hiddenFlag;
  return has(EXPANDED) || has(CONTROLS) ? own | disclosureFlag : own;
}

function quietFlags(own: i32, kind: u32, opened: i32): i32 {
  if (kind !== INLINE) return (own & ~quietFlag) | veiledFlag;
  return tags.readerOf(opened) === READ_LINK || own & iconFlag ? own | unseenFlag : own;
}

function close(ended: i32): void {
  const index = stack.indexOf(ended, tags.isTablePart(ended));
  if (index < 0) {
    cutAndCount(tags.kindOf(ended), edgeOf(ended, tags.kindOf(ended)), true);
    return;
  }
  const kind = stack.kindAt(index);
  const own = stack.ownAt(index);
  // Unseen content ends with its element, even if another is open inside.
  if (kind === INLINE && (own & unseenFlag) === 0 && stack.hasBlockAbove(index)) {
    if (index === linkDepth) endLink();
    stack.strike(index);
  } else popTo(index);
  // Words that are animated letter by letter have a tag for each letter.
  if ((own & quietFlag) === 0) countTag(kind);
}

function popTo(depth: i32): void {
  while (stack.depth > depth) {
    if (link >= 0 && stack.depth - 1 === linkDepth) endLink();
    const kind = stack.kindAt(stack.depth - 1);
    const ended = stack.pop();
    if (ended < 0) continue;
    const special = tags.specialOf(ended);
    if (special === tags.H1) endHeading();
    else if (special === tags.TITLE) titleDone = true;
    cut(kind, stack.edgeAt(stack.depth), true);
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
  if (has(HREFLANG)) tell(READ_LINK);
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

/** A start tag with its attributes: reader, a bit for each place, start and end of each value. */
function tell(reader: u32): void {
  store<u32>(eventsEnd, reader);
  store<u32>(eventsEnd, present, 4);
  eventsEnd += 8;
  for (let left = present; left !== 0; left &= left - 1) {
    const place = ctz(left);
    store<i32>(eventsEnd, units(valueStart(place)));
    store<i32>(eventsEnd, units(valueEnd(place)), 4);
    eventsEnd += 8;
  }
}
