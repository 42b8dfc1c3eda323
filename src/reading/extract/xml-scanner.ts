import { decodeXML } from 'entities';

export interface XmlHandlers {
  /** @param name local, lower case @param prefix of its namespace, '' without one @param tag the whole start tag, for its attributes */
  open(name: string, prefix: string, tag: string): void;
  close(name: string, prefix: string): void;
  /** Character data, with decoded entities; may come in several pieces. */
  text(text: string): void;
}

/** Longest tag, comment or declaration; text is passed on as it arrives. */
const MAX_PENDING = 1024 * 1024;
/** An entity is not cut in two: `&` and at most this many characters wait for more. */
const MAX_ENTITY = 12;

/**
 * Tags and text of XML as it arrives, in pieces of any length. Its own and external entities are not resolved, document types are skipped, nesting is
 * not checked: it finds values in other people's files, damaged or not. O(characters).
 */
export class XmlScanner {
  readonly #handlers: XmlHandlers;
  readonly #decode: (text: string) => string;
  #pending = '';
  #broken = false;

  /** @param decode replaces entities, by default the five of XML and those by number */
  constructor(handlers: XmlHandlers, decode: (text: string) => string = decodeXML) {
    this.#handlers = handlers;
    this.#decode = decode;
  }

  /** A construct in it has no end: nothing more is read. */
  get broken(): boolean {
    return this.#broken;
  }

  push(piece: string): void {
    if (this.#broken) return;
    const text = this.#pending + piece;
    let at = 0;
    while (at < text.length) {
      const end = text.charCodeAt(at) === LESS_THAN ? this.#markup(text, at) : this.#characters(text, at);
      if (end < 0) break;
      at = end;
    }
    this.#pending = text.slice(at);
    if (this.#pending.length > MAX_PENDING) this.#broken = true;
  }

  /** @returns its end; -1 if that has not arrived yet */
  #characters(text: string, at: number): number {
    const tag = text.indexOf('<', at);
    let end = tag < 0 ? text.length : tag;
    if (tag < 0) {
      const entity = text.lastIndexOf('&');
      if (entity >= Math.max(at, text.length - MAX_ENTITY) && !text.includes(';', entity)) end = entity;
    }
    if (end === at) return -1;
    this.#handlers.text(this.#decode(text.slice(at, end)));
    return end;
  }

  #markup(text: string, at: number): number {
    if (text.startsWith('<!--', at)) return past(text, '-->', at + 4);
    if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at);
      if (end >= 0) this.#handlers.text(text.slice(at + 9, end));
      return end < 0 ? -1 : end + 3;
    }
    if (text.startsWith('<?', at)) return past(text, '?>', at + 2);
    if (text.startsWith('<!', at)) return declarationEnd(text, at);
    return this.#tag(text, at);
  }

  #tag(text: string, at: number): number {
    const end = tagEnd(text, at);
    if (end < 0) return -1;
    const [, slash = '', prefix = '', name = ''] =
      /^<(\/?)\s*(?:([^\s:/>]*):)?([^\s/>]*)/.exec(text.slice(at, Math.min(end, at + MAX_NAME))) ?? [];
    const local = name.toLowerCase();
    if (slash === '/') this.#handlers.close(local, prefix);
    else {
      const tag = text.slice(at, end);
      this.#handlers.open(local, prefix, tag);
      if (tag.endsWith('/>')) this.#handlers.close(local, prefix);
    }
    return end;
  }
}

const LESS_THAN = 60;
const MAX_NAME = 200;

function past(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? -1 : end + mark.length;
}

/** A document type may contain declarations of its own, in brackets. */
function declarationEnd(text: string, at: number): number {
  const close = text.indexOf('>', at);
  if (close < 0) return -1;
  const inside = text.slice(at, close).indexOf('[');
  if (inside < 0) return close + 1;
  const bracket = at + inside;
  const end = text.indexOf(']', bracket);
  return end < 0 ? -1 : past(text, '>', end);
}

/** The position after the `>` that is not in an attribute value. */
function tagEnd(text: string, at: number): number {
  let quote = '';
  for (let i = at + 1; i < text.length; i++) {
    const character = text[i] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return i + 1;
  }
  return -1;
}

/** Value of an attribute of a start tag, with decoded entities; null without one. @param name lower case, with its prefix */
export function attributeOf(tag: string, name: string): string | null {
  for (const [found, value] of attributesOf(tag)) if (found === name) return decodeXML(value);
  return null;
}

/** Value of the attribute with a name in any namespace, whose prefix the file chooses; null without one. @param name lower case, without prefix */
export function localAttributeOf(tag: string, name: string): string | null {
  for (const [found, value] of attributesOf(tag)) if (found.endsWith(name) && localName(found) === name) return decodeXML(value);
  return null;
}

/** Names in lower case with prefix, and values as written. Declarations of namespaces are among them. */
function* attributesOf(tag: string): Generator<readonly [name: string, value: string]> {
  for (const [, name = '', double, single] of tag.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    yield [name.toLowerCase(), double ?? single ?? ''];
}

function localName(name: string): string {
  return name.startsWith('xmlns') ? '' : name.slice(name.indexOf(':') + 1);
}
