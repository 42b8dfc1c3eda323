import type { UnreachableRobots } from '../../base/core/parts/fetching.ts';
import type { Bytes, CanonicalUrl, EpochMs, HostKey, IsoTime } from '../../base/core/types.ts';
import { ALLOW_ALL, DENY_ALL, type RobotsRules } from '../../base/web/robots.ts';
import { hostKeyOf } from '../../base/web/url.ts';

/** The rules at a URL. */
export interface RobotsFile {
  readonly rules: RobotsRules;
  readonly weight: Bytes;
  /** Time after which it is to be requested again. */
  readonly due: EpochMs;
  /** The file that has the rules: SHA-256 of its text, and start of its request; null without one. */
  readonly text: { readonly sha256: string; readonly fetchedAt: IsoTime } | null;
  /** Start of the trouble, number of tries in a row, and the last reason why the file could not be reached. */
  readonly trouble: { readonly since: EpochMs; readonly tries: number; readonly cause: UnreachableRobots['cause'] } | null;
}

/** The answer of a URL: rules, or a redirect to them. */
export type Known = RobotsFile | { readonly to: CanonicalUrl; readonly weight: Bytes; readonly due: EpochMs };

/** End of the redirects of a robots.txt, so far. `host` is that of the URL. Without a file, the URL is to be requested. */
export interface RobotsPlace {
  readonly url: string;
  readonly host: HostKey;
  readonly file: RobotsFile | null;
}

/** RFC 9309 §2.3.1.2. */
const MAX_REDIRECTS = 5;

const ALWAYS: EpochMs = Number.POSITIVE_INFINITY;
const ABSENT: RobotsFile = { rules: ALLOW_ALL, weight: 0, due: ALWAYS, text: null, trouble: null };

/** The answers of robots.txt files and of the URLs to which they redirect, up to a number and a weight. The one remembered longest ago goes first. */
export class RobotsFiles {
  readonly #known = new Map<string, Known>();
  readonly #maxFiles: number;
  readonly #maxBytes: Bytes;
  #bytes: Bytes = 0;

  constructor(maxFiles: number, maxBytes: Bytes) {
    [this.#maxFiles, this.#maxBytes] = [maxFiles, maxBytes];
  }

  /**
   * Follows the redirects that are known. Hosts of one file thus share it, and each hop is a request of its own.
   * @param now answers that are due by then count as unknown
   */
  follow(host: HostKey, now: EpochMs): RobotsPlace {
    return this.#follow(host, now, []);
  }

  /** The file last known at a URL, due or not. */
  at(url: string): RobotsFile | null {
    const known = this.#known.get(url);
    return known === undefined || 'to' in known ? null : known;
  }

  remember(url: string, known: Known): void {
    this.#forget(url);
    this.#known.set(url, known);
    this.#bytes += known.weight;
    for (const oldest of this.#known.keys()) {
      if (oldest === url || (this.#known.size <= this.#maxFiles && this.#bytes <= this.#maxBytes)) return;
      this.#forget(oldest);
    }
  }

  /** @param readers hosts whose rules wait for this host's */
  #follow(first: HostKey, now: EpochMs, readers: readonly HostKey[]): RobotsPlace {
    let [url, host] = [robotsAt(first), first];
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const known = this.#known.get(url);
      if (known === undefined || known.due <= now) return this.#permitted(url, host, now, [...readers, first]);
      if (!('to' in known)) return { url, host, file: hop === 0 ? ofOwnHost(known) : known };
      [url, host] = [known.to, hostKeyOf(known.to)];
    }
    return { url: robotsAt(first), host: first, file: ABSENT };
  }

  /**
   * The rules of a URL's host decide whether it is requested for the rules of another host. Rules that are being read do not decide about themselves.
   * Hosts that wait for each other in a row are redirects too: more than five are too many.
   */
  #permitted(url: string, host: HostKey, now: EpochMs, readers: readonly HostKey[]): RobotsPlace {
    if (url === robotsAt(host) || readers.includes(host)) return { url, host, file: null };
    if (readers.length > MAX_REDIRECTS) return { url: robotsAt(host), host, file: ABSENT };
    const own = this.#follow(host, now, readers);
    if (own.file === null) return own;
    return own.file.rules.allows(url) ? { url, host, file: null } : { ...own, file: closed(own.file) };
  }

  #forget(url: string): void {
    this.#bytes -= this.#known.get(url)?.weight ?? 0;
    this.#known.delete(url);
  }
}

export function robotsAt(host: HostKey): string {
  return `${host}/robots.txt`;
}

/** A private host: the page's own request will be refused with the right reason. A redirect into a private network is an attack or a mistake. */
function ofOwnHost(file: RobotsFile): RobotsFile {
  return file.trouble?.cause === 'private-address' ? { ...file, rules: ALLOW_ALL, text: null, trouble: null } : file;
}

/** A file that may not be read might forbid everything. */
function closed({ due, trouble }: RobotsFile): RobotsFile {
  return { rules: DENY_ALL, weight: 0, due, text: null, trouble: trouble ?? { since: 0, tries: 0, cause: 'robots' } };
}
