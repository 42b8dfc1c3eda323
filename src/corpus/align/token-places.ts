/** The places of each token of a text, in order. */
export class TokenPlaces {
  readonly #ranges = new Map<number, number>();
  readonly #starts: Int32Array;
  readonly #places: Int32Array;

  /** @param values of the tokens @param isListed which tokens are listed */
  constructor(values: Int32Array, size: number, isListed: (at: number) => boolean) {
    const ids = new Int32Array(size).fill(-1);
    const counts: number[] = [];
    for (let at = 0; at < size; at++) {
      if (!isListed(at)) continue;
      const id = this.#ranges.get(values[at] as number) ?? counts.length;
      if (id === counts.length) this.#ranges.set(values[at] as number, id);
      counts[id] = (counts[id] ?? 0) + 1;
      ids[at] = id;
    }
    this.#starts = new Int32Array(counts.length + 1);
    for (const [id, count] of counts.entries()) this.#starts[id + 1] = (this.#starts[id] as number) + count;
    this.#places = new Int32Array(this.#starts.at(-1) ?? 0);
    const next = this.#starts.slice();
    for (let at = 0; at < size; at++) {
      const id = ids[at] as number;
      if (id < 0) continue;
      this.#places[next[id] as number] = at;
      next[id] = (next[id] as number) + 1;
    }
  }

  has(value: number): boolean {
    return this.#ranges.has(value);
  }

  /** The places from `first` to `end`; none if the token has more than `most` of them. */
  between(value: number, first: number, end: number, most: number): Int32Array {
    const id = this.#ranges.get(value);
    if (id === undefined) return NONE;
    const [from, to] = [this.#starts[id] as number, this.#starts[id + 1] as number];
    if (to - from > most) return NONE;
    return this.#places.subarray(this.#lowerBound(first, from, to), this.#lowerBound(end, from, to));
  }

  #lowerBound(value: number, from: number, to: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NONE = new Int32Array(0);
