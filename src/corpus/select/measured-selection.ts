/** The precision of the pages of a harvest, from the answers to pages of its crawl. */
import { grown } from '../../base/core/columns.ts';
import type { CanonicalUrl, CorpusRecord } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import type { PrecisionFacts } from './crawl-facts.ts';
import type { OmissionReason } from './harvest-filters.ts';
import type { Selection } from './harvest-selection.ts';

/** Gives the reason why a harvest omits a kept page; null for a page that it takes, `absent` for one without a record. */
export type Omits = (url: CanonicalUrl) => OmissionReason | 'absent' | null;

/** Estimates the precision of the selected pages; null while there are too few answers. */
export type MeasurePrecision = (omits: Omits) => PrecisionFacts | null;

/** The URLs of the records, for a crawl with answers. Memory: some 40 bytes a page, outside of the heap. */
export class MeasuredSelection {
  readonly #isMeasured: boolean;
  readonly #urls = new UrlNumbers();
  /** Ordinal of the last record of a page, by the number of its URL. */
  #ordinals = new Int32Array(0);

  /** @param isMeasured is there something to measure? Otherwise it holds no URL */
  constructor(isMeasured: boolean) {
    this.#isMeasured = isMeasured;
  }

  async *noted(records: AsyncIterable<CorpusRecord>): AsyncGenerator<CorpusRecord> {
    let ordinal = 0;
    for await (const record of records) {
      if (this.#isMeasured) {
        const number = this.#urls.of(record.url);
        this.#ordinals = grown(this.#ordinals, number + 1, Int32Array);
        this.#ordinals[number] = ordinal++;
      }
      yield record;
    }
  }

  precision({ leftOut }: Pick<Selection, 'leftOut'>, measure: MeasurePrecision): PrecisionFacts | null {
    return measure((url) => {
      const ordinal = this.#ordinals[this.#urls.find(url)];
      return ordinal === undefined ? 'absent' : (leftOut(ordinal)?.reason ?? null);
    });
  }
}
