/** One page in memory: its text and links, and whether it is on a topic. Writes no file. */

import * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, Extraction } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { canonicalize } from '../../base/web/url.ts';
import { HTML, pageFrom, type SourcePage, UTF8_HTML } from '../../crawling/input/source-page.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { flag } from '../../crawling/settings/kinds.ts';
import type { PageExtractor } from '../../reading/extract/extractor.ts';
import type { MainTextMethod } from '../../reading/extract/text-method-names.ts';
import type { TextParts } from '../../reading/extract/text-parts.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { WasmCore } from '../../reading/wasm-reader/wasm-core.ts';

export interface PageOptions {
  /** The page's own URL: relative links are resolved against it, and rules of a topic may test it. Default: not known. */
  readonly url?: string;
  /** Value of its `Content-Type` header, e.g. `text/html; charset=koi8-r` or `text/plain`. Default: HTML; bytes in the charset that they declare or suggest. */
  readonly contentType?: string;
}

export const PAGE_OPTIONS: OptionTable<PageOptions> = { url: z.string('not a URL'), contentType: z.string('not a media type') };

/** Options for reading a page: the method that finds its text, and the parts to return. */
export interface ReadingOptions {
  /** Method that finds the main text. Default `block`. */
  readonly extractor?: MainTextMethod;
  /** Parts of the main text to include. Default: all that the extractor finds. */
  readonly parts?: TextParts;
  /** Also return title and main text as Markdown. Default: no Markdown. */
  readonly markdown?: 'with-links' | 'without-links';
}

const isShown = flag.check.exactOptional();

export const READING: OptionTable<ReadingOptions> = {
  extractor: checksOf(COMMANDS.extract).extractor,
  parts: z.strictObject(
    { headings: isShown, tables: isShown, code: isShown, comments: isShown, title: isShown, postHeads: isShown },
    'not an object of parts',
  ),
  markdown: z.enum(['with-links', 'without-links'], 'not one of with-links, without-links'),
};

export interface ExtractPageOptions extends PageOptions, ReadingOptions {}

const EXTRACT_PAGE: OptionTable<ExtractPageOptions> = { ...PAGE_OPTIONS, ...READING };

export interface ExtractedText extends Extraction {
  /** Title and main text as Markdown; null unless `markdown` asks for it. */
  readonly markdown: string | null;
}

/** Reads the pages of all calls of `extract`, each in one go: a core of its own would take longer than most pages. */
let sharedCore: WasmCore | null = null;

/**
 * Title, main text, links and metadata of one page. Time O(length of the page): about 1 ms for 20 KB. Pages of over 4 million characters are cut, with a warning.
 * @param page HTML or plain text, as a string or as the bytes that a server sent (without content coding)
 * @throws UsageError for an invalid option; DataError for a PDF and other binary data
 */
export function extract(page: string | Uint8Array, options: ExtractPageOptions = {}): ExtractedText {
  checkOptions('extract', EXTRACT_PAGE, options);
  const { extractor, parts, markdown } = options;
  sharedCore ??= new WasmCore();
  const reader = pageExtractor({ productToken: PRODUCT_TOKEN, ...(extractor && { extractor }), ...(parts && { parts }) }, sharedCore);
  const { extraction, markdown: written } = extractPage(sourceOf('extract', page, options), reader, markdown);
  return { ...extraction, markdown: written };
}

/**
 * A URL in the normal form in which Forager compares URLs: scheme and host in lower case, no fragment, escapes normalised (RFC 3986, section 6).
 * @returns null for anything but an http(s) URL
 */
export function canonicalUrl(url: string, base?: string): CanonicalUrl | null {
  return canonicalize(url, base);
}

/** @throws UsageError, DataError */
export function sourceOf(of: string, page: string | Uint8Array, { url, contentType }: PageOptions): SourcePage {
  if (typeof page !== 'string' && !(page instanceof Uint8Array)) throw new UsageError(`${of}: takes a page as a string or bytes`);
  const canonical = url === undefined ? null : canonicalize(url);
  if (url !== undefined && canonical === null) throw new UsageError(`${of}: url ${JSON.stringify(url)}: is not an http(s) URL`);
  const id = canonical ?? 'page';
  if (typeof page === 'string') {
    const type = contentType?.replace(/;.*$/s, '').trim();
    return { id, url: canonical, headers: type ? { 'content-type': `${type}; charset=utf-8` } : UTF8_HTML, body: Buffer.from(page) };
  }
  const headers = contentType === undefined ? HTML : { 'content-type': contentType };
  return { id, url: canonical, headers, body: pageFrom(id, page, true) };
}

/** Base for the links of a page without a known URL: RFC 2606 keeps `.invalid` out of the DNS. */
export const UNKNOWN_URL = canonicalize('http://unknown.invalid/') as CanonicalUrl;

export interface ExtractedPage {
  readonly id: string;
  /** null if not known. */
  readonly url: CanonicalUrl | null;
  readonly extraction: Extraction;
  /** The main text as Markdown; null unless requested. */
  readonly markdown: string | null;
}

export function extractPage(page: SourcePage, extractor: PageExtractor, markdown?: ReadingOptions['markdown']): ExtractedPage {
  const { id, url, headers, body } = page;
  const source = { url: url ?? UNKNOWN_URL, headers, body };
  if (markdown === undefined) return { id, url, extraction: placed(extractor.extract(source), url), markdown: null };
  // Links of a page without a URL have no target.
  const { extraction, markdown: written } = extractor.extractMarkdown(source, { links: markdown === 'with-links' && url !== null });
  return { id, url, extraction: placed(extraction, url), markdown: written };
}

/** The posts of a page without a URL have none either. */
function placed(extraction: Extraction, url: CanonicalUrl | null): Extraction {
  if (url !== null || extraction.posts === undefined) return extraction;
  return { ...extraction, posts: extraction.posts.map((post) => (post.url?.startsWith(UNKNOWN_URL) ? { ...post, url: null } : post)) };
}
