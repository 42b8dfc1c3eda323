import type { Tag } from './tags.ts';

/** Elements nested deeper than this are read as if they stood at this depth (browsers stop at 512). */
export const MAX_DEPTH = 4_096;
/** How far up an end tag looks for its start tag: bounds the work an adversary can ask for by misnesting. */
const MAX_REACH = 256;

/** The open elements, innermost last, with the flags in force inside each. */
export class ElementStack {
  readonly #tags: (Tag | null)[] = [];
  readonly #flags: number[] = [];
  #depth = 0;

  get depth(): number {
    return this.#depth;
  }

  /** Flags in force where the parser stands. */
  get flags(): number {
    return this.#depth === 0 ? 0 : (this.#flags[this.#depth - 1] ?? 0);
  }

  /** Innermost open element, null when none or when its end tag came out of order. */
  get top(): Tag | null {
    return this.#depth === 0 ? null : (this.#tags[this.#depth - 1] ?? null);
  }

  push(tag: Tag, flags: number): void {
    this.#tags[this.#depth] = tag;
    this.#flags[this.#depth] = flags;
    this.#depth += 1;
    tag.open += 1;
  }

  /** Take off and return the innermost element; null for one that was struck. */
  pop(): Tag | null {
    this.#depth -= 1;
    const tag = this.#tags[this.#depth] ?? null;
    if (tag !== null) tag.open -= 1;
    return tag;
  }

  /** Mark the element at `index` as ended while those above it stay open: the end tag of an inline element around blocks. */
  strike(index: number): void {
    const tag = this.#tags[index];
    if (tag == null) return;
    tag.open -= 1;
    this.#tags[index] = null;
  }

  /**
   * Index of the open element an end tag of `tag` belongs to, or -1. End tags do not reach out of a table cell
   * unless they are table parts themselves, nor further than `MAX_REACH` elements.
   */
  indexOf(tag: Tag, crossesScope: boolean): number {
    if (tag.open === 0) return -1;
    const last = Math.max(0, this.#depth - MAX_REACH);
    for (let i = this.#depth - 1; i >= last; i -= 1) {
      const open = this.#tags[i];
      if (open === tag) return i;
      if (open?.isScope && !crossesScope) return -1;
    }
    return -1;
  }

  /** True when a block-level element is open above `index`. */
  hasBlockAbove(index: number): boolean {
    for (let i = index + 1; i < this.#depth; i += 1) {
      const kind = this.#tags[i]?.kind;
      if (kind === 'block' || kind === 'cell') return true;
    }
    return false;
  }

  /** Names of the two innermost elements and `name`, joined by '>'. */
  path(name: string): string {
    let path = name;
    let found = 0;
    for (let i = this.#depth - 1; i >= 0 && found < 2 && this.#depth - i <= MAX_REACH; i -= 1) {
      const tag = this.#tags[i];
      if (tag == null) continue;
      path = `${tag.name}>${path}`;
      found += 1;
    }
    return path;
  }

  /** Close everything, for the next page. */
  clear(): void {
    while (this.#depth > 0) this.pop();
  }
}
