import { NO_METADATA } from '../core/no-metadata.ts';
import type { Extractor } from '../core/parts.ts';
import type { CanonicalUrl, Extraction } from '../core/types.ts';
import { normaliseLang } from '../text/language.ts';
import { decodeText } from '../web/charset.ts';
import { parseContentType } from '../web/content-type.ts';
import { robotsDirectives } from '../web/robots-meta.ts';
import { hostKeyOf } from '../web/url.ts';
import { BlockModel } from './block-model.ts';
import type { PageContent } from './blocks.ts';
import { bteBlocks, TagOffsets } from './bte.ts';
import type { FieldReader } from './field-reader.ts';
import type { SiteFurniture } from './furniture.ts';
import { baseOf, outlinksOf } from './links.ts';
import { mainBlocks, modelledBlocks, ROLE, textOf, visibleBlocks } from './main-text.ts';
import { markdownOf, TextSpans, withTitle } from './markdown.ts';
import { declaredBy } from './metadata.ts';
import { PageParser } from './page-parser.ts';

/** Longest page read, in UTF-16 units of decoded text. The rest is left out, with a warning. */
export const MAX_PAGE_CHARS = 4 * 1024 * 1024;
/** No charset takes more than four bytes for a unit. */
const MAX_PAGE_BYTES = 4 * MAX_PAGE_CHARS;

/** `block`: the block model. `slope`: weighted tag density. `bte`: tag density as first published. `none`: all visible text. */
export const MAIN_TEXT_METHODS = ['block', 'slope', 'bte', 'none'] as const;
export type MainTextMethod = (typeof MAIN_TEXT_METHODS)[number];

let bundled: BlockModel | null = null;

export interface ExtractorOptions {
  /** The crawler's name in robots metas and X-Robots-Tag, e.g. `forager`. */
  readonly productToken: string;
  /** Default `slope`: the block model is better on commercial pages, but drops code and reference tables of small documentation pages. */
  readonly extractor?: MainTextMethod;
  /** Reads the fields of pages that field rules are for. */
  readonly fields?: FieldReader | null;
  /** Learns what the pages of a host share, and takes it out of their text; their links stay. Default null: a page is read by itself. */
  readonly furniture?: SiteFurniture | null;
}

type Page = Parameters<Extractor['extract']>[0];

/** Title, main text, links and declarations of pages. Holds scratch memory: one extractor serves one thread, one page after another. */
export class PageExtractor implements Extractor {
  readonly #parser: PageParser;
  readonly #productToken: string;
  readonly #method: MainTextMethod;
  readonly #fields: FieldReader | null;
  readonly #furniture: SiteFurniture | null;

  constructor(options: ExtractorOptions) {
    this.#productToken = options.productToken;
    this.#method = options.extractor ?? 'slope';
    this.#parser = new PageParser(this.#method === 'block');
    this.#fields = options.fields ?? null;
    this.#furniture = options.furniture ?? null;
  }

  /** Never throws. Time O(length of the page). */
  extract(page: Page): Extraction {
    return this.#read(page, null);
  }

  /** The same, and title and main text as Markdown, its links left out unless asked for. The Markdown of plain text is that text. */
  extractMarkdown(
    page: Page,
    { links = false }: { readonly links?: boolean } = {},
  ): { readonly extraction: Extraction; readonly markdown: string } {
    const markdown = new MarkdownReading(links ? page.url : null);
    const extraction = this.#read(page, markdown);
    return { extraction, markdown: markdown.markdown === null ? extraction.text : withTitle(extraction.title, markdown.markdown) };
  }

  #read(page: Page, markdown: MarkdownReading | null): Extraction {
    const { mime, charset: declared } = parseContentType(page.headers['content-type']);
    const isHtml = mime !== 'text/plain';
    const decoded = decodeText(page.body.subarray(0, MAX_PAGE_BYTES), declared, isHtml);
    const warnings = [...decoded.warnings];
    let { text } = decoded;
    if (text.length > MAX_PAGE_CHARS || page.body.length > MAX_PAGE_BYTES) {
      warnings.push(`page longer than ${MAX_PAGE_CHARS} characters; the rest is left out`);
      text = text.slice(0, MAX_PAGE_CHARS);
    }
    return isHtml ? this.#html(page, text, decoded.charset, warnings, markdown) : this.#plain(page, text, decoded.charset, warnings);
  }

  #html(page: Page, html: string, charset: string, warnings: string[], markdown: MarkdownReading | null): Extraction {
    const content = this.#parser.parse(html, markdown?.spans);
    warnings.push(...content.warnings);
    const roles = this.#rolesOf(content, html);
    const own = this.#furniture?.strike(hostKeyOf(page.url), content, roles) ?? roles;
    markdown?.read(html, content, own);
    return {
      ...declaredBy(content, page, this.#productToken),
      text: textOf(content, own),
      outlinks: outlinksOf(content, page.url, roles, warnings),
      fields: this.#fields?.read(page.url, html, warnings) ?? {},
      charset,
      warnings,
    };
  }

  #rolesOf(content: PageContent, html: string): Uint8Array {
    if (this.#method === 'none') return visibleBlocks(content.blocks);
    if (this.#method === 'slope') return mainBlocks(content.blocks);
    if (this.#method === 'bte') {
      const tags = new TagOffsets();
      return bteBlocks(this.#parser.parse(html, tags), tags.offsets);
    }
    bundled ??= BlockModel.bundled();
    return modelledBlocks(content, bundled);
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
      fields: {},
      charset,
      warnings,
    };
  }
}

/** The Markdown of one page, as its extraction goes by. */
class MarkdownReading {
  readonly spans = new TextSpans();
  readonly #linkBase: CanonicalUrl | null;
  /** null while there is none. */
  markdown: string | null = null;

  constructor(linkBase: CanonicalUrl | null) {
    this.#linkBase = linkBase;
  }

  read(html: string, { baseHref }: PageContent, roles: Uint8Array): void {
    const linkBase = this.#linkBase === null ? null : baseOf(this.#linkBase, baseHref);
    this.markdown = markdownOf(html, this.spans, (block) => roles[block] === ROLE.text, { linkBase });
  }
}
