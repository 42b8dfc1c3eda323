import { type LookupAddress, promises, lookup as systemLookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Ms } from '../../base/core/types.ts';
import type { NamedAddress } from './dns-cache.ts';

/** Timeout of one question to one server, and number of attempts: 3 s, then 6 s, is the header deadline of a fetch minus the time to connect. */
const PATIENCE = { timeout: 3000, tries: 2 };
/** Names of this machine and its local network, for which name servers are not asked (RFC 6761, RFC 6762). */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local)$/;
const HOSTS_FILE = '/etc/hosts';
/** Errors after which the system's resolver would wait for the same silent or broken server again; we cause the last of them ourselves. */
const FINAL = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED']);

type Family = 4 | 6;

export interface NameServersOptions {
  /** Current addresses with an optional port. Default: those of the system. */
  readonly servers?: () => readonly string[];
  readonly patience?: { readonly timeout: Ms; readonly tries: number };
  readonly system?: LookupFunction;
  readonly hostsFile?: string;
  /** Address families to ask for, in the order of their use. Default: those of the machine. */
  readonly families?: readonly Family[];
}

/**
 * Asks the name servers of the system directly, so that any number of questions can be in flight, and the TTL of answers is known. The system's own
 * resolver has libuv's four threads, and a few dead servers block them all. It is asked for local names, for those of `/etc/hosts`, and if the name
 * servers know nothing, because it may know other sources.
 */
export class NameServers {
  #resolver: promises.Resolver;
  readonly #open: () => promises.Resolver;
  readonly #system: LookupFunction;
  readonly #own: ReadonlySet<string>;
  readonly #familiesNow: () => readonly Family[];
  #families: readonly Family[];
  /** The former resolver; its pending questions end. */
  #previous: promises.Resolver | null = null;

  constructor({ servers, patience = PATIENCE, system = systemLookup, hostsFile = HOSTS_FILE, families }: NameServersOptions = {}) {
    this.#open = () => {
      const resolver = new promises.Resolver(patience);
      if (servers) resolver.setServers(servers());
      return resolver;
    };
    this.#resolver = this.#open();
    this.#system = system;
    this.#own = namesIn(hostsFile);
    this.#familiesNow = () => families ?? familiesOfMachine();
    this.#families = this.#familiesNow();
  }

  readonly lookup: LookupFunction = (hostname, options, callback) => {
    if (isIP(hostname) > 0 || LOCAL_NAME.test(hostname) || this.#own.has(hostname)) return this.#system(hostname, options, callback);
    this.#ask(hostname).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) =>
        isFinal(error) ? callback(error, []) : this.#system(hostname, { ...options, all: true }, callback),
    );
  };

  /** Pending questions fail. */
  close(): void {
    this.#previous?.cancel();
    this.#resolver.cancel();
  }

  /** @throws a failure if no family has an address: a final one if there is any */
  async #ask(hostname: string): Promise<LookupAddress[]> {
    const answers = await Promise.allSettled(this.#families.map((family) => this.#askFor(hostname, family)));
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const errors: NodeJS.ErrnoException[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    if (!errors.every(isAnswer)) this.#renew();
    // A circle of aliases is an answer without addresses.
    throw errors.find(isFinal) ?? errors[0] ?? new Error(`no address for ${hostname}`);
  }

  /** A machine that has moved to another network has other name servers, and perhaps addresses of other families. */
  #renew(): void {
    const fresh = this.#open();
    if (fresh.getServers().join() === this.#resolver.getServers().join()) return;
    this.#previous?.cancel();
    this.#previous = this.#resolver;
    this.#resolver = fresh;
    this.#families = this.#familiesNow();
  }

  async #askFor(hostname: string, family: Family): Promise<NamedAddress[]> {
    const ttl = { ttl: true } as const;
    const found = family === 4 ? await this.#resolver.resolve4(hostname, ttl) : await this.#resolver.resolve6(hostname, ttl);
    return found.map((one) => ({ ...one, family }));
  }
}

/** A name server answered that the name does not exist, or has no address of this family. */
function isAnswer({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

function isFinal({ code }: NodeJS.ErrnoException): boolean {
  return code !== undefined && FINAL.has(code);
}

/**
 * The families for which the machine has an address beyond loopback and link-local ones, like `AI_ADDRCONFIG` of getaddrinfo. Connecting tries one
 * address after another, a quarter of a second each except the last, so an unreachable address could cost a slow host its connection. IPv6 first (RFC
 * 6724), so that the last address is the one that mostly works. Both if there is none, as on a machine without a network.
 */
function familiesOfMachine(): readonly Family[] {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
  const beyond = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const has = (family: Family) => beyond.some(({ family: name }) => name === `IPv${family}`);
  const found = ([6, 4] as const).filter(has);
  return found.length === 0 ? [6, 4] : found;
}

/** Host names in a file in the form of `/etc/hosts`; none if it cannot be read. */
function namesIn(path: string): ReadonlySet<string> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1)));
  } catch {
    return new Set();
  }
}
