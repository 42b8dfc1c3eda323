/** What the hostile web does wrong, one fault a path. */
import type { Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export interface Visit {
  readonly socket: Socket;
  readonly url: URL;
  /** Requests on this connection so far, this one included. */
  readonly turn: number;
}

export type Fault = (visit: Visit) => void;

/** The page behind every encoding. */
export const SAMPLE_HTML = `<!doctype html><title>Sample</title><h1>Sample</h1>${paragraphs(200)}`;
/** Text that cannot be compressed to nothing, so that a damaged archive of it has a good first half. */
function paragraphs(count: number): string {
  let out = '';
  for (let i = 0; i < count; i++) out += `<p>Paragraph ${i} says ${((i * 2654435761) % 4294967296).toString(36)}.</p>\n`;
  return out;
}

export const HTML = 'text/html; charset=utf-8';

function head(status: string, fields: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

export function respond(
  socket: Socket,
  status: string,
  fields: Readonly<Record<string, string | number>>,
  body: string | Uint8Array = '',
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  socket.write(Buffer.concat([Buffer.from(head(status, { ...fields, 'Content-Length': bytes.byteLength }), 'latin1'), bytes]));
}

/** A page with its body in some content coding. */
function coded(coding: string, body: Uint8Array): Fault {
  return ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML, 'Content-Encoding': coding }, body);
}

