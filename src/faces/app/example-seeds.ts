/** The examples of a topic that are URLs, as seeds. */
import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { topicFolders } from '../../crawling/crawl-dir/crawl-settings.ts';
import { loadTopic } from '../../crawling/crawl-dir/load-topic.ts';
import { topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import type { CrawlOptions } from './crawl-options.ts';

/** URLs of the pages that a model was trained with as examples. @throws ModelError */
export async function exampleUrls(model: string): Promise<CanonicalUrl[]> {
  const rows = (await readTraining(model))?.rows ?? [];
  return rows.flatMap(({ role, url }) => (role === 'example' && url !== null ? (canonicalizeWithRoute(url) ?? []) : []));
}

/**
 * Seeds of `--seeds-from-examples`: of the models that are given, or of those that the crawl started with.
 * @throws UsageError if no example has a URL, or without a model; ModelError
 */
export async function exampleSeeds(options: CrawlOptions, found: CrawlManifest | null): Promise<CanonicalUrl[]> {
  if (options.seedsFromExamples !== true) return [];
  const given = topicFolders(options);
  for (const folder of given) await loadTopic(folder);
  const folders = given.length > 0 || found === null ? given : topicParts(options.dir, found).map(({ paths }) => paths.model);
  const urls = (await Promise.all(folders.map(exampleUrls))).flat();
  if (urls.length === 0 && folders.length > 0)
    throw new UsageError(
      `--seeds-from-examples: no example of ${folders.join(', ')} has a URL; give --seeds, or train with URLs as examples`,
    );
  return urls;
}
