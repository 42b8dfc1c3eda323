/** A file of pages known to be on topic. */
import { DataError } from '../../base/core/errors.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { readGivenStart } from '../../base/text/given-file.ts';
import type { KnownOrigin } from '../../corpus/select/recall-facts.ts';
import type { KnownPages } from '../../crawling/crawl-dir/known-pages.ts';
import { urlsIn } from '../../crawling/input/url-list-file.ts';
import { KNOWN_DRAW, KnownDrawFile } from '../../study/label/known-draw-file.ts';

/** More are no sample that anybody has labelled. A crawl with a recall to stop at looks at all of them when one is settled. */
const MAX_KNOWN = 2_000;
const LISTED = 'listed:';
const START = { what: 'URLs', remedy: 'give a file with http(s) URLs, or one that forager known wrote' };

/** The origin and the path of a word such as `listed:refs.bib`. */
export function originIn(word: string): { readonly origin: KnownOrigin; readonly path: string } {
  return word.startsWith(LISTED) ? { origin: 'listed', path: word.slice(LISTED.length) } : { origin: 'independent', path: word };
}

/**
 * The known pages of a file: pages that `forager known` drew and that were answered y, or any text with URLs, as for `--url-list`.
 * @param word a path, or `listed:` and a path
 * @throws UsageError if there is no such file; DataError if it has no URL, or too many; DamageError for a damaged file of drawn pages
 */
export async function readKnownFile(word: string): Promise<KnownPages> {
  const { origin, path } = originIn(word);
  if (isDrawn(path)) {
    const { known } = KnownDrawFile.open(path);
    return { ...known, origin: origin === 'listed' ? origin : known.origin };
  }
  const urls = new Set<CanonicalUrl>();
  for await (const { urls: found } of urlsIn(path)) {
    for (const { url } of found) urls.add(url);
    if (urls.size > MAX_KNOWN) throw new DataError(`${path}: more than ${MAX_KNOWN} known pages; draw some of them at random`);
  }
  return { origin, from: path, urls: [...urls] };
}

function isDrawn(path: string): boolean {
  return isPathThere(path) && new TextDecoder().decode(readGivenStart(path, START)).startsWith(KNOWN_DRAW);
}
