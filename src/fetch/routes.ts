import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, Client, type Dispatcher } from 'undici';
import type { Ms } from '../core/types.ts';
import { cachedLookup, everyAddress } from './dns-cache.ts';
import { addressIsPrivate, guardedLookup, PrivateAddressError } from './ssrf.ts';

/** The one connection to an origin, as far as it is known. */
export interface Line {
  /** Where the socket is connected to; null through a proxy. */
  ip: string | null;
  /** Requests written on the connection so far. */
  requests: number;
}

/** How requests get to their origins: straight, or by way of a proxy. */
export interface Route {
  /** Start `GET url`; the handler hears of everything else. `fields` is a flat list of names and values without `host`. */
  get(url: URL, fields: string[], handler: Dispatcher.DispatchHandler): void;
  /** The connection the request to this origin is on; null where connections are shared. */
  line(origin: string): Line | null;
  /** Where connections to a host may lead; none where it is not for us to know, null where the name leads nowhere just now. Never rejects. */
  addresses(hostname: string): Promise<readonly string[] | null>;
  /** Hang up on everything. */
  close(): Promise<void>;
}

export interface RouteOptions {
  /** For connecting, TLS included. */
  readonly connectTimeoutMs: Ms;
  readonly allowPrivate: boolean;
  /** `dns.lookup` or one like it. */
  readonly lookup?: LookupFunction;
  /** Certificates to trust, in PEM, instead of Node's own list. */
  readonly ca?: string;
}

/** A connection nobody uses is closed after this; longer wishes of a server (`Keep-Alive: timeout=600`) would add up over many hosts. */
const KEEP_ALIVE: Ms = 4000;
const KEEP_ALIVE_MAX: Ms = 10_000;
/** Node's default of 16 KiB is too small for some sites' cookies and policies; no honest header is four times as long. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Deadlines are kept by `Watch`, which is exact; undici's own timers are off. One request at a time on a connection. */
export const CLIENT_OPTIONS = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: KEEP_ALIVE,
  keepAliveMaxTimeout: KEEP_ALIVE_MAX,
} as const;

/**
 * `connect`, but a socket that ended up at a private address is closed before a byte is written: the last of three checks
 * (literal, every DNS answer, the connected address), and the one that a rebinding name cannot pass.
 */
export function guardedConnector(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && !addressIsPrivate(remoteAddress)) return callback(null, socket);
      socket.on('error', () => {}).destroy();
      callback(new PrivateAddressError(options.hostname, remoteAddress ?? 'unknown'), null);
    });
}

function directConnector({ connectTimeoutMs, allowPrivate, ca }: RouteOptions, cached: LookupFunction): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: allowPrivate ? cached : guardedLookup(cached),
    ...(ca === undefined ? {} : { ca }),
  });
  return allowPrivate ? connect : guardedConnector(connect);
}

/** One connection to each origin, and what is known of it. Origins without a connection are forgotten. */
export class Lines implements Route {
  readonly #lines = new Map<string, Line>();
  readonly #agent: Agent;
  readonly #lookup: LookupFunction | null;

  /** @param lookup what `connect` resolves names by; null where others do */
  constructor(connect: buildConnector.connector, lookup: LookupFunction | null = null) {
    this.#lookup = lookup;
    this.#agent = new Agent({ connections: 1, factory: (origin) => this.#client(new URL(origin).origin, connect) });
  }

  get(url: URL, fields: string[], handler: Dispatcher.DispatchHandler): void {
    this.#agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'GET', headers: fields }, handler);
  }

  line(origin: string): Line | null {
    return this.#lines.get(origin) ?? null;
  }

  addresses(hostname: string): Promise<readonly string[] | null> {
    return this.#lookup === null ? Promise.resolve([]) : everyAddress(this.#lookup, hostname);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #client(origin: string, connect: buildConnector.connector): Client {
    const note = (socket: Socket) => this.#lines.set(origin, { ip: socket.remoteAddress ?? null, requests: 0 });
    const client = new Client(origin, {
      ...CLIENT_OPTIONS,
      connect: (options, callback) =>
        connect(options, (...result) => {
          if (result[0] === null) note(result[1]);
          callback(...result);
        }),
    });
    return client.on('disconnect', () => this.#lines.delete(origin));
  }
}

/** Straight to each origin. */
export function directRoute(options: RouteOptions): Route {
  const lookup = cachedLookup(options.lookup);
  return new Lines(directConnector(options, lookup), lookup);
}
