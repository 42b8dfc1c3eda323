import { parse } from 'tldts';
import type { TextRange } from './text-range.ts';

/** RFC 5321 §4.5.3.1 has 64 octets before the sign, and 255 after it. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

/** Characters of an atom (RFC 5322 §3.2.3) that people use before the sign, and letters of scripts that have spaces (RFC 6531). */
const LOCAL = /[\w.!#$%&'*+=?^`{|}~\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}-]/u;
const DOMAIN = /[\w.\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}-]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}_]/u;
/** A label of a host name (RFC 1123 §2.1), also in other scripts. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
/** Signs that people write for `@` and `.` against collectors of addresses. */
const HIDDEN_AT = /\s?[[({<]\s?(?:at|AT|ät|a)\s?[\])}>]\s?/g;
const HIDDEN_DOT = /^(?:\s?[[({<]\s?(?:dot|DOT|punkt|d)\s?[\])}>]\s?|\s(?:dot|DOT)\s)/;
const OBFUSCATED_LABEL = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}/;
/** Domains that belong to nobody (RFC 2606, RFC 6761). */
const NOBODYS = /(?:^|\.)example\.(?:com|net|org|edu)$/i;

/** Mail addresses, also with `[at]` and `[dot]`. At each sign it looks at 320 characters at most. */
export function* mailAddresses(text: string): Generator<TextRange> {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const found = addressAround(text, at);
    if (found !== null) yield found;
  }
  for (const { index, 0: sign } of text.matchAll(HIDDEN_AT)) {
    const start = localStart(text, index);
    const end = start === index ? null : hiddenDomainEnd(text, index + sign.length);
    if (end !== null) yield [start, end];
  }
}

function addressAround(text: string, at: number): TextRange | null {
  const start = localStart(text, at);
  if (start === at || text[at - 1] === '.' || /:\/\/[^\s/]{0,64}$/.test(text.slice(Math.max(0, start - MAX_LOCAL), start))) return null;
  const end = domainEnd(text, at + 1);
  // `git@host:path` is a place of files.
  return end === null || /^:[\w~/.]/.test(text.slice(end, end + 2)) ? null : [start, end];
}

/** Start of the local part that ends at a place; the place itself for none. */
function localStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_LOCAL && LOCAL.test(text.charAt(start - 1))) start--;
  while (start < end && !LETTER_OR_DIGIT.test(text.charAt(start))) start++;
  return start;
}

/** End of the longest host name at a place that has an ending of the public suffix list; null for none. */
function domainEnd(text: string, start: number): number | null {
  let end = start;
  while (end < text.length && end - start < MAX_DOMAIN && DOMAIN.test(text.charAt(end))) end++;
  const labels: string[] = [];
  for (const label of text.slice(start, end).split('.')) {
    if (!LABEL.test(label)) {
      // The last one may be cut short: `host.org_`, `host.org-`.
      const inside = /^[\p{L}\p{N}]+/u.exec(label)?.[0];
      if (inside !== undefined) labels.push(inside);
      break;
    }
    labels.push(label);
  }
  // A sentence may follow without a space: `host.org.The`.
  for (; labels.length >= 2; labels.pop()) if (isSomebodys(labels.join('.'))) return start + labels.join('.').length;
  return null;
}

function isSomebodys(host: string): boolean {
  const { isIcann, domain } = parse(host, { validateHostname: false, allowPrivateDomains: false });
  return isIcann === true && domain !== null && !NOBODYS.test(host);
}

/** End of `host [dot] org`; null for none. */
function hiddenDomainEnd(text: string, start: number): number | null {
  let end = start;
  let host = '';
  for (;;) {
    const label = OBFUSCATED_LABEL.exec(text.slice(end, end + 63))?.[0];
    if (label === undefined) return null;
    host += label;
    end += label.length;
    const rest = text.slice(end, end + 12);
    const dot = HIDDEN_DOT.exec(rest)?.[0] ?? (/^\.[A-Za-z0-9]/.test(rest) ? '.' : null);
    if (dot === null || end - start > MAX_DOMAIN) break;
    host += '.';
    end += dot.length;
  }
  return host.includes('.') && isSomebodys(host) ? end : null;
}
