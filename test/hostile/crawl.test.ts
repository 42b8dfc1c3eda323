/** Whole crawls of the hostile web: whatever happens, each URL ends with a reason and the crawl goes on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/core/clock.ts';
import { MAX_REDIRECTS } from '../../src/crawling/crawl/page-records.ts';
import { HttpFetcher } from '../../src/crawling/fetch/http-fetcher.ts';
import { FAULT_OUTCOMES } from '../support/fault-outcomes.ts';
import { hostOf, urlOf } from '../support/frontier-values.ts';
import { FAULT_PATHS, type HostileWeb, startHostileWeb } from '../support/hostile-web.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/tls.ts';
import { bounded } from './bounded.ts';
import { hostileCrawl } from './hostile-crawl.ts';

const MB = 1024 * 1024;
const never = new AbortController().signal;

let web: HostileWeb;
let port: string;
let fetcher: HttpFetcher;
const open: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  web = await startHostileWeb();
  port = new URL(web.origin).port;
  // What the server packs for the first time is no memory of the crawl.
  for (const path of FAULT_PATHS.filter((fault) => fault.endsWith('bomb'))) await newFetcher().fetch(urlOf(web.origin + path), never);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  web.log.length = 0;
});
afterAll(() => web.close());

/** Every name leads to this machine, but for those below `dead.test`. */
const lookup: LookupFunction = (name, _options, callback) => {
  if (name.endsWith('dead.test')) callback(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }), '');
  else callback(null, '127.0.0.1', 4);
};

function newFetcher(): HttpFetcher {
  fetcher = new HttpFetcher({
    userAgent: 'Forager/0',
    contact: null,
    clock: systemClock,
    allowPrivate: true,
    lookup,
    ca: TEST_CERTIFICATE,
    totalDeadlineMs: 900,
    headersTimeoutMs: 400,
    rateWindowMs: 200,
    maxWireBytes: MB,
    maxBodyBytes: 4 * MB,
  });
  open.push(fetcher);
  return fetcher;
}

/** Ends that say more in the ledger: a refused document has its kind. */
const ENDS: Readonly<Record<string, string>> = { '/pdf': 'refused content-type:pdf' };

/** How a URL ends in the ledger whose request ends so; pages with the same payload are kept once. */
function endOf(outcome: string): RegExp {
  if (outcome.startsWith('page')) return /^(kept|duplicate payload of .*)$/;
  return outcome === 'redirect' ? /^fetched redirect:/ : new RegExp(`^${outcome}$`);
}

test('a crawl of every fault, each on a host of its own: each ends with its reason, and the crawl goes on to its end', async ({ task }) => {
  const urls = FAULT_PATHS.map((path, i) => `http://f${i}.test:${port}${path}`);
  const seeds = [...urls, `http://last.test:${port}/page`];
  // The one redirect that would leave this machine.
  const refuses = (url: string) => (url.startsWith('http://10.') ? ('private-address' as const) : null);
  const { stopped, frontier, end } = await bounded(task, () => hostileCrawl({ fetcher: newFetcher(), seeds, refuses }));
  expect(stopped).toBe('drained');
  const wrong = FAULT_PATHS.filter((path, i) => !endOf(ENDS[path] ?? FAULT_OUTCOMES[path] ?? '').test(end(urls[i] ?? ''))).map(
    (path) => `${path}: ${end(urls[FAULT_PATHS.indexOf(path)] ?? '')}`,
  );
  expect(wrong).toEqual([]);
  expect(end(`http://last.test:${port}/page`)).toMatch(/^(kept|duplicate)/);
  const { discovered, waiting, leased, ...ended } = frontier.counts();
  expect([waiting, leased]).toEqual([0, 0]);
  expect(ended.fetched + ended.kept + ended.offTopic + ended.duplicate + ended.refused + ended.failed).toBe(discovered);
});

test('a chain of fifty redirects ends at the eleventh hop', async ({ task }) => {
  const at = (n: number) => `http://chain.test:${port}/redirect-chain?n=${n}`;
  const { end } = await bounded(task, () => hostileCrawl({ fetcher: newFetcher(), seeds: [at(0)] }));
  expect(end(at(MAX_REDIRECTS + 1))).toBe('refused redirect-limit');
  expect(web.log.filter(({ target }) => target.startsWith('/redirect-chain'))).toHaveLength(MAX_REDIRECTS + 1);
});

test('redirects to and fro between http and https end at the limit too', async ({ task }) => {
  const asked: string[] = [];
  const plain = createServer();
  const secure = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY });
  for (const server of [plain, secure]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const origins = [plain, secure].map(
    (server, i) => `${i === 0 ? 'http' : 'https'}://secure.test:${(server.address() as AddressInfo).port}`,
  );
  for (const [i, server] of [plain, secure].entries()) {
    server.on('request', (request, response) => {
      const isPage = request.url !== '/robots.txt';
      if (isPage) asked.push(`${i}`);
      response.writeHead(isPage ? 302 : 404, { location: `${origins[1 - i]}/?n=${asked.length}` }).end();
    });
    open.push({
      close: () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      },
    });
  }
  const { frontier } = await bounded(task, () => hostileCrawl({ fetcher: newFetcher(), seeds: [`${origins[0]}/`] }));
  expect(asked.join('')).toBe('01010101010');
  expect([...frontier.ledger()].at(-1)).toMatchObject({ state: 'refused', reason: 'redirect-limit' });
});

test('pages that refresh to each other for ever are each asked for once', async ({ task }) => {
  const { frontier } = await bounded(task, () => hostileCrawl({ fetcher: newFetcher(), seeds: [`http://r.test:${port}/refresh?n=1`] }));
  expect(frontier.counts()).toMatchObject({ discovered: 4, kept: 2 });
  expect(web.log.map(({ target }) => target).filter((target) => target.startsWith('/refresh'))).toEqual(['/refresh?n=1', '/refresh?n=2']);
});

test('the name of a dead host is asked for once, however many of its URLs wait, and each ends', async ({ task }) => {
  const seeds = Array.from({ length: 50 }, (_, i) => `http://www.dead.test/${i}`);
  const { stopped, frontier, end } = await bounded(task, () =>
    hostileCrawl({ fetcher: newFetcher(), seeds: [...seeds, `http://alive.test:${port}/page`] }),
  );
  expect(fetcher.lookupsOf(hostOf('http://www.dead.test/'))).toBe(1);
  expect(fetcher.lookups).toEqual({ asked: 2, failed: 1 });
  expect(stopped).toBe('drained');
  expect(frontier.counts()).toMatchObject({ kept: 1, waiting: 0 });
  expect(seeds.map(end).filter((how) => how !== 'refused robots-unreachable:dns')).toEqual([]);
});

test('no cookie and no name and password, of a URL or of a redirect, is ever sent', async ({ task }) => {
  const at = (path: string) => `http://user:secret@private.test:${port}${path}`;
  const seeds = ['/set-cookie', '/unauthorized', '/redirect-credentials', '/page?after'].map(at);
  const { end } = await bounded(task, () => hostileCrawl({ fetcher: newFetcher(), seeds }));
  expect(end('http://elsewhere.test/')).toBe('refused robots-unreachable:connect');
  const names = web.log.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()));
  expect(web.log.length).toBeGreaterThan(5);
  expect(names.filter((name) => ['cookie', 'authorization', 'proxy-authorization'].includes(name))).toEqual([]);
});
