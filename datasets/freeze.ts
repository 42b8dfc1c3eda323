/** Write what a web answers into a frozen web, without a crawl: for webs of which every page is at hand. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import type { CanonicalUrl } from '../src/core/types.ts';
import { type FrozenVisit, frozenHeader, frozenMember } from '../src/corpus/frozen-page.ts';
import { PageExtractor } from '../src/extract/extractor.ts';
import { leadsToMedia } from '../src/web/content-type.ts';
import { canonicalize } from '../src/web/url.ts';
import type { PageSource } from './page-source.ts';

const EXTRACTOR = { productToken: 'forager' };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Ask `source` for `starts` and for all that they lead to within it, breadth-first, until nothing is left or `most` URLs were asked.
 * A page takes some 3 ms. @returns how many URLs stand in the file
 */
export function freezeSource(source: PageSource, starts: readonly string[], file: string, most = Number.POSITIVE_INFINITY): number {
  const extractor = new PageExtractor(EXTRACTOR);
  const waiting = starts.map((url) => canonicalize(url)).filter((url) => url !== null);
  const seen = new Set(waiting);
  const out = openSync(`${file}.tmp`, 'w');
  let asked = 0;
  try {
    writeSync(out, frozenHeader('forager datasets'));
    for (let next = 0; next < waiting.length && asked < most; next++) {
      const visit = ask(source, waiting[next] as CanonicalUrl, extractor);
      if (visit === null) continue;
      asked += 1;
      writeSync(out, frozenMember(visit));
      for (const url of leadsTo(visit)) {
        if (seen.has(url) || leadsToMedia(url)) continue;
        seen.add(url);
        waiting.push(url);
      }
    }
  } finally {
    closeSync(out);
  }
  renameSync(`${file}.tmp`, file);
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
  const { title, text, lang, noindex, nofollow, outlinks } = extractor.extract({ url, headers, body });
  const links = nofollow ? [] : outlinks.map(({ url: to, rel: _, ...words }) => ({ url: to, text: words }));
  const payloadSha256 = createHash('sha256').update(body).digest('hex');
  return { url, status, kind: 'page', content: { payloadSha256, title, text, lang, noindex, links } };
}

function leadsTo(visit: FrozenVisit): readonly CanonicalUrl[] {
  if (visit.kind === 'redirect') return [visit.to];
  return visit.kind === 'page' ? visit.content.links.map(({ url }) => url) : [];
}
