import type { CanonicalUrl } from '../../base/core/types.ts';
import { patternsOf } from '../../base/web/url-pattern.ts';

/** The narrowest pattern of a URL that other URLs may have too: its shape, its path if that has an id or number, or else its directory. */
export function refreshPattern(url: CanonicalUrl): string {
  return patternsOf(url).find(({ name }) => name !== url)?.name ?? url;
}
