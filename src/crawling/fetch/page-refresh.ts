/** Pages without a text of their own that lead elsewhere by a refresh, in their head or their header. */
import { decodeHTMLAttribute } from 'entities';
import type { CanonicalUrl, FetchedPage } from '../../base/core/types.ts';
import { refreshTarget } from '../../base/web/refresh.ts';
import { canonicalize } from '../../base/web/url.ts';

/** A page that only leads elsewhere is small; one with more letters, or a longer wait, is read. */
const MAX_BYTES = 16_384;
const MAX_LETTERS = 300;
const MAX_SECONDS = 5;

const META = /<meta\b[^>]*>/gi;
const IS_REFRESH = /\bhttp-equiv\s*=\s*["']?refresh\b/i;
const CONTENT = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const UNREAD = /<(script|style|title|noscript)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<[^>]*>/gi;

/** The page to which a page without a text of its own leads, perhaps itself; null for any other page. O(bytes), of small pages alone. */
export function refreshOf({ url, headers, body }: FetchedPage): CanonicalUrl | null {
  if (body.byteLength > MAX_BYTES) return null;
  const html = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  // Most pages have no such word, and their tags are not looked at.
  if (headers['refresh'] === undefined && !/refresh/i.test(html)) return null;
  const value = headers['refresh'] ?? metaRefresh(html);
  if (value === null || !(Number.parseFloat(value) <= MAX_SECONDS)) return null;
  const letters = html.replace(UNREAD, ' ').match(/[^\s]/g)?.length ?? 0;
  if (letters > MAX_LETTERS) return null;
  const target = refreshTarget(value);
  return target === null ? url : canonicalize(target, url);
}

function metaRefresh(html: string): string | null {
  const meta = html.match(META)?.find((tag) => IS_REFRESH.test(tag));
  const [, double, single, bare] = (meta && CONTENT.exec(meta)) ?? [];
  const content = double ?? single ?? bare;
  return content === undefined ? null : decodeHTMLAttribute(content);
}
