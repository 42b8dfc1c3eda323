import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { LookupCounts } from '../../base/core/parts/fetching.ts';
import type { Ms } from '../../base/core/types.ts';

/** Memory of answers of `dns.lookup` without a TTL: the least that browsers and resolvers commonly use. */
const FRESH: Ms = 5 * 60_000;
/** A TTL of seconds balances load over many clients; a crawler is one. A TTL of days would outlive a move. */
const MIN_FRESH: Ms = 60_000;
const MAX_FRESH: Ms = 24 * 3_600_000;
/** First memory of a name that does not exist; RFC 2308 §5 allows up to three hours. */
const FIRST_NOT_FOUND: Ms = 60_000;
/** First memory of any other failure: these are temporary, and a retry ten seconds later should ask again. */
const FIRST_FAILURE: Ms = 5_000;
/** Each further failure in a row is remembered twice as long as the one before, up to this. */
const MAX_FAILURE: Ms = 3_600_000;
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA']);
const MAX_NAMES = 20_000;

type Callback = Parameters<LookupFunction>[2];
type Answer = { readonly error: NodeJS.ErrnoException } | { readonly error: null; readonly addresses: readonly NamedAddress[] };

/** An address of a name; `ttl` in seconds, absent if the source does not know it. */
export interface NamedAddress extends LookupAddress {
  readonly ttl?: number;
}

interface Known {
  readonly answer: Answer;
  readonly until: Ms;
  /** Failures in a row, up to this answer. */
  readonly failures: number;
  /** Number of times that the source was asked for the name. */
  readonly asked: number;
}

function freshness(answer: Answer, failures: number): Ms {
  if (answer.error === null) {
    const least = Math.min(...answer.addresses.map(({ ttl }) => ttl ?? Number.POSITIVE_INFINITY));
    return least === Number.POSITIVE_INFINITY ? FRESH : Math.min(MAX_FRESH, Math.max(MIN_FRESH, least * 1000));
  }
  const first = NOT_FOUND.has(answer.error.code ?? '') ? FIRST_NOT_FOUND : FIRST_FAILURE;
  return Math.min(MAX_FAILURE, first * 2 ** (failures - 1));
}

/** Every answer of a lookup as a list, whether the caller asked for all or one. */
export function addressesOf(answers: string | readonly LookupAddress[]): readonly LookupAddress[] {
  return typeof answers === 'string' ? [{ address: answers, family: isIP(answers) }] : answers;
}

/** Returns `addresses` in the form that the caller asked for: all of them, or the first. */
export function giveAddresses(hostname: string, all: boolean, addresses: readonly LookupAddress[], callback: Callback): void {
  const [first] = addresses;
  if (!first) callback(noAddress(hostname), []);
  else if (all) callback(null, [...addresses]);
  else callback(null, first.address, first.family);
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' });
}

/** Every address of a host, by name or by an address literal (IPv6 in brackets); null if the name resolves to nothing at present. Never rejects. */
export function everyAddress(lookup: LookupFunction, hostname: string): Promise<readonly string[] | null> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return Promise.resolve([literal]);
  return new Promise((resolve) =>
    lookup(hostname, { all: true }, (error, answers) => resolve(error ? null : addressesOf(answers).map(({ address }) => address))),
  );
}

/**
 * A lookup with a memory for names and failures, which joins simultaneous questions for the same name. A name that keeps failing is asked for less
 * and less often, however many of its URLs wait.
 */
export class NameCache {
  readonly #source: LookupFunction;
  readonly #now: () => Ms;
  readonly #onClose: () => void;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, ((answer: Answer) => void)[]>();
  #asked = 0;
  #failed = 0;

  /** @param source its answers may have a `ttl`, see `NamedAddress`. @param now monotonic milliseconds. @param onClose closes the source */
  constructor(source: LookupFunction, now: () => Ms = () => performance.now(), onClose: () => void = () => undefined) {
    this.#source = source;
    this.#now = now;
    this.#onClose = onClose;
  }

  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const tell = (answer: Answer) =>
      answer.error ? callback(answer.error, []) : giveAddresses(hostname, options.all === true, answer.addresses, callback);
    const known = this.#known.get(hostname);
    // A socket must not receive its address before connect() has returned, so even a known name is answered one turn later.
    if (known !== undefined && this.#now() < known.until) return process.nextTick(tell, known.answer);
    const waiting = this.#asking.get(hostname);
    if (waiting !== undefined) return void waiting.push(tell);
    this.#asking.set(hostname, [tell]);
    this.#source(hostname, { ...options, all: true }, (error, answers) => this.#learn(hostname, answerOf(hostname, error, answers)));
  };

  get counts(): LookupCounts {
    return { asked: this.#asked, failed: this.#failed };
  }

  /** Number of questions for a name, if it is among the latest 20,000 names. */
  askedFor(hostname: string): number {
    return this.#known.get(hostname)?.asked ?? 0;
  }

  close(): void {
    this.#onClose();
  }

  #learn(hostname: string, answer: Answer): void {
    const before = this.#known.get(hostname);
    const failures = answer.error === null ? 0 : (before?.failures ?? 0) + 1;
    this.#asked += 1;
    if (failures > 0) this.#failed += 1;
    this.#known.delete(hostname);
    this.#known.set(hostname, { answer, until: this.#now() + freshness(answer, failures), failures, asked: (before?.asked ?? 0) + 1 });
    if (this.#known.size > MAX_NAMES) for (const oldest of this.#known.keys()) if (this.#known.delete(oldest)) break;
    const waiting = this.#asking.get(hostname) ?? [];
    this.#asking.delete(hostname);
    for (const tell of waiting) tell(answer);
  }
}

/** No address at all is also a failure. */
function answerOf(hostname: string, error: NodeJS.ErrnoException | null, answers: string | readonly LookupAddress[]): Answer {
  if (error) return { error };
  const addresses = addressesOf(answers);
  return addresses.length === 0 ? { error: noAddress(hostname) } : { error: null, addresses };
}
