/** The pages of an earlier crawl or corpus: prints of their texts, and the places of their responses. */
import { grown } from '../../base/core/columns.ts';
import type { ComparedPage, EarlierPages, EarlierVersion } from '../../base/core/parts/keeping.ts';
import { isSameText, linesPrint } from '../../base/core/same-text.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, RecordId } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { simhash } from '../../base/text/simhash.ts';
import { CorpusVersion } from '../../corpus/select/corpus-version.ts';
import { PackedIds } from '../../corpus/select/packed-ids.ts';

/** Place of a response in a WARC file of the corpus. */
export interface ResponsePlace {
  /** Number of the file. */
  readonly file: number;
  readonly offset: Bytes;
}

/** Numbers of a page: the two halves of its simhash, the print of its lines, and the first 64 bits of the digest of its payload. */
const NUMBERS = 5;
const NONE = -1;

/** Some 100 bytes a page, outside of the heap, and no text. URLs are compared by 64-bit hashes. */
export class EarlierIndex implements EarlierPages {
  readonly #pages = new UrlNumbers();
  readonly #ids = new PackedIds();
  readonly #version = new CorpusVersion();
  #numbers = new Uint32Array(0);
  #files = new Int32Array(0);
  #offsets = new Float64Array(0);

  /** Number of pages. */
  get size(): number {
    return this.#ids.count;
  }

  /** Adds the newest version of a page. A URL counts once. */
  add({ id, url, text, payloadSha256 }: Pick<CorpusRecord, 'id' | 'url' | 'text' | 'payloadSha256'>): void {
    this.#version.add(id);
    const page = this.#pages.of(url);
    if (page < this.#ids.count) return;
    this.#ids.add(id);
    this.#numbers = grown(this.#numbers, NUMBERS * this.size, Uint32Array);
    this.#numbers.set([...simhash(text), linesPrint(text), ...payloadHalves(payloadSha256)], NUMBERS * page);
  }

  /** The version of the corpus: see `CorpusVersion`. Called once, when all pages are added. */
  version(): string {
    return this.#version.digest();
  }

  /** Ids of the pages, to look responses up by: the number of an id is that of its page. */
  ids(): UrlNumbers {
    const numbers = new UrlNumbers();
    for (let page = 0; page < this.size; page++) numbers.of(this.#ids.at(page));
    return numbers;
  }

  /** Notes the place of the response of a page. */
  place(page: number, { file, offset }: ResponsePlace): void {
    this.#files = grown(this.#files, this.size, Int32Array, NONE);
    this.#offsets = grown(this.#offsets, this.size, Float64Array);
    this.#files[page] = file;
    this.#offsets[page] = offset;
  }

  /** The place of the response of a page; null if it has none with validators. */
  placeOf(url: CanonicalUrl): ResponsePlace | null {
    const page = this.#pages.find(url);
    const file = this.#files[page] ?? NONE;
    return file === NONE ? null : { file, offset: this.#offsets[page] ?? 0 };
  }

  compare({ url, print, payloadSha256 }: ComparedPage): EarlierVersion | null {
    const page = this.#pages.find(url);
    if (page < 0) return null;
    const [high = 0, low = 0, lines = 0, ...payload] = this.#numbers.subarray(NUMBERS * page, NUMBERS * (page + 1));
    const isSame =
      payloadHalves(payloadSha256).every((half, i) => half === payload[i]) ||
      (print !== undefined && isSameText({ simhash: [high, low], lines }, print));
    return { recordId: this.#ids.at(page) as RecordId, isSame };
  }
}

/** The first 64 bits of a digest. */
function payloadHalves(sha256: string): readonly [number, number] {
  return [Number.parseInt(sha256.slice(0, 8), 16) || 0, Number.parseInt(sha256.slice(8, 16), 16) || 0];
}
