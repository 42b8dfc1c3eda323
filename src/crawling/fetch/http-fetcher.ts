import type { LookupFunction } from 'node:net';
import type { Clock } from '../../base/core/clock.ts';
import { dateOf } from '../../base/core/clock.ts';
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import type { LookupCounts, PageFetcher, Validators } from '../../base/core/parts/fetching.ts';
import { REPLIES } from '../../base/core/reply-line.ts';
import type { Bytes, CanonicalUrl, EpochMs, FetchedPage, FetchOutcome, HostKey, Ms, RefusalReason } from '../../base/core/types.ts';
import { codingsIn, codingsOf, strangeCodingOf } from '../../base/web/content-coding.ts';
import { isListType, isReadableType, looksBinary, parseContentType } from '../../base/web/content-type.ts';
import { hasPage } from '../../base/web/http-head.ts';
import { AbortFanout } from './abort-fanout.ts';
import { CookieGates } from './cookie-gates.ts';
import type { Cookies } from './cookies.ts';
import { decodeContent, joinBytes, MAX_CODINGS } from './decode.ts';
import { DocumentRules } from './document-rules.ts';
import { type BodyDecision, Exchange, type Exchanged, type ExchangeLimits, type ExchangeRules, type ResponseHead } from './exchange.ts';
import { isStrictness } from './failures.ts';
import type { HostSettings } from './host-settings.ts';
import { LenientRequest } from './lenient-request.ts';
import type { OptOutList } from './opt-out.ts';
import { brokenOutcome, challengeOutcome, failedOutcome, statusOutcome } from './outcome.ts';
import { ProxyRoute } from './proxy-route.ts';
import { conditionsOf, fieldIn, fieldNamesOf, fieldsWith, fieldsWithCookie, writtenFields } from './request-fields.ts';
import type { RequestSigner } from './request-signer.ts';
import { RequestSlots } from './request-slots.ts';
import { RequestTimer } from './request-timer.ts';
import { type Connection, directRoute, type NetworkRoute, type RouteOptions } from './routes.ts';
import { hostnameIsPrivate } from './ssrf.ts';

export interface HttpFetcherOptions {
  /** Sent as given, e.g. `Forager/0.1.0 (+https://example.org/crawl)`. */
  readonly userAgent: string;
  /** A mail address is also sent as `From` (RFC 9110 §10.1.2); the address of a page, or null, is not. */
  readonly contact: string | null;
  readonly clock: Clock;
  /** May addresses outside the public internet be requested? Default false. */
  readonly allowPrivate?: boolean;
  /** `http://[user:password@]host:port` ; default: none. With a proxy, only literal addresses can be checked for being private. */
  readonly proxy?: string;
  /** Number of connections to the proxy that plain-http requests share, and of requests in flight through it. Default 128. */
  readonly proxyConnections?: number;
  /** Limit for the whole request. Default 30 s. */
  readonly totalDeadlineMs?: Ms;
  /** Limit for DNS, connecting, TLS and the header. Default 15 s. */
  readonly headersTimeoutMs?: Ms;
  /** Most bytes of a body read from the wire; the rest is cut off. Default 8 MB. */
  readonly maxWireBytes?: Bytes;
  /** Most bytes of a decoded body. Default 16 MB. */
  readonly maxBodyBytes?: Bytes;
  /** A body slower than this in a whole `rateWindowMs` is a timeout. Default 1024 over 15 s. */
  readonly minBytesPerSecond?: number;
  readonly rateWindowMs?: Ms;
  /** Name resolution, such as `dns.lookup`. Default: the name servers directly. */
  readonly lookup?: LookupFunction;
  /** Certificates to trust, in PEM, instead of Node's own list. */
  readonly ca?: string;
  /** Offer HTTP/2 to servers under TLS; they may choose HTTP/1.1. Default false. */
  readonly http2?: boolean;
  /** Header fields for certain hosts, and hosts with unverified certificates. Default: none. */
  readonly hosts?: HostSettings;
  /** Owners who are never asked: each request looks whether its URL is on the list. Default: nobody. */
  readonly optOut?: Pick<OptOutList, 'has'>;
  /** Signs each request. Default: requests are not signed. */
  readonly signer?: Pick<RequestSigner, 'fieldsFor' | 'answered'>;
  /** Default: cookies are neither kept nor sent. */
  readonly cookies?: Cookies;
  /** Kinds of documents that are pages. Default: none. */
  readonly documents?: readonly DocumentKindName[];
  /** Way of the requests. Default: over the network, through the proxy if there is one. */
  readonly route?: NetworkRoute;
}

