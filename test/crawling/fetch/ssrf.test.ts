import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIP } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { NameCache } from '../../../src/crawling/fetch/dns-cache.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { guardedConnector } from '../../../src/crawling/fetch/routes.ts';
import { addressIsPrivate, guardedLookup, hostnameIsPrivate, PrivateAddressError } from '../../../src/crawling/fetch/ssrf.ts';
import { runs } from '../../support/extent.ts';
import { type HostileWeb, startHostileWeb } from '../../support/hostile-web.ts';

const PRIVATE = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.51.100.7'],
  ...['203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a00:1', '::ffff:0:a00:1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:c0a8:101::1',
  ],
  ...['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:db8::1', '3fff::1', '100::1', 'fc00::1', 'fd12:3456::1'],
  ...['fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'ff02::1', '', 'localhost', '1.2.3', '1.2.3.4.5', '::g'],
];
const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1'],
  ...['169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.167.255.255', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...[
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2001:200::1',
    '2620:fe::fe',
  ],
];

describe('addressIsPrivate', () => {
  test.each(PRIVATE)('%s is private', (ip) => expect(addressIsPrivate(ip)).toBe(true));
  test.each(PUBLIC)('%s is public', (ip) => expect(addressIsPrivate(ip)).toBe(false));

  test('an IPv4 address is as private as every IPv6 spelling of it', () => {
    const known = [...PRIVATE, ...PUBLIC].filter((ip) => isIP(ip) === 4);
    fc.assert(
      // Addresses by chance are seldom at the edge of a block.
      fc.property(fc.oneof(fc.ipV4(), fc.constantFrom(...known)), (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        const spellings = [`::ffff:${ip}`, `::ffff:${hex}`, `0:0:0:0:0:ffff:${hex}`, `64:ff9b::${ip}`, `64:ff9b::${hex}`, `2002:${hex}::1`];
        for (const spelling of spellings) expect(`${spelling} ${addressIsPrivate(spelling)}`).toBe(`${spelling} ${addressIsPrivate(ip)}`);
      }),
      { numRuns: runs(400) },
    );
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6()), (text) => typeof addressIsPrivate(text) === 'boolean'));
  });
});

describe('hostnameIsPrivate', () => {
  test.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost/',
    'http://a.localhost./',
    'http://169.254.169.254/latest/meta-data/',
  ])('%s', (address) => expect(hostnameIsPrivate(new URL(address).hostname)).toBe(true));

  test.each([
    'http://8.8.8.8/',
    'http://example.org/',
    'http://host1/',
    'http://10.example.org/',
    'http://[2606:4700::1111]/',
    'http://notlocalhost/',
  ])('%s is not, as far as the name tells', (address) => expect(hostnameIsPrivate(new URL(address).hostname)).toBe(false));
});

