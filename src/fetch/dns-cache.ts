import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Ms } from '../core/types.ts';

/** `dns.lookup` tells no TTL; five minutes is what browsers and resolvers commonly allow at least, a minute for failures as RFC 2308 §7.1 suggests. */
const FRESH: Ms = 5 * 60_000;
const FRESH_NOT_FOUND: Ms = 60_000;
/** Other failures pass; a retry ten seconds later should ask again. */
const FRESH_FAILURE: Ms = 5_000;
const MAX_NAMES = 20_000;

type Callback = Parameters<LookupFunction>[2];
type Answer = { readonly error: NodeJS.ErrnoException } | { readonly error: null; readonly addresses: readonly LookupAddress[] };

function freshness({ error }: Answer): Ms {
  if (error === null) return FRESH;
  return error.code === 'ENOTFOUND' ? FRESH_NOT_FOUND : FRESH_FAILURE;
}

/** Every answer of a lookup as a list, whether it was asked for all or one. */
export function addressesOf(answers: string | readonly LookupAddress[]): readonly LookupAddress[] {
  return typeof answers === 'string' ? [{ address: answers, family: isIP(answers) }] : answers;
}

/** Give `addresses` in the form the caller asked for: all of them, or the first. */
export function giveAddresses(hostname: string, all: boolean, addresses: readonly LookupAddress[], callback: Callback): void {
  const [first] = addresses;
  if (!first) callback(Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' }), []);
  else if (all) callback(null, [...addresses]);
  else callback(null, first.address, first.family);
}

/** Every address of a host, by name or by an address literal (IPv6 in brackets); null where the name leads nowhere just now. Never rejects. */
export function everyAddress(lookup: LookupFunction, hostname: string): Promise<readonly string[] | null> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return Promise.resolve([literal]);
  return new Promise((resolve) =>
    lookup(hostname, { all: true }, (error, answers) => resolve(error ? null : addressesOf(answers).map(({ address }) => address))),
  );
}

/**
 * `lookup` with a memory for names and failures, and with questions for the same name joined. The system resolver works on libuv's
 * four threads, so that asking once a connection would make a slow name server hold up every other host.
 * @param now monotonic milliseconds
 */
export function cachedLookup(lookup: LookupFunction = systemLookup, now: () => Ms = () => performance.now()): LookupFunction {
  const known = new Map<string, { readonly answer: Answer; readonly until: Ms }>();
  const asking = new Map<string, ((answer: Answer) => void)[]>();

  function learn(hostname: string, answer: Answer): void {
    known.delete(hostname);
    known.set(hostname, { answer, until: now() + freshness(answer) });
    if (known.size > MAX_NAMES) for (const oldest of known.keys()) if (known.delete(oldest)) break;
    const waiting = asking.get(hostname) ?? [];
    asking.delete(hostname);
    for (const tell of waiting) tell(answer);
  }

  return (hostname, options, callback) => {
    const tell = (answer: Answer) =>
      answer.error ? callback(answer.error, []) : giveAddresses(hostname, options.all === true, answer.addresses, callback);
    const entry = known.get(hostname);
    // A socket must not hear of its address before connect() has returned, so even a known name is told a turn later.
    if (entry !== undefined && now() < entry.until) return process.nextTick(tell, entry.answer);
    const waiting = asking.get(hostname);
    if (waiting !== undefined) return void waiting.push(tell);
    asking.set(hostname, [tell]);
    lookup(hostname, { ...options, all: true }, (error, answers) =>
      learn(hostname, error ? { error } : { error: null, addresses: addressesOf(answers) }),
    );
  };
}
