/** The newest survey of a crawl, kept in the process of the page: many tabs then cost a running crawl no more questions than one. */
import type { Clock } from '../../base/core/clock.ts';
import type { DatedSurvey, Fetching } from './readings.ts';

export class NewestSurvey {
  readonly #ask: (given: Fetching) => Promise<DatedSurvey>;
  readonly #clock: Pick<Clock, 'now'>;
  #last: DatedSurvey | null = null;
  #asked: Promise<DatedSurvey> | null = null;

  /** @param ask counts, or answers with an earlier survey while it is not yet time for another */
  constructor(ask: (given: Fetching) => Promise<DatedSurvey>, clock: Pick<Clock, 'now'>) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** Would a survey of a crawl that fetches be another than the last? */
  get isDue(): boolean {
    return this.#last === null || this.#clock.now() >= this.#last.next;
  }

  /** @param fetches false for one of now, always @throws as the survey */
  of(fetches: boolean): Promise<DatedSurvey> {
    if (!fetches) return this.#ask({ fetches });
    if (this.#last !== null && !this.isDue) return Promise.resolve(this.#last);
    this.#asked ??= this.#askAgain();
    return this.#asked;
  }

  async #askAgain(): Promise<DatedSurvey> {
    try {
      this.#last = await this.#ask({ fetches: true });
      return this.#last;
    } finally {
      this.#asked = null;
    }
  }
}
