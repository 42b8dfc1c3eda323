/** Queries of links in the encoding of their page (URL Standard, "query state"). */
// The encoder has its tables of multi-byte charsets from this module.
import '@exodus/bytes/encoding.js';
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';

/** Resolves links: the URL of a page or of its base, and the charset of the page as `decodeText` names it. */
export interface LinkBase {
  readonly url: string;
  readonly charset: string;
}

/** The absolute form of a link; null for one that cannot be parsed. */
export function resolveLink(href: string, { url, charset }: LinkBase): URL | null {
  const written = withEncodedQuery(href, charset);
  return URL.canParse(written, url) ? new URL(written, url) : null;
}

/** Also controls and everything beyond ASCII are escaped (URL Standard, "special-query percent-encode set"). */
const ESCAPED = ` "#'<>`;
/** Charsets without encoder: a URL parser takes UTF-8 in their place (Encoding Standard, "get an output encoding"). */
const WITHOUT_ENCODER: ReadonlySet<string> = new Set(['utf-8', 'utf-16le', 'utf-16be', 'replacement']);

/** A URL parser first removes line breaks and tabs, then controls and spaces at both ends. */
const BREAKS = /[\t\n\r]/g;
const EDGES = /^[\0-\x20]+|[\0-\x20]+$/g;
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * A link whose query has nothing beyond ASCII: its characters are escaped as bytes of the page's `charset`, and as `&#9986;` where the charset lacks
 * them. The path is left to the URL parser, which escapes it as UTF-8. The same link where nothing is to be done.
 */
export function withEncodedQuery(href: string, charset: string): string {
  if (WITHOUT_ENCODER.has(charset)) return href;
  const question = href.indexOf('?');
  const hash = href.indexOf('#');
  if (question < 0 || (hash >= 0 && hash < question) || !BEYOND_ASCII.test(href)) return href;
  const plain = href.replace(BREAKS, '').replace(EDGES, '');
  const from = plain.indexOf('?') + 1;
  const end = plain.indexOf('#', from);
  const query = plain.slice(from, end < 0 ? undefined : end);
  return plain.slice(0, from) + percentEncodeAfterEncoding(charset, query, ESCAPED) + (end < 0 ? '' : plain.slice(end));
}
