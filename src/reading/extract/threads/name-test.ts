/** Class names of elements, and tests of them: elements with one value of `class` share a list, which remembers the answers. */

/** Names that are read of an element. */
const MAX_NAMES = 12;

/** The class names of an element, in lower case, with `#` for numbers. */
export class ClassNames {
  readonly names: readonly string[];
  /** A bit for each test that was made, and for each that fits. */
  #asked = 0;
  #fits = 0;

  readonly #keys = new Map<string, readonly string[]>();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** The names, each with that of an element: `li.post`. */
  keysOf(tag: string): readonly string[] {
    const known = this.#keys.get(tag);
    if (known !== undefined) return known;
    const keys = this.names.map((name) => `${tag}.${name}`);
    this.#keys.set(tag, keys);
    return keys;
  }

  /** Is one of the names like that? */
  has({ pattern, bit }: NameTest): boolean {
    if (this.#asked & bit) return (this.#fits & bit) !== 0;
    this.#asked |= bit;
    if (!this.names.some((name) => pattern.test(name))) return false;
    this.#fits |= bit;
    return true;
  }
}

export interface NameTest {
  readonly pattern: RegExp;
  readonly bit: number;
}

let tests = 0;

/** A test of class names: made once, at the start of a module. There may be 32. */
export function nameTest(pattern: RegExp): NameTest {
  const bit = 1 << tests;
  tests += 1;
  return { pattern, bit };
}

const NONE = new ClassNames([]);

/** Lists of names by the value of `class`. */
export class ClassLists {
  readonly #known = new Map<string, ClassNames>();

  of(value: string | undefined): ClassNames {
    if (value === undefined) return NONE;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const names = value.toLowerCase().replaceAll(/\d+/g, '#').trim().split(/\s+/, MAX_NAMES);
    const found = names[0] === '' ? NONE : new ClassNames(names);
    this.#known.set(value, found);
    return found;
  }
}
