import { startGeneratedWeb } from '../../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import type { ServedWeb } from './server.ts';
import type { SiteOptions } from './site.ts';

/** 200 hosts at loopback addresses, with two topics; all pages are rendered before it returns. */
export async function generatedSite({ pages, pageBytes, gzip }: SiteOptions): Promise<ServedWeb> {
  // Boilerplate brings about 10 links, so that a page has about 60.
  const knobs = { seed: 3, pages: pages + 200, hosts: 200, topics: 2, linksPerPage: 50, locality: 0.6, pageBytes };
  const server = await startGeneratedWeb(generateWeb(knobs), { direct: true, gzip });
  server.web.prerender();
  return { server, seeds: server.web.seeds('topic-1', 20), training: server.web.examples('topic-1', 20) };
}
