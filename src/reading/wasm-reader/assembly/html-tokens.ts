/** HTML to tags and texts: tokenizer.ts. */
import { ENDS, find } from './arena';
import { lowered } from './name-table';
import { endElement, isForeign, openElement, startElement, text } from './page-parse';
import { takeAttribute } from './tag-attributes';

const NAME: u32 = 1;
const ATTRIBUTE: u32 = 2;
const VALUE: u32 = 4;
const BLANK: u32 = 8;

// Contents, as in the host's order.
const DATA: u32 = 0;
const RCDATA: u32 = 1;
const SCRIPT: u32 = 3;
const PLAINTEXT: u32 = 4;

let end: usize = 0;
/** First `--!>` at or after the current comment. */
let bangEnd: usize = 0;
let selfClosing: bool = false;

/** Tokenizes `[html, stop)`, and passes its tags and texts to page-parse.ts. Zeros follow the page. */
export function tokenize(html: usize, stop: usize): void {
  end = stop;
  bangEnd = 0;
  selfClosing = false;
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
  const after = attributes(nameTo, -1);
  if (after > end) return end;
  endElement(nameFrom, nameTo);
  return after;
}

function startTag(nameFrom: usize): usize {
  const nameTo = nameEnd(nameFrom);
  const after = attributes(nameTo, startElement(nameFrom, nameTo));
  if (after > end) return end;
  const content = openElement(selfClosing, after);
  return content === DATA ? after : contentEnd(content, after, nameFrom, nameTo);
}

function nameEnd(from: usize): usize {
  let at = from + 2;
  while (at < end && !endsAt(load<u16>(at), NAME)) at += 2;
  return at;
}

/**
 * Reads attributes from the end of a tag's name. Returns the place after its `>`; beyond the end if the page ends first.
 * @param reader of the tag; -1 if nothing is read
 */
function attributes(from: usize, reader: i32): usize {
  selfClosing = false;
  let at = unblank(from);
  while (at < end) {
    const unit: u32 = load<u16>(at);
    if (unit === 62) return at + 2;
    if (unit === 47) {
      selfClosing = load<u16>(at, 2) === 62;
      at += 2;
    } else at = attribute(at, reader);
    at = unblank(at);
  }
  return end + 2;
}

function unblank(from: usize): usize {
  let at = from;
  while (at < end && endsAt(load<u16>(at), BLANK)) at += 2;
  return at;
}

function attribute(nameFrom: usize, reader: i32): usize {
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
  if (reader >= 0) takeAttribute(nameFrom, nameTo, from, to, <u32>reader);
  return at;
}

/** Reads the declaration or comment after `<!`. */
function declaration(from: usize): usize {
  if (load<u32>(from) === 0x002d002d) return comment(from + 4);
  if (isCdata(from) && isForeign()) {
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
  for (let i: usize = 0; i < length; i += 2) if (lowered(load<u16>(one + i)) !== lowered(load<u16>(other + i))) return false;
  return true;
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
  if (ASC_FEATURE_SIMD) {
    const one = i16x8.splat(60);
    const other = i16x8.splat(45);
    for (let at = from; at < end; at += 16) {
      const units = v128.load(at);
      const found = i16x8.bitmask(v128.or(i16x8.eq(units, one), i16x8.eq(units, other)));
      if (found !== 0) return min(end, at + ((<usize>ctz(found)) << 1));
    }
    return end;
  }
  let at = from;
  while (at < end && load<u16>(at) !== 60 && load<u16>(at) !== 45) at += 2;
  return min(end, at);
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

function textOf(from: usize, to: usize): void {
  if (from < to) text(from, to, true);
}
