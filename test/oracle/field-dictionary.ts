/**
 * Second reader of dictionaries of RFC 9651, section 4.2.2, written from the text of the RFC alone. The sources of Forager read them with a package;
 * this one has its own code, and knows nothing of that package.
 */

/** Value of a member: its type, and the text of a token. Other values need no more for statements about use. */
export interface FieldValue {
  readonly type: 'token' | 'string' | 'number' | 'binary' | 'boolean' | 'date' | 'display' | 'list';
  readonly text: string;
}

/** Broken syntax: RFC 9651 fails the whole field then. */
class Broken extends Error {}

const KEY = /^[a-z*][a-z0-9_.*-]*/;
const TOKEN = /^[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?/;
const STRING = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/;
const BINARY = /^:[A-Za-z0-9+/=]*:/;
const DISPLAY = /^%"(?:[\x20\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*"/;

/** Bytes left of a field. */
class Rest {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#text === '';
  }

  startsWith(sign: string): boolean {
    return this.#text.startsWith(sign);
  }

  /** Removes a sign if it comes next. */
  ate(sign: string): boolean {
    if (!this.startsWith(sign)) return false;
    this.#text = this.#text.slice(sign.length);
    return true;
  }

  take(pattern: RegExp): string {
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new Broken();
    this.#text = this.#text.slice(found.length);
    return found;
  }

  /** Blanks and tabs, or blanks only. */
  skip(signs: RegExp): void {
    this.#text = this.#text.replace(signs, '');
  }
}

/**
 * Members of a dictionary by key: the last of equal keys counts. @param bytes one field, or several joined by a comma, a character a byte
 * @returns null if it does not parse
 */
export function fieldDictionary(bytes: string): ReadonlyMap<string, FieldValue> | null {
  try {
    return members(new Rest(bytes.replace(/^ +| +$/g, '')));
  } catch (error) {
    if (error instanceof Broken) return null;
    throw error;
  }
}

function members(rest: Rest): ReadonlyMap<string, FieldValue> {
  const found = new Map<string, FieldValue>();
  while (!rest.done) {
    const key = rest.take(KEY);
    const value: FieldValue = rest.ate('=') ? itemOrList(rest) : { type: 'boolean', text: '?1' };
    parameters(rest);
    found.set(key, value);
    rest.skip(/^[ \t]+/);
    if (rest.done) return found;
    if (!rest.ate(',')) throw new Broken();
    rest.skip(/^[ \t]+/);
    if (rest.done) throw new Broken();
  }
  return found;
}

function itemOrList(rest: Rest): FieldValue {
  if (!rest.ate('(')) return bareItem(rest);
  for (;;) {
    rest.skip(/^ +/);
    if (rest.ate(')')) return { type: 'list', text: '' };
    bareItem(rest);
    parameters(rest);
    if (!rest.startsWith(' ') && !rest.startsWith(')')) throw new Broken();
  }
}

function parameters(rest: Rest): void {
  while (rest.ate(';')) {
    rest.skip(/^ +/);
    rest.take(KEY);
    if (rest.ate('=')) bareItem(rest);
  }
}

function bareItem(rest: Rest): FieldValue {
  if (rest.startsWith('"')) return { type: 'string', text: rest.take(STRING) };
  if (rest.startsWith('%')) return { type: 'display', text: utf8(rest.take(DISPLAY)) };
  if (rest.startsWith(':')) return { type: 'binary', text: rest.take(BINARY) };
  if (rest.startsWith('?')) return { type: 'boolean', text: rest.take(/^\?[01]/) };
  if (rest.ate('@')) return { type: 'date', text: number(rest, false) };
  if (rest.startsWith('-') || /^[0-9]/.test(rest.startsWith('-') ? '' : peek(rest))) return { type: 'number', text: number(rest, true) };
  return { type: 'token', text: rest.take(TOKEN) };
}

function peek(rest: Rest): string {
  for (const digit of '0123456789') if (rest.startsWith(digit)) return digit;
  return '';
}

/** Integers have at most 15 digits, decimals at most 12 before the point and 3 after it. */
function number(rest: Rest, decimals: boolean): string {
  const text = rest.take(NUMBER);
  const [whole = '', part] = text.replace('-', '').split('.');
  if (part === undefined ? whole.length > 15 : !decimals || whole.length > 12 || part.length > 3) throw new Broken();
  if (rest.startsWith('.')) throw new Broken();
  return text;
}

/** Text of a display string. Throws if its bytes are not UTF-8. */
function utf8(written: string): string {
  try {
    return decodeURIComponent(written.slice(2, -1));
  } catch {
    throw new Broken();
  }
}
