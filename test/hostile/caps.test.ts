/** What one request may take of this machine, at the caps a crawl has: the server sends as much as it can. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/core/clock.ts';
import type { FetchOutcome } from '../../src/base/core/types.ts';
import { HttpFetcher } from '../../src/crawling/fetch/http-fetcher.ts';
import { brief } from '../support/fault-outcomes.ts';
import { urlOf } from '../support/frontier-values.ts';
import { type HostileWeb, startHostileWeb } from '../support/hostile-web.ts';
import { bounded } from './bounded.ts';

const MB = 1024 * 1024;
/** The defaults of `HttpFetcher`. */
const MAX_WIRE = 8 * MB;
const MAX_BODY = 16 * MB;
const ONE_MB = Buffer.alloc(MB, 0x20);

let web: HostileWeb;
let fetcher: HttpFetcher;
beforeAll(async () => {
  const gzip = Buffer.concat(new Array<Uint8Array>(256).fill(gzipSync(ONE_MB)));
  const br = brotliCompressSync(Buffer.alloc(64 * MB, 0x20), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  const bomb = (coding: string, body: Uint8Array) => ({ type: 'text/html', coding, body });
  web = await startHostileWeb({
    '/gzip-256': bomb('gzip', gzip),
    '/br-64': bomb('br', br),
    '/gzip-gzip-256': bomb('gzip, gzip', gzipSync(gzip)),
  });
  fetcher = new HttpFetcher({ userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true });
});
afterAll(async () => {
  await fetcher.close();
  await web.close();
});

const get = (path: string) => fetcher.fetch(urlOf(web.origin + path), new AbortController().signal);

function sizesOf(outcome: FetchOutcome): { readonly wire: number; readonly body: number } {
  if (outcome.kind !== 'page') throw new Error(brief(outcome));
  expect(outcome.page.truncated).toBe(true);
  return { wire: outcome.page.wireBody.byteLength, body: outcome.page.body.byteLength };
}

test('an endless body is cut at 8 MB', async ({ task }) => {
  expect(sizesOf(await bounded(task, () => get('/endless')))).toEqual({ wire: MAX_WIRE, body: MAX_WIRE });
});

test.for(['/gzip-256', '/br-64', '/gzip-gzip-256'])(
  'the bomb %s gives 16 MB at the most, and a hundredfold beyond 1 MB',
  async (path, { task }) => {
    const { wire, body } = sizesOf(await bounded(task, () => get(path)));
    expect(body).toBeLessThanOrEqual(Math.min(MAX_BODY, Math.max(MB, 100 * wire)));
    expect(body).toBeGreaterThanOrEqual(MB);
  },
);

test.for(['/endless-headers', '/huge-headers', '/interim-flood', '/continue'])(
  '%s is given up without being kept',
  async (path, { task }) => {
    expect(brief(await bounded(task, () => get(path)))).toBe('failed protocol');
  },
);

test('sixteen endless bodies at once take sixteen times as much, and no more', async ({ task }) => {
  // Each on a host of its own: one connection is one request.
  const many = new HttpFetcher({
    userAgent: 'Forager/0',
    contact: null,
    clock: systemClock,
    allowPrivate: true,
    lookup: (_name, _options, callback) => callback(null, '127.0.0.1', 4),
  });
  const { port } = new URL(web.origin);
  const urls = Array.from({ length: 16 }, (_, i) => urlOf(`http://h${i}.test:${port}/endless`));
  const sizes = await bounded(task, async () => {
    const outcomes = await Promise.all(urls.map((url) => many.fetch(url, new AbortController().signal)));
    return outcomes.map((outcome) => sizesOf(outcome).body);
  });
  expect(sizes).toEqual(new Array(16).fill(MAX_WIRE));
  await many.close();
});
