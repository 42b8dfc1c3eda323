import {
  ANY_ATTRIBUTES,
  ATTRIBUTE_NAMES,
  ATTRIBUTE_PLACES,
  attributeValue,
  FIRST_LETTERS,
  ROLES,
  WANTED_PLACES,
} from '../../src/reading/extract/attributes.ts';
import { ClassHints, type Hint } from '../../src/reading/extract/class-hints.ts';
import { FLAG, type TagKind, type TagReader } from '../../src/reading/extract/tags.ts';
import { effectOfStyle, STYLE } from './inline-style.ts';

/** Longest attribute value kept, in UTF-16 units. Longer ones (data URLs, inlined state) are dropped. */
const MAX_VALUE = 8_192;
const LONGEST_NAME = 13;
const [CLASS = 0, ID = 0, ROLE = 0, STYLE_PLACE = 0, HIDDEN = 0, ARIA_HIDDEN = 0] = ANY_ATTRIBUTES.map(
  (name) => ATTRIBUTE_PLACES.get(name) ?? 0,
);

/** The attributes of one start tag that the extractor reads. The first of two with the same name wins (HTML Standard 13.2.5.33). */
export class Attributes {
  /** By place; only those in `#present` belong to this tag. */
  readonly #values: string[] = ATTRIBUTE_NAMES.map(() => '');
  /** A bit for each place. */
  #present = 0;
  readonly #hints = new ClassHints();
  #classHint: Hint | null = null;
  /** Effects of the style attribute, after `flags`. */
  #style = 0;

  /** Start and end of the value of `class` in the page; -1 without one. */
  classAt: readonly [from: number, to: number] = [-1, -1];

  clear(): void {
    this.#present = 0;
    this.classAt = [-1, -1];
    this.#classHint = null;
  }

  /** Releases all values: they are slices of the page, and would keep it in memory. */
  release(): void {
    this.clear();
    this.#values.fill('');
  }

  /** An attribute as written in the page; it is kept if `reader` wants it. */
  take(html: string, nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, reader: TagReader): void {
    const length = nameEnd - nameStart;
    if (length > LONGEST_NAME || length < 2 || valueEnd - valueStart > MAX_VALUE) return;
    if ((((FIRST_LETTERS[reader] ?? 0) >>> ((html.charCodeAt(nameStart) | 32) - 97)) & 1) === 0) return;
    const name = html.slice(nameStart, nameEnd);
    const place = ATTRIBUTE_PLACES.get(name) ?? ATTRIBUTE_PLACES.get(name.toLowerCase());
    if (place === undefined || (((WANTED_PLACES[reader] ?? 0) >>> place) & 1) === 0 || this.#has(place)) return;
    this.#values[place] = attributeValue(html, valueStart, valueEnd);
    this.#present |= 1 << place;
    if (place === CLASS) this.classAt = [valueStart, valueEnd];
  }

  get(name: string): string | null {
    const place = ATTRIBUTE_PLACES.get(name);
    return place === undefined ? null : this.#at(place);
  }

  #at(place: number): string | null {
    return this.#has(place) ? (this.#values[place] ?? null) : null;
  }

  #has(place: number): boolean {
    return ((this.#present >>> place) & 1) === 1;
  }

  /** A hash of the class attribute; 0 without one. */
  classHash(): number {
    return this.#hintOfClass()?.hash ?? 0;
  }

  #hintOfClass(): Hint | null {
    if (this.#classHint === null && this.#has(CLASS)) this.#classHint = this.#hints.hint(this.#values[CLASS] ?? '');
    return this.#classHint;
  }

  /** Flags from class, id, role, hidden, aria-hidden and style. */
  flags(): number {
    this.#style = 0;
    if (this.#present === 0) return 0;
    const style = this.#at(STYLE_PLACE);
    if (style !== null) this.#style = effectOfStyle(style);
    return this.#hintFlags() | (ROLES.get(this.#at(ROLE) ?? '') ?? 0) | this.#sightFlags();
  }

  /** The kind that the style gives an element, after `flags`; null if none. */
  get kind(): TagKind | null {
    if (this.#style & STYLE.block) return 'block';
    return this.#style & STYLE.cell ? 'cell' : null;
  }

  /** Some of `LINE_HINT`, after `flags`. */
  get lineHints(): number {
    return this.#hintOfClass()?.lines ?? 0;
  }

  /** Some of `STYLE`, after `flags`. */
  get style(): number {
    return this.#style;
  }

  #hintFlags(): number {
    return (this.#hintOfClass()?.flags ?? 0) | (this.#has(ID) ? this.#hints.hint(this.#values[ID] ?? '').flags : 0);
  }

  #sightFlags(): number {
    const isVeiled = (this.#style & STYLE.unseen) !== 0 || (this.#isHidden() && !(this.#style & STYLE.shown));
    return (isVeiled ? FLAG.veiled : 0) | (this.#at(ARIA_HIDDEN) === 'true' ? FLAG.quiet : 0);
  }

  /** A search in the page finds text that is hidden until then (HTML Standard §6.1). */
  #isHidden(): boolean {
    return this.#has(HIDDEN) && !UNTIL_FOUND.test(this.#values[HIDDEN] ?? '');
  }
}

const UNTIL_FOUND = /^until-found$/i;
