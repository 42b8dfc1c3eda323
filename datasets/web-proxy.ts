/** A loopback HTTP server that plays a whole web: as a forward proxy (absolute-form requests) or directly (by the Host header). */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { EnvironmentError, messageOf } from '../src/base/core/errors.ts';
import { seededRng } from '../src/base/core/rng.ts';
import type { Ms } from '../src/base/core/types.ts';
import { type PageAnswer, type PageSource, withoutQuery } from './page-source.ts';

/** One request as the server saw it. Times are monotonic (`performance.now()` of the serving process). */
export interface LogLine {
  readonly host: string;
  readonly path: string;
  /** The request head was read. */
  readonly start: Ms;
  /** The last byte was handed to the kernel, or the connection broke; NaN while neither has happened. */
  readonly end: Ms;
  /** 0 when the client left before the answer. */
  readonly status: number;
  /** The body was compressed. */
  readonly gzip: boolean;
}

export interface WebProxyOptions {
  /** 0 (default) lets the system choose. */
  readonly port?: number;
  /** Wait this long before each answer. Default 0. */
  readonly latency?: Ms;
  /** Share of the latency that an answer may come sooner or later by, at random. Default 0. */
  readonly spread?: number;
  /** Append each log line, as JSON, to this file. */
  readonly logFile?: string;
  /** robots.txt of chosen hosts; a host that is not here and whose source has none allows everything. */
  readonly robots?: ReadonlyMap<string, string>;
  /** Listen on every loopback address (127.0.0.0/8 on Linux), for URLs such as `http://127.0.3.7:port/`. Default: 127.0.0.1 only. */
  readonly direct?: boolean;
  /** Compress bodies for clients that accept gzip. Default: never. A body that the source gives again is compressed once. */
  readonly gzip?: boolean;
}

export interface RunningWeb {
  /** `http://127.0.0.1:port`, to be given to the crawler as its proxy. */
  readonly proxy: string;
  readonly port: number;
  /** Every request so far, by start. */
  readonly log: readonly LogLine[];
  close(): Promise<void>;
}

type OpenLine = { -readonly [K in keyof LogLine]: LogLine[K] };

const ALLOW_ALL = 'User-agent: *\nAllow: /\n';
/** Longer than any politeness delay a bench uses, so that a resting host's connection is not cut under the client. */
const KEEP_ALIVE_MS = 120_000;

/** Start serving `source`. @throws EnvironmentError when the port cannot be had. */
export async function startWebProxy(source: PageSource, options: WebProxyOptions = {}): Promise<RunningWeb> {
  const web = new WebProxy(source, options);
  await web.listen();
  return web;
}

class WebProxy implements RunningWeb {
  readonly log: OpenLine[] = [];
  readonly #source: PageSource;
  readonly #options: WebProxyOptions;
  readonly #server: Server;
  readonly #logFile: WriteStream | null;
  #port = 0;
  readonly #compressed = new WeakMap<Uint8Array, Uint8Array>();
  readonly #rng = seededRng(1);

