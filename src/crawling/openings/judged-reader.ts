import type { PageReader, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, FetchedPage } from '../../base/core/types.ts';
import type { RelevanceBand } from '../settings/crawl-kinds.ts';
import type { PageJudge } from './page-judge.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** Asks the user's judge about each page that was read, or about those whose relevance by the topic model is in a band. */
export class JudgedReader implements PageReader {
  readonly markSettled?: (url: CanonicalUrl) => void;
  readonly #reader: PageReader;
  readonly #judge: PageJudge;
  readonly #band: RelevanceBand | null;

  /** @param band null for all pages */
  constructor(reader: PageReader, judge: PageJudge, band: RelevanceBand | null) {
    [this.#reader, this.#judge, this.#band] = [reader, judge, band];
    if (reader.markSettled) this.markSettled = (url) => reader.markSettled?.(url);
  }

  async read(page: FetchedPage): Promise<ReadOutcome> {
    const outcome = await this.#reader.read(page);
    if (outcome.kind !== 'read' || !this.#isAsked(outcome)) return outcome;
    const reply = await this.#judge.judge(page.url, outcome.extraction);
    if (reply.kind === 'unasked') return outcome;
    if (reply.kind === 'trouble') return { ...outcome, hooked: { troubles: [reply.trouble] } };
    const { relevance, because } = reply.judgement;
    const hooked = { judgedBy: 'judge', modelRelevance: outcome.relevance, ...(because !== undefined && { because }) } as const;
    return { ...outcome, relevance, hooked };
  }

  async close(): Promise<void> {
    await this.#judge.close();
    await this.#reader.close();
  }

  /** A wall is not the page. */
  #isAsked({ extraction, relevance }: Read): boolean {
    if (extraction.wall !== undefined) return false;
    return this.#band === null || (relevance >= this.#band.low && relevance <= this.#band.high);
  }
}
