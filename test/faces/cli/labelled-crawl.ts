/** A crawl of the small web to be labelled. */
import { crawl } from 'forager';
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
  await crawl({ dir, topic, seeds: small.seeds, proxy: served.proxy, delay: 0, maxPages, concurrency: 1 });
  return { dir, topic, served };
}
