/**
 * Gates: pages that lead elsewhere for a cookie, by a redirect or a refresh, and from there back. A page that did so waits until the requests on the way
 * were made by leases of their own; if its cookies are others then, it is requested again, once. Without cookies, the way back says that it needs them.
 */
import type { CanonicalUrl, FetchedPage, FetchOutcome, HostKey, Ms } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { failedOutcome } from './outcome.ts';
import { refreshOf } from './page-refresh.ts';

/** URLs whose answers are remembered: some 2 MB. */
const REMEMBERED = 16_384;
/** Pages that wait at one time. Others count as plain redirects, so that none is asked again and again. */
const MOST_WAITING = 1_000;
/** The first wait, and the number of waits, each twice as long as the one before: half a minute in all. A page on the way is requested next but a few. */
const FIRST_WAIT: Ms = 2_000;
const WAITS = 4;
/** Pages of a host that are requested again in vain, in a row, before its redirects count as plain ones: most cookies are of sessions. */
const IN_VAIN = 4;
/** Browsers follow twenty redirects. */
const LONGEST_WAY = 20;

type Redirect = Extract<FetchOutcome, { kind: 'redirect' }>;

/** A page that led elsewhere. */
interface Waiting {
  /** null: the page itself refreshes to another one, and is requested for its content. */
  readonly outcome: Redirect | null;
  readonly to: CanonicalUrl;
  /** Cookies that were sent. */
  readonly sent: string;
  readonly waits: number;
  /** Is this its second request? */
  readonly isAgain: boolean;
}

/** The gates that one fetcher met. Times are waits, so it has no clock. */
export class CookieGates {
  /** null: cookies are neither kept nor sent. */
  readonly #sentTo: ((url: CanonicalUrl) => string) | null;
  readonly #waiting = new Map<CanonicalUrl, Waiting>();
  /** Targets of the answers; null for a page that leads nowhere else. */
  readonly #answers = new Map<CanonicalUrl, CanonicalUrl | null>();
  readonly #cookieSetters = new Map<CanonicalUrl, true>();
  readonly #inVain = new Map<HostKey, number>();

  constructor(sentTo: ((url: CanonicalUrl) => string) | null) {
    this.#sentTo = sentTo;
  }

