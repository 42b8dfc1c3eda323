/** One page in memory: its text and links, and whether it is on a topic. No file is written. */
import { z } from 'zod';
import { UsageError } from '../core/errors.ts';
import { isOnTopic } from '../core/on-topic.ts';
import type { JudgedPage as PageText, TopicExplanation } from '../core/parts/reading.ts';
import type { CanonicalUrl, Extraction, Unit } from '../core/types.ts';
import { PRODUCT_TOKEN } from '../core/version.ts';
import { loadTopic, methodOf } from '../crawl-dir/load-topic.ts';
import { PageExtractor } from '../extract/extractor.ts';
import type { MainTextMethod } from '../extract/text-methods.ts';
import { HTML, pageFrom, type SourcePage, UTF8_HTML } from '../input/source-page.ts';
import { type PageLanguage, pageLanguage } from '../reader/page-language.ts';
import { checkOptions, type OptionTable } from '../settings/check-options.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import { canonicalize } from '../web/url.ts';
import { EXTRACT, type ExtractOptions, extractPage } from './extract-pages.ts';

export interface PageOptions {
  /** The page's own URL: relative links are resolved against it, and rules of a topic may test it. Default: not known. */
  readonly url?: string;
  /** Value of its `Content-Type` header, e.g. `text/html; charset=koi8-r` or `text/plain`. Default: HTML; bytes in the charset that they declare or suggest. */
  readonly contentType?: string;
}

const PAGE: OptionTable<PageOptions> = { url: z.string('not a URL'), contentType: z.string('not a media type') };

export interface ExtractPageOptions extends PageOptions, Pick<ExtractOptions, 'extractor' | 'markdown' | 'parts'> {}

const EXTRACT_PAGE: OptionTable<ExtractPageOptions> = {
  ...PAGE,
  extractor: EXTRACT.extractor,
  markdown: EXTRACT.markdown,
  parts: EXTRACT.parts,
};

export interface ExtractedText extends Extraction {
  /** Title and main text as Markdown; null unless `markdown` asks for it. */
  readonly markdown: string | null;
}

/**
 * Title, main text, links and metadata of one page. Time O(length of the page): about 1 ms for 20 KB. Pages of over 4 million characters are cut, with a warning.
 * @param page HTML or plain text, as a string or as the bytes that a server sent (without content coding)
 * @throws UsageError for an option that cannot be; DataError for a PDF and other binary data
 */
export function extract(page: string | Uint8Array, options: ExtractPageOptions = {}): ExtractedText {
  checkOptions('extract', EXTRACT_PAGE, options);
  const { extractor, parts, markdown } = options;
  const reader = new PageExtractor({ productToken: PRODUCT_TOKEN, ...(extractor && { extractor }), ...(parts && { parts }) });
  const { extraction, markdown: written } = extractPage(sourceOf('extract', page, options), reader, markdown);
  return { ...extraction, markdown: written };
}

/** A URL in the normal form that Forager compares URLs by: the scheme and host in lower case, no fragment, escapes normalised (RFC 3986, section 6). @returns null for what is no http(s) URL */
export function canonicalUrl(url: string, base?: string): CanonicalUrl | null {
  return canonicalize(url, base);
}

/** A page whose text is known already, such as a record of a corpus. */
export interface ReadText {
  readonly title: string;
  readonly text: string;
  readonly url?: string;
  /** BCP 47. */
  readonly lang?: string;
}

/** A page's relevance. */
export interface Judgement {
  readonly relevance: Unit;
  readonly threshold: Unit;
  /** `relevance >= threshold`. */
  readonly onTopic: boolean;
}

/** A topic model in memory. It holds 5 MB and scratch memory: one model serves one thread. */
export class Model {
  /** SHA-256 of weights and settings, hex, first 16 characters. */
  readonly id: string;
  readonly name: string;
  readonly threshold: Unit;
  readonly #topic: LinearTopicModel;
  readonly #extractor: PageExtractor;
  readonly #languageOf: PageLanguage;

  private constructor(topic: LinearTopicModel, method: MainTextMethod, languageOf: PageLanguage) {
    this.id = topic.id;
    this.name = topic.name;
    this.threshold = topic.threshold;
    this.#topic = topic;
    this.#extractor = new PageExtractor({ productToken: PRODUCT_TOKEN, extractor: method });
    this.#languageOf = languageOf;
  }

  /** @param dir folder that `train` wrote. @throws UsageError when no model is there; ModelError when it is damaged or of another version */
  static async open(dir: string): Promise<Model> {
    const topic = await loadTopic(dir);
    return new Model(topic, methodOf(topic, dir), await pageLanguage(topic));
  }

  /**
   * The relevance of one page, read as the pages that the model was trained on.
   * @param page HTML as a string or bytes; or its title and text, which are not extracted again
   * @throws UsageError, DataError as `extract`
   */
  judge(page: string | Uint8Array | ReadText, options: PageOptions = {}): Judgement {
    const relevance = this.#topic.judge(this.#textOf('judge', page, options));
    return { relevance, threshold: this.threshold, onTopic: isOnTopic(relevance, this.threshold) };
  }

  /** The contribution of each term to the relevance of a page: their sum and the bias are its logit. @throws UsageError, DataError as `extract` */
  explain(page: string | Uint8Array | ReadText, options: PageOptions = {}): TopicExplanation {
    return this.#topic.explain(this.#textOf('explain', page, options));
  }

  #textOf(of: string, page: string | Uint8Array | ReadText, options: PageOptions): PageText {
    checkOptions(`Model.${of}`, PAGE, options);
    if (isReadText(page)) return { title: page.title, text: page.text, url: page.url ?? options.url ?? null, lang: page.lang ?? null };
    const { url, extraction } = extractPage(sourceOf(of, page, options), this.#extractor);
    return { ...extraction, url: url ?? extraction.metadata.canonical, lang: this.#languageOf(extraction) };
  }
}

function isReadText(page: string | Uint8Array | ReadText): page is ReadText {
  return typeof page === 'object' && page !== null && !(page instanceof Uint8Array);
}

/** @throws UsageError, DataError */
function sourceOf(of: string, page: string | Uint8Array, { url, contentType }: PageOptions): SourcePage {
  if (typeof page !== 'string' && !(page instanceof Uint8Array)) throw new UsageError(`${of}: takes a page as a string or bytes`);
  const canonical = url === undefined ? null : canonicalize(url);
  if (url !== undefined && canonical === null) throw new UsageError(`${of}: url ${JSON.stringify(url)}: is no http(s) URL`);
  const id = canonical ?? 'page';
  if (typeof page === 'string') {
    const type = contentType?.replace(/;.*$/s, '').trim();
    return { id, url: canonical, headers: type ? { 'content-type': `${type}; charset=utf-8` } : UTF8_HTML, body: Buffer.from(page) };
  }
  const headers = contentType === undefined ? HTML : { 'content-type': contentType };
  return { id, url: canonical, headers, body: pageFrom(id, page, true) };
}