const MB: Bytes = 1024 * 1024;
/** Median pages are under 100 kB (HTTP Archive). Huge generated pages reach 8 MB, and take 30 s on slow lines. */
const DEFAULTS = {
  allowPrivate: false,
  proxyConnections: 128,
  totalDeadlineMs: 30_000,
  headersTimeoutMs: 15_000,
  maxWireBytes: 8 * MB,
  maxBodyBytes: 16 * MB,
  minBytesPerSecond: 1024,
  rateWindowMs: 15_000,
  http2: false,
};
/** Factor by which the declared length must exceed the cap so that the start of the page is not worth keeping. */
const TOO_LARGE_FACTOR = 10;
/** Least length of a first chunk that is judged before the rest has arrived: NUL-spaced UTF-16 needs some context. */
const SNIFF_AT: Bytes = 512;
/** Number of hosts whose responses are read leniently, and of pages that redirect to themselves, that are remembered: some 2 MB each. */
const REMEMBERED = 10_000;
/** No zstd: Node 20 cannot decode it. */
const ACCEPT_ENCODING = 'gzip, br, deflate';
const ACCEPT_PAGE = 'text/html,application/xhtml+xml,';
const ACCEPT_OTHERS = 'text/plain;q=0.8,*/*;q=0.1';
/** The differences between fetching a page and fetching any other file. */
interface RequestSpec {
  readonly rules: ExchangeRules;
  readonly maxBodyBytes: Bytes;
  /** Request fields except `host` and `connection`, names and values in turn. */
  readonly fields: string[];
  /** Names of the fields whose values are not stored; null for none. */
  readonly secrets: ReadonlySet<string> | null;
  readonly onlyText: boolean;
  /** Is it for a page or a seed, not for any file? */
  readonly onlyPages: boolean;
  /** Were conditions sent, so that 304 is a valid response? */
  readonly conditional: boolean;
  /** Was a range sent, so that 206 is one? */
  readonly isPart: boolean;
  /** Is a response of any status wanted, as a browser gets it? */
  readonly isAnyStatus: boolean;
  /** Are cookies and the user's fields for the host sent? */
  readonly hasCredentials: boolean;
}

/** An exchange and the moment of its end; its visit may continue later. */
interface Ended {
  readonly exchanged: Exchanged;
  readonly at: EpochMs;
  readonly date: EpochMs;
}

/** Fetches resources of pages that a browser renders. */
export interface ResourceFetcher {
  fetchResource(url: CanonicalUrl, wish: ResourceWish, signal: AbortSignal): Promise<FetchOutcome>;
}

/** The request for a resource. */
export interface ResourceWish {
  /** Further fields as in `PageFetcher.fetch`, with conditions. */
  readonly fields: readonly string[];
  readonly maxBytes: Bytes;
  /** Are cookies and the user's fields for its host sent, and cookies received? */
  readonly hasCredentials: boolean;
}

/** Fetches the seeds of a person. */
export interface SeedFetcher {
  /** @param fields as in `PageFetcher.fetch` */
  fetchSeed(url: CanonicalUrl, signal: AbortSignal, fields?: readonly string[]): Promise<FetchOutcome>;
}