/** Made when it is first asked for, since packing megabytes takes a while, and once. */
function lazily(make: () => Fault): Fault {
  let made: Fault | null = null;
  return (visit) => {
    made ??= make();
    made(visit);
  };
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

const CAPTCHA = '<title>Just a moment</title><p>Checking that you are human.</p>';

const MB = 1024 * 1024;
const zeros = (size: number) => Buffer.alloc(size, 0x20);
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const sampleGzip = gzipSync(SAMPLE_HTML);

function damaged(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  copy.fill(0xff, copy.byteLength >> 1, (copy.byteLength >> 1) + 64);
  return copy;
}

export const FAULTS: Readonly<Record<string, Fault>> = {
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

  /** Fast enough for any minimum rate, and without end. */
  '/steady-drip': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked' }));
    every(socket, 20, () => socket.write(`64\r\n${'x'.repeat(100)}\r\n`));
  },

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
  '/endless-headers': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, Buffer.from('X-Many: 1\r\n'.repeat(1000)));
  },
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
  // Data and reset must come apart, or Linux reports a plain end.
  '/reset-mid-headers': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Half: ');
    every(socket, 30, () => socket.resetAndDestroy());
  },
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
  '/gzip-bomb': lazily(() => coded('gzip', gzipSync(zeros(16 * MB), { level: 1 }))),
  '/br-bomb': lazily(() => coded('br', brotliCompressSync(zeros(16 * MB), FAST_BROTLI))),
  '/deflate-bomb': lazily(() => coded('deflate', deflateSync(zeros(16 * MB), { level: 1 }))),
  /** A few kilobytes that are 64 MB two codings later. */
  '/nested-bomb': lazily(() => coded('gzip, gzip', gzipSync(gzipSync(zeros(64 * MB), { level: 1 })))),
  '/nested-br-bomb': lazily(() => coded('br, gzip', gzipSync(brotliCompressSync(zeros(64 * MB), FAST_BROTLI)))),
  /** An archive, said to be gzipped on the way besides. */
  '/archive.gz': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': 'application/gzip', 'Content-Encoding': 'gzip' }, sampleGzip),
  '/big-gzip': ({ socket }) => {
    const body = gzipSync(Buffer.from(SAMPLE_HTML.repeat(100)), { level: 0 });
    respond(socket, '200 OK', { 'Content-Type': HTML, 'Content-Encoding': 'gzip' }, body);
  },

  // Redirects.
  '/redirect-loop': redirect('/redirect-loop'),
  /** Fifty hops: /redirect-chain?n=0 to n=50. */
  '/redirect-chain': ({ socket, url }) => {
    const n = Number(url.searchParams.get('n') ?? 0);
    if (n < 50) redirect(`/redirect-chain?n=${n + 1}`)({ socket, url, turn: 1 });
    else respond(socket, '200 OK', { 'Content-Type': HTML }, '<p>the end</p>');
  },
  '/redirect-data': redirect('data:text/html,<p>hi</p>'),
  '/set-cookie': ({ socket }) =>
    respond(
      socket,
      '200 OK',
      { 'Content-Type': HTML, 'Set-Cookie': 'id=1; Path=/', 'WWW-Authenticate': 'Basic realm="x"' },
      '<a href="/page">on</a>',
    ),
  '/unauthorized': ({ socket }) =>
    respond(socket, '401 Unauthorized', { 'Content-Type': HTML, 'Set-Cookie': 'id=2', 'WWW-Authenticate': 'Basic realm="x"' }, 'no'),
  /** A page that refreshes to another, and that one back. */
  '/refresh': ({ socket, url }) => {
    const other = url.searchParams.get('n') === '1' ? '2' : '1';
    respond(
      socket,
      '200 OK',
      { 'Content-Type': HTML },
      `<meta http-equiv="refresh" content="0;url=/refresh?n=${other}"><p>page ${url.search}</p>`,
    );
  },
  '/redirect-credentials': redirect('http://name:secret@elsewhere.test/'),
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
  '/no-content-with-body': ({ socket }) => socket.write(`${head('204 No Content', { 'Content-Type': HTML })}<p>a body all the same</p>`),
  '/not-modified-with-body': ({ socket }) => respond(socket, '304 Not Modified', { 'Content-Type': HTML }, '<p>a body all the same</p>'),
  '/partial-content': ({ socket }) =>
    respond(socket, '206 Partial Content', { 'Content-Type': HTML, 'Content-Range': 'bytes 0-15/1000' }, '<p>the first wor'),
  '/content-range': ({ socket, url }) =>
    respond(
      socket,
      '206 Partial Content',
      { 'Content-Type': HTML, 'Content-Range': url.searchParams.get('is') ?? '' },
      '<p>the first word',
    ),
  '/interim-flood': ({ socket }) =>
    flood(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'.repeat(100))),
  '/early-hints': ({ socket }) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'.repeat(3));
    respond(socket, '200 OK', { 'Content-Type': HTML }, '<p>after hints</p>');
  },
  '/continue': ({ socket }) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
  '/upgrade': ({ socket }) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n'),

  // Challenges in place of pages.
  '/challenge': ({ socket }) => respond(socket, '403 Forbidden', { 'Content-Type': HTML, 'CF-Mitigated': 'challenge' }, CAPTCHA),
  '/challenge-ok': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML, 'cf-mitigated': 'challenge' }, CAPTCHA),
  '/challenge-accepted': ({ socket }) =>
    respond(socket, '202 Accepted', { 'Content-Type': HTML, 'x-amzn-waf-action': 'challenge' }, CAPTCHA),
  '/captcha': ({ socket }) =>
    respond(socket, '405 Method Not Allowed', { 'Content-Type': HTML, 'x-amzn-waf-action': 'captcha', 'Retry-After': '90' }, CAPTCHA),

  // Not what it says.
  '/pdf': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': 'application/pdf', 'Content-Length': 50 * MB }));
    flood(socket, zeros(65536));
  },
  '/binary-as-html': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Content-Length': 5 * MB }));
    flood(socket, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(65528)]));
  },
  '/zip-as-html': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': HTML, 'Content-Length': 5 * MB }));
    flood(socket, Buffer.concat([Buffer.from('504b030414000000', 'hex'), Buffer.alloc(65528)]));
  },
  '/image': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': 'image/png', 'Content-Length': 5 * MB }));
    flood(socket, zeros(65536));
  },
  '/video': ({ socket }) => {
    socket.write(head('200 OK', { 'Content-Type': 'video/mp4', 'Transfer-Encoding': 'chunked' }));
    flood(socket, Buffer.from(`10000\r\n${'a'.repeat(0x10000)}\r\n`));
  },
  /** A PDF by its beginning, a page by what follows. */
  '/polyglot': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML }, `%PDF-1.7\n${SAMPLE_HTML}`),
  '/small-binary-as-html': ({ socket }) => respond(socket, '200 OK', { 'Content-Type': HTML }, Buffer.from('89504e470d0a1a0a00', 'hex')),
  '/gzipped-binary-as-html': coded('gzip', gzipSync(Buffer.from('%PDF-1.7\n%\u00e2\u00e3'))),
  '/wrong-charset': ({ socket }) =>
    respond(socket, '200 OK', { 'Content-Type': 'text/html; charset=shift_jis' }, '<meta charset=utf-8><p>na\u00efve caf\u00e9</p>'),

  // No HTTP.
  '/garbage': ({ socket }) => socket.end(Buffer.from('00ff17031337cafebabe0a0a', 'hex')),
  '/http09': ({ socket }) => socket.end('<html><p>Hello from 1991</html>'),
  '/nul-header': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nX-Nul: a\u0000b\r\nContent-Length: 0\r\n\r\n'),
  '/obs-fold': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nX-Long: a\r\n b\r\nContent-Length: 2\r\n\r\nok'),
  '/same-length-twice': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'),
  '/length-and-chunks': ({ socket }) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
  '/negative-length': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok'),
  '/two-lengths': ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg'),
  '/bad-chunk': ({ socket }) => socket.write(`${head('200 OK', { 'Content-Type': HTML, 'Transfer-Encoding': 'chunked' })}zz\r\nhello\r\n`),
};

/** Names of all faults, as paths. */
export const FAULT_PATHS: readonly string[] = Object.keys(FAULTS);
