/** A topic model in memory, for programs that judge pages one by one. */

import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { JudgedPageText as PageText, TopicExplanation } from '../../base/core/parts/reading.ts';
import type { Unit } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { loadTopic, methodOf } from '../../crawling/crawl-dir/load-topic.ts';
import { type PageLanguage, pageLanguage } from '../../crawling/reader/page-language.ts';
import { checkOptions } from '../../crawling/settings/check-options.ts';
import type { PageExtractor } from '../../reading/extract/extractor.ts';
import type { MainTextMethod } from '../../reading/extract/text-method-names.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { extractPage, PAGE_OPTIONS, type PageOptions, sourceOf } from './page-in-memory.ts';

/** A page whose text is known already, such as a record of a corpus. */
export interface ReadText {
  readonly title: string;
  readonly text: string;
  /** Visible text outside the main text, such as the `otherText` of a record. */
  readonly otherText?: string;
  readonly url?: string;
  /** BCP 47. */
  readonly lang?: string;
  /** Kind of a document, such as the `document` of a record. Absent for HTML and plain text. */
  readonly document?: { readonly kind: DocumentKindName };
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
    this.#extractor = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: method });
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
    checkOptions(`Model.${of}`, PAGE_OPTIONS, options);
    if (isReadText(page)) return { ...page, url: page.url ?? options.url ?? null, lang: page.lang ?? null };
    const { url, extraction } = extractPage(sourceOf(of, page, options), this.#extractor);
    return { ...extraction, url: url ?? extraction.metadata.canonical, lang: this.#languageOf(extraction) };
  }
}

function isReadText(page: string | Uint8Array | ReadText): page is ReadText {
  return typeof page === 'object' && page !== null && !(page instanceof Uint8Array);
}
