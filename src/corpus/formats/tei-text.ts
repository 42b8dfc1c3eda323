/** Text of pages as text of XML 1.0 in Unicode NFC. */

import { escapeSigns } from '../../base/text/escape-signs.ts';
import { oneLineOf } from '../../base/text/segments.ts';

/** Everything but the characters of XML 1.0 (§2.2); control characters and lone surrogates are gone before. */
const NO_XML = /[\ufffe\uffff]/g;
const CONTROLS = /(?!\n)[\s\p{Cc}]/gu;

/** Escapes a text for content and attributes, in one line. */
export function escaped(text: string): string {
  return escapeSigns(oneLineOf(text).replace(NO_XML, '\ufffd'));
}

/** A part of a line, with its spaces at the ends, or lines. Other white space and control characters are spaces. */
export function escapedPart(text: string): string {
  return escapeSigns(text.toWellFormed().normalize('NFC').replace(CONTROLS, ' ').replace(NO_XML, '\ufffd'));
}

/** URL for the type `anyURI`: browsers accept more signs than RFC 3986, and a `%` that starts nothing. */
export function uri(url: string): string {
  const [before = '', ...fragment] = url.split('#');
  const whole = fragment.length === 0 ? before : `${before}#${fragment.join('%23')}`;
  return escaped(whole.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(/[\s"<>\\^`{|}]/g, (sign) => encodeURIComponent(sign)));
}
