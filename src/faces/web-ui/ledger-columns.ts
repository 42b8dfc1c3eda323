/** The values that filters of the ledger read, in columns: a filter then takes milliseconds where reading all lines takes seconds. */

import type { Ledger, LinkWords } from '../../base/core/parts/queueing.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { CrawlLedgerLine } from '../../study/inspect/ledger-lines.ts';
import type { LedgerVisitor, PlainLines } from '../../study/inspect/ledger-walk.ts';

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

/** Some 100 bytes a line, most of them of URLs. A further walk replaces the values of its lines. */
export class LedgerColumns implements LedgerVisitor {
  readonly #states = new Names();
  readonly #reasons = new Names();
  readonly #hosts = new Names();
  #stateOf = new Uint8Array();
  #reasonOf = new Uint32Array();
  #hostOf = new Uint32Array();
  /** NaN without one. */
  #relevanceOf = new Float64Array();
  readonly #texts = new Texts();
  #size = 0;

  /** Makes room for so many lines. */
  grow(size: number): void {
    if (size > this.#stateOf.length) {
      const room = size + (size >> 2);
      this.#stateOf = grown(this.#stateOf, new Uint8Array(room));
      this.#reasonOf = grown(this.#reasonOf, new Uint32Array(room));
      this.#hostOf = grown(this.#hostOf, new Uint32Array(room));
      this.#relevanceOf = grown(this.#relevanceOf, new Float64Array(room));
    }
    this.#size = size;
  }

  line({ url, state, reason, relevance }: CrawlLedgerLine, place: number): void {
    this.#stateOf[place] = this.#states.numberOf(state);
    this.#reasonOf[place] = this.#reasons.numberOf(reason);
    this.#hostOf[place] = this.#hosts.numberOf(hostKeyOf(url));
    this.#relevanceOf[place] = relevance ?? Number.NaN;
  }

  plain({ size, places, kinds, kindOf, hosts, hostKey }: PlainLines): void {
    const states = kinds.map(({ state }) => this.#states.numberOf(state));
    const reasons = kinds.map(({ reason }) => this.#reasons.numberOf(reason));
    const names: number[] = [];
    for (let i = 0; i < size; i++) {
      const [place, kind, host] = [places[i] ?? 0, kindOf[i] ?? 0, hosts[i] ?? 0];
      names[host] ??= this.#hosts.numberOf(hostKey(host));
      this.#stateOf[place] = states[kind] ?? 0;
      this.#reasonOf[place] = reasons[kind] ?? 0;
      this.#hostOf[place] = names[host];
      this.#relevanceOf[place] = Number.NaN;
    }
  }

  /** Places of the lines that meet all conditions, in order of discovery. @param ledger has the texts, which the first filter by text reads */
  matching({ state, reason, host, text, least, most }: LedgerFilter, ledger: Pick<Ledger, 'linkTexts'>): number[] {
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
    if (text !== '') for (const place of this.#withText(text, ledger)) take(place);
    else for (let place = 0; place < this.#size; place++) take(place);
    return found;
  }

  /** Ascending. */
  #withText(text: string, ledger: Pick<Ledger, 'linkTexts'>): Uint32Array {
    for (const one of ledger.linkTexts(this.#texts.discoveries)) this.#texts.add(one);
    const places: number[] = [];
    this.#texts.with(text, (place) => places.push(place));
    return Uint32Array.from(places).sort();
  }
}

function grown<T extends Uint8Array | Uint32Array | Float64Array>(column: T, room: T): T {
  room.set(column);
  return room;
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

/** URLs and anchor texts in lower case, as one text that is searched at the speed of memory. A row of it has those of one link. */
class Texts {
  readonly #endOf: number[] = [];
  readonly #placeOf: number[] = [];
  /** The last row of each place: the others are of links that a better one replaced. */
  readonly #rowOf: number[] = [];
  #bytes = Buffer.alloc(ROOM);
  #used = 0;
  /** Number of discoveries whose links are there. */
  discoveries = 0;

  add({ place, url, anchorText, discovery }: LinkWords): void {
    const text = `${url}${END}${anchorText}${END}`.toLowerCase();
    const length = Buffer.byteLength(text);
    if (this.#used + length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length + length)]);
    this.#used += this.#bytes.write(text, this.#used);
    while (this.#rowOf.length <= place) this.#rowOf.push(-1);
    this.#rowOf[place] = this.#placeOf.push(place) - 1;
    this.#endOf.push(this.#used);
    this.discoveries = discovery + 1;
  }

  /** Gives the places of the lines with a text that is not empty, in any case. */
  with(text: string, take: (place: number) => void): void {
    const search = new Search(this.#bytes.subarray(0, this.#used), Buffer.from(text.toLowerCase().replaceAll(END, '\ufffd')));
    for (let at = search.after(0), row = 0; at >= 0; at = search.after(this.#endOf[row] ?? this.#used)) {
      while ((this.#endOf[row] ?? this.#used) <= at) row += 1;
      const place = this.#placeOf[row] ?? 0;
      if (this.#rowOf[place] === row) take(place);
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