describe('guardedLookup', () => {
  const answering = (...addresses: string[]) =>
    guardedLookup((_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  const ask = (lookup: ReturnType<typeof guardedLookup>, all: boolean) =>
    new Promise((resolve) => lookup('some.example', { all }, (error, answer) => resolve(error ?? answer)));

  test('passes public answers on, one or all', async () => {
    expect(await ask(answering('8.8.8.8', '2606:4700::1111'), false)).toBe('8.8.8.8');
    expect(await ask(answering('8.8.8.8'), true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  test('refuses two hundred public addresses for a private one among them', async () => {
    const crowd = Array.from({ length: 200 }, (_, i) => `93.184.216.${i}`);
    expect(await ask(answering(...crowd), true)).toHaveLength(200);
    expect(await ask(answering(...crowd, '192.168.0.1'), true)).toBeInstanceOf(PrivateAddressError);
    expect(await ask(answering(...crowd.slice(0, 100), 'fd00::1', ...crowd.slice(100)), false)).toBeInstanceOf(PrivateAddressError);
  });

  test('checks what the memory of names gives each time: a name that turns private is refused from then on', async () => {
    let now = 0;
    const answers = [{ address: '93.184.216.34', family: 4, ttl: 0 }];
    const cache = new NameCache(
      (_name, _options, callback) => callback(null, answers.splice(0, 1, { address: '127.0.0.1', family: 4, ttl: 0 })),
      () => now,
    );
    const lookup = guardedLookup(cache.lookup);
    expect(await ask(lookup, false)).toBe('93.184.216.34');
    // However short its TTL, an answer holds a minute.
    now = 59_999;
    expect(await ask(lookup, false)).toBe('93.184.216.34');
    now = 60_000;
    expect(await ask(lookup, false)).toBeInstanceOf(PrivateAddressError);
    expect(await ask(lookup, true)).toBeInstanceOf(PrivateAddressError);
  });

  test.each([[['127.0.0.1']], [['8.8.8.8', '10.0.0.1']], [['8.8.8.8', '1.1.1.1', '::1']]])('refuses %j', async (addresses) => {
    expect(await ask(answering(...addresses), true)).toBeInstanceOf(PrivateAddressError);
    expect(await ask(answering(...addresses), false)).toBeInstanceOf(PrivateAddressError);
  });
});

describe('the fetcher', () => {
  let web: HostileWeb;
  beforeAll(async () => {
    web = await startHostileWeb();
  });
  afterAll(() => web.close());

  const outcome = (address: string, ...addresses: string[]) => fetched('fetch', address, addresses);

  const fetched = async (by: 'fetch' | 'fetchResource', address: string, addresses: readonly string[]) => {
    const fetcher = new HttpFetcher({
      userAgent: 'Forager/0',
      contact: null,
      clock: systemClock,
      lookup: (_name, _options, callback) =>
        callback(
          null,
          addresses.map((ip) => ({ address: ip, family: 4 })),
        ),
    });
    const url = canonicalize(address);
    if (url === null) throw new Error(address);
    const { signal } = new AbortController();
    const result = await (by === 'fetch'
      ? fetcher.fetch(url, signal)
      : fetcher.fetchResource(url, { fields: [], maxBytes: 1e6, hasCredentials: true }, signal));
    await fetcher.close();
    return result;
  };

  test('refuses resources of rendered pages likewise', async () => {
    const { port } = new URL(web.origin);
    const refused = { kind: 'refused', reason: 'private-address', status: null };
    expect(await fetched('fetchResource', `http://127.0.0.1:${port}/x.js`, [])).toMatchObject(refused);
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1']])
      expect(await fetched('fetchResource', `http://rebind.example:${port}/x.js`, addresses)).toMatchObject(refused);
    expect(web.log).toEqual([]);
  });

  test('refuses literals and names that lead to private addresses, without a connection', async () => {
    const { port } = new URL(web.origin);
    const refused = { kind: 'refused', reason: 'private-address', status: null };
    expect(await outcome(`http://127.0.0.1:${port}/page`)).toMatchObject(refused);
    expect(await outcome(`http://2130706433:${port}/page`)).toMatchObject(refused);
    expect(await outcome(`http://rebind.example:${port}/page`, '127.0.0.1')).toMatchObject(refused);
    expect(await outcome(`http://rebind.example:${port}/page`, '8.8.8.8', '127.0.0.1')).toMatchObject(refused);
    expect(web.log).toEqual([]);
  });
});

test('a name that rebinds between lookup and connect is caught on the connected socket', async () => {
  let received = 0;
  const server = createServer((socket) => socket.on('error', () => {}).on('data', () => (received += 1)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rebinding = guardedConnector((_options, callback) => {
    const socket = connect(port, '127.0.0.1', () => callback(null, socket));
  });
  const options = { hostname: 'public.example', protocol: 'http:', port: '80' };
  const [error, socket] = await new Promise<unknown[]>((resolve) => rebinding(options, (...result) => resolve(result)));
  expect(error).toBeInstanceOf(PrivateAddressError);
  expect(socket).toBeNull();
  await new Promise((resolve) => server.close(resolve));
  expect(received).toBe(0);
});
