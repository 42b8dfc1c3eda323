/** The elements of a short page that wait for a script to fill them, in one pass over its tags. */
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { isDemand, isLoading } from './script-demands.ts';
import { TagSink } from './tag-sink.ts';
import { knownTags } from './tags.ts';
import { type ContentModel, tokenize } from './tokenizer.ts';
import { APP_ATTRIBUTES, isRoot, showsMedia } from './wall-signals.ts';

const TAGS = knownTags();
/** Usual ids of the element for the content of a page. */
const CONTENT_IDS = new Set('content main main-content maincontent page-content'.split(' '));
/** Elements that a script may fill with text. */
const HOLDERS = new Set('div section article main ul ol dl table tbody'.split(' '));
/** Names of elements that scripts fill with other things than the text of the page. */
const PART_ID =
  /(^|[-_])(ads?|adslot|banner|gpt|google|fb|twitter|disqus|comments?|(re)?captcha|map|player|video|chat|cookies?|consent|toast|modal|search|share|menu|nav)([-_\d]|$)/i;
/** Most text of a root that waits, and of an element for content, in UTF-16 units: a name and a heading, or a heading. Chosen by hand. */
const MOST_IN_ROOT = 60;
const MOST_IN_CONTENT = 25;
/** Most texts of an element that waits: one with more has labels of its own. */
const MOST_TEXTS = 3;
/** Least words of an `alt` that describes a picture. */
const LEAST_ALT = 4;
/** A sentence is the page's own text. */
const SENTENCE = /^(\S+\s+){4,}\S+[.!?]$/;
/** Most of a text that is read, in UTF-16 units: a longer one is no label. */
const MAX_TEXT = 200;
/** Most of the inline scripts that is searched for names, in UTF-16 units. */
const MAX_SCRIPT = 100_000;
/** Addresses of scripts as bundlers write them: `main.3f2a1c9b.js`, `/assets/index-BxY3kq0Z.js`, `/_next/static/…`. */
const BUNDLE =
  /(^|\/)((main|app|index|bundle|chunk|vendors?|runtime|polyfills|entry)([.~_-][\w~-]+){0,3}\.m?js|assets\/[^/?]+\.m?js|_(next|nuxt|app)\/)/i;

export interface ShellSignals {
  /** A root of a framework, or the element for the content of a page, has next to no text. */
  readonly waits: boolean;
  /** An empty element that an inline script names. */
  readonly isNamed: boolean;
  /** A label says that the page is loading. */
  readonly isLoading: boolean;
  /** A module, or a script as bundlers write it. */
  readonly hasBundle: boolean;
  /** UTF-16 units of inline scripts. */
  readonly scriptLength: number;
}

/** O(length). Never throws. */
export function shellSignals(html: string): ShellSignals {
  const reader = new ShellReader(html);
  tokenize(html, reader);
  return reader.signals();
}

/** An open element for the content of the page. */
interface Place {
  readonly name: string;
  /** Most text of such an element, if it waits. */
  readonly most: number;
  /** Length of the text, number of texts and of pictures that count, all before it. */
  readonly before: { readonly text: number; readonly texts: number; readonly pictures: number };
  /** Open elements of its name, itself included. */
  depth: number;
}

class ShellReader extends TagSink {
  readonly #found = { waits: false, isLoading: false, hasBundle: false };
  /** The innermost comes last. */
  readonly #places: Place[] = [];
  /** Ids of empty elements. */
  readonly #empty: string[] = [];
  /** Id of the element that began with the last tag; '' behind a text. */
  #id = '';
  #text = 0;
  #texts = 0;
  #pictures = 0;
  #script = '';
  #scriptLength = 0;
  #inNoscript = 0;
  /** Name of the element whose content is not markup; '' outside. */
  #raw = '';

  signals(): ShellSignals {
    for (const place of this.#places) this.#end(place);
    const isNamed = this.#empty.some((id) => [`'${id}'`, `"${id}"`, `#${id}`].some((name) => this.#script.includes(name)));
    return { ...this.#found, isNamed, scriptLength: this.#scriptLength };
  }

  override text(start: number, end: number): void {
    if (this.#raw === 'script') this.#readScript(start, end);
    if (this.#raw !== '' || this.#inNoscript > 0) return;
    const text = decodeHTML(this.html.slice(start, Math.min(end, start + MAX_TEXT))).trim();
    if (text === '') return;
    this.#id = '';
    if (isLoading(text)) this.#found.isLoading = true;
    else if (!isDemand(text)) this.#say(SENTENCE.test(text) ? MAX_TEXT : text.length);
  }

  #say(length: number): void {
    this.#text += length;
    this.#texts += 1;
  }

  #readScript(start: number, end: number): void {
    if (this.#script.length < MAX_SCRIPT) this.#script += this.html.slice(start, Math.min(end, start + MAX_SCRIPT));
    this.#scriptLength += end - start;
  }

  override startTagEnd(selfClosing: boolean): ContentModel {
    const name = this.name;
    const model = TAGS.get(name)?.content ?? 'data';
    if (name === 'svg' || name === 'math') this.foreign += selfClosing ? 0 : 1;
    if (name === 'noscript') this.#inNoscript += 1;
    if (name === 'script') this.#found.hasBundle ||= this.#plain('type') === 'module' || BUNDLE.test(this.valueOf('src'));
    if (showsMedia(name) && this.#inNoscript === 0) this.#show(name);
    this.#id = HOLDERS.has(name) ? this.#plain('id') : '';
    this.#open(name);
    if (this.foreign > 0) return 'data';
    if (model !== 'data') this.#raw = name;
    return model;
  }

  /** A picture is content of an element for content. In a root it may be a sign of the application, unless words describe it. */
  #show(name: string): void {
    this.#pictures += 1;
    if (name !== 'img' || this.#plain('alt').split(/\s+/).length >= LEAST_ALT) this.#text += MAX_TEXT;
  }

  #open(name: string): void {
    for (const place of this.#places) if (place.name === name) place.depth += 1;
    const id = this.#plain('id');
    const isContent = name === 'main' || CONTENT_IDS.has(id) || this.#plain('role') === 'main';
    const isOfApp = isRoot(name, id) || APP_ATTRIBUTES.some((attribute) => this.has(attribute));
    const most = isOfApp ? MOST_IN_ROOT : isContent ? MOST_IN_CONTENT : 0;
    if (most === 0) return;
    const before = { text: this.#text, texts: this.#texts, pictures: isOfApp ? Number.POSITIVE_INFINITY : this.#pictures };
    this.#places.push({ name, most, before, depth: 1 });
  }

  #plain(attribute: string): string {
    return decodeHTMLAttribute(this.valueOf(attribute)).trim();
  }

  override endTag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === this.#raw) this.#raw = '';
    if (name === 'noscript') this.#inNoscript = Math.max(0, this.#inNoscript - 1);
    if (name === 'svg' || name === 'math') this.foreign = Math.max(0, this.foreign - 1);
    if (this.#id !== '' && name === this.name && !PART_ID.test(this.#id)) this.#empty.push(this.#id);
    this.#id = '';
    for (const place of this.#places) if (place.name === name) place.depth -= 1;
    while ((this.#places.at(-1)?.depth ?? 1) <= 0) this.#end(this.#places.pop());
  }

  #end(place: Place | undefined): void {
    if (place === undefined) return;
    const { most, before } = place;
    if (this.#text - before.text < most && this.#texts - before.texts <= MOST_TEXTS && this.#pictures <= before.pictures)
      this.#found.waits = true;
  }
}
