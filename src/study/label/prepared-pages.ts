/** Pages that a person will be asked about soon, read before they are needed: a search for one costs as much as a pass over the corpus for ten. */
import type { CanonicalUrl } from '../../base/core/types.ts';
import type { PageOfCrawl } from './judged-pages.ts';

/** Pages that are read in one pass, and those that wait at least. At twenty answers a minute, a pass has 15 seconds. */
export const READ_AHEAD = 10;
const LEAST_AHEAD = 5;
/** The present page, those ahead, and answered ones for undo. */
const MOST_HELD = 30;

export interface PageSource<T> {
  /** The pages with these URLs, in any order. May throw for another page of the corpus. */
  readonly all: (urls: readonly CanonicalUrl[]) => AsyncIterable<PageOfCrawl>;
  /** One page. @throws DataError */
  readonly one: (url: CanonicalUrl) => Promise<PageOfCrawl>;
  readonly prepare: (page: PageOfCrawl) => Promise<T>;
}

/** A page is the same with and without the reading ahead: both use `PageSource.prepare`. */
export class PreparedPages<T> {
  readonly #source: PageSource<T>;
  readonly #held = new Map<CanonicalUrl, T>();
  #ahead: readonly CanonicalUrl[] = [];
  #reading: Promise<void> | null = null;
  #closed = false;

  constructor(source: PageSource<T>) {
    this.#source = source;
  }

  /** @throws DataError if its text is lost */
  async of(url: CanonicalUrl): Promise<T> {
    if (!this.#held.has(url) && this.#ahead.includes(url)) await this.#reading;
    const held = this.#held.get(url) ?? (await this.#source.prepare(await this.#source.one(url)));
    this.#hold(url, held);
    return held;
  }

  /**
   * Reads pages in the background if there are few ahead of this one.
   * @param upcoming their URLs, this page first
   */
  readAhead(url: CanonicalUrl, upcoming: (count: number) => readonly CanonicalUrl[]): void {
    const at = this.#ahead.indexOf(url);
    const isEnough = at >= 0 && (this.#ahead.length - at > LEAST_AHEAD || this.#ahead.length < READ_AHEAD);
    if (isEnough || this.#reading !== null || this.#closed) return;
    this.#ahead = upcoming(READ_AHEAD);
    const missing = this.#ahead.filter((one) => !this.#held.has(one));
    if (missing.length > 0) this.#reading = this.#read(missing);
  }

  /** Ends the reading. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#reading;
  }

  /** A page that cannot be read here is read again when it is asked about, and that reading throws. */
  async #read(urls: readonly CanonicalUrl[]): Promise<void> {
    let missing = urls.length;
    try {
      for await (const page of this.#source.all(urls)) {
        if (this.#closed) break;
        this.#hold(page.url, await this.#source.prepare(page));
        if (--missing === 0) break;
      }
    } catch {
      // `of` reads it again.
    } finally {
      this.#reading = null;
    }
  }

  #hold(url: CanonicalUrl, prepared: T): void {
    this.#held.delete(url);
    this.#held.set(url, prepared);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break;
      this.#held.delete(oldest);
    }
  }
}
