/** The index of a web archive: URL and time to the place of a record. It is made once, in LMDB, in the directory of the crawl. */
import type { Database, RootDatabase } from 'lmdb';
import type { Bytes, CanonicalUrl, EpochMs } from '../../base/core/types.ts';
import { refuseFullDisk } from '../frontier/lmdb-file.ts';
import { openRoot } from '../frontier/lmdb-read.ts';
import { boundAt, hashOfUrl, type StoredCapture, unpackCapture } from './packed-captures.ts';

/** A file whose captures are in the index: a WARC file, or an index of some. */
export interface IndexedSource {
  /** Name without folders: a moved archive is the same one. */
  readonly name: string;
  readonly size: Bytes;
  readonly captures: number;
  /** Number of damaged places, which are skipped. */
  readonly damaged: number;
}

/** Records lie anywhere, so reading ahead is useless; see `LmdbStore`. */
const OPTIONS = { maxDbs: 3, noReadAhead: true, eventTurnBatching: false };
const ALWAYS: EpochMs = Number.POSITIVE_INFINITY;

/** O(log captures) a look-up; some 130 bytes of disk a capture. */
export class ArchiveIndex {
  readonly #root: RootDatabase<unknown, string>;
  readonly #captures: Database<Buffer, Buffer>;
  readonly #sources: Database<IndexedSource, string>;
  readonly #files: Database<string, number>;
  /** Names of WARC files, by their numbers, and the numbers by the names. */
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** @throws StoreError */
  constructor(dir: string) {
    refuseFullDisk(dir);
    this.#root = openRoot({ path: dir, ...OPTIONS });
    this.#captures = this.#root.openDB<Buffer, Buffer>({ name: 'captures', encoding: 'binary', keyEncoding: 'binary' });
    this.#sources = this.#root.openDB<IndexedSource, string>({ name: 'sources', encoding: 'json' });
    this.#files = this.#root.openDB<string, number>({ name: 'files', encoding: 'json', keyEncoding: 'uint32' });
    for (const { key, value } of this.#files.getRange()) this.#name(key, value);
  }

  /** Files that were read to their end. */
  get sources(): readonly IndexedSource[] {
    return [...this.#sources.getRange()].map(({ value }) => value);
  }

  /** Names of the WARC files that have captures, by their numbers. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** The captures of a URL, the nearest to a time first. @param at null: the newest first */
  *find(url: CanonicalUrl, at: EpochMs | null): Generator<StoredCapture> {
    const prefix = hashOfUrl(url);
    const middle = at === null ? ALWAYS : at + 1;
    const before = this.#range(boundAt(prefix, middle), boundAt(prefix, 0), true);
    const behind = this.#range(boundAt(prefix, middle), boundAt(prefix, ALWAYS), false);
    let [earlier, later] = [before.next(), behind.next()];
    while (!earlier.done || !later.done) {
      const isEarlier = later.done || (!earlier.done && (at ?? ALWAYS) - earlier.value.at <= later.value.at - (at ?? ALWAYS));
      if (isEarlier && !earlier.done) {
        yield earlier.value;
        earlier = before.next();
      } else if (!later.done) {
        yield later.value;
        later = behind.next();
      }
    }
  }

  /** The number of a WARC file, which it gets with its first capture. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#files.putSync(number, name);
    this.#name(number, name);
    return number;
  }

  /** Stores captures in one transaction. Those that are there already are the same. In the order of keys a page of the tree is changed once. */
  add(captures: readonly (readonly [key: Buffer, value: Buffer])[]): void {
    const inOrder = captures.toSorted(([a], [b]) => a.compare(b));
    this.#root.transactionSync(() => {
      for (const [key, value] of inOrder) this.#captures.putSync(key, value);
    });
  }

  /** Notes that all captures of a source are stored. */
  finish(source: IndexedSource): void {
    this.#sources.putSync(source.name, source);
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  *#range(start: Buffer, end: Buffer, reverse: boolean): Generator<StoredCapture> {
    for (const { key, value } of this.#captures.getRange({ start, end, reverse })) yield unpackCapture(key, value);
  }

  #name(number: number, name: string): void {
    this.#names[number] = name;
    this.#numbers.set(name, number);
  }
}
