import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { FetchOutcome } from '../../../src/base/core/types.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { EXPIRED_CERTIFICATE, TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

const DEADLINE_MS = 500;
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** The port of a server that is closed, with its connections, when the test ends. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
  return (server.address() as AddressInfo).port;
}

function tlsServer(options: TlsOptions, onSocket: (socket: TLSSocket) => void = () => {}): Promise<number> {
  const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY, ...options }, (socket) => {
    socket.on('error', () => {});
    onSocket(socket);
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>secret</p>'));
  });
  return listening(server.on('tlsClientError', () => {}));
}

/** One request, trusting `ca`; every name leads to 127.0.0.1. */
function get(address: string, ca: string): Promise<FetchOutcome> {
  const fetcher = new HttpFetcher({
    userAgent: 'Forager/0',
    contact: null,
    clock: systemClock,
    allowPrivate: true,
    headersTimeoutMs: DEADLINE_MS,
    ca,
    lookup: (_name, _options, callback) => callback(null, '127.0.0.1', 4),
  });
  open.push(fetcher);
  return fetcher.fetch(urlOf(address), new AbortController().signal);
}

const tlsFailure = (detail: RegExp, code = 'tls') => ({ kind: 'failed', code, status: null, detail: expect.stringMatching(detail) });

test('a certificate that is trusted, and is of the host', async () => {
  expect(await get(`https://secure.test:${await tlsServer({})}/`, TEST_CERTIFICATE)).toMatchObject({ kind: 'page' });
});

test('a certificate that has expired', async () => {
  const port = await tlsServer({ cert: EXPIRED_CERTIFICATE });
  expect(await get(`https://secure.test:${port}/`, EXPIRED_CERTIFICATE)).toMatchObject(tlsFailure(/expired/, 'certificate-expired'));
});

test('a certificate that is signed by itself alone', async () => {
  const port = await tlsServer({});
  expect(await get(`https://secure.test:${port}/`, EXPIRED_CERTIFICATE)).toMatchObject(
    tlsFailure(/self-signed/, 'certificate-self-signed'),
  );
});

test('a certificate of another host', async () => {
  const port = await tlsServer({});
  expect(await get(`https://other.test:${port}/`, TEST_CERTIFICATE)).toMatchObject(tlsFailure(/altnames/, 'certificate-name'));
});

test('a server that speaks TLS 1.0 only', async () => {
  const port = await tlsServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
  expect(await get(`https://secure.test:${port}/`, TEST_CERTIFICATE)).toMatchObject(tlsFailure(/protocol version|unsupported protocol/));
});

test('the name of the host is sent before the handshake, that of an address is not', async () => {
  const names: unknown[] = [];
  const port = await tlsServer({}, ({ servername }) => names.push(servername));
  await get(`https://secure.test:${port}/`, TEST_CERTIFICATE);
  await get(`https://127.0.0.1:${port}/`, TEST_CERTIFICATE);
  expect(names).toEqual(['secure.test', false]);
});

test('a handshake that never ends', async () => {
  const port = await listening(createTcpServer(() => {}));
  const started = performance.now();
  expect(await get(`https://secure.test:${port}/`, TEST_CERTIFICATE)).toMatchObject({ kind: 'failed', code: 'timeout', status: null });
  expect(performance.now() - started).toBeLessThan(HANGS);
});

test('a handshake that is cut off is no certificate’s fault', async () => {
  const port = await listening(createTcpServer((socket) => socket.once('data', () => socket.destroy())));
  expect(await get(`https://secure.test:${port}/`, TEST_CERTIFICATE)).toMatchObject({ kind: 'failed', code: 'reset', status: null });
});

test('plain HTTP where TLS was asked for', async () => {
  const port = await listening(createTcpServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))));
  expect(await get(`https://secure.test:${port}/`, TEST_CERTIFICATE)).toMatchObject(tlsFailure(/wrong version|packet length|http request/));
});