/**
 * Fetches pages over HTTP/1.1, or HTTP/2 if that is wanted and offered: one request a call, redirects not followed. Deadlines, caps and the
 * private-address guard apply to every call.
 *
 * Statuses: a 2xx with content is a page; 3xx with a usable `Location` is a redirect; 429 is `http-429`; other 4xx `http-4xx`; 5xx `http-5xx`; everything
 * else (204, 205, a 206 that is a part, 304 without a condition, 3xx without `Location`, 999) is `protocol`. A challenge shown by its header is `blocked`, with any
 * status. A body that a cap or a clean close cuts is a truncated page; a reset within the body is `reset`. If the server closed an idle connection,
 * the request is repeated once on a new one, without notice.
 *
 * A response that undici's strict parser refuses (a folded line, a bare line feed, a length twice) ends as `protocol` with `again`; from then on the
 * responses of that host are read leniently, each on a connection of its own.
 */
export class HttpFetcher implements PageFetcher, SeedFetcher, ResourceFetcher {
  readonly #options: HttpFetcherOptions & typeof DEFAULTS;
  readonly #route: NetworkRoute;
  /** null without a proxy: each origin has a connection of its own. */
  readonly #slots: RequestSlots | null;
  readonly #timer: RequestTimer;
  readonly #aborts = new AbortFanout();
  readonly #page: RequestSpec;
  readonly #seed: RequestSpec;
  /** Origins whose responses undici refused: they are read leniently. */
  readonly #lenient = new Set<string>();
  /** URLs that were asked again because they redirect to themselves with a cookie. */
  readonly #toThemselves = new Set<CanonicalUrl>();
  readonly #gates: CookieGates;
  readonly #documents: DocumentRules;
  /** Requests in flight to hosts that are read leniently. */
  readonly #alone = new Set<LenientRequest>();

  /** @throws UsageError for a proxy or a header value that cannot be used */
  constructor(options: HttpFetcherOptions) {
    this.#options = { ...DEFAULTS, ...options };
    const { headersTimeoutMs, totalDeadlineMs, rateWindowMs, proxy, proxyConnections, userAgent, contact, hosts } = this.#options;
    const { cookies } = this.#options;
    this.#gates = new CookieGates(cookies ? (url) => cookies.sentTo(url) : null);
    for (const value of [userAgent, contact ?? '']) assertFieldValue(value);
    const unverified = (origin: URL) => hosts?.of(origin)?.unverified ?? false;
    const routeOptions = {
      ...options,
      connectTimeoutMs: headersTimeoutMs,
      allowPrivate: this.#options.allowPrivate,
      ...(hosts && { unverified }),
    };
    this.#route = options.route ?? networkRoute(proxy, proxyConnections, routeOptions);
    this.#slots = proxy === undefined ? null : new RequestSlots(proxyConnections);
    this.#timer = new RequestTimer(timerPeriod(headersTimeoutMs, totalDeadlineMs, rateWindowMs));
    this.#documents = new DocumentRules(options.documents ?? []);
    this.#page = this.#specFor(this.#options.maxWireBytes, 'pages');
    this.#seed = this.#specFor(this.#options.maxWireBytes, 'seeds');
  }

