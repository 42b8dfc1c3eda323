import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
// The parts alone: the whole package is 110 files, and takes 70 ms of a processor in place of 35.
import connectorFrom from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import type { EpochMs, Ms } from '../../base/core/types.ts';
import { everyAddress, NameCache } from './dns-cache.ts';
import type { LenientRoute } from './lenient-request.ts';
import { NameServers } from './name-servers.ts';
import { addressIsPrivate, guardedLookup, PrivateAddressError } from './ssrf.ts';

/** The known facts about the one connection to an origin. */
export interface Connection {
  /** The address of the other end; null through a proxy. */
  ip: string | null;
  /** Number of requests written on the connection so far. */
  requests: number;
  /** Does it use HTTP/2? */
  readonly h2: boolean;
  /** Reason why the server's certificate is not trusted, as a TLS code; null if it is trusted, or if there is none. */
  readonly certificate: string | null;
  /** Is it closed after its one response, which is read leniently? */
  readonly lenient: boolean;
  /** Time at which an archive stored the response. Absent for responses of the web. */
  readonly capturedAt?: EpochMs;
}

/** Way of requests to their origins: directly, or through a proxy. */
export interface NetworkRoute {
  /** Starts `GET url`; the handler receives everything else. `fields` is a flat list of names and values without `host`. */
  get(url: URL, fields: string[], handler: Dispatcher.DispatchHandler): void;
  /** Way to request `url` on a connection of its own, which passes the same checks, without HTTP/2. */
  lenient(url: URL): LenientRoute;
  /** The connection of the request to this origin; null if connections are shared. */
  connection(origin: string): Connection | null;
  /** The memory of names; null if this process does not resolve them. */
  readonly names: NameCache | null;
  /** The addresses of a host; none if this process does not know them, null if the name resolves to nothing at present. Never rejects. */
  addresses(hostname: string): Promise<readonly string[] | null>;
  /** Closes all connections. */
  close(): Promise<void>;
}

export interface RouteOptions {
  /** Limit for connecting, TLS included. */
  readonly connectTimeoutMs: Ms;
  readonly allowPrivate: boolean;
  /** `dns.lookup` or one like it. Default: the name servers directly. */
  readonly lookup?: LookupFunction;
  /** Certificates to trust, in PEM, instead of Node's own list. */
  readonly ca?: string;
  /** Offer HTTP/2 to servers under TLS. Default false. */
  readonly http2?: boolean;
  /** Origins whose certificates need not be verified. Default none. */
  readonly unverified?: (origin: URL) => boolean;
}

/** An unused connection is closed after this; longer times that a server requests (`Keep-Alive: timeout=600`) would add up over many hosts. */
const KEEP_ALIVE: Ms = 4000;
const KEEP_ALIVE_MAX: Ms = 10_000;
/** Node's default of 16 KiB is too small for some sites' cookies and policies; no honest header is four times as long. */
const MAX_HEADER_BYTES = 64 * 1024;

/** `RequestTimer` keeps deadlines, and is exact; undici's own timers are off. One request at a time on a connection. */
export const CLIENT_OPTIONS = {
  pipelining: 1,
  allowH2: false,
  // A ping a minute on each idle session would be noise: unused connections are closed long before.
  pingInterval: 0,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: KEEP_ALIVE,
  keepAliveMaxTimeout: KEEP_ALIVE_MAX,
} as const;

