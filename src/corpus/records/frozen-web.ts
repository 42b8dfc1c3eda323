import { closeSync, openSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { DataError, messageOf } from '../../base/core/errors.ts';
import type { FrozenVisit } from '../../base/core/frozen-visit.ts';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { FileBytes } from './file-bytes.ts';
import { type FrozenHeader, frozenHeaderOf, frozenVisitOf } from './frozen-page.ts';
import { pieces } from './gzip-members.ts';

/** The place of a visit in the file. */
interface Place {
  readonly at: Bytes;
  readonly end: Bytes;
}

interface Found extends Place {
  readonly kind: FrozenVisit['kind'];
}

/** Number of recent visits kept in memory: compared strategies read the same pages one after the other. */
const CACHED_VISITS = 4096;
/** A page of 16 MB, the cap of a fetch, has far less text and links than this. */
const MAX_LINE_BYTES: Bytes = 64 * 1024 * 1024;

/**
 * A recorded part of the web: the response of each URL, with text and links of its pages, in one file of gzip members, one line of JSON each. `zcat`
 * shows it. Opening reads the file once; later, each visit is read on demand. If a URL occurs twice, its last visit counts.
 */
export class FrozenWeb {
  readonly path: string;
  readonly header: FrozenHeader;
  /** URLs in the order of the file. */
  readonly urls: readonly CanonicalUrl[];
  /** Number of URLs that gave a page. */
  readonly pages: number;
  readonly #places: readonly Found[];
  readonly #index: ReadonlyMap<string, number>;
  readonly #file: number;
  readonly #cache = new Map<number, FrozenVisit>();

  private constructor(path: string, header: FrozenHeader, file: number, places: ReadonlyMap<CanonicalUrl, Found>) {
    this.path = path;
    this.header = header;
    this.#file = file;
    this.urls = [...places.keys()];
    const found = [...places.values()];
    this.#places = found;
    this.pages = found.filter(({ kind }) => kind === 'page').length;
    this.#index = new Map(this.urls.map((url, i) => [url, i]));
  }

  /**
   * @param length number of valid bytes in the file: the committed offset of a crawl's recording
   * @throws DataError if the file cannot be read, is not a frozen web or is damaged
   */
  static async open(path: string, length: Bytes = Number.POSITIVE_INFINITY): Promise<FrozenWeb> {
    const places = new Map<CanonicalUrl, Found>();
    let header: FrozenHeader | null = null;
    let visits = 0;
    for await (const { line, at, end } of membersOf(path, length)) {
      if (header === null) {
        header = frozenHeaderOf(line, path);
        continue;
      }
      const { url, kind } = frozenVisitOf(line, path, at);
      places.set(url, { at, end, kind });
      visits += 1;
    }
    if (header === null || places.size === 0) throw new DataError(`${path}: holds no page; freeze a crawl that has visited some`);
    if (header.visits !== undefined && header.visits !== visits)
      throw new DataError(`${path}: damaged: has ${visits} visits where ${header.visits} were written; take it from a whole copy`);
    return new FrozenWeb(path, header, openSync(path, 'r'), places);
  }

  /** Did a URL give a page? */
  isPage(index: number): boolean {
    return this.#places[index]?.kind === 'page';
  }

  get size(): number {
    return this.urls.length;
  }

  /** -1 for a URL that was not recorded. */
  indexOf(url: string): number {
    return this.#index.get(url) ?? -1;
  }

  /** About a quarter of a millisecond for a page of 60 links that is not in memory. @throws DataError if the file has changed since it was opened */
  visit(index: number): FrozenVisit {
    const known = this.#cache.get(index);
    if (known) return known;
    const visit = this.#read(index);
    if (this.#cache.size >= CACHED_VISITS) this.#cache.delete(this.#cache.keys().next().value ?? 0);
    this.#cache.set(index, visit);
    return visit;
  }

  /** A visit as stored in the file: one gzip member. @throws DataError as `visit` */
  member(index: number): Buffer {
    return this.#reading(index, (bytes) => bytes);
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(index: number): FrozenVisit {
    return this.#reading(index, (bytes, at) =>
      frozenVisitOf(gunzipSync(bytes, { maxOutputLength: MAX_LINE_BYTES }).toString('utf8'), this.path, at),
    );
  }

  #reading<T>(index: number, read: (bytes: Buffer, at: Bytes) => T): T {
    const { at, end } = this.#places[index] ?? { at: 0, end: 0 };
    const bytes = Buffer.alloc(end - at);
    try {
      if (readSync(this.#file, bytes, 0, bytes.length, at) < bytes.length) throw new DataError('the file ends there');
      return read(bytes, at);
    } catch (error) {
      throw new DataError(`${this.path}: cannot be read at byte ${at} (${messageOf(error)}); it was whole when it was opened`, {
        cause: error,
      });
    }
  }
}

/** The members of a file, each one line. */
async function* membersOf(path: string, length: Bytes): AsyncGenerator<Place & { readonly line: string }> {
  const input = await FileBytes.open(path, length);
  try {
    let at = 0;
    let held: Uint8Array[] = [];
    let size = 0;
    for await (const piece of pieces(input)) {
      if (piece.kind === 'plain')
        throw new DataError(`${path}: is not a frozen web; make one with: ${foragerCommand('freeze', new Blank('crawl'))}`);
      size += piece.bytes.length;
      if (size > MAX_LINE_BYTES)
        throw new DataError(`${path}: the line at byte ${at} is over ${MAX_LINE_BYTES} bytes; take the file from a whole copy`);
      held.push(piece.bytes);
      if (piece.kind !== 'end-of-member') continue;
      yield { line: Buffer.concat(held).toString('utf8'), at, end: piece.at };
      at = piece.at;
      held = [];
      size = 0;
    }
  } finally {
    await input.close();
  }
}