  /**
   * Fetches one page; with conditions, perhaps only the fact that it is unchanged (status 304, no body). Media types other than pages are refused
   * after the header, and binary content after its first bytes.
   * @throws the reason of the signal when it aborts; EnvironmentError if the process has no file descriptors left
   */
  fetch(url: CanonicalUrl, signal: AbortSignal, unless?: Validators, fields: readonly string[] = []): Promise<FetchOutcome> {
    const conditions = unless ? conditionsOf(unless) : [];
    const spec = withFields(this.#page, fields);
    if (conditions.length === 0) return this.#pass(url, spec, signal);
    return this.#get(url, { ...spec, fields: [...spec.fields, ...conditions], conditional: true }, signal);
  }

  /** Fetches like `fetch`, but accepts sitemaps and feeds as well, also packed ones: a person may name one as a seed. */
  fetchSeed(url: CanonicalUrl, signal: AbortSignal, fields: readonly string[] = []): Promise<FetchOutcome> {
    return this.#pass(url, withFields(this.#seed, fields), signal);
  }

  /** Fetches like `fetch`, but a file of any media type (robots.txt, a sitemap), cut at `maxBytes` on the wire and decoded. */
  fetchFile(url: CanonicalUrl, maxBytes: Bytes, signal: AbortSignal): Promise<FetchOutcome> {
    return this.#get(url, this.#specFor(maxBytes, 'files'), signal);
  }

  /** Fetches like `fetchFile`, but a response of any status is a page: a redirect, an error, 304. */
  fetchResource(url: CanonicalUrl, { fields, maxBytes, hasCredentials }: ResourceWish, signal: AbortSignal): Promise<FetchOutcome> {
    return this.#get(url, { ...withFields(this.#specFor(maxBytes, 'resources'), fields), hasCredentials }, signal);
  }

  /** Fetches a part of a file (RFC 9110 §14.2), as `fetchFile` does. Status 206 says that the body is that part. */
  fetchRange(url: CanonicalUrl, offset: Bytes, length: Bytes, signal: AbortSignal): Promise<FetchOutcome> {
    const spec = this.#specFor(length, 'parts');
    return this.#get(
      url,
      {
        ...spec,
        fields: ['user-agent', this.#options.userAgent, 'accept-encoding', 'identity', 'range', `bytes=${offset}-${offset + length - 1}`],
      },
      signal,
    );
  }

  /**
   * The addresses of a host by the name service, from memory or by a question; none through a proxy, null for a name that resolves to nothing at
   * present. Never rejects.
   */
  addressesOf(host: HostKey): Promise<readonly string[] | null> {
    return this.#route.addresses(new URL(host).hostname);
  }

  /** Counts of lookups over all hosts; none through a proxy. */
  get lookups(): LookupCounts {
    return this.#route.names?.counts ?? { asked: 0, failed: 0 };
  }

  /** Number of questions to the name service for one host, if it is still remembered. */
  lookupsOf(host: HostKey): number {
    return this.#route.names?.askedFor(new URL(host).hostname) ?? 0;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.#timer.close();
    for (const request of [...this.#alone]) request.destroy();
    await this.#route.close();
  }

  /** A page that leads elsewhere for a cookie waits, and is requested once more. */
  async #pass(url: CanonicalUrl, spec: RequestSpec, signal: AbortSignal): Promise<FetchOutcome> {
    signal.throwIfAborted();
    const known = this.#gates.known(url);
    if (known !== null) return known;
    const sent = this.#options.cookies?.sentTo(url) ?? '';
    return this.#gates.passed(url, await this.#get(url, spec, signal), sent);
  }

  #get(url: CanonicalUrl, spec: RequestSpec, signal: AbortSignal): Promise<FetchOutcome> {
    const request = () => this.#request(url, spec, signal);
    return this.#slots?.take(signal, request) ?? request();
  }

  async #request(url: CanonicalUrl, spec: RequestSpec, signal: AbortSignal): Promise<FetchOutcome> {
    signal.throwIfAborted();
    const target = new URL(url);
    const startedAt = this.#options.clock.now();
    if (!this.#options.allowPrivate && hostnameIsPrivate(target.hostname)) {
      return { kind: 'refused', reason: 'private-address', status: null, ms: 0 };
    }
    const isOptedOut = () => this.#options.optOut?.has(url) ?? false;
    if (isOptedOut()) return { kind: 'refused', reason: 'opt-out', status: null, ms: 0 };
    let asked = this.#signed(target, this.#forHost(url, target, spec));
    const leniently = this.#lenient.has(target.origin);
    let ended = await this.#exchange(target, asked, leniently, signal);
    if (ended.exchanged.kind === 'broken' && ended.exchanged.stale && !isOptedOut()) {
      asked = this.#signed(target, asked);
      ended = await this.#exchange(target, asked, leniently, signal);
    }
    const { exchanged } = ended;
    const ms = Math.max(0, ended.at - startedAt);
    switch (exchanged.kind) {
      case 'aborted':
        throw signal.reason;
      case 'refused':
        return this.#refused(exchanged.reason, exchanged.status, ms, exchanged.mime, url);
      case 'late':
        return failedOutcome('timeout', exchanged.status, exchanged.detail, ms);
      case 'broken':
        if (leniently || !isStrictness(exchanged.error)) return brokenOutcome(exchanged.error, exchanged.status, ms);
        remember(this.#lenient, target.origin);
        return { ...failedOutcome('protocol', exchanged.status, messageOf(exchanged.error), ms), again: true };
      case 'response':
        this.#options.signer?.answered(target.host, exchanged.head.status, exchanged.head.headers['date']);
        if (spec.hasCredentials) this.#receiveCookies(url, exchanged.head);
        return this.#outcome(url, target, asked, exchanged, ...timesOf(exchanged.connection, ended.date, ms));
    }
  }

  #receiveCookies(url: CanonicalUrl, { headers, rawHeaders }: ResponseHead): void {
    this.#options.cookies?.received(url, rawHeaders);
    if (headers['set-cookie'] !== undefined) this.#gates.noteCookie(url);
  }

