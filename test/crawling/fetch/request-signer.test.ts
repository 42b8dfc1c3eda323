/** Signed requests, by a server that verifies each with the packages of the drafts' authors. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { crawl } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/core/clock.ts';
import { UsageError } from '../../../src/base/core/errors.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { openSigner } from '../../../src/crawling/fetch/request-signer.ts';
import { makeSigningKey, readSigningKey } from '../../../src/crawling/fetch/signing-key.ts';
import { smallWeb, trainedOn } from '../../faces/cli/small-web.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls.ts';

interface Jwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
}

/** `web-bot-auth`: verifies tag, times and signature. */
interface WebBotAuth {
  verify(request: { method: string; url: string; headers: Record<string, string> }, verifier: unknown): Promise<void>;
}

/** `http-message-sig`: verifies coverage, times and signature. */
interface MessageSignatures {
  verifySignature(request: Request, options: object): Promise<{ parameters: { keyid: string; nonce: string } }>;
  webcrypto: { verifier(key: unknown): unknown };
}

const load = async <T>(name: string): Promise<T> => (await import(name)) as T;
const botAuth = await load<WebBotAuth>('web-bot-auth');
const { verifierFromJWK } = await load<{ verifierFromJWK(jwk: Jwk): Promise<unknown> }>('web-bot-auth/crypto');
const { verifySignature, webcrypto } = await load<MessageSignatures>('http-message-sig');

const AGENT = 'https://crawler.example.org';
const SIGNAL = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'forager-sign-'));
const small = smallWeb();
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), () => small.close()];
afterAll(async () => {
  for (const close of closers) await close();
});

const keyFile = join(folder, 'forager.key');
const [published] = (JSON.parse(makeSigningKey(keyFile)) as { keys: [Jwk] }).keys;
const secret = (JSON.parse(readFileSync(keyFile, 'utf8')) as { d: string }).d;

/** Both verifiers accept it. @returns its nonce @throws what a verifier says */
async function verified(url: string, headers: IncomingHttpHeaders): Promise<string> {
  const fields = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (name.startsWith(':') ? [] : [[name, String(value)]])),
  );
  expect(fields['signature-agent']).toBe(`"${AGENT}"`);
  await botAuth.verify({ method: 'GET', url, headers: fields }, await verifierFromJWK(published));
  const key = await crypto.subtle.importKey('jwk', published, { name: 'Ed25519' }, true, ['verify']);
  const { parameters } = await verifySignature(new Request(url, { headers: fields }), {
    policy: {
      algorithms: ['ed25519'],
      requiredComponents: ['@authority', 'signature-agent'],
      requiredParameters: ['created', 'expires', 'keyid', 'nonce', 'tag'],
      maxAge: 60,
    },
    resolveVerifier: () => webcrypto.verifier(key),
  });
  expect(parameters.keyid).toBe(published.kid);
  return parameters.nonce;
}

interface Verifying {
  readonly base: string;
  readonly nonces: string[];
  readonly paths: string[];
  readonly refusals: string[];
}

/** A server that answers 403 to a request that a verifier does not accept. The first request for `/again` ends without an answer. */
async function verifying(server: Server | Http2SecureServer, scheme: string): Promise<Verifying> {
  const [nonces, paths, refusals]: string[][] = [[], [], []];
  const all: Verifying = { base: '', nonces: nonces ?? [], paths: paths ?? [], refusals: refusals ?? [] };
  const listened = server as Server;
  listened.on('request', ({ url: path = '', headers }, response) => {
    all.paths.push(path);
    verified(`${scheme}://${headers[':authority'] ?? headers.host}${path}`, headers).then(
      (nonce) => {
        all.nonces.push(nonce);
        if (path === '/to') response.writeHead(302, { location: '/target' }).end();
        else if (path === '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nAllow: /\n');
        else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${path}</title><p>Moss. <a href="/to">to</a>`);
      },
      (error: unknown) => {
        all.refusals.push(String(error));
        response.writeHead(403).end();
      },
    );
  });
  await new Promise<void>((resolve) => listened.listen(0, '127.0.0.1', resolve));
  closers.push(() => listened.close());
  return { ...all, base: `${scheme}://127.0.0.1:${(listened.address() as AddressInfo).port}` };
}

function fetcherOf(clock: Clock, warnings: string[], more: object = {}): HttpFetcher {
  const signer = openSigner(keyFile, AGENT, clock, (message) => warnings.push(message));
  const fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true, signer, ...more });
  closers.push(() => fetcher.close());
  return fetcher;
}

test.each([
  ['HTTP/1.1', () => createServer(), 'http'],
  ['HTTP/2', () => createSecureServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }), 'https'],
])('%s: both verifiers accept each request, and no nonce comes twice', async (_, server, scheme) => {
  const { base, nonces, refusals } = await verifying(server(), scheme);
  const fetcher = fetcherOf(systemClock, [], { http2: true, ca: TEST_CERTIFICATE });
  const outcomes = [await fetcher.fetchFile(urlOf(`${base}/robots.txt`), 1000, SIGNAL)];
  for (const path of ['/a', '/a', '/to', '/target']) outcomes.push(await fetcher.fetch(urlOf(`${base}${path}`), SIGNAL));
  expect(refusals).toEqual([]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['page', 'page', 'page', 'redirect', 'page']);
  expect(new Set(nonces).size).toBe(5);
});

