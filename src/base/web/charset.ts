/** Decodes bytes to text, with or without a declared charset. */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder as LegacyDecoder, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { isIso2022Jp, isMostlyUtf8, likelyLabels, textSample } from './charset-guess.ts';
import { looksUtf16 } from './content-type.ts';
import { lateMetaCharset, metaCharset } from './meta-charset.ts';
import { WINDOWS_1252_HIGH } from './windows-1252.ts';

export interface DecodedText {
  readonly text: string;
  /** WHATWG label of the charset used. */
  readonly charset: string;
  readonly warnings: string[];
}

/** The text of bytes that are valid UTF-8. */
export type DecodeUtf8 = (bytes: Uint8Array) => string;

/** Labels on pages that the WHATWG does not list. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['gb-2312', 'gbk'],
  ['cp932', 'shift_jis'],
  ['cp949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['cp950', 'big5'],
  ['utf-8-sig', 'utf-8'],
  ['utf8mb4', 'utf-8'],
  ['utf-16-le', 'utf-16le'],
  ['utf-16-be', 'utf-16be'],
  ['latin-1', 'windows-1252'],
]);

/**
 * Decodes by byte order mark, else Content-Type charset, else a `<meta>` of the first 1,024 bytes (HTML only), else a `<meta>` after them, as browsers
 * do that have only guessed (HTML Standard §13.2.3.4), else a guess. Unlike a browser, it does not believe a page that declares UTF-8 and contains
 * hardly any byte sequence of it. Never throws: invalid bytes become U+FFFD and a warning; an unknown label becomes a warning, and the next source
 * decides.
 * @param utf8 decodes valid UTF-8 beyond ASCII in place of the engine
 */
export function decodeText(bytes: Uint8Array, contentTypeCharset: string | null, isHtml: boolean, utf8?: DecodeUtf8): DecodedText {
  const warnings: string[] = [];
  const bom = bomOf(bytes);
  const charset =
    bom?.charset ??
    declared(bytes, contentTypeCharset, 'Content-Type', warnings) ??
    (isHtml ? declared(bytes, metaCharset(bytes), 'meta', warnings) : null) ??
    (isHtml && looksUtf16(bytes) === null ? declared(bytes, lateMetaCharset(bytes, charsetOf), 'late meta', warnings) : null) ??
    guess(bytes, warnings);
  return { text: decodeAs(bytes.subarray(bom?.length ?? 0), charset, warnings, utf8), charset, warnings };
}

function bomOf(bytes: Uint8Array): { readonly charset: string; readonly length: number } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { charset: 'utf-8', length: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { charset: 'utf-16le', length: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { charset: 'utf-16be', length: 2 };
  return null;
}

function declared(bytes: Uint8Array, label: string | null, source: string, warnings: string[]): string | null {
  if (label === null) return null;
  const charset = charsetOf(label);
  // 40 characters show the label; a label may be as long as a header.
  if (charset === null) warnings.push(`unknown charset in ${source}: ${label.slice(0, 40).replaceAll(/[\s\p{Cc}]+/gu, ' ')}`);
  if (charset !== 'utf-8' || isUtf8(withoutCutTail(bytes)) || isMostlyUtf8(textSample(bytes))) return charset;
  warnings.push(`${source} says utf-8, the bytes do not`);
  return null;
}

/** The WHATWG charset of a label, lower case; null if there is none. */
export function charsetOf(label: string): string | null {
  const plain = label.trim().toLowerCase();
  return normalizeEncoding(ALIASES.get(plain) ?? plain);
}

/** A page without a declaration: bare UTF-16, ISO-2022-JP, UTF-8, chardet's guess, else windows-1252, the default of the web. */
function guess(bytes: Uint8Array, warnings: string[]): string {
  const plain = looksUtf16(bytes) ?? (isIso2022Jp(bytes) ? 'iso-2022-jp' : null);
  if (plain === null && isUtf8(withoutCutTail(bytes))) return 'utf-8';
  const sample = textSample(bytes);
  const guessed = plain ?? (isMostlyUtf8(sample) ? 'utf-8' : detected(sample)) ?? 'windows-1252';
  warnings.push(`charset not declared; read as ${guessed}`);
  return guessed;
}

function detected(sample: Uint8Array): string | null {
  for (const label of likelyLabels(sample)) {
    const charset = charsetOf(label);
    // Browsers never guess a charset that they refuse.
    if (charset !== null && charset !== REPLACEMENT) return charset;
  }
  return null;
}

/** A body may be cut in the middle of a character; it is still UTF-8. */
function withoutCutTail(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/**
 * The charset of the labels that no browser decodes, because harmless text in them reads as markup elsewhere (Encoding Standard §4.2). In browsers, a
 * page that declares one of them is a single U+FFFD. It is the same here: such a page has no words and no links.
 */
const REPLACEMENT = 'replacement';

function replaced(bytes: Uint8Array, warnings: string[]): string {
  if (bytes.length === 0) return '';
  warnings.push('declares a charset that browsers refuse to decode (replacement); the text is omitted');
  return '\uFFFD';
}

function decodeAs(bytes: Uint8Array, charset: string, warnings: string[], utf8: DecodeUtf8 | undefined): string {
  if (charset === REPLACEMENT) return replaced(bytes, warnings);
  if (charset === 'windows-1252') return decodeWindows1252(bytes);
  // As latin-1, ASCII is copied.
  if (charset === 'utf-8' && isAscii(bytes)) return latin1(bytes);
  const text = charset === 'utf-8' ? decodeUtf8(bytes, utf8) : decodeLegacy(bytes, charset);
  if (text.includes('\uFFFD')) warnings.push(`bytes that are not ${charset} were replaced`);
  return text;
}

function decodeUtf8(bytes: Uint8Array, utf8: DecodeUtf8 | undefined): string {
  return utf8 !== undefined && isUtf8(bytes) ? utf8(bytes) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/**
 * Decodes by the tables of the Encoding Standard. Those of Node differ from them in a dozen charsets: its euc-kr has 2,350 of 11,172
 * syllables, its big5 lacks the Hong Kong set, and it swallows the byte after a damaged character (nodejs/node#40091).
 */
function decodeLegacy(bytes: Uint8Array, charset: string): string {
  return new LegacyDecoder(charset, { ignoreBOM: true }).decode(bytes);
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Node 20's own decoder for this charset reads 0x80–0x9F as control characters (nodejs/node#60888). */
function decodeWindows1252(bytes: Uint8Array): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_HIGH[char.charCodeAt(0) - 0x80] ?? char);
}
