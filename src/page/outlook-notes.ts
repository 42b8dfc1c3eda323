/** Stores an outlook at some moments of a run: afterwards the crawl shows whether it held. */
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { noteOutlook, readOutlooks } from '../crawl-dir/outlook-file.ts';
import { nextOutlookAt } from '../inspect/past-outlooks.ts';
import type { AskedProcess } from './asked-process.ts';
import type { RunInHand } from './run-in-hand.ts';

export class OutlookNotes {
  readonly #paths: Pick<CrawlPaths, 'outlooks'>;
  readonly #reader: Pick<AskedProcess<'readings'>, 'ask'>;
  readonly #run: Pick<RunInHand, 'counts' | 'state'>;
  /** Visits of the crawl; null before the first look. */
  #due: number | null = null;
  #asks = false;

  constructor(
    paths: Pick<CrawlPaths, 'outlooks'>,
    reader: Pick<AskedProcess<'readings'>, 'ask'>,
    run: Pick<RunInHand, 'counts' | 'state'>,
  ) {
    this.#paths = paths;
    this.#reader = reader;
    this.#run = run;
  }

  /** Is one due? Returns at once; never throws. */
  look(): void {
    const visited = this.#run.counts()?.visited ?? null;
    if (visited === null || this.#asks) return;
    this.#due ??= nextOutlookAt(readOutlooks(this.#paths));
    if (visited < this.#due) return;
    this.#asks = true;
    void this.#note(this.#due)
      .catch(() => undefined)
      .finally(() => {
        this.#asks = false;
      });
  }

  async #note(due: number): Promise<void> {
    const made = await this.#reader.ask('outlook', { fetches: this.#run.state !== 'paused' });
    // The reader counts commits, and not more often than it may: the next look asks again.
    if (made === null || made.visits < due) return;
    noteOutlook(this.#paths, made);
    this.#due = nextOutlookAt(readOutlooks(this.#paths));
  }
}
