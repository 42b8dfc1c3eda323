import { FAR, NEAR_HINTS, type Tag, type TagKind } from '../../src/reading/extract/tags.ts';
import type { ElementRows } from './told-elements.ts';

/** Number of elements that an end tag searches for its start tag. It limits the cost of malicious misnesting. */
const MAX_REACH = 256;

/** Number of block-level elements whose names form the path of a block. */
const PATH_LENGTH = 6;
/** FNV prime: the hash of a path adds names as FNV adds bytes. */
const PRIME = 0x01000193;

/** The place of a text among the block-level elements. */
export interface Place {
  readonly tag: string;
  readonly node: number;
  readonly depth: number;
  readonly tagPath: number;
  readonly classPath: number;
  /** The distance upwards to the elements that gave it its `NEAR_HINTS`, three bits for each, in their order: see `nearness`. */
  readonly near: number;
}

export const NOWHERE: Place = { tag: '', node: 0, depth: 0, tagPath: 0, classPath: 0, near: 0 };

const ALL_NEAR = NEAR_HINTS.reduce((all: number, flag) => all | flag, 0);

/** The open elements, innermost last, with the flags that apply inside each. */
export class ElementStack {
  readonly #tags: (Tag | null)[] = [];
  /** Kind of each element: that of its tag, or another one by its style. */
  readonly #kinds: TagKind[] = [];
  readonly #edges: number[] = [];
  readonly #keeps: number[] = [];
  readonly #flags: number[] = [];
  /** Flags that each element adds. */
  readonly #own: number[] = [];
  readonly #classes: number[] = [];
  /** Index of the nearest block-level element of each element: its own if it is block-level, else one around it; -1 for none. */
  readonly #block: number[] = [];
  /** Nearest block-level element outside the one in `#block`, for each element. */
  readonly #outer: number[] = [];
  readonly #depths: number[] = [];
  /** Flags of each element that say which of `FLAG.quiet` and `FLAG.spoken` its children with text have. */
  readonly #voices: number[] = [];
  /** The number of each among the elements of the page. */
  readonly #rows: number[] = [];
  readonly #elements: ElementRows;
  /** Node of each block-level element, -1 until text is found in it. */
  readonly #nodes: number[] = [];
  #parents: number[] = [-1];
  #depth = 0;

  constructor(elements: ElementRows) {
    this.#elements = elements;
  }

  get depth(): number {
    return this.#depth;
  }

  /** Flags at the current place. */
  get flags(): number {
    return this.#depth === 0 ? 0 : (this.#flags[this.#depth - 1] ?? 0);
  }

  /** Innermost open element; null if there is none, or if its end tag came out of order. */
  get top(): Tag | null {
    return this.#depth === 0 ? null : (this.#tags[this.#depth - 1] ?? null);
  }

  /** The white space that is kept at the current place. */
  get keeps(): number {
    return this.#depth === 0 ? 0 : (this.#keeps[this.#depth - 1] ?? 0);
  }

  /** The edge of an element that is open, or was popped last. */
  edgeAt(index: number): number {
    return this.#edges[index] ?? 0;
  }

