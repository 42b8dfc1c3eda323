import { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import connectBy from 'undici/lib/api/api-connect.js';
import connectorFrom from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import { ProxyError } from './failures.ts';
import type { LenientRoute } from './lenient-request.ts';
import {
  CLIENT_OPTIONS,
  type Connection,
  Connections,
  connected,
  type NetworkRoute,
  originConnector,
  type RouteOptions,
  targetOf,
} from './routes.ts';

/** The proxy's URL, checked. @throws UsageError, which does not quote it: it may contain a password */
export function proxyUrlOf(proxy: string): URL {
  const url = URL.canParse(proxy) ? new URL(proxy) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError('--proxy: not a proxy address; give http://host:port');
}

function credentialsOf({ username, password }: URL): readonly string[] {
  if (username === '' && password === '') return [];
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['proxy-authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
}

/** A connection of the proxy's, for plain http: nothing is known of the other end. */
const SHARED: Connection = { ip: null, requests: 0, h2: false, certificate: null, lenient: false };

function absoluteFormOf(url: URL): string {
  return `${url.origin}${url.pathname}${url.search}`;
}

/**
 * Requests through a proxy. `http` targets are in absolute form (RFC 9112 §3.2.2). `https` targets use a CONNECT tunnel (RFC 9110 §9.3.6). undici's own
 * ProxyAgent opens a pool to the proxy for each target origin and does not close them, so it is not used.
 */
export class ProxyRoute implements NetworkRoute {
  readonly names = null;
  readonly #pool: Pool;
  readonly #tunnels: Connections;
  readonly #connectProxy: () => Promise<Socket>;
  readonly #credentials: readonly string[];
  readonly #connectTimeoutMs: Ms;

  /** @param connections number of connections to the proxy that plain `http` requests share. @throws UsageError */
  constructor(proxy: string, connections: number, options: RouteOptions) {
    const url = proxyUrlOf(proxy);
    const tls = { timeout: options.connectTimeoutMs, ...(options.ca === undefined ? {} : { ca: options.ca }) };
    const connect = connectorFrom(tls);
    this.#credentials = credentialsOf(url);
    this.#connectTimeoutMs = options.connectTimeoutMs;
    const toProxy: buildConnector.connector = (target, callback) =>
      connect(target, (...result) => {
        if (result[0] === null) callback(null, result[1]);
        else callback(new ProxyError(`proxy ${url.host}: ${result[0].message || 'no connection'}`, null, { cause: result[0] }), null);
      });
    this.#pool = new Pool(url.origin, { ...CLIENT_OPTIONS, connections, connect: toProxy });
    this.#connectProxy = () => connected(toProxy, targetOf(url));
    const tunnelled =
      (tls: buildConnector.connector): buildConnector.connector =>
      (target, callback) => {
        this.#tunnel(target).then(
          (socket) => tls({ ...target, httpSocket: socket }, callback),
          (error: Error) => callback(error, null),
        );
      };
    const { http2 = false } = options;
    const connectAlone = tunnelled(originConnector({ ...options, http2: false }));
    this.#tunnels = new Connections(tunnelled(originConnector(options)), http2, null, connectAlone);
  }

  get(url: URL, fields: string[], handler: Dispatcher.DispatchHandler): void {
    if (url.protocol === 'https:') this.#tunnels.get(url, fields, handler);
    else this.#getAbsolute(url, ['host', url.host, ...this.#credentials, ...fields], handler);
  }

  lenient(url: URL): LenientRoute {
    if (url.protocol === 'https:') {
      const tunnel = this.#tunnels.lenient(url);
      return { ...tunnel, connectionOf: (socket) => ({ ...tunnel.connectionOf(socket), ip: null }) };
    }
    return {
      open: this.#connectProxy,
      target: absoluteFormOf(url),
      fields: ['host', url.host, ...this.#credentials],
      connectionOf: () => ({ ...SHARED, lenient: true }),
    };
  }

  /** The address at the other end is the proxy's, so it is removed; shared connections count as used before. */
  connection(origin: string): Connection | null {
    if (origin.startsWith('http:')) return { ...SHARED, requests: 1 };
    const connection = this.#tunnels.connection(origin);
    if (connection !== null) connection.ip = null;
    return connection;
  }

  addresses(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#tunnels.close(), this.#pool.destroy()]);
  }

  #getAbsolute(url: URL, headers: string[], handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch({ path: absoluteFormOf(url), method: 'GET', headers }, handler);
  }

  async #tunnel({ hostname, port }: buildConnector.Options): Promise<Socket> {
    const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || '443'}`;
    const { socket, statusCode } = await this.#connect(authority);
    socket.on('error', () => {});
    if (statusCode >= 200 && statusCode < 300 && socket instanceof Socket) return socket;
    socket.destroy();
    throw new ProxyError(`the proxy answered ${statusCode} to CONNECT ${authority}`, statusCode);
  }

  async #connect(authority: string): Promise<Dispatcher.ConnectData> {
    const signal = AbortSignal.timeout(this.#connectTimeoutMs);
    try {
      return await connectBy.call(this.#pool, { path: authority, headers: ['host', authority, ...this.#credentials], signal });
    } catch (error) {
      if (error instanceof ProxyError) throw error;
      // A silent proxy is most likely waiting for the far host.
      if (signal.aborted) throw Object.assign(new Error(`no answer to CONNECT ${authority}`), { code: 'ETIMEDOUT' });
      throw new ProxyError(`CONNECT ${authority}: ${messageOf(error)}`, null, { cause: error });
    }
  }
}
