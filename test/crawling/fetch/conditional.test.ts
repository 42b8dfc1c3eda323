/** Asking for a page unless it is as it was. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { Validators } from '../../../src/base/core/parts/fetching.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { conditionsOf } from '../../../src/crawling/fetch/request-fields.ts';
import { urlOf } from '../../support/frontier-values.ts';

const never = new AbortController().signal;
const ETAG = 'W/"33a64df5"';
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const seen: IncomingHttpHeaders[] = [];
const server = createServer(({ headers, url }, response) => {
  seen.push(headers);
  const isAsItWas = headers['if-none-match'] === ETAG || headers['if-modified-since'] === DATE || url === '/always';
  const fields = { etag: ETAG, 'last-modified': DATE, 'content-encoding': 'gzip', 'content-type': 'text/html' };
  if (isAsItWas) response.writeHead(304, fields).end();
  else response.writeHead(200, { etag: ETAG, 'content-type': 'text/html' }).end('<p>page');
});
let origin: string;
let fetcher: HttpFetcher;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true });
});
afterAll(async () => {
  await fetcher.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get = (path: string, unless?: Validators) => fetcher.fetch(urlOf(origin + path), never, unless);

test.each<Validators>([
  { etag: ETAG, lastModified: null },
  { etag: null, lastModified: DATE },
  { etag: ETAG, lastModified: DATE },
])('304 to %j is an answer: a page without a body, with both heads', async (unless) => {
  const outcome = await get('/', unless);
  if (outcome.kind !== 'page') throw new Error(JSON.stringify(outcome));
  const { status, body, wireBody, headers, requestHeaders, truncated } = outcome.page;
  expect({ status, body: body.byteLength, wire: wireBody.byteLength, truncated }).toEqual({
    status: 304,
    body: 0,
    wire: 0,
    truncated: false,
  });
  expect(headers).toMatchObject({ etag: ETAG, 'last-modified': DATE });
  const sent = new Map(requestHeaders);
  expect([sent.get('if-none-match') ?? null, sent.get('if-modified-since') ?? null]).toEqual([unless.etag, unless.lastModified]);
  expect(seen.at(-1)).toMatchObject(unless.etag ? { 'if-none-match': ETAG } : { 'if-modified-since': DATE });
});

test('a page that is not as it was comes as any other; and 304 that nobody asked for is a failure', async () => {
  expect(await get('/', { etag: '"old"', lastModified: null })).toMatchObject({ kind: 'page', page: { status: 200 } });
  expect(await get('/')).toMatchObject({ kind: 'page', page: { status: 200 } });
  expect(seen.at(-1)).not.toHaveProperty('if-none-match');
  expect(await get('/always')).toMatchObject({ kind: 'failed', code: 'protocol', status: 304 });
  expect(await get('/always', { etag: null, lastModified: null })).toMatchObject({ kind: 'failed', code: 'protocol' });
  expect(await get('/always', { etag: '"x"', lastModified: null })).toMatchObject({ kind: 'page', page: { status: 304 } });
});

test('a validator that cannot stand in a header field, or is none a server may have meant, is not sent', () => {
  expect(conditionsOf({ etag: '"a"\r\nX-Evil: 1', lastModified: '' })).toEqual([]);
  expect(conditionsOf({ etag: `"${'x'.repeat(2000)}"`, lastModified: ' x' })).toEqual([]);
  expect(conditionsOf({ etag: '"\u0100"', lastModified: DATE })).toEqual(['if-modified-since', DATE]);
  expect(conditionsOf({ etag: 'x', lastModified: null })).toEqual(['if-none-match', 'x']);
});
