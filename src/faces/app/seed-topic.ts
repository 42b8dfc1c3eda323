/** The topic model that ranks candidates for seeds, and the URLs that a crawl has visited. */
import { UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { activeModel, crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadOwnModel, loadTopic } from '../../crawling/crawl-dir/load-topic.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { walkSettled } from '../../study/inspect/ledger-walk.ts';

export interface SeedTopicOptions {
  /** Topic model. Default: the active one of the crawl. */
  readonly topic?: string;
  /** Directory of a crawl, whose visited URLs are no candidates. It may run. A directory without a crawl counts as absent. */
  readonly dir?: string;
}

export interface SeedTopic {
  readonly model: LinearTopicModel;
  /** Folder of the model. */
  readonly folder: string;
  readonly visited: ReadonlySet<CanonicalUrl>;
}

/** @throws UsageError without a model; ModelError, DataError, StoreError */
export async function openSeedTopic({ topic, dir }: SeedTopicOptions): Promise<SeedTopic> {
  const crawl = dir !== undefined && isThere(crawlPaths(dir).manifest) ? dir : null;
  const visited = crawl === null ? new Set<CanonicalUrl>() : await visitedBy(crawl);
  if (topic !== undefined) return { model: await loadTopic(topic), folder: topic, visited };
  if (crawl === null)
    throw new UsageError(
      `${dir === undefined ? '--topic: is missing' : `${dir}: no crawl is here`}; give the folder of a topic model with --topic, or the directory of a crawl`,
    );
  return { ...(await modelOf(crawl)), visited };
}

async function modelOf(dir: string): Promise<Pick<SeedTopic, 'model' | 'folder'>> {
  const [paths, manifest] = [crawlPaths(dir), readManifest(dir)];
  if (manifest.topics.length > 0) throw new UsageError(`${dir}: has several topics; name the folder of the model that ranks with --topic`);
  return { model: await loadOwnModel(paths, manifest), folder: activeModel(paths, manifest) };
}

async function visitedBy(dir: string): Promise<ReadonlySet<CanonicalUrl>> {
  const crawl = openCrawl(dir);
  const visited = new Set<CanonicalUrl>();
  try {
    walkSettled(crawl.frontier, [{ settled: ({ entry, fate }) => void (fate.visited && visited.add(entry.url)) }]);
  } finally {
    await crawl.close();
  }
  return visited;
}
