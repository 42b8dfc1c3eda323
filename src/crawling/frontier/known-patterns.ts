import { ownString } from '../../base/core/own-string.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { DirectoryPatterns, type UrlPattern } from '../../base/web/url-pattern.ts';
import { LruMap } from './lru-map.ts';

/** Number of URLs whose patterns are remembered: some 4 MB. */
const KNOWN_URLS = 4096;
/** Number of directories whose patterns are remembered: some 4 MB. Most pages of a crawl are in a directory of another one. */
const KNOWN_DIRECTORIES = 4096;

/** The patterns of the URLs that were requested last, and of those on the way to them. */
export class KnownPatterns {
  readonly #ofUrl = new LruMap<readonly UrlPattern[]>(KNOWN_URLS);
  readonly #ofDirectory = new LruMap<DirectoryPatterns>(KNOWN_DIRECTORIES);

  /** A copy of a URL in its own memory. */
  ownUrl(url: CanonicalUrl): CanonicalUrl {
    return this.#ofUrl.ownKey(url) ?? ownString(url);
  }

  /** The result of `patternsOf`. Names are cut from a copy of the URL, which may itself be cut from a record. */
  of(url: CanonicalUrl): readonly UrlPattern[] {
    return this.#ofUrl.use(url, (own) => this.#ofDirectory.use(DirectoryPatterns.directoryOf(own), DirectoryPatterns.of).patternsOf(own));
  }
}
