/** Paragraphs that several pages have: of a host, or of the whole corpus. */
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { grown } from '../../base/core/columns.ts';
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import { FingerprintIndex } from '../../base/core/fingerprint-index.ts';
import type { Bytes } from '../../base/core/types.ts';
import { paragraphRanges } from '../../base/text/segments.ts';
import type { TextRange } from './harvested-page.ts';
import type { SamePages } from './same-pages.ts';
import { ScratchFile } from './scratch-file.ts';

/** Pages of a host, and pages in all, that make a paragraph a repeated one: it occurs by chance on two pages, and a saying on several hosts. */
export const LEAST_ON_HOST = 3;
export const LEAST_IN_ALL = 10;
/** Paragraphs counted at once: their tables have 60 MB. With more paragraphs, the file is read several times. */
const COUNTED_AT_ONCE = 500_000;
/** Most passes. For more, the tables grow: a pass reads the whole file. */
const MAX_PASSES = 16;
/** Halves of the hash, number of the host, ordinal of the page. */
const ENTRY_BYTES: Bytes = 16;
const READ_ENTRIES = 16_384;

/**
 * Counts the pages of each paragraph by the 64-bit hash of its words. Hashes are on disk, 16 bytes a paragraph, and those of repeated paragraphs in memory.
 * Add pages in their order, then count, then ask for the ranges. Versions of a page are one page: a paragraph counts by the first version that has it, which
 * takes 15 bytes of memory a paragraph.
 */
export class ParagraphCounts {
  readonly #file: ScratchFile;
  readonly #hosts = new Map<string, number>();
  readonly #hash: Fingerprint = { hi: 0, lo: 0 };
  readonly #ofHosts = new FirstPages();
  readonly #ofAll = new FirstPages();
  readonly #pages: SamePages;
  /** Paragraphs of the versions so far. */
  readonly #ofVersions = new FingerprintIndex();

  /** @param folder for the hashes; created with the first page */
  constructor(folder: string, pages: SamePages) {
    this.#pages = pages;
    this.#file = new ScratchFile(join(folder, 'paragraphs'));
  }

