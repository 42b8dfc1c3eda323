import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import type { CorpusRecord } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { oneLineOf } from '../../base/text/segments.ts';
import { MAIN_TEXT_METHODS } from '../../reading/extract/text-method-names.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import type { CorpusSource } from '../select/corpus-source.ts';
import { storedPage } from '../select/stored-document.ts';
import { StoredPages } from '../select/stored-pages.ts';
import { escaped } from './tei-text.ts';
import { TeiWriter } from './tei-writer.ts';

/**
 * The structure of pages, read again from their WARC records. The record of a page says nothing of the method that found its main text: that of the last
 * page is tried first, then the others. Memory: one page, and that of `StoredPages`.
 */
export class TeiBodies {
  readonly #pages: StoredPages;
  /** Extractors in the order in which they are tried. */
  #extractors = MAIN_TEXT_METHODS.map((extractor) => pageExtractor({ productToken: PRODUCT_TOKEN, extractor }));
  readonly #turns = new EventLoopYielder();

  readonly #masks: boolean;

  private constructor(pages: StoredPages, masks: boolean) {
    this.#pages = pages;
    this.#masks = masks;
  }

  /** @param masks do links have no personal data? @throws DataError if the folder of WARC files cannot be read */
  static async open(source: Pick<CorpusSource, 'warcFiles'>, masks = false): Promise<TeiBodies> {
    return new TeiBodies(new StoredPages(await source.warcFiles()), masks);
  }

  /** The content of `<body>` with exactly the text of the record, apart from white space; null if its WARC record has no such text. */
  async of({ id, text, document }: Pick<CorpusRecord, 'id' | 'text' | 'document'>): Promise<string | null> {
    if (text === '') return null;
    await this.#turns.take();
    const stored = await this.#pages.page(id);
    const page = stored && (await storedPage(stored, document?.kind ?? null));
    if (page === null) return null;
    for (const extractor of this.#extractors) {
      const writer = new TeiWriter(this.#masks);
      if (!extractor.writeMarkup(page, text, writer)) continue;
      this.#extractors = [extractor, ...this.#extractors.filter((other) => other !== extractor)];
      const body = writer.finish();
      return oneLineOf(body.replace(/<[^>]*>/g, '')) === escaped(text) ? body : null;
    }
    return null;
  }

  close(): Promise<void> {
    return this.#pages.close();
  }
}
