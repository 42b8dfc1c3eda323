import type { Extractor } from '../../../src/base/core/parts/reading.ts';
import { canonicalize } from '../../../src/base/web/url.ts';

/** A fetched HTML page as the extractor takes it. */
export function page(
  body: string | Uint8Array,
  url = 'https://www.example.com/docs/page.html',
  headers: Readonly<Record<string, string>> = {},
): Parameters<Extractor['extract']>[0] {
  const canonical = canonicalize(url);
  if (canonical === null) throw new Error(`not a page URL: ${url}`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { url: canonical, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body: bytes };
}
