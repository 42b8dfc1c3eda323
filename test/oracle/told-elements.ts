/** The elements of a page, as numbers: `PageElements`. */
import { ELEMENT_SIZE, MAX_ELEMENTS } from '../../src/reading/extract/page-elements.ts';

const [TO, AFTER, FIRST, LAST] = [3, 5, 6, 7];

export class ElementRows {
  /** The place at which elements end. */
  here = 0;
  #rows: number[] = [];
  #shown: [block: number, place: number][] = [];

  clear(): void {
    this.here = 0;
    this.#rows = [];
    this.#shown = [];
  }

  told(): [rows: Int32Array, shown: Int32Array] {
    return [Int32Array.from(this.#rows), Int32Array.from(this.#shown.flat())];
  }

  /** A piece of visible text, as written in the page. */
  show(written: string, block: number, place: number): void {
    if (/[^\0-\x20]/.test(written)) this.#shown.push([block, place]);
  }

  /** @returns the number of an element that is empty so far; -1 beyond the cap */
  add(
    tag: number,
    start: number,
    from: number,
    parent: number,
    [classFrom, classTo]: readonly [number, number],
    attributes: number,
  ): number {
    const count = this.#rows.length / ELEMENT_SIZE;
    if (count >= MAX_ELEMENTS) return -1;
    this.#rows.push(tag, start, from, from, parent, count + 1, this.#shown.length, -1, classFrom, classTo, attributes);
    return count;
  }

  end(row: number): void {
    if (row < 0) return;
    const at = ELEMENT_SIZE * row;
    const first = this.#rows[at + FIRST] ?? 0;
    this.#rows[at + TO] = this.here;
    this.#rows[at + AFTER] = this.#rows.length / ELEMENT_SIZE;
    this.#rows[at + FIRST] = this.#shown[first]?.[0] ?? 0;
    if (first < this.#shown.length) this.#rows[at + LAST] = this.#shown.at(-1)?.[0] ?? 0;
  }
}