/**
 * `connect`, but closes a socket at a private address before a request is written: the last of three checks (literal, every DNS answer, the connected
 * address), and the one that a rebinding name cannot pass.
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

function directConnector(options: RouteOptions, cached: LookupFunction): buildConnector.connector {
  const connect = originConnector(options, { lookup: options.allowPrivate ? cached : guardedLookup(cached) });
  return options.allowPrivate ? connect : guardedConnector(connect);
}

/** Connects to origins: with HTTP/2 if that is wanted, and with verified certificates, except those that need not be. */
export function originConnector(options: RouteOptions, more: buildConnector.BuildOptions = {}): buildConnector.connector {
  const { connectTimeoutMs, ca, http2 = false, unverified } = options;
  const common = { ...more, timeout: connectTimeoutMs, allowH2: http2, ...(ca === undefined ? {} : { ca }) };
  const strict = connectorFrom(common);
  if (!unverified) return strict;
  // Without sessions: a resumed one does not report the faults of the certificate again.
  const lax = connectorFrom({ ...common, rejectUnauthorized: false, maxCachedSessions: 0 });
  return (target, callback) => {
    const isLax = target.protocol === 'https:' && unverified(new URL(`https://${target.host ?? target.hostname}`));
    return (isLax ? lax : strict)(target, callback);
  };
}

/** @param lenient is it closed after one response? */
export function connectionOf(socket: Socket, lenient = false): Connection {
  const tls = socket instanceof TLSSocket ? socket : null;
  const certificate = tls === null || tls.authorized ? null : String(tls.authorizationError ?? 'not verified');
  return { ip: socket.remoteAddress ?? null, requests: 0, h2: tls?.alpnProtocol === 'h2', certificate, lenient };
}

/** The socket of a connector, as a promise. */
export function connected(connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => connect(options, (...[error, socket]) => (error === null ? resolve(socket) : reject(error))));
}

/** The target of a connector, as undici's client gives it: an IPv6 address without brackets. */
export function targetOf({ hostname, host, protocol, port }: URL): buildConnector.Options {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port };
}

/** One connection to each origin, with the known facts about it. Origins without a connection are forgotten. */
export class Connections implements NetworkRoute {
  readonly #connections = new Map<string, Connection>();
  readonly #agent: Agent;
  readonly #connectAlone: buildConnector.connector;
  readonly names: NameCache | null;

  /**
   * @param names resolves names for `connect`; null if this process resolves none
   * @param connectAlone the same as `connect` without HTTP/2
   */
  constructor(connect: buildConnector.connector, http2: boolean, names: NameCache | null = null, connectAlone = connect) {
    this.names = names;
    this.#connectAlone = connectAlone;
    this.#agent = new Agent({ connections: 1, factory: (origin) => this.#client(new URL(origin).origin, connect, http2) });
  }

  get(url: URL, fields: string[], handler: Dispatcher.DispatchHandler): void {
    this.#agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'GET', headers: fields }, handler);
  }

  lenient(url: URL): LenientRoute {
    return {
      open: () => connected(this.#connectAlone, targetOf(url)),
      target: url.pathname + url.search,
      fields: ['host', url.host],
      connectionOf: (socket) => connectionOf(socket, true),
    };
  }

  connection(origin: string): Connection | null {
    return this.#connections.get(origin) ?? null;
  }

  addresses(hostname: string): Promise<readonly string[] | null> {
    return this.names === null ? Promise.resolve([]) : everyAddress(this.names.lookup, hostname);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
    this.names?.close();
  }

  #client(origin: string, connect: buildConnector.connector, http2: boolean): Client {
    const note = (socket: Socket) => this.#connections.set(origin, connectionOf(socket));
    const client = new Client(origin, {
      ...CLIENT_OPTIONS,
      allowH2: http2,
      connect: (options, callback) =>
        connect(options, (...result) => {
          if (result[0] === null) note(result[1]);
          callback(...result);
        }),
    });
    return client.on('disconnect', () => this.#connections.delete(origin));
  }
}

/** Directly to each origin. */
export function directRoute(options: RouteOptions): NetworkRoute {
  const names = options.lookup ? new NameCache(options.lookup) : nameServerCache();
  const { http2 = false } = options;
  const connect = directConnector(options, names.lookup);
  const alone = http2 ? directConnector({ ...options, http2: false }, names.lookup) : connect;
  return new Connections(connect, http2, names, alone);
}

function nameServerCache(): NameCache {
  const servers = new NameServers();
  return new NameCache(servers.lookup, undefined, () => servers.close());
}
