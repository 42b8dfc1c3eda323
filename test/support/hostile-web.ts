/** A web server on 127.0.0.1 that misbehaves on purpose, one fault a path. Raw sockets, since HTTP servers refuse to be this wrong. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export interface RequestLog {
  readonly method: string;
  /** Request target as on the request line. */
  readonly target: string;
  /** Names and values in order, as sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
}

export interface HostileWeb {
  readonly origin: string;
  /** An origin that resets every connection as soon as it is made. */
  readonly resetOrigin: string;
  readonly log: RequestLog[];
  close(): Promise<void>;
}

/** Ordinary answers, by path. */
export type HostileFiles = Readonly<Record<string, { readonly type: string; readonly body: string | Uint8Array }>>;

interface Visit {
  readonly socket: Socket;
  readonly url: URL;
  /** Requests on this connection so far, this one included. */
  readonly turn: number;
}

type Fault = (visit: Visit) => void;

/** The page behind every encoding. */
export const SAMPLE_HTML = `<!doctype html><title>Sample</title><h1>Sample</h1>${paragraphs(200)}`;
/** Text that cannot be compressed to nothing, so that a damaged archive of it has a good first half. */
function paragraphs(count: number): string {
  let out = '';
  for (let i = 0; i < count; i++) out += `<p>Paragraph ${i} says ${((i * 2654435761) % 4294967296).toString(36)}.</p>\n`;
  return out;
}

const HTML = 'text/html; charset=utf-8';

function head(status: string, fields: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

function respond(socket: Socket, status: string, fields: Readonly<Record<string, string | number>>, body: string | Uint8Array = ''): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  socket.write(Buffer.concat([Buffer.from(head(status, { ...fields, 'Content-Length': bytes.byteLength }), 'latin1'), bytes]));
}

/** A page with its body in some content coding. */
function coded(coding: string, body: Uint8Array): Fault {
  return ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML, 'Content-Encoding': coding }, body);
}

function redirect(location: string | null, status = '302 Found'): Fault {
  return ({ socket }) => respond(socket, status, location === null ? {} : { Location: location });
}

/** Call `step` every `ms` until the other side has gone. */
function every(socket: Socket, ms: number, step: () => void): void {
  const timer = setInterval(step, ms);
  socket.once('close', () => clearInterval(timer));
}