  /** @param own the flags that it adds. */
  push(tag: Tag, kind: TagKind, own: number, classHash: number, { edge, keeps, row }: { edge: number; keeps: number; row: number }): void {
    const at = this.#depth;
    const around = at === 0 ? -1 : (this.#block[at - 1] ?? -1);
    const isBlock = kind === 'block' || kind === 'cell';
    this.#tags[at] = tag;
    this.#kinds[at] = kind;
    this.#edges[at] = edge;
    this.#keeps[at] = keeps;
    this.#flags[at] = this.flags | own;
    this.#own[at] = own;
    this.#classes[at] = classHash;
    this.#block[at] = isBlock ? at : around;
    this.#outer[at] = around;
    this.#depths[at] = isBlock ? (around < 0 ? 1 : (this.#depths[around] ?? 0) + 1) : 0;
    this.#nodes[at] = -1;
    this.#voices[at] = 0;
    this.#rows[at] = row;
    this.#depth += 1;
    tag.open += 1;
  }

  /** The current place; its elements have nodes from now on. Amortised O(1). */
  place(): Place {
    const at = this.#depth === 0 ? -1 : (this.#block[this.#depth - 1] ?? -1);
    if (at < 0) return NOWHERE;
    let tagPath = 0;
    let classPath = 0;
    for (let i = at, left = PATH_LENGTH; i >= 0 && left > 0; i = this.#outer[i] ?? -1, left -= 1) {
      const hash = this.#tags[i]?.hash ?? 0;
      tagPath = Math.imul(tagPath ^ hash, PRIME);
      classPath = Math.imul(classPath ^ hash ^ (this.#classes[i] ?? 0), PRIME);
    }
    return {
      tag: this.#blockName(at),
      node: this.#nodeOf(at),
      depth: this.#depths[at] ?? 0,
      tagPath,
      classPath,
      near: this.#near(),
    };
  }

  /** An element that is block-level by its style is like a `div`. */
  #blockName(at: number): string {
    const tag = this.#tags[at];
    if (tag == null) return '';
    return tag.kind === 'inline' ? 'div' : tag.name;
  }

  /** Name of the innermost block-level element; '' outside all. */
  get blockName(): string {
    const at = this.#depth === 0 ? -1 : (this.#block[this.#depth - 1] ?? -1);
    return at < 0 ? '' : this.#blockName(at);
  }

  #near(): number {
    let near = 0;
    let left = this.flags & ALL_NEAR;
    for (let distance = 0; distance < FAR && left !== 0; distance += 1) {
      const own = (this.#own[this.#depth - 1 - distance] ?? 0) & left;
      if (own === 0) continue;
      left &= ~own;
      for (let rank = 0; rank < NEAR_HINTS.length; rank += 1) if (own & (NEAR_HINTS[rank] ?? 0)) near |= (FAR - distance) << (3 * rank);
    }
    return near;
  }

  /** Parents of the nodes so far; node 0 is the page. */
  get parents(): readonly number[] {
    return this.#parents;
  }

  #nodeOf(at: number): number {
    const missing: number[] = [];
    let i = at;
    for (; i >= 0 && (this.#nodes[i] ?? -1) < 0; i = this.#outer[i] ?? -1) missing.push(i);
    let node = i < 0 ? 0 : (this.#nodes[i] ?? 0);
    for (let m = missing.length - 1; m >= 0; m -= 1) {
      this.#parents.push(node);
      node = this.#parents.length - 1;
      this.#nodes[missing[m] ?? 0] = node;
    }
    return node;
  }

  /** Removes and returns the innermost element; null for one that was marked as ended. */
  pop(): Tag | null {
    this.#depth -= 1;
    const tag = this.#tags[this.#depth] ?? null;
    if (tag === null) return null;
    tag.open -= 1;
    this.#elements.end(this.#rows[this.#depth] ?? -1);
    return tag;
  }

  kindAt(index: number): TagKind {
    return this.#kinds[index] ?? 'inline';
  }

  /** The flags that an element adds. */
  ownAt(index: number): number {
    return this.#own[index] ?? 0;
  }

  /** The innermost element that adds `flag`; -1 if none of the `MAX_REACH` innermost does. */
  innermostWith(flag: number): number {
    const last = Math.max(0, this.#depth - MAX_REACH);
    for (let i = this.#depth - 1; i >= last; i -= 1) if ((this.#own[i] ?? 0) & flag) return i;
    return -1;
  }

  /** The flags of `voices` among the elements around the one at `index`, which has none if it is the outermost. */
  voicesBeside(index: number): number {
    return this.#voices[index - 1] ?? 0;
  }

  addVoice(index: number, flag: number): void {
    if (index > 0) this.#voices[index - 1] = (this.#voices[index - 1] ?? 0) | flag;
  }

  /** Marks the element at `index` as ended while those above it stay open: the end tag of an inline element around blocks. */
  strike(index: number): void {
    const tag = this.#tags[index];
    if (tag == null) return;
    tag.open -= 1;
    this.#elements.end(this.#rows[index] ?? -1);
    this.#tags[index] = null;
  }

  /** The number of the innermost open element among the elements of the page; -1 if none is near. */
  get row(): number {
    const last = Math.max(0, this.#depth - MAX_REACH);
    for (let i = this.#depth - 1; i >= last; i -= 1) if (this.#tags[i] != null) return this.#rows[i] ?? -1;
    return -1;
  }

  /**
   * Index of the open element that an end tag of `tag` belongs to, or -1. End tags do not reach out of a table cell unless they are table parts
   * themselves, nor further than `MAX_REACH` elements.
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

  /** True if a block-level element is open above `index`. */
  hasBlockAbove(index: number): boolean {
    for (let i = index + 1; i < this.#depth; i += 1) {
      const kind = this.#kinds[i];
      if (this.#tags[i] != null && (kind === 'block' || kind === 'cell')) return true;
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

  /** Closes everything, for the next page. */
  clear(): void {
    while (this.#depth > 0) this.pop();
    this.#parents = [-1];
  }
}
