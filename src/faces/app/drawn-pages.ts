/** The texts of drawn pages: those that the crawl has read from its directory, others by a request. */
import { DataError } from '../../base/core/errors.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { CanonicalUrl, FetchedPage } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { methodOf } from '../../crawling/crawl-dir/load-topic.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { kindOfSource, sourceDocument } from '../../crawling/input/source-document.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { bestPassage, type Passage } from '../../reading/topic/passage.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { type PageOfCrawl, pageOf, textDigest } from '../../study/label/judged-pages.ts';
import { PASSAGE_CHARS } from '../../study/label/labelling-options.ts';
import { readable } from './page-in-memory.ts';
import type { PoliteRequests } from './polite-requests.ts';

/** A page as a question shows it. */
export interface DrawnPage {
  readonly unread: null;
  readonly title: string;
  readonly passage: Passage;
  readonly sha256: string;
}

/** A page without a text, with the reason. */
export interface UnreadPage {
  readonly unread: string;
}

/** Pages read while a person answers. A request takes a second or two, as an answer does. */
const AHEAD = 4;

export class DrawnPages {
  readonly #crawl: OpenCrawl;
  readonly #part: TopicPart;
  readonly #model: LinearTopicModel;
  readonly #requests: PoliteRequests;
  readonly #signal: AbortSignal;
  readonly #closing = new AbortController();
  readonly #pages = new Map<CanonicalUrl, Promise<DrawnPage | UnreadPage>>();
  /** One after another. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param signal ends the requests */
  constructor(crawl: OpenCrawl, part: TopicPart, model: LinearTopicModel, requests: PoliteRequests, signal: AbortSignal) {
    [this.#crawl, this.#part, this.#model, this.#requests] = [crawl, part, model, requests];
    this.#signal = AbortSignal.any([signal, this.#closing.signal]);
  }

  /** @throws DataError, StoreError if the crawl has lost its text; the reason of the signal */
  of(url: CanonicalUrl): Promise<DrawnPage | UnreadPage> {
    const known = this.#pages.get(url);
    if (known !== undefined) return known;
    const page = this.#last.then(() => this.#read(url));
    this.#last = page.catch(() => undefined);
    this.#pages.set(url, page);
    return page;
  }

  /** Reads the first of these pages in the background. */
  readAhead(urls: readonly CanonicalUrl[]): void {
    for (const url of urls.slice(0, AHEAD)) this.of(url).catch(() => undefined);
  }

  /** Ends the requests. */
  close(): void {
    this.#closing.abort();
  }

  async #read(url: CanonicalUrl): Promise<DrawnPage | UnreadPage> {
    this.#signal.throwIfAborted();
    const page = this.#hasText(url) ? await pageOf(this.#crawl.paths, this.#crawl, url) : await this.#request(url);
    if ('unread' in page) return page;
    if (page.text.trim() === '') return { unread: 'no-text' };
    const explanation = this.#model.explain({ ...page, lang: (await pageLanguage(this.#model))(page) });
    const passage = bestPassage(page.text, explanation.contributions, PASSAGE_CHARS);
    // Words in colours would tell the judgement.
    return { unread: null, title: page.title, passage: { ...passage, words: [] }, sha256: textDigest(page) };
  }

  #hasText(url: CanonicalUrl): boolean {
    const fate = this.#crawl.frontier.find(url)?.fate;
    return fate !== undefined && fate !== null && (fate.recordId !== null || fate.page !== null);
  }

  async #request(url: CanonicalUrl): Promise<PageOfCrawl | UnreadPage> {
    const got = await this.#requests.page(url, this.#signal);
    if (got.page === null) return { unread: got.reason };
    try {
      return { url, ...pageTexts(await this.#extracted(got.page)) };
    } catch (error) {
      if (error instanceof DataError) return { unread: 'decode' };
      throw error;
    }
  }

  /** The page as the crawl would read it. @throws DataError for a damaged document */
  async #extracted({ url, headers, body }: FetchedPage) {
    const source = { id: url, url, headers, body };
    const kind = kindOfSource(body, headers, url);
    const page = kind === null ? source : await sourceDocument(source, kind);
    const extractor = methodOf(this.#model, this.#part.paths.model);
    return pageExtractor({ productToken: PRODUCT_TOKEN, extractor }).extract(readable(page));
  }
}
