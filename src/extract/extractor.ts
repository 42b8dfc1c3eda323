import type { Extractor } from '../core/parts.ts';
import type { Extraction, PageMetadata } from '../core/types.ts';
import { normaliseLang } from '../text/language.ts';
import { decodeText } from '../web/charset.ts';
import { parseContentType } from '../web/content-type.ts';
import { robotsDirectives } from '../web/robots-meta.ts';
import type { PageContent } from './blocks.ts';
import { outlinksOf } from './links.ts';
import { mainBlocks, textOf, visibleBlocks } from './main-text.ts';
import { metadataOf, robotsOf, titleOf } from './metadata.ts';
import { PageParser } from './page-parser.ts';

/** Longest page read, in UTF-16 units of decoded text. The rest is left out, with a warning. */
export const MAX_PAGE_CHARS = 4 * 1024 * 1024;
/** No charset takes more than four bytes for a unit. */
const MAX_PAGE_BYTES = 4 * MAX_PAGE_CHARS;

const NO_METADATA: PageMetadata = { canonical: null, description: null, author: null, siteName: null, published: null };

/** `slope`: main text by tag density. `none`: all visible text. */
export type MainTextMethod = 'slope' | 'none';

export interface ExtractorOptions {
  /** The crawler's name in robots metas and X-Robots-Tag, e.g. `forager`. */
  readonly productToken: string;
  readonly extractor?: MainTextMethod;
}

type Page = Parameters<Extractor['extract']>[0];

/** Main text by the slope of text against tags. Holds scratch memory: one extractor serves one thread, one page after another. */
export class SlopeExtractor implements Extractor {
  readonly #parser = new PageParser();
  readonly #productToken: string;
  readonly #method: MainTextMethod;

  constructor(options: ExtractorOptions) {
    this.#productToken = options.productToken;
    this.#method = options.extractor ?? 'slope';
  }

  /** Never throws. Time O(length of the page). */
  extract(page: Page): Extraction {
    const { mime, charset: declared } = parseContentType(page.headers['content-type']);
    const isHtml = mime !== 'text/plain';
    const decoded = decodeText(page.body.subarray(0, MAX_PAGE_BYTES), declared, isHtml);
    const warnings = [...decoded.warnings];
    let { text } = decoded;
    if (text.length > MAX_PAGE_CHARS || page.body.length > MAX_PAGE_BYTES) {
      warnings.push(`page longer than ${MAX_PAGE_CHARS} characters; the rest is left out`);
      text = text.slice(0, MAX_PAGE_CHARS);
    }
    return isHtml ? this.#html(page, text, decoded.charset, warnings) : this.#plain(page, text, decoded.charset, warnings);
  }

  #html(page: Page, html: string, charset: string, warnings: string[]): Extraction {
    const content = this.#parser.parse(html);
    warnings.push(...content.warnings);
    const roles = this.#method === 'none' ? visibleBlocks(content.blocks) : mainBlocks(content.blocks);
    return {
      title: titleOf(content),
      text: textOf(content, roles),
      lang: langOf(content, page.headers),
      outlinks: outlinksOf(content, page.url, roles, warnings),
      ...robotsOf(content, page.headers['x-robots-tag'], this.#productToken),
      metadata: metadataOf(content, page.url),
      charset,
      warnings,
    };
  }

  #plain(page: Page, text: string, charset: string, warnings: string[]): Extraction {
    const header = page.headers['x-robots-tag'];
    return {
      title: '',
      text,
      lang: normaliseLang(page.headers['content-language']),
      outlinks: [],
      ...robotsDirectives(header === undefined ? [] : [header], this.#productToken),
      metadata: NO_METADATA,
      charset,
      warnings,
    };
  }
}

function langOf(content: PageContent, headers: Page['headers']): string | null {
  return normaliseLang(content.lang) ?? normaliseLang(headers['content-language']);
}
