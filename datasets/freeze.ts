/** Write what a web answers into a frozen web, without a crawl: for webs of which every page is at hand. */

import { createHash } from 'node:crypto';
import { type FrozenVisit, frozenContent } from '../src/base/core/frozen-visit.ts';
import type { CanonicalUrl } from '../src/base/core/types.ts';
import { leadsToMedia } from '../src/base/web/media-names.ts';
import { canonicalize } from '../src/base/web/url.ts';
import { FrozenFile } from '../src/corpus/records/frozen-file.ts';
import type { PageExtractor } from '../src/reading/extract/extractor.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../src/reading/extract/text-method-names.ts';
import { pageExtractor } from '../src/reading/wasm-reader/page-extractor.ts';
import type { PageSource } from './page-source.ts';

const EXTRACTOR = { productToken: 'forager', extractor: DEFAULT_MAIN_TEXT_METHOD };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Ask `source` for `starts` and for all that they lead to within it, breadth-first, until nothing is left or `most` URLs were asked.
 * A page takes some 3 ms. @returns how many URLs stand in the file
 */
export function freezeSource(source: PageSource, starts: readonly string[], file: string, most = Number.POSITIVE_INFINITY): number {
  const extractor = pageExtractor(EXTRACTOR);
  const waiting = starts.map((url) => canonicalize(url)).filter((url) => url !== null);
  const seen = new Set(waiting);
  const out = FrozenFile.create(file, { software: 'forager datasets', extractor: EXTRACTOR.extractor });
  let asked = 0;
  try {
    for (let next = 0; next < waiting.length && asked < most; next++) {
      const visit = ask(source, waiting[next] as CanonicalUrl, extractor);
      if (visit === null) continue;
      asked += 1;
      out.add(visit);
      for (const url of leadsTo(visit)) {
        if (seen.has(url) || leadsToMedia(url)) continue;
        seen.add(url);
        waiting.push(url);
      }
    }
    out.finish();
  } finally {
    out.abandon();
  }
  return asked;
}

/** null for a host that is not of this web. */
function ask(source: PageSource, url: CanonicalUrl, extractor: PageExtractor): FrozenVisit | null {
  const { host, pathname, search } = new URL(url);
  const answer = source.get(host, `${pathname}${search}`);
  if (answer === null) return null;
  const { status, headers, body } = answer;
  const to = REDIRECTS.has(status) ? canonicalize(headers['location'] ?? '', url) : null;
  if (to !== null) return { url, status, kind: 'redirect', to };
  if (status !== 200) return { url, status, kind: 'failed', code: 'http-4xx' };
  if (!/html/.test(headers['content-type'] ?? '')) return { url, status, kind: 'refused', reason: 'content-type' };
  const { outlinks, ...read } = extractor.extract({ url, headers, body });
  const links = outlinks.map(({ url: target, ...words }) => ({ url: target, text: words }));
  return { url, status, kind: 'page', content: frozenContent(read, links, createHash('sha256').update(body).digest('hex')) };
}

function leadsTo(visit: FrozenVisit): readonly CanonicalUrl[] {
  if (visit.kind === 'redirect') return [visit.to];
  return visit.kind === 'page' ? visit.content.links.map(({ url }) => url) : [];
}
