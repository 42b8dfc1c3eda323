/** The process of `site.ts` that serves a web, the generated one on many loopback addresses. Argument: `SiteOptions` as JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningWeb } from '../../../datasets/web-proxy.ts';
import { debianSite } from './debian-site.ts';
import { generatedSite } from './generated-site.ts';
import type { Served, SiteFacts, SiteOptions } from './site.ts';

/** A web that is served, and what a crawler and its training need. */
export interface ServedWeb extends Omit<SiteFacts, 'examples'> {
  readonly server: RunningWeb;
  /** Bodies of training pages. */
  readonly training: readonly (string | Uint8Array)[];
}

const options = JSON.parse(process.argv[2] ?? '') as SiteOptions;
const { server, training, ...facts } = options.web === 'debian' ? await debianSite(options) : await generatedSite(options);
const examples = join(options.folder, 'examples');
mkdirSync(examples);
for (const [i, html] of training.entries()) writeFileSync(join(examples, `${i}.html`), html);
const ready: SiteFacts = { ...facts, examples };
process.send?.(ready);

let counted = 0;
process.on('message', async (message) => {
  if (message === 'count') return void process.send?.(servedSince());
  await server.close();
  process.exit(0);
});

function servedSince(): Served {
  const pages = server.log.slice(counted).filter(({ path, status }) => status === 200 && path !== '/robots.txt');
  counted = server.log.length;
  return { pages: pages.length, gzipped: pages.filter(({ gzip }) => gzip).length };
}
