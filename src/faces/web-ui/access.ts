/** Access to the page: a token in the first URL, then a cookie; and a check that a request comes from the page itself. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostnameIsLoopback } from '../../crawling/fetch/ssrf.ts';
import { cookie, cookiesIn, nameIn, newBrowser, type Person } from './person.ts';

/** 256 bits: as many as the session id of OWASP's session management needs at least twice. */
const TOKEN_BYTES = 32;
/** Characters of a browser's cookie that are read: more than `newBrowser` gives. */
const MOST_BROWSER = 40;

/** Also for a tab that is older than the last start of the page: each start has a token of its own. */
const STALE =
  'Nothing was stored or changed. Open the address that the command printed: it has a token, which is another one after each start.';

export type Refusal = { readonly status: 401 | 403; readonly message: string };

export class Access {
  /** Stands once in the URL that is printed. */
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  /** Token in every form. It differs from the cookie's token, which a form must not reveal. */
  readonly formToken = createHash('sha256').update(`form ${this.token}`).digest('base64url');
  readonly #isLocal: boolean;
  /** Cookies do not tell ports apart: each page has a name of its own, so that two of them on one machine do not sign each other out. */
  readonly #name = `forager-${createHash('sha256').update(`cookie ${this.token}`).digest('hex').slice(0, 12)}`;

  /** @param host the one it listens on */
  constructor(host: string) {
    this.#isLocal = hostnameIsLoopback(host);
  }

  /** The headers that replace the token of the URL. Strict: no other site's link or form sends them. A browser that comes again stays the same. */
  cookies({ headers }: IncomingMessage): string[] {
    const isKnown = cookiesIn(headers.cookie).has(this.#browserName);
    return [cookie(this.#name, this.token), ...(isKnown ? [] : [cookie(this.#browserName, newBrowser())])];
  }

  personAt({ headers }: IncomingMessage): Person {
    const cookies = cookiesIn(headers.cookie);
    return { browser: (cookies.get(this.#browserName) ?? '').slice(0, MOST_BROWSER), name: nameIn(cookies) };
  }

  get #browserName(): string {
    return `${this.#name}-browser`;
  }

  /** null if the request may be answered. */
  refusalOf(request: IncomingMessage, url: URL): Refusal | null {
    if (!this.#isMeant(request)) return { status: 403, message: 'This page answers only under its own address.' };
    if (!this.#isKnown(request, url)) return { status: 401, message: STALE };
    return null;
  }

  /** Does the request come from one of our own pages? Browsers send `Origin` with each POST. */
  isFromPage({ headers: { origin, host = '' } }: IncomingMessage, formToken: string): boolean {
    return origin === `http://${host}` && equal(formToken, this.formToken);
  }

  /** Refuses pages in a browser on this machine that reach the server through their own domain name, resolved to loopback (DNS rebinding). */
  #isMeant({ headers: { host = '' } }: IncomingMessage): boolean {
    if (!URL.canParse(`http://${host}`)) return false;
    return !this.#isLocal || hostnameIsLoopback(new URL(`http://${host}`).hostname);
  }

  #isKnown({ headers: { cookie = '', authorization = '' } }: IncomingMessage, { searchParams }: URL): boolean {
    const cookies = cookie.split(/;\s*/).flatMap((pair) => (pair.startsWith(`${this.#name}=`) ? pair.slice(this.#name.length + 1) : []));
    const bearer = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
    return [...cookies, bearer, searchParams.get('token') ?? ''].some((given) => equal(given, this.token));
  }
}

/** Compares two texts in a time that does not reveal the length of their equal part. */
function equal(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