  #exchange(target: URL, { rules, fields }: RequestSpec, leniently: boolean, signal: AbortSignal): Promise<Ended> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      let alone: LenientRequest | null = null;
      const exchange = new Exchange(
        rules,
        this.#timer,
        () => (alone ? alone.connection : this.#route.connection(target.origin)),
        (result) => {
          this.#aborts.delete(signal, exchange);
          if (alone) this.#alone.delete(alone);
          const ended = { exchanged: result, at: clock.now(), date: dateOf(clock) };
          REPLIES.add(() => resolve(ended));
        },
      );
      this.#aborts.add(signal, exchange);
      if (!leniently) return this.#route.get(target, fields, exchange);
      alone = new LenientRequest(this.#route.lenient(target), exchange);
      this.#alone.add(alone);
      void alone.send(fields);
    });
  }

  async #outcome(
    url: CanonicalUrl,
    target: URL,
    spec: RequestSpec,
    response: Extract<Exchanged, { kind: 'response' }>,
    startedAt: EpochMs,
    endedAt: EpochMs,
  ): Promise<FetchOutcome> {
    const { head, connection } = response;
    const { status, statusText, rawHeaders, headers } = head;
    const ms = Math.max(0, endedAt - startedAt);
    if (status === 407 && this.#options.proxy !== undefined)
      return failedOutcome('proxy', status, 'the proxy asks for a user name and password', ms);
    const challenge = challengeOutcome(head, endedAt, ms);
    if (challenge !== null) return challenge;
    const isWanted = spec.isAnyStatus || (status === 304 && spec.conditional) || (status === 206 && spec.isPart);
    if (!isWanted && !hasPage(status, headers['content-range']))
      return this.#toItself(url, target, spec, statusOutcome(url, head, endedAt, ms), head);
    // A 304 has no body, and a discarded one is not kept.
    const wireBody = response.parts.length === 0 ? new Uint8Array() : joinBytes(response.parts, response.size);
    const codings = codingsIn(headers, wireBody, MAX_CODINGS);
    if (codings === null) return failedOutcome('decode', status, `content-encoding ${headers['content-encoding']}: too many layers`, ms);
    const decoded = codings.length === 0 ? { body: wireBody, truncated: false } : await decodeContent(wireBody, codings, spec.maxBodyBytes);
    if (decoded === null) return failedOutcome('decode', status, `damaged content-encoding ${headers['content-encoding']}`, ms);
    const { body } = decoded;
    const strange = strangeCodingOf(headers['content-encoding'], body);
    if (strange !== null) return failedOutcome('decode', status, `content-encoding ${strange} was not asked for`, ms);
    const truncated = response.cut || decoded.truncated;
    const { mime } = parseContentType(headers['content-type']);
    const isDocument = spec.onlyPages && this.#documents.isDocument(body, mime, url);
    if (isDocument && truncated) return { kind: 'refused', reason: 'too-large', status, ms };
    if (spec.onlyText && !isDocument && this.#documents.isOther(body, mime)) return this.#refused('content-type', status, ms, mime, url);
    const own = connection?.h2 ? ['host', target.host] : ['host', target.host, 'connection', connection?.lenient ? 'close' : 'keep-alive'];
    const requestHeaders = writtenFields([...own, ...spec.fields], spec.secrets);
    const ip = connection?.ip ?? null;
    const page = { url, status, statusText, rawHeaders, headers, requestHeaders, body, wireBody, truncated, startedAt, endedAt, ip };
    return { kind: 'page', page: connection?.h2 || connection?.certificate ? { ...page, ...unusual(connection) } : page };
  }

  /** A page that redirects to itself with a cookie wants that cookie. With cookies, it is asked once more; without, the outcome says that it needs them. */
  #toItself(url: CanonicalUrl, target: URL, asked: RequestSpec, outcome: FetchOutcome, { status, headers }: ResponseHead): FetchOutcome {
    if (outcome.kind !== 'redirect' || outcome.to !== url) return outcome;
    const setsCookie = headers['set-cookie'] !== undefined;
    if (setsCookie && !this.#options.cookies)
      return failedOutcome('needs-cookies', status, 'the page redirects to itself with a cookie', outcome.ms);
    const isNew = fieldIn('cookie', this.#forHost(url, target, asked).fields) !== fieldIn('cookie', asked.fields);
    if (!isNew || this.#toThemselves.has(url)) return { kind: 'refused', reason: 'redirect-limit', status, ms: outcome.ms };
    remember(this.#toThemselves, url);
    return { ...outcome, again: true };
  }

  /** The specification with the fields and cookies for this host. */
  #forHost(url: CanonicalUrl, target: URL, spec: RequestSpec): RequestSpec {
    if (!spec.hasCredentials) return spec;
    const { hosts, cookies } = this.#options;
    const set = hosts?.of(target)?.fields ?? [];
    const cookie = cookies?.sentTo(url) ?? '';
    if (set.length === 0 && cookie === '') return spec;
    const own = cookie === '' ? set : fieldsWithCookie(set, cookie);
    return { ...spec, fields: fieldsWith(spec.fields, own), secrets: fieldNamesOf(own) };
  }

  /** The specification with a signature of its own: one that is repeated is signed again. */
  #signed(target: URL, spec: RequestSpec): RequestSpec {
    const { signer } = this.#options;
    return signer === undefined ? spec : { ...spec, fields: fieldsWith(spec.fields, signer.fieldsFor(target)) };
  }

  /** @param mime of the answer */
  #refused(reason: RefusalReason, status: number, ms: Ms, mime: string, url: CanonicalUrl): FetchOutcome {
    const document = reason === 'content-type' ? this.#documents.unreadKind(mime, url) : null;
    return { kind: 'refused', reason, status, ms, ...(document !== null && { document }) };
  }

  #mostBytes({ headers }: ResponseHead, start: Uint8Array, maxWireBytes: Bytes): Bytes {
    const { mime } = parseContentType(headers['content-type']);
    const isCoded = codingsIn(headers, start, MAX_CODINGS)?.length !== 0;
    return this.#documents.mostBytes(isCoded ? 'coded' : start, mime, maxWireBytes);
  }

  #fields(accept: string): string[] {
    const { userAgent, contact } = this.#options;
    const from = contact !== null && /^[^\s@/]+@[^\s@/]+$/.test(contact) ? ['from', contact] : [];
    return ['user-agent', userAgent, ...from, 'accept', accept, 'accept-language', '*', 'accept-encoding', ACCEPT_ENCODING];
  }

  #specFor(maxWireBytes: Bytes, types: WantedTypes): RequestSpec {
    const { headersTimeoutMs, totalDeadlineMs, minBytesPerSecond, rateWindowMs, maxBodyBytes } = this.#options;
    const limits: ExchangeLimits = { headersTimeoutMs, totalDeadlineMs, minBytesPerSecond, rateWindowMs };
    const rules: ExchangeRules = {
      limits,
      maxWireBytes,
      decideBody: (head) => bodyDecisionOf(head, types, maxWireBytes, this.#documents),
      mostBytes: (head, start) => (isAnyType(types) ? maxWireBytes : this.#mostBytes(head, start, maxWireBytes)),
      sniff: (head, start) => (types === 'pages' ? sniffed(head, start, this.#documents) : null),
    };
    const fields = this.#fields(isAnyType(types) ? '*/*' : `${ACCEPT_PAGE}${this.#documents.accepted}${ACCEPT_OTHERS}`);
    return {
      rules,
      maxBodyBytes: isAnyType(types) ? maxWireBytes : this.#documents.atLeast(maxBodyBytes),
      fields,
      secrets: null,
      onlyText: types === 'pages',
      onlyPages: !isAnyType(types),
      conditional: false,
      isPart: types === 'parts',
      isAnyStatus: types === 'resources',
      hasCredentials: true,
    };
  }
}

/** Start and end of a response; an archived one has the time of its capture. */
function timesOf(connection: Connection | null, now: EpochMs, ms: Ms): [EpochMs, EpochMs] {
  const { capturedAt } = connection ?? {};
  return capturedAt === undefined ? [now - ms, now] : [capturedAt, capturedAt];
}

function withFields(spec: RequestSpec, fields: readonly string[]): RequestSpec {
  return fields.length === 0 ? spec : { ...spec, fields: fieldsWith(spec.fields, fields) };
}

function networkRoute(proxy: string | undefined, connections: number, options: RouteOptions): NetworkRoute {
  return proxy === undefined ? directRoute(options) : new ProxyRoute(proxy, connections, options);
}

/** Media types that a request is for. */
type WantedTypes = 'pages' | 'seeds' | 'files' | 'parts' | 'resources';

function isAnyType(types: WantedTypes): boolean {
  return types !== 'pages' && types !== 'seeds';
}

/** Adds to a set of limited size. A full set forgets the member remembered longest, which costs one more request. */
function remember<T>(known: Set<T>, one: T): void {
  const [oldest] = known;
  if (oldest !== undefined && known.size >= REMEMBERED) known.delete(oldest);
  known.add(one);
}

const KEEP: BodyDecision = { kind: 'keep' };
const DISCARD: BodyDecision = { kind: 'discard' };

function bodyDecisionOf(
  { status, headers }: ResponseHead,
  types: WantedTypes,
  maxWireBytes: Bytes,
  documents: DocumentRules,
): BodyDecision {
  if (types === 'parts') return status === 206 ? KEEP : DISCARD;
  if (types === 'resources') return codingsOf(headers['content-encoding'], MAX_CODINGS) === null ? DISCARD : KEEP;
  if (!hasPage(status, headers['content-range']) || codingsOf(headers['content-encoding'], MAX_CODINGS) === null) return DISCARD;
  if (types === 'files') return KEEP;
  const { mime } = parseContentType(headers['content-type']);
  const length = Number(headers['content-length'] ?? 0);
  const decision = documents.byHeader(mime, length, maxWireBytes);
  if (decision !== null) return decision;
  if (!isReadableType(mime) && !(types === 'seeds' && isListType(mime))) return { kind: 'refuse', reason: 'content-type' };
  return length > TOO_LARGE_FACTOR * maxWireBytes ? { kind: 'refuse', reason: 'too-large' } : KEEP;
}

function sniffed(head: ResponseHead, start: Uint8Array, documents: DocumentRules): RefusalReason | null {
  if (start.byteLength < SNIFF_AT || codingsIn(head.headers, start, MAX_CODINGS)?.length !== 0) return null;
  const isStrange = strangeCodingOf(head.headers['content-encoding'], start) !== null;
  return looksBinary(start) && !isStrange && !documents.mayStart(start) ? 'content-type' : null;
}

/** A twentieth of the shortest deadline is exact enough; between 10 ms for tests and 250 ms for crawls. */
function timerPeriod(...deadlines: readonly Ms[]): Ms {
  return Math.min(250, Math.max(10, Math.min(...deadlines) / 20));
}

/** The unusual properties of a page's connection. */
function unusual({ h2, certificate }: Connection): Pick<FetchedPage, 'protocol' | 'certificate'> {
  return { ...(h2 && { protocol: 'h2' }), ...(certificate !== null && { certificate }) };
}

/** @throws UsageError */
function assertFieldValue(value: string): void {
  if (!/^[\x20-\x7e\x80-\xff\t]*$/.test(value))
    throw new UsageError(`'${value}' cannot be sent in an HTTP header; use plain text in one line`);
}
