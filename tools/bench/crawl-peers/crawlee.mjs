/** Crawlee on the web of `npm run bench -- peers`: every page with its HTML in a dataset, every link followed. Argument: JSON of kind, folder with its packages, folder to store in, seeds, proxy and hosts. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { kind, packages, out, seeds, proxy, hosts } = JSON.parse(process.argv[2]);
const require = createRequire(join(packages, 'package.json'));
const { Configuration, Dataset, LogLevel, ProxyConfiguration, log } = require('@crawlee/core');
log.setLevel(LogLevel.ERROR);
const configuration = new Configuration({ storageClientOptions: { localDataDirectory: out }, persistStorage: true });
const limits = {
  minConcurrency: 64,
  maxConcurrency: 64,
  // It asks for robots.txt past the proxy, where no host of the web is: its waits for that were most of the crawl. All is allowed there.
  respectRobotsTxtFile: proxy === undefined,
  maxRequestRetries: 1,
  // By default it asks ten times again where a proxy refuses.
  maxSessionRotations: 0,
  ...(proxy === undefined ? {} : { proxyConfiguration: new ProxyConfiguration({ proxyUrls: [proxy] }) }),
};
const known = hosts === undefined ? null : new Set(hosts);
/** A web of a proxy has no TLS. */
const isOfWeb = (url) => known === null || (URL.canParse(url) && new URL(url).protocol === 'http:' && known.has(new URL(url).host));

const crawlers = {
  cheerio() {
    const { CheerioCrawler } = require('@crawlee/cheerio');
    return new CheerioCrawler(
      {
        ...limits,
        async requestHandler({ request, body, enqueueLinks }) {
          await Dataset.pushData({ url: request.loadedUrl, html: String(body) });
          await enqueueLinks({ strategy: 'all', transformRequestFunction: (found) => isOfWeb(found.url) && found });
        },
      },
      configuration,
    );
  },
  http() {
    const { HttpCrawler } = require('@crawlee/http');
    return new HttpCrawler(
      {
        ...limits,
        async requestHandler({ request, body, crawler }) {
          const html = String(body);
          await Dataset.pushData({ url: request.loadedUrl, html });
          await crawler.addRequests(linksOf(html, request.loadedUrl));
        },
      },
      configuration,
    );
  },
};
await crawlers[kind]().run(seeds);

/** It has no parser: links by pattern. */
function linksOf(html, base) {
  const hrefs = [...html.matchAll(/<a\s[^>]*href="([^"]+)"/gi)].map(([, href]) => href.replaceAll('&amp;', '&'));
  return hrefs
    .flatMap((href) => (URL.canParse(href, base) ? [new URL(href, base).href] : []))
    .flatMap((url) => (isOfWeb(url) ? [{ url }] : []));
}
