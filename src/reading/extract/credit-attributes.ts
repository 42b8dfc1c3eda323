/** The attributes of one start tag that credits read, by their places in the page: their values are read when they are asked for. */
import { attributeValue } from './attributes.ts';

/** Longest part of a page that is read as a value, in UTF-16 units of HTML. */
export const MAX_VALUE = 4_096;

/** The attributes that are read; the place of a name is its index. */
const NAMES = [
  'class',
  'id',
  'itemprop',
  'itemscope',
  'itemtype',
  'content',
  'datetime',
  'href',
  'src',
  'rel',
  'pubdate',
  'value',
] as const;
type Name = (typeof NAMES)[number];
const PLACES = new Map<string, number>(NAMES.map((name, place) => [name, place]));
const LONGEST_NAME = 9;
/** A bit for each attribute that a credit has. */
const CREDITED = (['itemprop', 'itemscope', 'rel'] as const).reduce((bits, name) => bits | (1 << NAMES.indexOf(name)), 0);

export class CreditAttributes {
  readonly #html: string;
  /** Start and end of each value, and a bit for each that the tag has. */
  readonly #values = new Int32Array(2 * NAMES.length);
  #present = 0;

  constructor(html: string) {
    this.#html = html;
  }

  clear(): void {
    this.#present = 0;
  }

  /** An attribute by its offsets in the page. The first of two with the same name wins. */
  take(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const length = nameEnd - nameStart;
    if (length > LONGEST_NAME || length < 2 || valueEnd - valueStart > MAX_VALUE) return;
    const name = this.#html.slice(nameStart, nameEnd);
    const place = PLACES.get(name) ?? PLACES.get(name.toLowerCase());
    if (place === undefined || this.#present & (1 << place)) return;
    this.#present |= 1 << place;
    this.#values[2 * place] = valueStart;
    this.#values[2 * place + 1] = valueEnd;
  }

  /** Does the tag have an attribute that makes it a credit? */
  get areCredited(): boolean {
    return (this.#present & CREDITED) !== 0;
  }

  has(name: Name): boolean {
    return (this.#present & (1 << NAMES.indexOf(name))) !== 0;
  }

  get(name: Name): string | undefined {
    if (!this.has(name)) return undefined;
    return attributeValue(this.#html, this.start(name), this.end(name));
  }

  /** Start in the page of the value of an attribute that the tag has. */
  start(name: Name): number {
    return this.#values[2 * NAMES.indexOf(name)] ?? 0;
  }

  end(name: Name): number {
    return this.#values[2 * NAMES.indexOf(name) + 1] ?? 0;
  }
}
