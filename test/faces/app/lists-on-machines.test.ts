/** Sitemaps and lists of URLs in a crawl on several machines: whoever has a host reads its list, once. */
import { writeFileSync } from 'node:fs';
import { crawl, gather, ledger } from 'forager';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { PageSource } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

describe.skipIf(!HAS_POSTGRES)('a crawl in PostgreSQL', () => {
  const small = smallWeb(120);
  let topic: string;
  let server: PostgresServer;
  let web: RunningWeb;

  const source: PageSource = {
    get: (host, path) => {
      if (path !== '/sitemap.xml') return small.web.source.get(host, path);
      const urls = Array.from({ length: 30 }, (_, i) => `<url><loc>http://${host}/listed/${i}.html</loc></url>`);
      return { status: 200, headers: { 'content-type': 'text/xml' }, body: Buffer.from(`<urlset>${urls.join('')}</urlset>`) };
    },
  };
  beforeAll(async () => {
    [topic, server, web] = await Promise.all([trainedOn(small), PostgresServer.start(), startWebProxy(source, { latency: 2 })]);
  });
  afterAll(async () => {
    await Promise.all([small.close(), server?.close(), web?.close()]);
  });

  wholeTest('of two workers: each host is asked for its sitemap once, and a list that one of them was given is of all hosts', async () => {
    const at = server.address('lists');
    const list = small.path('given.txt');
    const given = small.web.urlsOf(small.topic).map((url) => `${url}?given`);
    writeFileSync(list, given.join('\n'));
    const options = { topic, seeds: small.seeds, proxy: web.proxy, delay: 0, concurrency: 2, workers: 1, at };
    await crawl({ ...options, dir: small.path('a'), maxPages: 5, urlList: [list] });
    const { topic: _, seeds: __, ...joining } = options;
    await Promise.all([crawl({ ...joining, dir: small.path('a') }), crawl({ ...joining, dir: small.path('b') })]);
    const asked = web.log.filter(({ path }) => path === '/sitemap.xml').map(({ host }) => host);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.sort()).toEqual([...new Set(asked)].sort());
    await gather({ dir: small.path('whole'), at });
    const found = new Map<string, string | null>();
    for await (const { url, referrer } of ledger(small.path('whole'))) found.set(url, referrer);
    for (const url of given) expect([url, found.get(url)]).toEqual([url, 'file:///given.txt']);
    for (const host of asked) expect(found.get(`http://${host}/listed/29.html`)).toBe(`http://${host}/sitemap.xml`);
  });
});