  constructor(source: PageSource, options: WebProxyOptions) {
    this.#source = source;
    this.#options = options;
    this.#logFile = options.logFile === undefined ? null : createWriteStream(options.logFile, { flags: 'a' });
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true }, (request, response) => this.#handle(request, response));
    this.#server.on('connect', (_request: IncomingMessage, socket: Socket) => refuseTunnel(socket));
    if (options.direct === true) this.#server.on('connection', closeUnlessLoopback);
  }

  get port(): number {
    return this.#port;
  }

  get proxy(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    const wanted = this.#options.port ?? 0;
    try {
      this.#server.listen(wanted, this.#options.direct === true ? '0.0.0.0' : '127.0.0.1');
      await once(this.#server, 'listening');
    } catch (error) {
      throw new EnvironmentError(`cannot listen on port ${wanted}: ${messageOf(error)}; choose another with --port`, { cause: error });
    }
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : wanted;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
    const file = this.#logFile;
    if (file !== null) await new Promise<void>((resolve) => file.end(resolve));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const target = targetOf(request);
    // wget2 leaves the port out of its Host field.
    if (this.#options.direct === true && !target.host.includes(':')) target.host += `:${this.#port}`;
    const line: OpenLine = { host: target.host, path: target.path, start: performance.now(), end: Number.NaN, status: 0, gzip: false };
    this.log.push(line);
    request.resume();
    const answer = () => this.#answer(request, line, response);
    const { latency: mean = 0, spread = 0 } = this.#options;
    const latency = mean * (1 + spread * (2 * this.#rng() - 1));
    if (latency > 0) this.#later(answer, latency, line, response);
    else answer();
  }

  #later(answer: () => void, latency: Ms, line: OpenLine, response: ServerResponse): void {
    const timer = setTimeout(answer, latency);
    response.once('close', () => {
      clearTimeout(timer);
      this.#finish(line);
    });
  }

  #answer({ method = 'GET', headers }: IncomingMessage, line: OpenLine, response: ServerResponse): void {
    const found = this.#lookUp(method, line);
    line.gzip = this.#options.gzip === true && accepts(headers['accept-encoding'] ?? '', 'gzip');
    const answer = line.gzip ? this.#gzipped(found) : found;
    line.status = answer.status;
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.byteLength });
    response.end(method === 'HEAD' ? undefined : answer.body);
    // A body that fits the socket buffer is with the kernel now; the 'finish' event comes later than the client may react.
    if (response.writableLength === 0) this.#finish(line);
    else response.once('close', () => this.#finish(line));
  }

  #gzipped({ status, headers, body }: PageAnswer): PageAnswer {
    const compressed = this.#compressed.get(body) ?? gzipSync(body);
    this.#compressed.set(body, compressed);
    return { status, headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }, body: compressed };
  }

  #finish(line: OpenLine): void {
    if (!Number.isNaN(line.end)) return;
    line.end = performance.now();
    this.#logFile?.write(`${JSON.stringify(line)}\n`);
  }

  #lookUp(method: string, line: LogLine): PageAnswer {
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET and HEAD are answered here');
    const robots = withoutQuery(line.path) === '/robots.txt';
    const rules = robots ? this.#options.robots?.get(line.host) : undefined;
    if (rules !== undefined) return plain(200, rules);
    const answer = this.#source.get(line.host, line.path);
    if (answer === null) return plain(502, `${line.host} is not a host of this web`);
    return robots && answer.status === 404 ? plain(200, ALLOW_ALL) : answer;
  }
}

/** Host (lower case, `:80` left out) and path of a request in absolute form, else by its Host header. */
function targetOf(request: IncomingMessage): { host: string; readonly path: string } {
  const url = request.url ?? '/';
  if (!/^http:\/\//i.test(url)) return { host: hostName(request.headers.host ?? ''), path: url };
  const slash = url.slice(7).search(/[/?]/);
  if (slash < 0) return { host: hostName(url.slice(7)), path: '/' };
  const path = url.slice(7 + slash);
  return { host: hostName(url.slice(7, 7 + slash)), path: path.startsWith('?') ? `/${path}` : path };
}

/** Is the coding named in an `Accept-Encoding` field, and not with the weight 0? */
function accepts(field: string, coding: string): boolean {
  const parts = field.split(',').map((part) => part.toLowerCase().replaceAll(/\s/g, '').split(';q='));
  return parts.some(([name, weight = '1']) => name === coding && Number(weight) > 0);
}

function hostName(authority: string): string {
  const host = authority.toLowerCase();
  return host.endsWith(':80') ? host.slice(0, -3) : host;
}

function plain(status: number, text: string): PageAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) };
}

function refuseTunnel(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
}

/** The direct mode listens on 0.0.0.0 to have all of 127.0.0.0/8; nothing but loopback may come in by it. */
function closeUnlessLoopback(socket: Socket): void {
  const address = socket.remoteAddress ?? '';
  if (!address.startsWith('127.') && !address.startsWith('::ffff:127.')) socket.destroy();
}
