/** One page in memory: its text and links, and whether it is on a topic. Writes no file. */

import * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import type { ReadablePage } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, Extraction } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { canonicalize, canonicalizeWithRoute } from '../../base/web/url.ts';
import { sourceDocument } from '../../crawling/input/source-document.ts';
import { HTML, pageFrom, type SourcePage, UNKNOWN_URL, UTF8_HTML } from '../../crawling/input/source-page.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { flag } from '../../crawling/settings/kinds.ts';
import { DOCUMENT_KINDS } from '../../reading/documents/document-kinds.ts';
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

export interface ExtractDocumentOptions extends Omit<ExtractPageOptions, 'contentType'> {
  /** Media type of the document, e.g. `application/pdf`, or its kind, e.g. `pdf`. */
  readonly type: string;
}

const EXTRACT_DOCUMENT: OptionTable<ExtractDocumentOptions> = { url: PAGE_OPTIONS.url, ...READING, type: z.string('not a media type') };

/** Reads the pages of all calls of `extract`, each in one go: a core of its own would take longer than most pages. */
let sharedCore: WasmCore | null = null;

/**
 * Title, main text, links and metadata of one page. Time O(length of the page): about 1 ms for 20 KB. Pages of over 4 million characters are cut, with a warning.
 * @param page HTML or plain text, as a string or as the bytes that a server sent (without content coding)
 * @throws UsageError for an invalid option; DataError for a PDF and other binary data
 */
export function extract(page: string | Uint8Array, options?: ExtractPageOptions): ExtractedText;
/**
 * Title, text, links and metadata of a document: PDF, EPUB, Word, OpenDocument text. The reader of its kind is loaded with the first one.
 * @throws UsageError for an invalid option or an unknown type; DataError if the document is damaged, encrypted or without text
 */
export function extract(document: Uint8Array, options: ExtractDocumentOptions): Promise<ExtractedText>;
export function extract(
  page: string | Uint8Array,
  options: ExtractPageOptions | ExtractDocumentOptions = {},
): ExtractedText | Promise<ExtractedText> {
  if ('type' in options) return extractDocument(page, options);
  checkOptions('extract', EXTRACT_PAGE, options);
  return extractedText(sourceOf('extract', page, options), options);
}

async function extractDocument(document: string | Uint8Array, options: ExtractDocumentOptions): Promise<ExtractedText> {
  checkOptions('extract', EXTRACT_DOCUMENT, options);
  const { type, url } = options;
  const kind = DOCUMENT_KINDS.find(({ name, mediaTypes }) => name === type || mediaTypes.includes(parseContentType(type).mime));
  if (kind === undefined)
    throw new UsageError(`extract: type ${JSON.stringify(type)}: not one of ${DOCUMENT_KINDS.map(({ name }) => name).join(', ')}`);
  if (!(document instanceof Uint8Array)) throw new UsageError('extract: takes a document as bytes');
  const canonical = urlGiven('extract', url);
  return extractedText(await sourceDocument({ id: canonical ?? 'document', url: canonical, headers: {}, body: document }, kind), options);
}

function extractedText(page: SourcePage, { extractor, parts, markdown }: ReadingOptions): ExtractedText {
  sharedCore ??= new WasmCore();
  const reader = pageExtractor({ productToken: PRODUCT_TOKEN, ...(extractor && { extractor }), ...(parts && { parts }) }, sharedCore);
  const { extraction, markdown: written } = extractPage(page, reader, markdown);
  return { ...extraction, markdown: written };
}

/** @throws UsageError */
function urlGiven(of: string, url: string | undefined): CanonicalUrl | null {
  const canonical = url === undefined ? null : canonicalizeWithRoute(url);
  if (url !== undefined && canonical === null) throw new UsageError(`${of}: url ${JSON.stringify(url)}: is not an http(s) URL`);
  return canonical;
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
  const canonical = urlGiven(of, url);
  const id = canonical ?? 'page';
  if (typeof page === 'string') {
    const type = contentType?.replace(/;.*$/s, '').trim();
    return { id, url: canonical, headers: type ? { 'content-type': `${type}; charset=utf-8` } : UTF8_HTML, body: Buffer.from(page) };
  }
  const headers = contentType === undefined ? HTML : { 'content-type': contentType };
  return { id, url: canonical, headers, body: pageFrom(id, page, true) };
}

export interface ExtractedPage {
  readonly id: string;
  /** null if not known. */
  readonly url: CanonicalUrl | null;
  readonly extraction: Extraction;
  /** The main text as Markdown; null unless requested. */
  readonly markdown: string | null;
}

export function extractPage(page: SourcePage, extractor: PageExtractor, markdown?: ReadingOptions['markdown']): ExtractedPage {
  const { id, url } = page;
  const source = readable(page);
  if (markdown === undefined) return { id, url, extraction: placed(extractor.extract(source), url), markdown: null };
  // Links of a page without a URL have no target.
  const { extraction, markdown: written } = extractor.extractMarkdown(source, { links: markdown === 'with-links' && url !== null });
  return { id, url, extraction: placed(extraction, url), markdown: written };
}

/** The page as an extractor reads it. */
export function readable({ url, headers, body, document, rendered }: SourcePage): ReadablePage {
  return { url: url ?? UNKNOWN_URL, headers, body, ...(document && { document }), ...(rendered && { rendered }) };
}

/** The posts of a page without a URL have none either. */
function placed(extraction: Extraction, url: CanonicalUrl | null): Extraction {
  if (url !== null || extraction.posts === undefined) return extraction;
  return { ...extraction, posts: extraction.posts.map((post) => (post.url?.startsWith(UNKNOWN_URL) ? { ...post, url: null } : post)) };
}
