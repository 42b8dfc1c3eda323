/** Answers to the requests of a page that a browser renders: by the crawl's own fetcher, under the rules of the crawl. */
import type { Rendering } from '../../base/core/rendering.ts';
import type { Bytes, CanonicalUrl, FetchedPage, HostKey, Ms } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { canonicalize, hostKeyOf } from '../../base/web/url.ts';
import { conditionsOf, FIELD_VALUE } from '../fetch/request-fields.ts';
import type { ResourceSource } from './resource-source.ts';

/** Requests and bytes of one page, beside its own: the median page of the web has 22 scripts and 8 style sheets of 0.7 MB (HTTP Archive, 2024). */
export const RENDER_LIMITS = { requests: 30, bytes: 5 * 2 ** 20 } as const;
/** Requests for robots.txt of one host, with their redirects: RFC 9309 §2.3.1.2 asks for five. */
const MAX_ROBOTS = 6;
/** A host that asks for a longer pause is not asked for resources: the page would wait too long. */
const MAX_DELAY: Ms = 2000;
/** Hosts of a page that are asked, beside its own: the median page of the web has scripts of three (HTTP Archive, 2024). */
const MAX_HOSTS = 10;

/** A request as the browser describes it. */
export interface ResourceRequest {
  readonly url: string;
  readonly method: string;
  /** `Script`, `Stylesheet`, `XHR`, `Fetch`, and others that are not answered (CDP, Network.ResourceType). */
  readonly type: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Types that are asked of the page's own host, and of other hosts. */
const OWN_TYPES: ReadonlySet<string> = new Set(['Script', 'Stylesheet', 'XHR', 'Fetch']);
const OTHER_TYPES: ReadonlySet<string> = new Set(['Script', 'XHR', 'Fetch']);
const CODE_TYPES: ReadonlySet<string> = new Set(['Script', 'Stylesheet']);
/** Request fields of scripts that a server may need. Cookies and the like are the fetcher's; none turns a GET into another method or another sender. */
const PASSED = /^(accept|authorization|origin|x-(?!http-method|method|forwarded|real-ip|original|rewrite|client-data).*)$/;
/** A longer field is not sent: servers refuse heads of 8 KB. */
const MAX_FIELD = 2000;

/** The answers for one page. */
export class PageAnswers {
  readonly #source: ResourceSource;
  readonly #page: CanonicalUrl;
  readonly #own: HostKey;
  /** Other hosts that were asked. */
  readonly #hosts = new Set<HostKey>();
  readonly #signal: AbortSignal;
  readonly #used = new Map<CanonicalUrl, FetchedPage>();
  readonly robots: Rendering['answers'][number][] = [];
  #requests = 0;
  #bytes: Bytes = 0;

  constructor(source: ResourceSource, page: FetchedPage, signal: AbortSignal) {
    [this.#source, this.#page, this.#own, this.#signal] = [source, page.url, hostKeyOf(page.url), signal];
  }

  /** Requests that were sent, and the bytes of their bodies. */
  get cost(): { readonly requests: number; readonly bytes: Bytes } {
    return { requests: this.#requests, bytes: this.#bytes };
  }

  /** The responses that the browser got, each URL once. */
  get used(): readonly FetchedPage[] {
    return [...this.#used.values()];
  }

  /** The response to a request; null if a rule forbids it, or if it failed. Never rejects, unless the signal aborts. */
  async answer(request: ResourceRequest): Promise<FetchedPage | null> {
    const url = canonicalize(request.url);
    if (url === null || request.method !== 'GET' || isNeedless(request.headers) || !this.#mayAsk(url, request.type)) return null;
    const fields = passedFields(request.headers);
    const key = [url, ...fields].join('\n');
    const page =
      this.#source.cache.fresh(key) ?? (await this.#source.inTurn(hostKeyOf(url), () => this.#ask(url, fields, key, request.type)));
    if (page !== null) this.#used.set(url, page);
    return page;
  }

  #mayAsk(url: CanonicalUrl, type: string): boolean {
    const host = hostKeyOf(url);
    const { hostPolicy } = this.#source.parts;
    if (!(host === this.#own ? OWN_TYPES : OTHER_TYPES).has(type) || hostPolicy?.optedOut(url) || hostPolicy?.withdrawn?.(url))
      return false;
    if (host === this.#own || this.#hosts.has(host)) return true;
    if (this.#hosts.size >= MAX_HOSTS) return false;
    this.#hosts.add(host);
    return true;
  }

  async #ask(url: CanonicalUrl, fields: readonly string[], key: string, type: string): Promise<FetchedPage | null> {
    const { cache, parts } = this.#source;
    const isCode = CODE_TYPES.has(type);
    // Meanwhile another page may have asked for it.
    const known = cache.fresh(key);
    if (known !== null) return known;
    const host = hostKeyOf(url);
    if (!this.#hasRoom() || this.#source.rests(url) || !(await this.#isAllowed(url)) || !this.#hasRoom()) return null;
    this.#requests += 1;
    if (host !== this.#own) await this.#source.delay(host, this.#signal);
    const unless = cache.validators(key);
    const conditions = unless === null ? [] : conditionsOf(unless);
    const maxBytes = RENDER_LIMITS.bytes - this.#bytes;
    const wish = { fields: [...fields, ...conditions], maxBytes, hasCredentials: this.#isSameSite(url) };
    const outcome = await parts.fetcher.fetchResource(url, wish, this.#signal);
    this.#source.note(url, outcome);
    if (outcome.kind !== 'page') return null;
    const { page } = outcome;
    this.#bytes += page.wireBody.length;
    if (page.status === 304) return cache.confirmed(key, page, isCode);
    if (page.truncated) return null;
    cache.remember(key, page, isCode);
    return page;
  }

  /** Cookies and fields of the user are for the site of the page: a script of another one could read the answers to them. */
  #isSameSite(url: CanonicalUrl): boolean {
    return hostKeyOf(url) === this.#own || registrableDomain(url) === registrableDomain(this.#page);
  }

  #hasRoom(): boolean {
    return this.#requests < RENDER_LIMITS.requests && this.#bytes < RENDER_LIMITS.bytes && !this.#signal.aborted;
  }

  /** Asks the robots.txt of another host first, if it is not known. */
  async #isAllowed(url: CanonicalUrl): Promise<boolean> {
    const { robots } = this.#source.parts;
    const host = hostKeyOf(url);
    for (let asked = 0; robots.verdict(url) === 'unknown' && asked < MAX_ROBOTS && this.#hasRoom(); asked += 1) {
      this.#requests += 1;
      const { answer } = await robots.load(host, this.#signal);
      if (answer) this.robots.push(answer);
    }
    if (robots.verdict(url) !== 'allow') return false;
    return host === this.#own || (robots.crawlDelay?.(host) ?? 0) <= MAX_DELAY;
  }
}

/** A request ahead of a visit (`<link rel=prefetch>`, whose type is `Fetch`), or for events without end (`EventSource`, whose type is `XHR`). */
function isNeedless(headers: ResourceRequest['headers']): boolean {
  return Object.entries(headers).some(
    ([name, value]) => /^(sec-)?purpose$/i.test(name) || (/^accept$/i.test(name) && value === 'text/event-stream'),
  );
}

/** Fields in the form of `PageFetcher.fetch`: names in lower case and values, in turn. */
function passedFields(headers: ResourceRequest['headers']): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const isPassed = PASSED.test(lower) && typeof value === 'string' && value.length <= MAX_FIELD && FIELD_VALUE.test(value);
    return isPassed ? [lower, value] : [];
  });
}
