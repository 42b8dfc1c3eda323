/** A file of pages known to be on topic. */
import { DataError } from '../../base/core/errors.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import type { KnownPages } from '../../crawling/crawl-dir/known-pages.ts';
import { urlsIn } from '../../crawling/input/url-list-file.ts';

/** More are no sample that anybody has labelled. A crawl with a recall to stop at looks at all of them when one is settled. */
const MAX_KNOWN = 2_000;
const LISTED = 'listed:';

/**
 * The known pages of a file: any text with URLs, as for `--url-list`.
 * @param word a path, or `listed:` and a path
 * @throws UsageError if there is no such file; DataError if it has no URL, or too many
 */
export async function readKnownFile(word: string): Promise<KnownPages> {
  const isListed = word.startsWith(LISTED);
  const path = isListed ? word.slice(LISTED.length) : word;
  const urls = new Set<CanonicalUrl>();
  for await (const { urls: found } of urlsIn(path)) {
    for (const { url } of found) urls.add(url);
    if (urls.size > MAX_KNOWN) throw new DataError(`${path}: more than ${MAX_KNOWN} known pages; draw some of them at random`);
  }
  return { origin: isListed ? 'listed' : 'independent', from: path, urls: [...urls] };
}
