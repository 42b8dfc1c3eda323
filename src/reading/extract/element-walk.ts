import type { PageElements } from './page-elements.ts';

/** An element that a reader keeps open until its end. */
export interface OpenElement {
  readonly index: number;
  /** Called with the end of its content. */
  readonly ended: ((to: number) => void) | null;
}

/** The open elements at a place of the page, of those that a reader keeps: the innermost is the last. */
export class OpenElements<T extends OpenElement> {
  readonly all: T[] = [];
  readonly #elements: PageElements;
  readonly #onEnd: (open: T, to: number) => void;

  /** @param onEnd called with each element that ends, and the end of its content, before its own `ended` */
  constructor(elements: PageElements, onEnd: (open: T, to: number) => void = () => undefined) {
    this.#elements = elements;
    this.#onEnd = onEnd;
  }

  get innermost(): T | undefined {
    return this.all.at(-1);
  }

  /** Calls `start` for each element of the page, after the elements before it have ended. O(elements) */
  walk(start: (index: number) => void): void {
    for (let index = 0; index < this.#elements.count; index += 1) {
      this.#endBefore(index);
      start(index);
    }
    this.#endBefore(Number.POSITIVE_INFINITY);
  }

  /** Keeps an element open; one without content ends at once. */
  open(opened: T): void {
    const { index } = opened;
    const from = this.#elements.from(index);
    if (this.#elements.after(index) > index + 1 || this.#elements.to(index) > from) this.all.push(opened);
    else opened.ended?.(from);
  }

  /** Ends the elements of which `index` is no descendant. */
  #endBefore(index: number): void {
    for (let top = this.innermost; top !== undefined && this.#elements.after(top.index) <= index; top = this.innermost) {
      this.all.pop();
      const to = this.#elements.to(top.index);
      this.#onEnd(top, to);
      top.ended?.(to);
    }
  }
}
