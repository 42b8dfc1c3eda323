/** Sitemaps and feeds by their first bytes. */
import { constants, gunzipSync } from 'node:zlib';
import type { Bytes, ListKind } from '../../base/core/types.ts';
import { isGzip } from '../../base/web/content-coding.ts';
import { looksUtf16 } from '../../base/web/content-type.ts';

/** The root element stands behind declarations, style sheets and comments at most. */
const HEAD: Bytes = 4096;

const ROOTS: ReadonlyMap<string, ListKind> = new Map([
  ['urlset', 'sitemap'],
  ['sitemapindex', 'sitemap'],
  ['rss', 'feed'],
  ['feed', 'feed'],
  ['rdf', 'feed'],
]);

/** Prolog of an XML file, then the name of its root without prefix. */
const ROOT = /^\s*(?:<\?[^>]*\?>\s*|<!--.*?-->\s*|<!doctype[^>[]*(?:\[[^\]]*\])?\s*>\s*)*<(?:[\w.-]+:)?([\w.-]+)[\s/>]/is;
const URL_LINE = /^https?:\/\/\S+$/i;

/** The kind of list that bytes are; null for other bytes. A plain text of URLs, one a line, is a sitemap too (sitemaps.org, "text file"). */
export function listKindOf(bytes: Uint8Array): ListKind | null {
  const head = headOf(bytes);
  const text = new TextDecoder(looksUtf16(head) ?? 'utf-8').decode(head);
  const root = ROOT.exec(text)?.[1];
  if (root !== undefined) return ROOTS.get(root.toLowerCase()) ?? null;
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  // The last one may be cut.
  const whole = head.length < HEAD ? lines : lines.slice(0, -1);
  const content = whole.filter((line) => line !== '');
  return content.length > 0 && content.every((line) => URL_LINE.test(line)) ? 'sitemap' : null;
}

function headOf(bytes: Uint8Array): Uint8Array {
  if (!isGzip(bytes)) return bytes.subarray(0, HEAD);
  try {
    return gunzipSync(bytes.subarray(0, HEAD), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD);
  } catch {
    return new Uint8Array();
  }
}