  /** The answer of a URL had a cookie. */
  noteCookie(url: CanonicalUrl): void {
    put(this.#cookieSetters, url, true);
  }

  /** The outcome of a URL that is known without a request; null if it is to be requested. */
  known(url: CanonicalUrl): FetchOutcome | null {
    const one = this.#waiting.get(url);
    if (one === undefined || one.isAgain || this.#sentTo === null) return null;
    const { outcome, to, sent, waits } = one;
    if (!this.#wayEnds(url, to) && waits < WAITS) {
      put(this.#waiting, url, { ...one, waits: waits + 1 });
      return { ...(outcome ?? { kind: 'redirect', status: 200, to, ms: 0 }), ms: 0, later: FIRST_WAIT * 2 ** waits };
    }
    if (this.#sentTo(url) === sent && outcome !== null) {
      this.#waiting.delete(url);
      return outcome;
    }
    put(this.#waiting, url, { ...one, isAgain: true });
    return null;
  }

  /** @param sent cookies of the request. @returns the outcome, or the better one that follows from all requests so far */
  passed(url: CanonicalUrl, outcome: FetchOutcome, sent: string): FetchOutcome {
    if (outcome.kind !== 'redirect' && outcome.kind !== 'page') return outcome;
    const to = outcome.kind === 'redirect' ? outcome.to : refreshOf(outcome.page);
    put(this.#answers, url, to);
    const before = this.#waiting.get(url);
    if (before?.isAgain) this.#waiting.delete(url);
    if (before?.isAgain && to === null) this.#inVain.delete(hostKeyOf(url));
    // The fetcher itself asks again after a redirect of a URL to itself.
    if (to === null || (outcome.kind === 'redirect' && to === url)) return outcome;
    const leadsBack = to === url || this.#leads(to, url);
    if (this.#sentTo === null) return leadsBack && this.#setsCookie(url, to) ? needsCookies(outcome) : outcome;
    if (before?.isAgain) return this.#again(url, outcome, leadsBack);
    if (to === url) return this.#reload(url, outcome, sent);
    return this.#isGate(url, to, outcome) ? this.#wait(url, to, outcome, sent) : outcome;
  }

  /** A page that refreshes itself is asked again if it set a cookie. */
  #reload(url: CanonicalUrl, outcome: FetchOutcome, sent: string): FetchOutcome {
    if (this.#sentTo?.(url) === sent) return outcome;
    put(this.#waiting, url, { outcome: null, to: url, sent, waits: 0, isAgain: true });
    return { kind: 'redirect', status: statusOf(outcome), to: url, ms: msOf(outcome), again: true };
  }

  /** The second answer leads elsewhere, too. */
  #again(url: CanonicalUrl, outcome: FetchOutcome, leadsBack: boolean): FetchOutcome {
    const host = hostKeyOf(url);
    put(this.#inVain, host, (this.#inVain.get(host) ?? 0) + 1);
    return leadsBack ? { kind: 'refused', reason: 'consent-wall', status: statusOf(outcome), ms: msOf(outcome) } : outcome;
  }

  #wait(url: CanonicalUrl, to: CanonicalUrl, outcome: FetchOutcome, sent: string): FetchOutcome {
    const redirect: Redirect = { kind: 'redirect', status: statusOf(outcome), to, ms: msOf(outcome) };
    put(this.#waiting, url, { outcome: outcome.kind === 'redirect' ? outcome : null, to, sent, waits: 0, isAgain: false });
    return { ...redirect, later: FIRST_WAIT };
  }

  /** May a page on the way set the cookie that this page wants? Of pages on the way itself, only the first waits. */
  #isGate(url: CanonicalUrl, to: CanonicalUrl, outcome: FetchOutcome): boolean {
    if (this.#waiting.size >= MOST_WAITING || (this.#inVain.get(hostKeyOf(url)) ?? 0) >= IN_VAIN) return false;
    if (isOtherForm(url, to) || this.#isOnTheWay(url)) return false;
    return outcome.kind === 'redirect' || this.#cookieSetters.has(url) || namesReturn(url, to);
  }

  #isOnTheWay(url: CanonicalUrl): boolean {
    for (const [first, { to }] of this.#waiting) if (first !== url && (to === url || this.#leads(to, url))) return true;
    return false;
  }

  /** Was everything on the way requested? */
  #wayEnds(from: CanonicalUrl, to: CanonicalUrl): boolean {
    let at = to;
    for (let hop = 0; hop < LONGEST_WAY; hop++) {
      const next = this.#answers.get(at);
      if (next === undefined) return false;
      if (next === null || next === from) return true;
      at = next;
    }
    return true;
  }

  /** Do the answers lead from one URL to another? */
  #leads(from: CanonicalUrl, to: CanonicalUrl): boolean {
    let at: CanonicalUrl | null = from;
    for (let hop = 0; hop < LONGEST_WAY && at !== null; hop++) {
      at = this.#answers.get(at) ?? null;
      if (at === to) return true;
    }
    return false;
  }

  #setsCookie(url: CanonicalUrl, to: CanonicalUrl): boolean {
    let at: CanonicalUrl | null = to;
    for (let hop = 0; hop < LONGEST_WAY && at !== null; hop++) {
      if (this.#cookieSetters.has(at)) return true;
      if (at === url) return false;
      at = this.#answers.get(at) ?? null;
    }
    return this.#cookieSetters.has(url);
  }
}

function needsCookies(outcome: Redirect | { readonly kind: 'page'; readonly page: FetchedPage }): FetchOutcome {
  return failedOutcome('needs-cookies', statusOf(outcome), 'the page leads back to itself with a cookie', msOf(outcome));
}

/** Is it the same page under another form of its address: another scheme, `www.`, a slash, other capitals? */
function isOtherForm(url: CanonicalUrl, to: CanonicalUrl): boolean {
  const plain = (one: string) =>
    one
      .replace(/^https?:\/\/(www\.)?/i, '')
      .replace(/\/$/, '')
      .toLowerCase();
  return plain(url) === plain(to);
}

/** Does the address tell where to return to, or what it is about? A page that only shows another one by a refresh does neither. */
function namesReturn(url: CanonicalUrl, to: CanonicalUrl): boolean {
  const { pathname, search } = new URL(url);
  const target = safelyDecoded(to);
  const path = safelyDecoded(pathname + search);
  return (
    (path.length > 1 && target.includes(path, target.indexOf('/', 8) + path.length)) ||
    target.includes(url, 1) ||
    /cookie|consent/i.test(to)
  );
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function statusOf(outcome: FetchOutcome): number {
  return outcome.kind === 'page' ? outcome.page.status : (outcome.status ?? 0);
}

function msOf(outcome: FetchOutcome): Ms {
  return outcome.kind === 'page' ? outcome.page.endedAt - outcome.page.startedAt : outcome.ms;
}

/** Sets a key of a map of limited size: the one that was set longest ago goes. */
function put<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}
