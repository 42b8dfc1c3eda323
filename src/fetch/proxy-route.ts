import { Socket } from 'node:net';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import { messageOf, UsageError } from '../core/errors.ts';
import type { Ms } from '../core/types.ts';
import { ProxyError } from './failures.ts';
import { CLIENT_OPTIONS, type Connection, Connections, originConnector, type Route, type RouteOptions } from './routes.ts';

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

/**
 * Requests through a proxy. `http` targets are in absolute form (RFC 9112 §3.2.2). `https` targets use a CONNECT tunnel (RFC 9110 §9.3.6). undici's own
 * ProxyAgent opens a pool to the proxy for each target origin and does not close them, so it is not used.
 */
export class ProxyRoute implements Route {
  readonly names = null;
  readonly #pool: Pool;
  readonly #tunnels: Connections;
  readonly #credentials: readonly string[];
  readonly #connectTimeoutMs: Ms;

  /** @param connections number of connections to the proxy that plain `http` requests share. @throws UsageError */
  constructor(proxy: string, connections: number, options: RouteOptions) {
    const url = proxyUrlOf(proxy);
    const tls = { timeout: options.connectTimeoutMs, ...(options.ca === undefined ? {} : { ca: options.ca }) };
    const connect = buildConnector(tls);
    this.#credentials = credentialsOf(url);
    this.#connectTimeoutMs = options.connectTimeoutMs;
    this.#pool = new Pool(url.origin, {
      ...CLIENT_OPTIONS,
      connections,
      connect: (target, callback) =>
        connect(target, (...result) => {
          if (result[0] === null) callback(null, result[1]);
          else callback(new ProxyError(`proxy ${url.host}: ${result[0].message || 'no connection'}`, null, { cause: result[0] }), null);
        }),
    });
    const tunnelTls = originConnector(options);
    this.#tunnels = new Connections((target, callback) => {
      this.#tunnel(target).then(
        (socket) => tunnelTls({ ...target, httpSocket: socket }, callback),
        (error: Error) => callback(error, null),
      );
    }, options.http2 ?? false);
  }

  get(url: URL, fields: string[], handler: Dispatcher.DispatchHandler): void {
    if (url.protocol === 'https:') this.#tunnels.get(url, fields, handler);
    else this.#getAbsolute(url, ['host', url.host, ...this.#credentials, ...fields], handler);
  }

  /** The address at the other end is the proxy's, so it is removed; shared connections count as used before. */
  connection(origin: string): Connection | null {
    if (origin.startsWith('http:')) return { ip: null, requests: 1, h2: false, certificate: null };
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
    this.#pool.dispatch({ path: `${url.origin}${url.pathname}${url.search}`, method: 'GET', headers }, handler);
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
      return await this.#pool.connect({ path: authority, headers: ['host', authority, ...this.#credentials], signal });
    } catch (error) {
      if (error instanceof ProxyError) throw error;
      // A silent proxy is most likely waiting for the far host.
      if (signal.aborted) throw Object.assign(new Error(`no answer to CONNECT ${authority}`), { code: 'ETIMEDOUT' });
      throw new ProxyError(`CONNECT ${authority}: ${messageOf(error)}`, null, { cause: error });
    }
  }
}
