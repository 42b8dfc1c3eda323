import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { meantUrlText } from '../../base/web/bare-url.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';

/** URL that a user gave, in canonical form with its route. @throws UsageError */
export function givenUrl(url: string): CanonicalUrl {
  const canonical = canonicalizeWithRoute(url);
  if (!canonical) throw new UsageError(`${url}: not an http(s) URL${meantUrlText(url)}`);
  return canonical;
}
