import { decodeHTMLAttribute } from 'entities';
import { ClassHints } from './class-hints.ts';
import { FLAG, type TagReader } from './tags.ts';

/** Longest attribute value kept, in UTF-16 units. Longer ones (data URLs, inlined state) are dropped. */
const MAX_VALUE = 8_192;

const ANY = ['class', 'id', 'role', 'style', 'hidden', 'aria-hidden'];
const WANTED: Readonly<Record<TagReader, ReadonlySet<string>>> = {
  none: new Set(ANY),
  link: new Set([...ANY, 'href', 'rel', 'alt']),
  frame: new Set([...ANY, 'src']),
  image: new Set([...ANY, 'alt']),
  meta: new Set(['name', 'property', 'itemprop', 'http-equiv', 'content']),
  linkrel: new Set(['rel', 'href', 'hreflang']),
  script: new Set(['type']),
  base: new Set(['href']),
  html: new Set(['lang', 'xml:lang']),
  time: new Set([...ANY, 'datetime', 'itemprop']),
};
const LONGEST_NAME = 11;

/** One bit for each first letter of the wanted names, so that most attributes are passed over without making a string. */
function lettersOf(names: ReadonlySet<string>): number {
  let letters = 0;
  for (const name of names) letters |= 1 << (name.charCodeAt(0) - 97);
  return letters;
}
const FIRST_LETTERS = Object.fromEntries(Object.entries(WANTED).map(([reader, names]) => [reader, lettersOf(names)]));

/** The attributes of one start tag that the extractor reads. The first of two with one name wins (HTML Standard 13.2.5.33). */
export class Attributes {
  readonly #values = new Map<string, string>();
  readonly #hints = new ClassHints();

  clear(): void {
    if (this.#values.size > 0) this.#values.clear();
  }

  /** An attribute as it stands in the page; it is kept when `reader` wants it. */
  take(html: string, nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, reader: TagReader): void {
    const length = nameEnd - nameStart;
    if (length > LONGEST_NAME || length < 2 || valueEnd - valueStart > MAX_VALUE) return;
    if ((((FIRST_LETTERS[reader] ?? 0) >>> ((html.charCodeAt(nameStart) | 32) - 97)) & 1) === 0) return;
    const name = html.slice(nameStart, nameEnd).toLowerCase();
    if (!WANTED[reader].has(name) || this.#values.has(name)) return;
    const value = html.slice(valueStart, valueEnd);
    this.#values.set(name, value.includes('&') ? decodeHTMLAttribute(value) : value);
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  /** A hash of the class attribute; 0 without one. */
  classHash(): number {
    const names = this.#values.size === 0 ? undefined : this.#values.get('class');
    return names === undefined ? 0 : this.#hints.hint(names).hash;
  }

  /** Flags that role, hidden, aria-hidden and style add to an element. */
  flags(): number {
    if (this.#values.size === 0) return 0;
    return this.#hintFlags() | (ROLES.get(this.#values.get('role') ?? '') ?? 0) | (this.#isHidden() ? FLAG.hidden : 0);
  }

  #hintFlags(): number {
    const names = this.#values.get('class');
    const id = this.#values.get('id');
    return (names === undefined ? 0 : this.#hints.hint(names).flags) | (id === undefined ? 0 : this.#hints.hint(id).flags);
  }

  #isHidden(): boolean {
    if (this.#values.has('hidden') || this.#values.get('aria-hidden') === 'true') return true;
    const style = this.#values.get('style');
    return style !== undefined && hidesByStyle(style);
  }
}

/** WAI-ARIA 1.2 landmark roles and the flags they stand for. */
const ROLES = new Map<string, number>([
  ['navigation', FLAG.nav],
  ['menu', FLAG.nav],
  ['menubar', FLAG.nav],
  ['banner', FLAG.header],
  ['contentinfo', FLAG.footer],
  ['complementary', FLAG.aside],
  ['dialog', FLAG.hidden],
  ['alertdialog', FLAG.hidden],
  ['search', FLAG.form],
  ['main', FLAG.main],
  ['article', FLAG.main],
]);

function hidesByStyle(style: string): boolean {
  let at = style.indexOf('display');
  if (at < 0) at = style.indexOf('visibility');
  if (at < 0) return false;
  const colon = style.indexOf(':', at);
  const value = style.slice(colon + 1, colon + 12).trimStart();
  return colon > 0 && (value.startsWith('none') || value.startsWith('hidden'));
}
