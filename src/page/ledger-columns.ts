/** The values that filters of the ledger read, in columns: a filter then takes milliseconds where reading all lines takes seconds. */
import type { CrawlLedgerLine } from '../inspect/ledger-lines.ts';
import { hostKeyOf } from '../web/url.ts';

/** Conditions for a line to be shown; an empty text is none. */
export interface LedgerFilter {
  readonly state: string;
  /** As `forager ledger --reason`: `robots-unreachable` also selects `robots-unreachable:dns`. */
  readonly reason: string;
  /** A part of the host. */
  readonly host: string;
  /** A part of the URL or of the anchor text, in any case. */
  readonly text: string;
  readonly least: number | null;
  readonly most: number | null;
}

/** Some 100 bytes a line, most of them of URLs. */
export class LedgerColumns {
  readonly #states = new Names();
  readonly #reasons = new Names();
  readonly #hosts = new Names();
  readonly #stateOf: Uint8Array;
  readonly #reasonOf: Uint32Array;
  readonly #hostOf: Uint32Array;
  /** NaN without one. */
  readonly #relevanceOf: Float64Array;
  readonly #texts: Texts;
  #size = 0;

  /** @param most lines */
  constructor(most: number) {
    this.#stateOf = new Uint8Array(most);
    this.#reasonOf = new Uint32Array(most);
    this.#hostOf = new Uint32Array(most);
    this.#relevanceOf = new Float64Array(most);
    this.#texts = new Texts(most);
  }

  get size(): number {
    return this.#size;
  }

  add({ url, state, reason, relevance, anchorText }: CrawlLedgerLine): void {
    const place = this.#size++;
    this.#stateOf[place] = this.#states.numberOf(state);
    this.#reasonOf[place] = this.#reasons.numberOf(reason);
    this.#hostOf[place] = this.#hosts.numberOf(hostKeyOf(url));
    this.#relevanceOf[place] = relevance ?? Number.NaN;
    this.#texts.add(url, anchorText);
  }

  /** Places of the lines that meet all conditions, in order of discovery. */
  matching({ state, reason, host, text, least, most }: LedgerFilter): number[] {
    const states = this.#states.where((name) => state === '' || name === state);
    const reasons = this.#reasons.where((name) => reason === '' || name === reason || name.split(':', 1)[0] === reason);
    const hosts = this.#hosts.where((name) => name.includes(host.toLowerCase()));
    const isMet = (place: number): boolean => {
      const relevance = this.#relevanceOf[place] ?? Number.NaN;
      return (
        states[this.#stateOf[place] ?? 0] === true &&
        reasons[this.#reasonOf[place] ?? 0] === true &&
        hosts[this.#hostOf[place] ?? 0] === true &&
        (least === null || relevance >= least) &&
        (most === null || relevance <= most)
      );
    };
    const found: number[] = [];
    // A generator costs more than the conditions, where there are a million lines.
    if (text !== '') for (const place of this.#texts.with(text)) if (isMet(place)) found.push(place);
    if (text === '') for (let place = 0; place < this.#size; place++) if (isMet(place)) found.push(place);
    return found;
  }
}

/** Numbers names as they come. */
class Names {
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** For each name, whether it meets a condition. */
  where(isMet: (name: string) => boolean): boolean[] {
    return [...this.#numbers.keys()].map(isMet);
  }
}

/** Between texts, and in none: no URL has it, and anchor texts have no control characters. */
const END = '\0';
const ROOM = 1024;

/** URLs and anchor texts in lower case, as one text that is searched at the speed of memory. */
class Texts {
  readonly #endOf: Float64Array;
  #bytes = Buffer.alloc(ROOM);
  #used = 0;
  #size = 0;

  constructor(most: number) {
    this.#endOf = new Float64Array(most);
  }

  add(...texts: readonly string[]): void {
    const text = texts.map((one) => one.toLowerCase() + END).join('');
    const length = Buffer.byteLength(text);
    if (this.#used + length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length + length)]);
    this.#used += this.#bytes.write(text, this.#used);
    this.#endOf[this.#size++] = this.#used;
  }

  /** Places of the lines with a text that is not empty, in any case. */
  *with(text: string): Generator<number> {
    const wanted = Buffer.from(text.toLowerCase().replaceAll(END, '\ufffd'));
    const bytes = this.#bytes.subarray(0, this.#used);
    for (let at = bytes.indexOf(wanted), place = 0; at >= 0; ) {
      // Steps through some lines cost less than a search for each, where nearly all lines match.
      while ((this.#endOf[place] ?? this.#used) <= at) place += 1;
      yield place;
      at = bytes.indexOf(wanted, this.#endOf[place] ?? this.#used);
    }
  }
}
