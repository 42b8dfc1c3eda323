import { grown } from '../../base/core/columns.ts';
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';

/** One of the groups from which pages are drawn. */
export interface Stratum {
  readonly name: string;
  readonly pages: readonly number[];
}

/** Pages in a random order that follows from seed and URL alone, by groups. 12 bytes a page. */
export class PageDraw {
  readonly #seed: number;
  readonly #numbers = new Map<string, number>();
  #strata = new Uint32Array(0);
  #chances = new Float64Array(0);
  #pages = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  add(ordinal: number, url: string, stratum: string): void {
    const number = this.#numbers.get(stratum) ?? this.#numbers.size + 1;
    this.#numbers.set(stratum, number);
    this.#pages = ordinal + 1;
    this.#strata = grown(this.#strata, this.#pages, Uint32Array);
    this.#chances = grown(this.#chances, this.#pages, Float64Array);
    this.#strata[ordinal] = number;
    this.#chances[ordinal] = chanceOf(this.#seed, url);
  }

  /** One more than the last ordinal. */
  get pages(): number {
    return this.#pages;
  }

  /** Chance of a page, in [0, 1), as if it were drawn. */
  chance(ordinal: number): number {
    return this.#chances[ordinal] ?? 0;
  }

  /** The groups in order of their names, each with its pages in random order. O(n log n). */
  strata(isIn: (ordinal: number) => boolean): Stratum[] {
    const members: number[][] = [...this.#numbers].map(() => []);
    for (let page = 0; page < this.#pages; page++) {
      const number = this.#strata[page] as number;
      if (number > 0 && isIn(page)) members[number - 1]?.push(page);
    }
    return [...this.#numbers.keys()]
      .map((name, i) => ({ name, pages: (members[i] ?? []).sort((a, b) => this.chance(a) - this.chance(b) || a - b) }))
      .filter(({ pages }) => pages.length > 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

const hash: Fingerprint = { hi: 0, lo: 0 };

/** A number in [0, 1) of 53 bits that follows from a seed and a name. */
export function chanceOf(seed: number, name: string): number {
  fingerprint(`${seed} ${name}`, hash);
  return (hash.hi * 2 ** 21 + (hash.lo >>> 11)) / 2 ** 53;
}
