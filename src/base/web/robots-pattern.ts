/** Path patterns of robots.txt: normal form and matching (RFC 9309 §2.2.2, §2.2.3). */
import { escapedByte, isUnreserved } from './url.ts';

export interface PathPattern {
  /** Length of the normalised pattern, in octets: the longest match decides (§2.2.2). */
  readonly length: number;
  /** The literals between the wildcards; the first must be at the start of the path. */
  readonly literals: readonly string[];
  /** `$`: the last literal must be at the end of the path. */
  readonly anchored: boolean;
}

/** Characters that stay unchanged on both sides: reserved and unreserved (RFC 3986 §2), except `*` and `$`. */
const PLAIN = new Uint8Array(128);
for (const char of ":/?#[]@!&'()+,;=") PLAIN[char.charCodeAt(0)] = 1;
for (let code = 0; code < 128; code++) if (isUnreserved(code)) PLAIN[code] = 1;

/**
 * Path and query in the one form in which they are compared. Unreserved characters are decoded. All others, except reserved ones, are percent-encoded
 * as UTF-8, and so are `*` and `$`, which are no wildcards there.
 */
export function comparablePath(path: string): string {
  let i = 0;
  while (i < path.length && PLAIN[path.charCodeAt(i)] === 1) i++;
  if (i === path.length) return path;
  let out = path.slice(0, i);
  for (; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (code < 128 && PLAIN[code] === 1) {
      out += path[i];
    } else if (code === 0x25) {
      const byte = escapedByte(path, i);
      out += byte < 0 ? '%' : isUnreserved(byte) ? String.fromCharCode(byte) : path.slice(i, i + 3).toUpperCase();
      if (byte >= 0) i += 2;
    } else {
      const char = String.fromCodePoint(path.codePointAt(i) ?? code);
      out += percentEncoded(char);
      i += char.length - 1;
    }
  }
  return out;
}

/** General delimiters (RFC 3986 §2.2), except `#`, which ends a rule and a path. */
const DELIMITER = /[:/?[\]@]/g;

/**
 * Both forms of a path, if it has two. By the table of §2.2.2, the general delimiters of a query are compared encoded: `?u=https://a` as
 * `?u=https%3A%2F%2Fa`. Most files and crawlers leave them plain, and both mean one page.
 */
function bothForms(path: string): readonly string[] {
  const query = path.indexOf('?') + 1;
  if (query === 0) return [path];
  const encoded = path.slice(0, query) + path.slice(query).replace(DELIMITER, percentEncoded);
  return encoded === path ? [path] : [path, encoded];
}

/** A path with its query in the one or two forms that patterns are matched against. */
export function comparablePaths(path: string): readonly string[] {
  return bothForms(comparablePath(path));
}

/** Reads one rule of a robots.txt, with white space trimmed: one pattern, or two with the same meaning. */
export function parsePatterns(rule: string): readonly PathPattern[] {
  return bothForms(rule).map(parsePattern);
}

function percentEncoded(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 128) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  // A lone surrogate has no UTF-8; URLs contain U+FFFD instead.
  return code >= 0xd800 && code <= 0xdfff && char.length === 1 ? '%EF%BF%BD' : encodeURIComponent(char);
}

/** Reads one pattern of a robots.txt, with white space trimmed. */
export function parsePattern(pattern: string): PathPattern {
  const anchored = pattern.endsWith('$');
  const literals = (anchored ? pattern.slice(0, -1) : pattern).split('*').map(comparablePath);
  // `a**b` means `a*b`; without this, a line of a million stars would be a million empty literals.
  const distinct = literals.filter((literal, i) => literal !== '' || i === 0 || i === literals.length - 1);
  const length = literals.reduce((sum, literal) => sum + literal.length, literals.length - 1) + (anchored ? 1 : 0);
  return { length, literals: distinct, anchored };
}

/**
 * Does the pattern match a path in comparable form from its start? Each literal is matched at its leftmost place. That is enough, because only `*` is
 * between literals: no backtracking.
 */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  const { literals, anchored } = pattern;
  const first = literals[0] ?? '';
  const last = literals.length - 1;
  if (!path.startsWith(first)) return false;
  if (last === 0) return !anchored || path.length === first.length;
  let at = first.length;
  for (let i = 1; i < (anchored ? last : last + 1); i++) {
    const literal = literals[i] ?? '';
    const found = path.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  const tail = literals[last] ?? '';
  return !anchored || (path.length - tail.length >= at && path.endsWith(tail));
}
