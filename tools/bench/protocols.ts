/**
 * What a page costs this process by each protocol, and with cookies kept: CPU-microseconds a page, against a server in a process of its own.
 *
 *     npm run bench -- protocols [--pages 6000] [--per-connection 200]
 *
 * A page has 20 KB, as in `npm run bench -- crawl`. Each connection is one fetcher's; TLS handshakes are among the costs.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/base/core/clock.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { CookieJars } from '../../src/crawling/fetch/cookies.ts';
import { HttpFetcher, type HttpFetcherOptions } from '../../src/crawling/fetch/http-fetcher.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../test/support/tls.ts';

const PAGE = Buffer.from(`<!doctype html><title>Page</title>${'<p>Twenty kilobytes of text.</p>'.repeat(640)}`);
const AT_ONCE = 16;
const ROUNDS = 3;
const OPTIONS: HttpFetcherOptions = { userAgent: 'Forager/0', contact: null, clock: systemClock, allowPrivate: true, ca: TEST_CERTIFICATE };
const { values } = parseArgs({
  options: { pages: { type: 'string', default: '6000' }, 'per-connection': { type: 'string', default: '200' } },
});

interface Ports {
  readonly plain: number;
  readonly secure: number;
}

function serve(): void {
  const plain = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 's=1' }).end(PAGE),
  );
  const secure = createSecureServer({ cert: TEST_CERTIFICATE, key: TEST_KEY, allowHTTP1: true }, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 's=1' }).end(PAGE),
  );
  plain.listen(0, '127.0.0.1', () =>
    secure.listen(0, '127.0.0.1', () =>
      process.send?.({ plain: (plain.address() as AddressInfo).port, secure: (secure.address() as AddressInfo).port }),
    ),
  );
}

/** @returns CPU-microseconds a page */
async function costOf(origin: string, options: Partial<HttpFetcherOptions>): Promise<number> {
  const each = Number(values['per-connection']);
  let left = Math.ceil(Number(values.pages) / each);
  const connection = async () => {
    while (left-- > 0) {
      const fetcher = new HttpFetcher({ ...OPTIONS, ...options });
      for (let i = 0; i < each; i++) {
        const url = canonicalize(`${origin}/${i}`);
        const outcome = url && (await fetcher.fetch(url, new AbortController().signal));
        if (outcome?.kind !== 'page') throw new Error(JSON.stringify(outcome));
      }
      await fetcher.close();
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: AT_ONCE }, connection));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / Number(values.pages);
}

async function measure({ plain, secure }: Ports): Promise<void> {
  const [http, https] = [`http://127.0.0.1:${plain}`, `https://127.0.0.1:${secure}`];
  const ways: readonly (readonly [string, string, () => Partial<HttpFetcherOptions>])[] = [
    ['http/1.1', http, () => ({})],
    ['http/1.1, cookies kept', http, () => ({ cookies: new CookieJars() })],
    ['http/1.1 over TLS', https, () => ({})],
    ['h2 over TLS', https, () => ({ http2: true })],
  ];
  for (const [, origin, options] of ways) await costOf(origin, options());
  for (const [name, origin, options] of ways) {
    const costs: number[] = [];
    for (let i = 0; i < ROUNDS; i++) costs.push(await costOf(origin, options()));
    costs.sort((a, b) => a - b);
    console.log(`${name.padEnd(24)} ${costs.map((cost) => cost.toFixed(0)).join(', ')} CPU-µs a page`);
  }
}

if (process.send) serve();
else {
  const child = fork(fileURLToPath(import.meta.url));
  child.once('message', (ports: Ports) => void measure(ports).finally(() => child.kill()));
}
