/** Signs of the kind of a text file, in its first bytes or at its top. */
import { looksUtf16 } from '../../base/web/content-type.ts';
import { xmlDecoder } from '../extract/xml-decoder.ts';

/** The root element is behind declarations, style sheets and comments at most. */
const HEAD = 4096;
/** One part of the prolog of an XML file, but a comment; the start tag of its root. */
const PROLOG = /\s+|<\?[^>]*\?>|<!doctype[^>[]*(?:\[[^\]]*\])?\s*>/iy;
const ROOT = /(<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?)/y;

export interface XmlRoot {
  /** Local, lower case. */
  readonly name: string;
  /** The start tag, perhaps cut. */
  readonly tag: string;
}

/** The root element of an XML file; null for other files. */
export function xmlRoot(bytes: Uint8Array): XmlRoot | null {
  const head = bytes.subarray(0, HEAD);
  if (!isXmlStart(head)) return null;
  const text = xmlDecoder(head).decode(head);
  ROOT.lastIndex = prologEnd(text);
  const [, tag = '', name] = ROOT.exec(text) ?? [];
  return name === undefined ? null : { name: name.toLowerCase(), tag };
}

/** The end of declarations, style sheets and comments: the length if a comment has no end. O(length) */
function prologEnd(text: string): number {
  for (let at = 0; ; ) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end < 0) return text.length;
      at = end + 3;
      continue;
    }
    PROLOG.lastIndex = at;
    if (!PROLOG.test(text)) return at;
    at = PROLOG.lastIndex;
  }
}

/** Is the first sign `<`? Almost no other file pays for more. */
function isXmlStart(head: Uint8Array): boolean {
  if (looksUtf16(head) !== null) return true;
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  return head.subarray(start).find((byte) => byte > 0x20) === 0x3c;
}

/** Bytes as a text of one unit a byte: for signs of ASCII, which are the same in UTF-8. */
export function asciiText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Does a file begin with the bracket of a JSON object? */
export function isObjectStart(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.subarray(start).find((byte) => byte > 0x20) === 0x7b;
}

const VALUE = /\s*:\s*"/y;

/** The string that a JSON object has under a name, not deeper, as written; null for none. The rest of the object may be missing. O(length) */
export function topLevelString(json: string, name: string): string | null {
  const signs = /["{}[\]]/g;
  let depth = 0;
  for (let sign = signs.exec(json); sign !== null; sign = signs.exec(json)) {
    if (sign[0] !== '"') {
      depth += sign[0] === '{' || sign[0] === '[' ? 1 : -1;
      continue;
    }
    const end = stringEnd(json, sign.index + 1);
    if (end < 0) return null;
    signs.lastIndex = end + 1;
    VALUE.lastIndex = end + 1;
    if (depth === 1 && json.slice(sign.index + 1, end) === name && VALUE.test(json)) {
      const valueEnd = stringEnd(json, VALUE.lastIndex);
      if (valueEnd >= 0) return json.slice(VALUE.lastIndex, valueEnd);
    }
  }
  return null;
}

/** Place of the quotation mark that ends a string; -1 without one. */
function stringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - 1 - slashes >= start && json[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}
