/** A crawl of the small web to be labelled: test files of a run that want as many pages share it. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl } from 'forager';
import { madeOnce } from '../../support/made-once.ts';
import { type Served, type SmallWeb, trainedOn } from './small-web.ts';

export interface CrawlToLabel {
  readonly dir: string;
  /** Folder of the model it was begun with. */
  readonly topic: string;
  readonly served: Served;
}

export async function crawlToLabel(small: SmallWeb, maxPages: number): Promise<CrawlToLabel> {
  const served = await small.serve();
  const topic = await trainedOn(small);
  const dir = small.path('crawl');
  const options = { topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages, concurrency: 1 };
  const web = createHash('sha256').update(small.web.urls().join('\n')).digest('hex').slice(0, 20);
  const made = await madeOnce(`crawl-${web}-${maxPages}`, (folder) => crawl({ ...options, dir: join(folder, 'crawl') }));
  cpSync(join(made, 'crawl'), dir, { recursive: true });
  setProxy(join(dir, 'crawl.json'), served.proxy);
  return { dir, topic, served };
}

/** The crawl may be that of another test file, whose server is gone. */
function setProxy(manifest: string, proxy: string): void {
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/,\s*"crc32": "[^"]*"/, '').replace(/"proxy": "[^"]*"/, `"proxy": "${proxy}"`));
}
