import { Cookie, CookieJar, MemoryCookieStore } from 'tough-cookie';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';

/** The cookie jar of a fetcher. */
export interface Cookies {
  /** The Cookie header for a URL; '' for none. */
  sentTo(url: CanonicalUrl): string;
  /** A response arrived. @param rawHeaders names in any case */
  received(url: CanonicalUrl, rawHeaders: readonly (readonly [string, string])[]): void;
}

/** RFC 6265bis §6.1 asks for 4096 bytes a cookie, without attributes, and 50 a domain; browsers keep 180. */
const MAX_COOKIE_BYTES: Bytes = 4096;
const MAX_PER_DOMAIN = 50;
/** Memory of a cookie in addition to its name and value: an object of about fifteen fields with a few dates, in three maps. */
const COOKIE_OVERHEAD: Bytes = 1000;
/** Limit of all jars: sixty thousand session cookies. */
const MAX_BYTES: Bytes = 64 * 1024 * 1024;

interface Jar {
  readonly cookies: CookieJar;
  readonly store: MemoryCookieStore;
  /** Size, as `trimmed` counts it. */
  bytes: Bytes;
}

/**
 * Cookies of one run, in memory: a jar for each registrable domain, so that no cookie crosses from one to another. A jar with too many cookies drops
 * the oldest; with too many jars, the least recently used are dropped. tough-cookie decides who may set and get a cookie, by RFC 6265bis and the
 * public suffix list.
 */
export class CookieJars implements Cookies {
  /** Jars by registrable domain, least recently used first. */
  readonly #jars = new Map<string, Jar>();
  readonly #maxBytes: Bytes;
  #bytes: Bytes = 0;

  /** @param maxBytes of all cookies in memory */
  constructor(maxBytes: Bytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  sentTo(url: CanonicalUrl): string {
    const domain = registrableDomain(url);
    const jar = this.#jars.get(domain);
    if (jar === undefined) return '';
    this.#jars.delete(domain);
    this.#jars.set(domain, jar);
    const text = jar.cookies.getCookieStringSync(url);
    // Bytes received as Latin-1 are sent back unchanged; a value that cannot have been received is not sent.
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : '';
  }

  received(url: CanonicalUrl, rawHeaders: readonly (readonly [string, string])[]): void {
    const set = rawHeaders.filter(([name, value]) => name.toLowerCase() === 'set-cookie' && value.length <= 2 * MAX_COOKIE_BYTES);
    if (set.length === 0) return;
    const domain = registrableDomain(url);
    const jar = this.#jars.get(domain) ?? newJar();
    for (const [, value] of set.slice(0, MAX_PER_DOMAIN)) keep(jar, url, value);
    this.#weigh(domain, jar);
  }

  #weigh(domain: string, jar: Jar): void {
    this.#bytes -= this.#jars.has(domain) ? jar.bytes : 0;
    jar.bytes = trimmed(jar);
    this.#bytes += jar.bytes;
    this.#jars.delete(domain);
    this.#jars.set(domain, jar);
    for (const [oldest, { bytes }] of this.#jars) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#jars.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

function newJar(): Jar {
  const store = new MemoryCookieStore();
  return { cookies: new CookieJar(store), store, bytes: 0 };
}

/** A cookie that cannot be parsed, is too large, or may not be set by its sender is ignored. */
function keep({ cookies }: Jar, url: CanonicalUrl, setCookie: string): void {
  const cookie = Cookie.parse(setCookie);
  if (cookie === undefined || cookie.key.length + cookie.value.length > MAX_COOKIE_BYTES) return;
  try {
    cookies.setCookieSync(cookie, url, { ignoreError: true });
  } catch {
    // A server's data never cause an error of ours.
  }
}

/** Removes the oldest until few enough are left. @returns bytes of the rest */
function trimmed({ store }: Jar): Bytes {
  let bytes = 0;
  // A store in memory calls back at once; it returns the oldest first.
  store.getAllCookies((_error, cookies = []) => {
    const excess = Math.max(0, cookies.length - MAX_PER_DOMAIN);
    for (const { domain, path, key } of cookies.slice(0, excess))
      if (domain !== null) store.removeCookie(domain, path ?? '/', key, () => undefined);
    for (const { key, value } of cookies.slice(excess)) bytes += key.length + value.length + COOKIE_OVERHEAD;
  });
  return bytes;
}
