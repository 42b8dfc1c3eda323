/** Resources in memory, shared by the pages of a crawl (RFC 9111). */
import type { Clock } from '../../base/core/clock.ts';
import type { Validators } from '../../base/core/parts/fetching.ts';
import type { Bytes, EpochMs, FetchedPage, Ms } from '../../base/core/types.ts';

/** Bytes of all bodies that are remembered. */
const MAX_BYTES: Bytes = 64 * 2 ** 20;
/** Shares of their age for which responses without a stated lifetime count as fresh, as RFC 9111 §4.2.2 advises. */
const OF_AGE = 0.1;
/** Least lifetime of scripts and style sheets: sites put a version in their names, and each page of a crawl would ask for them again. */
const MIN_OF_CODE: Ms = 10 * 60_000;
/** Longest lifetime that is believed. */
const MAX_LIFETIME: Ms = 24 * 3600_000;

interface Cached {
  readonly page: FetchedPage;
  readonly freshUntil: EpochMs;
}

/** A cache of whole responses by a key of URL and request fields; the one used longest ago is dropped first. */
export class ResourceCache {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #cached = new Map<string, Cached>();
  #bytes: Bytes = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The response, if it is fresh. */
  fresh(key: string): FetchedPage | null {
    const cached = this.#cached.get(key);
    if (cached === undefined || cached.freshUntil <= this.#clock.now()) return null;
    this.#cached.delete(key);
    this.#cached.set(key, cached);
    return cached.page;
  }

  /** Validators of a response that is not fresh any more; null without one, and without validators. */
  validators(key: string): Validators | null {
    const { headers = {} } = this.#cached.get(key)?.page ?? {};
    const [etag = null, lastModified = null] = [headers['etag'], headers['last-modified']];
    return etag === null && lastModified === null ? null : { etag, lastModified };
  }

  /** The response that a server has confirmed (304). @param isCode whether it is a script or a style sheet */
  confirmed(key: string, answer: FetchedPage, isCode: boolean): FetchedPage | null {
    const page = this.#cached.get(key)?.page ?? null;
    if (page !== null) this.#put(key, page, lifetimeOf(answer, isCode));
    return page;
  }

  /** Remembers a response, unless it must not be stored. */
  remember(key: string, page: FetchedPage, isCode: boolean): void {
    this.#forget(key);
    if (!isStorable(page)) return;
    this.#put(key, page, lifetimeOf(page, isCode));
  }

  #put(key: string, page: FetchedPage, lifetime: Ms): void {
    this.#forget(key);
    this.#cached.set(key, { page, freshUntil: this.#clock.now() + lifetime });
    this.#bytes += sizeOf(page);
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const cached = this.#cached.get(key);
    if (cached === undefined) return;
    this.#cached.delete(key);
    this.#bytes -= sizeOf(cached.page);
  }
}

function sizeOf({ body, wireBody }: FetchedPage): Bytes {
  return body === wireBody ? body.length : body.length + wireBody.length;
}

/** RFC 9111 §3. A response to every request alike: other fields that it may depend on are in the key. */
function isStorable({ status, headers, truncated }: FetchedPage): boolean {
  return status === 200 && !truncated && !/\bno-store\b/i.test(headers['cache-control'] ?? '') && headers['vary']?.trim() !== '*';
}

/** RFC 9111 §4.2. */
function lifetimeOf({ headers, startedAt }: FetchedPage, isCode: boolean): Ms {
  return Math.min(MAX_LIFETIME, Math.max(isCode ? MIN_OF_CODE : 0, statedLifetime(headers, startedAt)));
}

function statedLifetime(headers: FetchedPage['headers'], startedAt: EpochMs): Ms {
  const control = headers['cache-control'] ?? '';
  if (/\bno-cache\b/i.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(control)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const sentAt = timeOf(headers['date']) ?? startedAt;
  const expires = timeOf(headers['expires']);
  if (expires !== null) return Math.max(0, expires - sentAt);
  const modified = timeOf(headers['last-modified']);
  return modified === null ? 0 : Math.max(0, OF_AGE * (sentAt - modified));
}

function timeOf(value: string | undefined): EpochMs | null {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? null : time;
}
