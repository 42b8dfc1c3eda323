import { type LookupAddress, promises, lookup as systemLookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Ms } from '../core/types.ts';
import type { NamedAddress } from './dns-cache.ts';

/** For one question to one server, and how often it is asked: 3 s, then 6 s, is what a fetch has for its header less the time to connect. */
const PATIENCE = { timeout: 3000, tries: 2 };
/** Names of this machine and its net, which name servers are not asked for (RFC 6761, RFC 6762). */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local)$/;
const HOSTS_FILE = '/etc/hosts';
/** Where the system's resolver would wait for the same silent or broken server again; the last of them is our own doing. */
const FINAL = new Set(['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED']);

type Family = 4 | 6;

export interface NameServersOptions {
  /** Addresses with an optional port, as they are now. Default: those of the system. */
  readonly servers?: () => readonly string[];
  readonly patience?: { readonly timeout: Ms; readonly tries: number };
  readonly system?: LookupFunction;
  readonly hostsFile?: string;
  /** Which to ask for, in the order of their use. Default: those the machine has. */
  readonly families?: readonly Family[];
}

/**
 * Asks the name servers of the system itself, so that any number of questions can be under way, and learns how long answers hold.
 * The system's own resolver has libuv's four threads, and a few dead servers stop them all; it is asked for local names, for those of
 * `/etc/hosts`, and where the name servers know nothing, since it may know other ways.
 */
export class NameServers {
  #resolver: promises.Resolver;
  readonly #open: () => promises.Resolver;
  readonly #system: LookupFunction;
  readonly #own: ReadonlySet<string>;
  readonly #familiesNow: () => readonly Family[];
  #families: readonly Family[];
  /** Asked before; questions to it run out. */
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

  /** Questions under way fail. */
  close(): void {
    this.#previous?.cancel();
    this.#resolver.cancel();
  }

  /** @throws a failure when no family has an address: a final one where there is any */
  async #ask(hostname: string): Promise<LookupAddress[]> {
    const answers = await Promise.allSettled(this.#families.map((family) => this.#askFor(hostname, family)));
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const errors: NodeJS.ErrnoException[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    if (!errors.every(isAnswer)) this.#renew();
    // A circle of aliases is an answer without addresses.
    throw errors.find(isFinal) ?? errors[0] ?? new Error(`no address for ${hostname}`);
  }

  /** A machine that has come to another net has other name servers, and perhaps addresses of other families. */
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

/** A name server said that there is no such name, or no address of it. */
function isAnswer({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

function isFinal({ code }: NodeJS.ErrnoException): boolean {
  return code !== undefined && FINAL.has(code);
}

/**
 * The families that the machine has an address of beyond itself and its links, as `AI_ADDRCONFIG` of getaddrinfo: connecting tries one address
 * after the other, a quarter of a second each but for the last, so one that cannot be had could cost a slow host its connection. IPv6 first
 * (RFC 6724), so that the last is the one that mostly works. Both where there is none, as on a machine without a net.
 */
function familiesOfMachine(): readonly Family[] {
  const addresses = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
  const beyond = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const has = (family: Family) => beyond.some(({ family: name }) => name === `IPv${family}`);
  const found = ([6, 4] as const).filter(has);
  return found.length === 0 ? [6, 4] : found;
}

/** Host names in a file of the form of `/etc/hosts`; none where it cannot be read. */
function namesIn(path: string): ReadonlySet<string> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1)));
  } catch {
    return new Set();
  }
}
