/** Every URL that a page has in an attribute: of links, and of images, scripts, styles, forms, frames, media and quotes. */
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { squeeze } from '../../base/text/squeeze.ts';
import { resolveLink } from '../../base/web/link-query.ts';
import { refreshTarget } from '../../base/web/refresh.ts';
import { baseOf, type PagePlace } from './links.ts';
import { TagSink } from './tag-sink.ts';
import { knownTags } from './tags.ts';
import { type ContentModel, tokenize } from './tokenizer.ts';

export interface PageUrl {
  /** Absolute; with its fragment. */
  readonly url: string;
  /** Names in lower case. */
  readonly tag: string;
  readonly attribute: string;
  /** Words inside of an `a`, otherwise `alt` or `title`; '' without them. */
  readonly text: string;
}

const TAGS = knownTags();
/**
 * Attributes with one URL, by element (HTML Standard, "Attributes"; those that are obsolete from HTML 4.01, "Index of attributes"; SVG 2 §16.1).
 * `*` is any element.
 */
const ONE: Readonly<Record<string, readonly string[]>> = {
  '*': ['background', 'itemid'],
  a: ['href', 'xlink:href'],
  applet: ['code', 'codebase', 'archive'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  button: ['formaction'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['src', 'longdesc'],
  html: ['manifest'],
  iframe: ['src', 'longdesc'],
  image: ['href', 'xlink:href'],
  img: ['src', 'longdesc', 'lowsrc', 'dynsrc'],
  input: ['src', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['data', 'codebase', 'classid'],
  q: ['cite'],
  script: ['src', 'href', 'xlink:href'],
  source: ['src'],
  track: ['src'],
  use: ['href', 'xlink:href'],
  video: ['src', 'poster'],
};
/** Attributes with several candidates of an image, each with a width or density. */
const SETS: Readonly<Record<string, string>> = { img: 'srcset', source: 'srcset', link: 'imagesrcset' };
/** Attributes with several URLs, separated by spaces. */
const LISTS: Readonly<Record<string, string>> = { a: 'ping', area: 'ping', head: 'profile' };
/** Schemes of content that is in the attribute itself, and of actions. */
const NO_ADDRESS = /^[\s\p{Cc}]*(?:data|javascript|vbscript|about|blob):/iu;
const MAX_TEXT = 1000;

/**
 * The URLs of a page, in its order, each as often as it occurs. Attributes that are empty, have no valid URL, or have content or an action in place of
 * an address (`data:`, `javascript:`) are omitted. O(length).
 */
export function pageUrls(html: string, place: PagePlace): PageUrl[] {
  const sink = new UrlSink(html);
  tokenize(html, sink);
  return sink.found(place);
}

interface Written {
  readonly tag: string;
  readonly attribute: string;
  readonly value: string;
  text: string;
}

class UrlSink extends TagSink {
  readonly #written: Written[] = [];
  #base: string | null = null;
  /** URLs of the open `a`, whose words follow. */
  #open: Written[] = [];
  #words = '';

  found(place: PagePlace): PageUrl[] {
    this.#close();
    const base = { ...place, url: baseOf(place, this.#base) };
    return this.#written.flatMap(({ tag, attribute, value, text }) => {
      // A base is relative to the page, not to itself.
      const url = NO_ADDRESS.test(value) ? null : resolveLink(value, tag === 'base' ? place : base);
      return url === null ? [] : [{ url: url.href, tag, attribute, text }];
    });
  }

  override text(start: number, end: number, references: boolean): void {
    if (this.#open.length === 0 || this.#words.length > MAX_TEXT) return;
    const words = this.html.slice(start, end);
    this.#words += references ? decodeHTML(words) : words;
  }

  override startTagEnd(selfClosing: boolean): ContentModel {
    // HTML Standard §13.2.6.4.7: outside of svg, `image` is `img`.
    if (this.name === 'image' && this.foreign === 0) this.name = 'img';
    const { name } = this;
    if (name === 'svg' || name === 'math') this.foreign += selfClosing ? 0 : 1;
    if (name === 'a') this.#close();
    if (name === 'base' && this.#base === null && this.has('href')) this.#base = this.#plain('href');
    const before = this.#written.length;
    for (const attribute of [...(ONE[name] ?? []), ...(ONE['*'] ?? [])]) this.#note(attribute, this.#plain(attribute));
    for (const candidate of candidatesIn(this.#plain(SETS[name] ?? ''))) this.#note(SETS[name] ?? '', candidate);
    for (const one of this.#plain(LISTS[name] ?? '').split(/\s+/)) this.#note(LISTS[name] ?? '', one);
    if (name === 'meta' && /^\s*refresh\s*$/i.test(this.#plain('http-equiv')))
      this.#note('content', refreshTarget(this.#plain('content')) ?? '');
    if (name === 'a' && !(selfClosing && this.foreign > 0)) this.#open = this.#written.slice(before);
    // Pages leave svg open. Tags inside of a script are text.
    return this.foreign > 0 && name !== 'script' ? 'data' : (TAGS.get(name)?.content ?? 'data');
  }

  override endTag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === 'a') this.#close();
    if (name === 'svg' || name === 'math') this.foreign = Math.max(0, this.foreign - 1);
  }

  #note(attribute: string, value: string): void {
    if (value.trim() === '') return;
    const text = squeeze(this.#plain('alt') || this.#plain('title'));
    this.#written.push({ tag: this.name, attribute, value, text });
  }

  #close(): void {
    const words = squeeze(this.#words).slice(0, MAX_TEXT);
    if (words !== '') for (const one of this.#open) one.text = words;
    this.#open = [];
    this.#words = '';
  }

  #plain(attribute: string): string {
    return decodeHTMLAttribute(this.valueOf(attribute));
  }
}

/** URLs of an image's candidates (HTML Standard §4.8.4.2.2): a URL may have commas inside, but does not end with one. */
function candidatesIn(set: string): string[] {
  const urls: string[] = [];
  for (let rest = set.replace(/^[\s,]+/, ''); rest !== ''; rest = rest.replace(/^[\s,]+/, '')) {
    const [url = ''] = /^\S+/.exec(rest) ?? [];
    const bare = url.replace(/,+$/, '');
    if (bare !== '') urls.push(bare);
    // A comma right behind the URL ends the candidate; otherwise its descriptors go to the next comma outside of brackets.
    rest = rest.slice(url.length);
    if (url === bare) rest = rest.replace(/^(?:[^,(]|\([^)]*\)?)*/, '');
  }
  return urls;
}