test.each([
  ['behind', -600_000, 'expired'],
  ['ahead of', 600_000, 'future'],
])('a clock that is %s that of the server is refused, and one message names it', async (side, off, why) => {
  const { base, refusals } = await verifying(createServer(), 'http');
  const warnings: string[] = [];
  const clock = { ...systemClock, now: () => systemClock.now(), sleep: systemClock.sleep, date: () => Date.now() + off };
  const fetcher = fetcherOf(clock, warnings);
  for (const path of ['/a', '/b'])
    expect(await fetcher.fetch(urlOf(`${base}${path}`), SIGNAL)).toMatchObject({ kind: 'failed', status: 403 });
  expect(refusals).toHaveLength(2);
  expect(refusals[0]).toContain(why);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    new RegExp(
      `127.0.0.1:\\d+ refuses a signed request with 403: the clock of this machine is (?:599|60[01]) s ${side} that server's.* set the clock`,
    ),
  );
});

test('a crawl signs all its requests; the WARC has the signatures, and no file the private key', async () => {
  const { base, paths, refusals, nonces } = await verifying(createServer(), 'http');
  const dir = small.path('signed');
  const events: string[] = [];
  const options = {
    topic: await trainedOn(small),
    seeds: [`${base}/a`],
    delay: 0,
    allowPrivate: true,
    workers: 1,
    record: true,
    log: small.path('signed.log'),
  };
  await crawl({ dir, ...options, signKey: keyFile, signAgent: AGENT, onEvent: (event) => void events.push(JSON.stringify(event)) });
  expect(refusals).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(['/robots.txt', '/a', '/to', '/target']));
  expect(nonces).toHaveLength(paths.length);
  expect(JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8'))).toMatchObject({ signKey: keyFile, signAgent: AGENT });
  const files = (readdirSync(dir, { recursive: true }) as string[])
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .concat(small.path('signed.log'));
  const bytes = files.map((path) => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)));
  for (const text of [...bytes, ...events]) expect(text.includes(secret)).toBe(false);
  expect(bytes.some((text) => text.includes(`signature-agent: "${AGENT}"`))).toBe(true);
});

test('a key that cannot sign, or that others may read, is refused with the next step', () => {
  const other = join(folder, 'other.key');
  const refusal = (text: string, mode = 0o600) => {
    writeFileSync(other, text);
    chmodSync(other, mode);
    try {
      readSigningKey(other);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      return String(error);
    }
    return 'none';
  };
  const key = readFileSync(keyFile, 'utf8');
  const { d: _, ...open } = JSON.parse(key) as Record<string, string>;
  expect(refusal(key)).toBe('none');
  expect(refusal(key, 0o644)).toContain(`others may read the private key; run chmod 600 ${other}`);
  for (const text of [
    '',
    'no key',
    'null',
    JSON.stringify({ kty: 'RSA', n: secret }),
    JSON.stringify(open),
    JSON.stringify({ ...open, d: 'short' }),
  ]) {
    expect(refusal(text)).toMatch(/forager sign-key|public key; give the private key/);
    expect(refusal(text)).not.toContain(secret);
  }
  expect(() => openSigner(null, AGENT, systemClock, () => undefined)).toThrow('give --sign-key FILE');
  for (const agent of ['http://a.test', 'https://a.test/x', 'a.test'])
    expect(() => openSigner(keyFile, agent, systemClock, () => undefined)).toThrow('is not an https origin');
  expect(() => makeSigningKey(keyFile)).toThrow('give the name of a new file');
  expect(statSync(keyFile).mode & 0o077).toBe(0);
});