/** Write for ever, as fast as the other side reads. */
function flood(socket: Socket, chunk: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

const MB = 1024 * 1024;
const zeros = (size: number) => Buffer.alloc(size, 0x20);
const sampleGzip = gzipSync(SAMPLE_HTML);

function damaged(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  copy.fill(0xff, copy.byteLength >> 1, (copy.byteLength >> 1) + 64);
  return copy;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  '/page': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML, 'X-Case': 'Kept' }, SAMPLE_HTML),
  '/empty': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML }),
  '/chunked': ({ socket }) =>
    socket.write(
      `${head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked' })}5\r\n<p>on\r\n7\r\ne two</\r\n2\r\np>\r\n0\r\n\r\n`,
    ),
  '/no-type': ({ socket }) => respond(socket, '200 OK', {}, SAMPLE_HTML),

  // Too slow.
  '/silent': () => {},
  '/slow-headers': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(socket, 20, () => socket.write('X-Filler: 1\r\n'));
  },
  '/drip': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Content-Length': 100000 }));
    every(socket, 20, () => socket.write('x'));
  },
  '/stall': ({ socket }) => socket.write(`${head('200 OK', { 'Content-Type': HTML, 'Content-Length': 100000 })}<p>the first words`),

  // Too much.
  '/endless': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked' }));
    flood(socket, Buffer.from(`10000\r\n${'a'.repeat(0x10000)}\r\n`));
  },
  '/huge-length': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Content-Length': 4e9 }));
    flood(socket, zeros(65536));
  },
  '/endless-error': ({ socket }) => {
    socket.write(head('500 Internal Server Error', { 'Transfer-Encoding': 'chunked' }));
    flood(socket, Buffer.from(`10000\r\n${'a'.repeat(0x10000)}\r\n`));
  },
  '/huge-headers': ({ socket }) => socket.write(head('200 OK', { 'X-Huge': 'h'.repeat(400_000), 'Content-Length': 0 })),
  '/many-headers': ({ socket }) => socket.write(`HTTP/1.1 200 OK\r\n${'X-Many: 1\r\n'.repeat(10_000)}Content-Length: 0\r\n\r\n`),

  // Cut off.
  '/partial': ({ socket }) => socket.end(`${head('200 OK', { 'Content-Type': HTML, 'Content-Length': 1000 })}<p>the first words`),
  '/partial-chunked': ({ socket }) =>
    socket.end(`${head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked' })}10\r\n<p>the first wor\r\n10\r\nds`),
  '/partial-chunked-close': ({ socket }) =>
    socket.end(
      `${head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked', Connection: 'close' })}10\r\n<p>the first wor\r\n10\r\nds`,
    ),
  '/until-close': ({ socket }) => socket.end(`${head('200 OK', { 'Content-Type': HTML, Connection: 'close' })}<p>all of it</p>`),
  '/no-answer': ({ socket }) => socket.end(),
  '/reset': ({ socket }) => socket.resetAndDestroy(),
  /** Data and reset must come apart, or Linux reports a plain end. */
  '/reset-mid-body': ({ socket }) => {
    socket.write(`${head('200 OK', { 'Content-Type': HTML, 'Content-Length': 1000 })}<p>the first words`);
    every(socket, 30, () => socket.resetAndDestroy());
  },
  /** The second request on a connection meets a closed door, as when a keep-alive timeout has just run out. */
  '/stale': ({ socket, turn }) => {
    if (turn > 1) socket.resetAndDestroy();
    else respond(socket, '200 OK', { 'Content-Type': HTML }, '<p>fresh</p>');
  },
  '/short-length': ({ socket }) => socket.write(`${head('200 OK', { 'Content-Type': HTML, 'Content-Length': 9 })}<p>cut</p> and more`),

  // Content codings.
  '/gzip': coded('gzip', sampleGzip),
  '/br': coded('br', brotliCompressSync(SAMPLE_HTML)),
  '/deflate': coded('deflate', deflateSync(SAMPLE_HTML)),
  '/raw-deflate': coded('deflate', deflateRawSync(SAMPLE_HTML)),
  '/twice': coded('gzip, br', brotliCompressSync(sampleGzip)),
  '/many-codings': coded('gzip, gzip, gzip, gzip', sampleGzip),
  '/zstd': coded('zstd', Buffer.from('28b52ffd', 'hex')),
  '/false-gzip': coded('gzip', Buffer.from(SAMPLE_HTML)),
  '/gzip-of-nothing': coded('gzip', Buffer.alloc(0)),
  '/corrupt-gzip': coded('gzip', damaged(sampleGzip)),
  '/truncated-gzip': coded('gzip', sampleGzip.subarray(0, sampleGzip.byteLength >> 1)),
  '/corrupt-br': coded('br', damaged(brotliCompressSync(SAMPLE_HTML))),
  '/hopeless-br': coded('br', Buffer.alloc(64, 0xff)),
  '/gzip-bomb': (visit) => coded('gzip', gzipSync(zeros(16 * MB), { level: 1 }))(visit),
  '/br-bomb': (visit) => coded('br', brotliCompressSync(zeros(16 * MB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }))(visit),
  '/big-gzip': ({ socket }) => {
    const body = gzipSync(Buffer.from(SAMPLE_HTML.repeat(100)), { level: 0 });
    respond(socket, '200 OK', { 'Content-Type': HTML, 'Content-Encoding': 'gzip' }, body);
  },

  // Redirects.
  '/redirect-loop': redirect('/redirect-loop'),
  '/redirect-relative': redirect('../elsewhere/?q=1#part', '301 Moved Permanently'),
  '/redirect-none': redirect(null),
  '/redirect-garbage': redirect('http://['),
  '/redirect-file': redirect('file:///etc/passwd'),
  '/redirect-script': redirect('javascript:alert(1)'),
  '/redirect-utf8': ({ socket }) =>
    socket.write(Buffer.from(head('302 Found', { Location: '/caf\u00c3\u00a9', 'Content-Length': 0 }), 'latin1')),
  '/redirect-latin1': ({ socket }) =>
    socket.write(Buffer.from(head('302 Found', { Location: '/caf\u00e9', 'Content-Length': 0 }), 'latin1')),
  '/redirect-private': redirect('http://10.0.0.1/'),

  // Statuses: /status?code=503&retry-after=120
  '/status': ({ socket, url }) => {
    const retryAfter = url.searchParams.get('retry-after');
    const code = url.searchParams.get('code') ?? '200';
    if (code === '204' || code === '304') socket.write(head(`${code} Nothing`, {}));
    else
      respond(socket, `${code} Some Reason`, { 'Content-Type': HTML, ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }) }, 'no');
  },
  '/early-hints': ({ socket }) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'.repeat(3));
    respond(socket, '200 OK', { 'Content-Type': HTML }, '<p>after hints</p>');
  },
  '/continue': ({ socket }) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
  '/upgrade': ({ socket }) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n'),

  // Not what it says.
  '/pdf': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': 'application/pdf', 'Content-Length': 50 * MB }));
    flood(socket, zeros(65536));
  },
  '/binary-as-html': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Content-Length': 5 * MB }));
    flood(socket, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(65528)]));
  },
  '/small-binary-as-html': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML }, Buffer.from('89504e470d0a1a0a00', 'hex')),
  '/gzipped-binary-as-html': coded('gzip', gzipSync(Buffer.from('%PDF-1.7\n%\u00e2\u00e3'))),
  '/wrong-charset': ({ socket }) =>
    respond(socket, '200 OK', { 'Content-Type': 'text/html; charset=shift_jis' }, '<meta charset=utf-8><p>na\u00efve caf\u00e9</p>'),

  // No HTTP.
  '/garbage': ({ socket }) => socket.end(Buffer.from('00ff17031337cafebabe0a0a', 'hex')),
  '/http09': ({ socket }) => socket.end('<html><p>Hello from 1991</html>'),
  '/nul-header': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nX-Nul: a\u0000b\r\nContent-Length: 0\r\n\r\n'),
  '/two-lengths': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg'),
  '/bad-chunk': ({ socket }) => socket.write(`${head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked' })}zz\r\nhello\r\n`),
};

