/** The elements of a page that tell a wall from a short page, in one pass over its tags. */
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { TagSink } from './tag-sink.ts';
import { knownTags } from './tags.ts';
import { type ContentModel, tokenize } from './tokenizer.ts';

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
/** Attributes of an element that is a whole application: AngularJS, Aurelia. */
export const APP_ATTRIBUTES = ['ng-app', 'data-ng-app', 'aurelia-app'] as const;
/** Frames without a page of their own. */
const NO_FRAME = /^(javascript:|about:blank$)/;
/** Fields of the messages of SAML (OASIS SAML 2.0 Bindings, 3.5.4), in lower case. */
const SAML = /^saml(request|response)$/;
/** Words of buttons that accept, in the languages of most consent walls. */
const ACCEPTS =
  /accept|agree|consent|allow|akzeptier|zustimm|einverstanden|accepter|aceptar|aceitar|accett|akkoord|toestaan|zgadzam|akcept|godkänn|godta|souhlas|elfogad|принять|соглас|αποδοχ|同意|동의/i;
const LETTERS_INPUTS = new Set(['', 'text', 'email', 'tel']);
const SENDS = new Set(['submit', 'button', 'image']);
const UNSEEN = /display\s*:\s*none|visibility\s*:\s*hidden/;
/** Most of the label of a button that is read, in UTF-16 units. */
const MAX_LABEL = 100;
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
  /** A button that accepts. */
  readonly hasChoice: boolean;
  /** A hidden field of single sign-on by SAML. */
  readonly hasSingleSignOn: boolean;
  /** The text of all `noscript` elements. */
  readonly noscript: string;
}

/** O(length). Never throws. */
export function wallSignals(html: string): WallSignals {
  const reader = new SignalReader(html);
  tokenize(html, reader);
  return reader.signals();
}

/** Does a framework render into an element? @param name in lower case */
export function isRoot(name: string, id: string): boolean {
  return ROOTS.has(id.toLowerCase()) || ROOTS.has(name) || ROOT_NAME.test(name);
}

/** Does an element show content without words? @param name in lower case */
export function showsMedia(name: string): boolean {
  return IMAGES.has(name);
}

class SignalReader extends TagSink {
  readonly #seen = new Set<'script' | 'root' | 'custom' | 'media' | 'password' | 'field' | 'button' | 'choice' | 'sso'>();
  readonly #noscript: string[] = [];
  #read = 0;
  #inNoscript = 0;
  /** The name of the outermost hidden form or dialog that is open; '' outside. */
  #hiddenIn = '';

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
      hasChoice: seen.has('choice'),
      hasSingleSignOn: seen.has('sso'),
      noscript: this.#noscript.join(' '),
    };
  }

  override text(start: number, end: number): void {
    if (this.name === 'button' && ACCEPTS.test(this.html.slice(start, Math.min(end, start + MAX_LABEL)))) this.#seen.add('choice');
    if (this.#inNoscript === 0 || this.#read > MAX_NOSCRIPT || TAGS.get(this.name)?.content === 'raw') return;
    this.#noscript.push(decodeHTML(this.html.slice(start, Math.min(end, start + MAX_NOSCRIPT))));
    this.#read += end - start;
  }

  override startTagEnd(selfClosing: boolean): ContentModel {
    const name = this.name;
    if (name === 'noscript') this.#inNoscript += 1;
    if (name === 'svg' || name === 'math') this.foreign += selfClosing ? 0 : 1;
    if ((name === 'script' && !this.#plain('type').endsWith('json')) || this.#isScriptLink()) this.#seen.add('script');
    if (name.includes('-')) this.#seen.add('custom');
    if (isRoot(name, this.#plain('id')) || APP_ATTRIBUTES.some((attribute) => this.has(attribute))) this.#seen.add('root');
    if (showsMedia(name) && this.#inNoscript === 0 && !NO_FRAME.test(this.#plain('src'))) this.#seen.add('media');
    if (name === 'input' && SAML.test(this.#plain('name'))) this.#seen.add('sso');
    if (this.#hiddenIn === '') {
      if (!this.#isHidden()) this.#control(name);
      else if (name === 'form' || name === 'dialog') this.#hiddenIn = name;
    }
    return this.foreign > 0 ? 'data' : (TAGS.get(name)?.content ?? 'data');
  }

  #plain(attribute: string): string {
    return decodeHTMLAttribute(this.valueOf(attribute)).trim().toLowerCase();
  }

  #isScriptLink(): boolean {
    return this.name === 'link' && (this.#plain('rel') === 'modulepreload' || this.#plain('as') === 'script');
  }

  #isHidden(): boolean {
    return this.has('hidden') || UNSEEN.test(this.#plain('style')) || (this.name === 'dialog' && !this.has('open'));
  }

  /** A visible control. */
  #control(name: string): void {
    const type = this.#plain('type');
    if (name === 'button' || (name === 'input' && SENDS.has(type))) this.#seen.add('button');
    if (name === 'input' && SENDS.has(type) && ACCEPTS.test(this.#plain('value'))) this.#seen.add('choice');
    if (name === 'input' && type === 'password') this.#seen.add('password');
    if (name === 'input' && LETTERS_INPUTS.has(type)) this.#seen.add('field');
  }

  override endTag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    // Behind a style or a script, text is text again.
    if (name === this.name) this.name = '';
    if (name === this.#hiddenIn) this.#hiddenIn = '';
    if (name === 'noscript') this.#inNoscript = Math.max(0, this.#inNoscript - 1);
    if (name === 'svg' || name === 'math') this.foreign = Math.max(0, this.foreign - 1);
  }
}
