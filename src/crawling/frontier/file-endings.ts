/**
 * Endings of URLs that lead to files on a host. Names that end like a file are requested until the host's answers show that they are none.
 */
import { wordOf } from '../../base/core/reason.ts';
import type { CanonicalUrl, Fate } from '../../base/core/types.ts';
import { fileEnding } from '../../base/web/media-names.ts';
import { LruMap } from './lru-map.ts';

/** Answers of another type, without one page, after which a host's URLs of that ending are parked: most hosts that have pages there have only pages. */
const TRIES = 4;
/** Endings of hosts that are remembered, those used last: some 3 MB. */
const ENDINGS = 16_384;

/** The answers as JSON holds them: the number of files, or -1 once there was a page. */
export type SavedEndings = readonly (readonly [name: string, files: number])[];

export class FileEndings {
  readonly #files = new LruMap<number>(ENDINGS);

  /** A URL was settled. @returns whether this released a parked ending */
  note(url: CanonicalUrl, { reason, visited, relevance }: Fate): boolean {
    const isFile = visited && wordOf(reason) === 'content-type';
    if (!isFile && relevance === null) return false;
    const name = nameOf(url);
    if (name === null) return false;
    const before = this.#files.get(name) ?? 0;
    this.#files.set(name, isFile && before >= 0 ? before + 1 : -1);
    return !isFile && before >= TRIES;
  }

  /** Reason not to request a URL; null if it may be requested. */
  reasonFor(url: CanonicalUrl): string | null {
    const name = nameOf(url);
    const files = name === null ? 0 : (this.#files.get(name) ?? 0);
    return files < TRIES ? null : `pattern ${name}: ${files} answers that are not pages`;
  }

  /** @param pattern its name, or `all` @returns the released endings, which count from zero */
  unpark(pattern: string): string[] {
    const parked = [...this.#files.entries()].filter(([name, files]) => files >= TRIES && (pattern === 'all' || pattern === name));
    for (const [name] of parked) this.#files.set(name, 0);
    return parked.map(([name]) => name);
  }

  parkedNames(): string[] {
    return [...this.#files.entries()].filter(([, files]) => files >= TRIES).map(([name]) => name);
  }

  saved(): SavedEndings {
    return [...this.#files.entries()];
  }

  restore(saved: SavedEndings): void {
    this.#files.restore(saved);
  }
}

/** `http://a.example/*.jpg`; null for other URLs. */
function nameOf(url: CanonicalUrl): string | null {
  const ending = fileEnding(url);
  return ending === null ? null : `${url.slice(0, url.indexOf('/', 8))}/*.${ending}`;
}