/** Names of all faults, as paths. */
export const FAULT_PATHS: readonly string[] = Object.keys(FAULTS);

function parseRequest(text: string, connection: number): RequestLog {
  const [requestLine = '', ...fields] = text.split('\r\n');
  const [method = '', target = ''] = requestLine.split(' ');
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon), field.slice(colon + 1).trim()];
  });
  return { method, target, headers, connection };
}

/** Read requests without bodies off a socket, one after the other. */
function serve(socket: Socket, connection: number, log: RequestLog[], files: HostileFiles): void {
  let pending = '';
  let turn = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    pending += data.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const request = parseRequest(pending.slice(0, end), connection);
      pending = pending.slice(end + 4);
      turn += 1;
      log.push(request);
      const url = new URL(request.target, 'http://hostile');
      const file = files[url.pathname];
      const fault = FAULTS[url.pathname];
      if (file) respond(socket, '200 OK', { 'Content-Type': file.type }, file.body);
      else if (fault) fault({ socket, url, turn });
      else respond(socket, '404 Not Found', { 'Content-Type': HTML }, '<p>not here</p>');
    }
  });
}

async function listen(onSocket: (socket: Socket) => void): Promise<{ origin: string; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Start the hostile web on free ports, with some well-behaved `files` of your own beside the faults. */
export async function startHostileWeb(files: HostileFiles = {}): Promise<HostileWeb> {
  const log: RequestLog[] = [];
  let connections = 0;
  const web = await listen((socket) => {
    connections += 1;
    serve(socket, connections, log, files);
  });
  const resetting = await listen((socket) => socket.resetAndDestroy());
  const close = async () => {
    await Promise.all([web.close(), resetting.close()]);
  };
  return { origin: web.origin, resetOrigin: resetting.origin, log, close };
}
