/** The values that filters of the ledger read, in columns: a filter then takes milliseconds where reading all lines takes seconds. */

import { hostKeyOf } from '../../base/web/url.ts';
import type { CrawlLedgerLine } from '../../study/inspect/ledger-lines.ts';
import type { LedgerVisitor } from '../../study/inspect/ledger-walk.ts';

/** Conditions for a line to be shown; an empty text sets no condition. */
export interface LedgerFilter {
  readonly state: string;
  /** Reason as in `forager ledger --reason`: `robots-unreachable` also selects `robots-unreachable:dns`. */
  readonly reason: string;
  /** A part of the host. */
  readonly host: string;
  /** A part of the URL or of the anchor text, in any case. */
  readonly text: string;
  readonly least: number | null;
  readonly most: number | null;
}

/** Some 100 bytes a line, most of them of URLs. */
export class LedgerColumns implements LedgerVisitor {
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

  line({ url, state, reason, relevance, anchorText }: CrawlLedgerLine): void {
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
    const take = (place: number): void => {
      if (isMet(place)) found.push(place);
    };
    if (text !== '') this.#texts.with(text, take);
    else for (let place = 0; place < this.#size; place++) take(place);
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

  /** True for each name that meets a condition. */
  where(isMet: (name: string) => boolean): boolean[] {
    return [...this.#numbers.keys()].map(isMet);
  }
}

/** Separator between texts. URLs and anchor texts contain no control characters. */
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

  /** Gives the places of the lines with a text that is not empty, in any case. */
  with(text: string, take: (place: number) => void): void {
    const search = new Search(this.#bytes.subarray(0, this.#used), Buffer.from(text.toLowerCase().replaceAll(END, '\ufffd')));
    for (let at = search.after(0), place = 0; at >= 0; at = search.after(this.#endOf[place] ?? this.#used)) {
      while ((this.#endOf[place] ?? this.#used) <= at) place += 1;
      take(place);
    }
  }
}

/** A search by Node takes half a microsecond, however near the text is: where nearly all of a million lines match, that is half a second. */
const NEAR = 4096;

/** Finds some bytes: nearby by Horspool (1980), and further away by Node. */
class Search {
  readonly #bytes: Buffer;
  readonly #wanted: Buffer;
  /** Distance that the next comparison may move, by the byte at the end of a comparison that failed. Shape [256]. */
  readonly #shifts: Uint32Array;

  /** @param wanted at least one byte */
  constructor(bytes: Buffer, wanted: Buffer) {
    [this.#bytes, this.#wanted] = [bytes, wanted];
    this.#shifts = new Uint32Array(256).fill(wanted.length);
    for (const [i, byte] of wanted.subarray(0, -1).entries()) this.#shifts[byte] = wanted.length - 1 - i;
  }

  /** Place of the last byte of the first match that begins at `from` or later; -1 without one. */
  after(from: number): number {
    // Read once: in the loop, the fields took most of its time.
    const [bytes, wanted, shifts] = [this.#bytes, this.#wanted, this.#shifts];
    const last = wanted.length - 1;
    const until = Math.min(bytes.length, from + NEAR);
    let at = from + last;
    while (at < until) {
      let same = 0;
      while (same <= last && bytes[at - same] === wanted[last - same]) same += 1;
      if (same > last) return at;
      at += shifts[bytes[at] ?? 0] ?? 1;
    }
    const found = bytes.indexOf(wanted, at - last);
    return found < 0 ? -1 : found + last;
  }
}
