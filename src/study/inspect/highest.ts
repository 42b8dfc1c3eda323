/** The highest of many values. */

/** Least number of values between two sortings. */
const LEAST_ROOM = 2000;

interface Placed {
  readonly place: number;
  readonly value: number;
}

/** Keeps the highest values, each with its place; of equal ones, those that were offered first. Most offers cost one comparison. */
export class Highest {
  readonly #most: number;
  readonly #room: number;
  #all: Placed[] = [];
  /** No value up to this one is among them any more. */
  #least = Number.NEGATIVE_INFINITY;

  /** @param most of them */
  constructor(most: number) {
    this.#most = most;
    this.#room = Math.max(LEAST_ROOM, 4 * most);
  }

  offer(value: number, place: number): void {
    if (value <= this.#least) return;
    this.#all.push({ place, value });
    if (this.#all.length >= this.#room) this.#cut();
  }

  /** Values in falling order. */
  values(): readonly Placed[] {
    this.#cut();
    return this.#all;
  }

  /** Sorting is stable. */
  #cut(): void {
    this.#all = this.#all.sort((a, b) => b.value - a.value).slice(0, this.#most);
    if (this.#all.length === this.#most) this.#least = this.#all.at(-1)?.value ?? this.#least;
  }
}
