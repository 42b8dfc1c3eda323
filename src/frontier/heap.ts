/** A binary heap of numbered items, largest key first. `tie` decides between equal keys: 'oldest' takes the smaller item, 'newest' the larger. */
export class MaxHeap {
  readonly #keys: number[] = [];
  readonly #items: number[] = [];
  readonly #newestFirst: boolean;

  constructor(tie: 'oldest' | 'newest' = 'oldest') {
    this.#newestFirst = tie === 'newest';
  }

  get size(): number {
    return this.#items.length;
  }

  /** Key of the top; -Infinity when empty. */
  get topKey(): number {
    return this.#keys[0] ?? Number.NEGATIVE_INFINITY;
  }

  /** Item at the top; -1 when empty. */
  get topItem(): number {
    return this.#items[0] ?? -1;
  }

  /** O(log n). */
  push(key: number, item: number): void {
    let at = this.#items.length;
    this.#keys.push(key);
    this.#items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Removes the top and returns its item; -1 if empty. O(log n). */
  pop(): number {
    const item = this.topItem;
    const key = this.#keys.pop();
    const last = this.#items.pop();
    if (key === undefined || last === undefined || this.#items.length === 0) return item;
    this.#keys[0] = key;
    this.#items[0] = last;
    this.#sink();
    return item;
  }

  clear(): void {
    this.#keys.length = 0;
    this.#items.length = 0;
  }

  /** Keeps only the wanted items. O(n). */
  keep(wanted: (key: number, item: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.#items.length; i++) {
      const [key, item] = [this.#keys[i] ?? 0, this.#items[i] ?? 0];
      if (!wanted(key, item)) continue;
      this.#keys[kept] = key;
      this.#items[kept++] = item;
    }
    this.#keys.length = kept;
    this.#items.length = kept;
    for (let at = (kept >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** Is there an item with a key of at least `least` for which `willDo` is true? Skips subtrees below smaller keys, and allocates nothing. In no order. */
  some(least: number, willDo: (item: number) => boolean, at = 0): boolean {
    const item = this.#items[at];
    if (item === undefined || (this.#keys[at] ?? Number.NEGATIVE_INFINITY) < least) return false;
    return willDo(item) || this.some(least, willDo, 2 * at + 1) || this.some(least, willDo, 2 * at + 2);
  }

  #sink(from = 0): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let best = at;
      if (left < this.#items.length && this.#before(left, best)) best = left;
      if (right < this.#items.length && this.#before(right, best)) best = right;
      if (best === at) return;
      this.#swap(at, best);
      at = best;
    }
  }

  #before(a: number, b: number): boolean {
    const byKey = (this.#keys[a] ?? 0) - (this.#keys[b] ?? 0);
    if (byKey !== 0) return byKey > 0;
    const older = (this.#items[a] ?? 0) < (this.#items[b] ?? 0);
    return older !== this.#newestFirst;
  }

  #swap(a: number, b: number): void {
    const key = this.#keys[a] ?? 0;
    const item = this.#items[a] ?? 0;
    this.#keys[a] = this.#keys[b] ?? 0;
    this.#items[a] = this.#items[b] ?? 0;
    this.#keys[b] = key;
    this.#items[b] = item;
  }
}