  /** Takes about 0.05 ms for 1,000 words. @throws StoreError */
  add(ordinal: number, host: string, text: string): void {
    const number = this.#hosts.get(host) ?? this.#hosts.size;
    this.#hosts.set(host, number);
    const entries: number[] = [];
    for (const range of paragraphRanges(text))
      if (this.#hashOf(text, range) && this.#isNew(ordinal)) entries.push(this.#hash.hi, this.#hash.lo, number, ordinal);
    const bytes = Uint32Array.from(entries);
    this.#file.append(new Uint8Array(bytes.buffer));
  }

  /** O(paragraphs). @param isIn pages that count @param onWork called often; an error of it ends the work @throws StoreError */
  async count(isIn: (ordinal: number) => boolean, onWork: () => void): Promise<void> {
    const print: Fingerprint = { hi: 0, lo: 0 };
    const passes = Math.min(MAX_PASSES, Math.ceil(this.#file.size / ENTRY_BYTES / COUNTED_AT_ONCE));
    for (let pass = 0; pass < passes; pass++) {
      const [hosts, all] = [new PageCounts(), new PageCounts()];
      for (const [high, low, host, page] of this.#entries()) {
        if (page === -1) {
          await turnOfLoop();
          onWork();
        } else if (high % passes === pass && isIn(page)) {
          all.add(printIn(print, high, low), page);
          hosts.add(printIn(print, withHost(high, host), low), page);
        }
      }
      all.giveRepeated(LEAST_IN_ALL, this.#ofAll);
      hosts.giveRepeated(LEAST_ON_HOST, this.#ofHosts);
    }
  }

  /** The repeated paragraphs of a page that counted, except where it is the first page that has one. O(text). */
  repeated(ordinal: number, host: string, text: string): TextRange[] {
    const number = this.#hosts.get(host) ?? 0;
    const seen = new Set<string>();
    const found: TextRange[] = [];
    for (const range of paragraphRanges(text)) {
      if (!this.#hashOf(text, range)) continue;
      const { hi, lo } = this.#hash;
      const first = this.#ofAll.first(this.#hash) ?? this.#ofHosts.first({ hi: withHost(hi, number), lo });
      if (first === null) continue;
      const key = `${hi} ${lo}`;
      if (!this.#pages.areOne(first, ordinal) || seen.has(key)) found.push(range);
      seen.add(key);
    }
    return found;
  }

  close(): void {
    this.#file.close();
  }

  /** Has no earlier version of the page the paragraph of the hash? */
  #isNew(ordinal: number): boolean {
    if (!this.#pages.haveVersions) return true;
    const { size } = this.#ofVersions;
    return this.#ofVersions.of({ hi: withHost(this.#hash.hi, this.#pages.firstOf(ordinal)), lo: this.#hash.lo }) === size;
  }

  /** @returns false for a paragraph without letters, such as a line of a listing */
  #hashOf(text: string, [start, end]: TextRange): boolean {
    const paragraph = text.slice(start, end).trimStart();
    if (!/\p{L}/u.test(paragraph)) return false;
    fingerprint(paragraph.replace(/\s+/g, ' ').toLowerCase(), this.#hash);
    return true;
  }

  /** All entries; a page of −1 after each piece that was read. */
  *#entries(): Generator<readonly [high: number, low: number, host: number, page: number]> {
    const { size } = this.#file;
    for (let at = 0; at < size; at += READ_ENTRIES * ENTRY_BYTES) {
      const words = new Uint32Array(Math.min(READ_ENTRIES * ENTRY_BYTES, size - at) / 4);
      this.#file.read(new Uint8Array(words.buffer), at);
      for (let i = 0; i < words.length; i += 4)
        yield [words[i] as number, words[i + 1] as number, words[i + 2] as number, words[i + 3] as number];
      yield [0, 0, 0, -1];
    }
  }
}

/** Hash of a paragraph on a host, so that a paragraph has another hash on each host. */
function withHost(high: number, host: number): number {
  return (high ^ Math.imul(host + 1, 0x9e3779b1)) >>> 0;
}

function printIn(into: Fingerprint, hi: number, lo: number): Fingerprint {
  into.hi = hi;
  into.lo = lo;
  return into;
}

/** Number of different pages by hash. Pages come in their order. */
class PageCounts {
  readonly #table = new FingerprintIndex();
  #counts = new Uint32Array(0);
  #firsts = new Uint32Array(0);
  #lasts = new Uint32Array(0);

  add(print: Fingerprint, page: number): void {
    const { size } = this.#table;
    const entry = this.#table.of(print);
    if (entry === size) {
      this.#counts = grown(this.#counts, size + 1, Uint32Array);
      this.#firsts = grown(this.#firsts, size + 1, Uint32Array);
      this.#lasts = grown(this.#lasts, size + 1, Uint32Array);
      this.#firsts[entry] = page;
    } else if (this.#lasts[entry] === page) return;
    this.#lasts[entry] = page;
    this.#counts[entry] = (this.#counts[entry] as number) + 1;
  }

  giveRepeated(least: number, to: FirstPages): void {
    const print: Fingerprint = { hi: 0, lo: 0 };
    for (let entry = 0; entry < this.#table.size; entry++)
      if ((this.#counts[entry] as number) >= least) to.set(this.#table.print(entry, print), this.#firsts[entry] as number);
  }
}

/** The first page of each repeated paragraph. */
class FirstPages {
  readonly #table = new FingerprintIndex();
  #pages = new Uint32Array(0);

  set(print: Fingerprint, page: number): void {
    const entry = this.#table.of(print);
    this.#pages = grown(this.#pages, entry + 1, Uint32Array);
    this.#pages[entry] = page;
  }

  first(print: Fingerprint): number | null {
    const entry = this.#table.find(print);
    return entry < 0 ? null : (this.#pages[entry] as number);
  }
}
