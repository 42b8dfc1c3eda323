/** The elements of a page that tell a wall from a short page, in one pass over its tags. */
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { knownTags } from './tags.ts';
import { type ContentModel, type TokenSink, tokenize } from './tokenizer.ts';

const TAGS = knownTags();
/** Elements into which frameworks write their page: React, Next, Nuxt, Gatsby, Vue, Quasar, Svelte, Ember, Angular and others, by their templates of a new project. */
const ROOTS = new Set(
  'root app __next __nuxt ___gatsby q-app svelte react-root react-app app-root ember-application main-app application spa vue-app'.split(
    ' ',
  ),
);
/** Elements that are a whole application, by their usual names. */
const ROOT_NAME = /^(app|ion)-.|-(app|root|shell)$/;
const IMAGES = new Set(['img', 'picture', 'video', 'audio', 'object', 'embed', 'frame', 'iframe']);
const LETTERS_INPUTS = new Set(['', 'text', 'email', 'tel']);
const SENDS = new Set(['submit', 'button', 'image']);
const READ = new Set(['type', 'id', 'style', 'as', 'rel']);
const UNSEEN = /display\s*:\s*none|visibility\s*:\s*hidden/;
/** Longest text of `noscript` elements that is read, in UTF-16 units: longer ones are pages of their own. */
const MAX_NOSCRIPT = 5_000;

export interface WallSignals {
  readonly hasScript: boolean;
  /** An element in which a framework renders. */
  readonly hasRoot: boolean;
  /** An element that a script defines. */
  readonly hasCustom: boolean;
  /** A picture, a film or a frame outside of `noscript`: content without words. */
  readonly hasMedia: boolean;
  readonly hasPassword: boolean;
  /** A field for a name or an address. */
  readonly hasField: boolean;
  /** A button, or a form that sends. */
  readonly hasButton: boolean;
  /** The text of all `noscript` elements. */
  readonly noscript: string;
}

/** O(length). Never throws. */
export function wallSignals(html: string): WallSignals {
  const reader = new SignalReader(html);
  tokenize(html, reader);
  return reader.signals();
}

class SignalReader implements TokenSink {
  readonly #html: string;
  readonly #seen = new Set<'script' | 'root' | 'custom' | 'media' | 'password' | 'field' | 'button'>();
  readonly #noscript: string[] = [];
  #read = 0;
  #inNoscript = 0;
  #foreign = 0;
  #name = '';
  #type = '';
  #id = '';
  #isHidden = false;
  #isScriptLink = false;
  /** The name of the outermost hidden form or dialog that is open; '' outside. */
  #hiddenIn = '';

  constructor(html: string) {
    this.#html = html;
  }

  signals(): WallSignals {
    const seen = this.#seen;
    return {
      hasScript: seen.has('script'),
      hasRoot: seen.has('root'),
      hasCustom: seen.has('custom'),
      hasMedia: seen.has('media'),
      hasPassword: seen.has('password'),
      hasField: seen.has('field'),
      hasButton: seen.has('button'),
      noscript: this.#noscript.join(' '),
    };
  }

  isForeign(): boolean {
    return this.#foreign > 0;
  }

  text(start: number, end: number): void {
    if (this.#inNoscript === 0 || this.#read > MAX_NOSCRIPT || TAGS.get(this.#name)?.content === 'raw') return;
    this.#noscript.push(decodeHTML(this.#html.slice(start, Math.min(end, start + MAX_NOSCRIPT))));
    this.#read += end - start;
  }

  startTag(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#type = this.#id = '';
    this.#isHidden = this.#name === 'dialog';
    this.#isScriptLink = false;
  }

  attribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    if (nameEnd - nameStart > 6) return;
    const name = this.#html.slice(nameStart, nameEnd).toLowerCase();
    if (name === 'open' && this.#name === 'dialog') this.#isHidden = false;
    if (name === 'hidden') this.#isHidden = true;
    if (!READ.has(name)) return;
    const value = decodeHTMLAttribute(this.#html.slice(valueStart, valueEnd)).trim().toLowerCase();
    if (name === 'style') this.#isHidden ||= UNSEEN.test(value);
    if (this.#name === 'link' && (value === 'modulepreload' || (name === 'as' && value === 'script'))) this.#isScriptLink = true;
    if (name === 'type') this.#type ||= value;
    else if (name === 'id') this.#id ||= value;
  }

  startTagEnd(selfClosing: boolean): ContentModel {
    const name = this.#name;
    if (name === 'noscript') this.#inNoscript += 1;
    if (name === 'svg' || name === 'math') this.#foreign += selfClosing ? 0 : 1;
    if ((name === 'script' && !this.#type.endsWith('json')) || this.#isScriptLink) this.#seen.add('script');
    if (name.includes('-')) this.#seen.add('custom');
    if (ROOTS.has(this.#id) || ROOTS.has(name) || ROOT_NAME.test(name)) this.#seen.add('root');
    if (IMAGES.has(name) && this.#inNoscript === 0) this.#seen.add('media');
    if (this.#hiddenIn === '' && this.#isHidden && (name === 'form' || name === 'dialog')) this.#hiddenIn = name;
    if (this.#hiddenIn === '' && !this.#isHidden) this.#control(name);
    return this.#foreign > 0 ? 'data' : (TAGS.get(name)?.content ?? 'data');
  }

  /** A visible control. */
  #control(name: string): void {
    if (name === 'button' || (name === 'input' && SENDS.has(this.#type))) this.#seen.add('button');
    if (name === 'input' && this.#type === 'password') this.#seen.add('password');
    if (name === 'input' && LETTERS_INPUTS.has(this.#type)) this.#seen.add('field');
  }

  endTag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (name === this.#hiddenIn) this.#hiddenIn = '';
    if (name === 'noscript') this.#inNoscript = Math.max(0, this.#inNoscript - 1);
    if (name === 'svg' || name === 'math') this.#foreign = Math.max(0, this.#foreign - 1);
  }
}
