/** The places of each token of a text, in order; one a sentence. */
export class TokenPlaces {
  readonly #ranges = new Map<number, number>();
  readonly #starts: Int32Array;
  readonly #places: Int32Array;
  /** Occurrences of each token. */
  readonly #counts: readonly number[];

  /** @param values of the tokens @param repeats of the tokens, by `repeatsOf` @param isListed which tokens are listed */
  constructor(values: Int32Array, repeats: Uint8Array, isListed: (at: number) => boolean) {
    const size = values.length;
    const ids = new Int32Array(size).fill(-1);
    const [counts, places]: [number[], number[]] = [[], []];
    for (let at = 0; at < size; at++) {
      if (repeats[at] === 0 || !isListed(at)) continue;
      const id = this.#ranges.get(values[at] as number) ?? counts.length;
      if (id === counts.length) this.#ranges.set(values[at] as number, id);
      counts[id] = (counts[id] ?? 0) + (repeats[at] as number);
      places[id] = (places[id] ?? 0) + 1;
      ids[at] = id;
    }
    this.#counts = counts;
    this.#starts = new Int32Array(counts.length + 1);
    for (const [id, count] of places.entries()) this.#starts[id + 1] = (this.#starts[id] as number) + count;
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

  /** The places from `first` to `end`; none if the token occurs more than `most` times. */
  between(value: number, first: number, end: number, most: number): Int32Array {
    const id = this.#ranges.get(value);
    if (id === undefined || (this.#counts[id] as number) > most) return NONE;
    const [from, to] = [this.#starts[id] as number, this.#starts[id + 1] as number];
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
