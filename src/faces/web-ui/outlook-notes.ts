/** Stores an outlook at some moments of a run: afterwards the crawl shows whether it held. */
import { crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { noteOutlook, readOutlooks } from '../../crawling/crawl-dir/outlook-file.ts';
import { nextOutlookAt } from '../../study/inspect/past-outlooks.ts';
import type { OpenedCrawl } from './opened-crawl.ts';
import { isUnderWay, type RunNow } from './run.ts';

export class OutlookNotes {
  readonly #place: Pick<OpenedCrawl, 'dir' | 'reader' | 'run'>;
  /** Visits of the crawl; null before the first look. */
  #due: number | null = null;
  #asks = false;

  constructor(place: Pick<OpenedCrawl, 'dir' | 'reader' | 'run'>) {
    this.#place = place;
  }

  /** Is one due? Never rejects. */
  async look(): Promise<void> {
    if (this.#asks) return;
    this.#asks = true;
    try {
      const now = await this.#place.run.now();
      if (isUnderWay(now)) await this.#noteAt(now);
    } catch {
      // The next look tries again.
    } finally {
      this.#asks = false;
    }
  }

  async #noteAt({ visited, state }: RunNow): Promise<void> {
    const paths = crawlPaths(this.#place.dir);
    this.#due ??= nextOutlookAt(readOutlooks(paths));
    if (visited < this.#due) return;
    const made = await this.#place.reader.ask('outlook', { fetches: state !== 'paused' });
    // The reader counts commits, and not more often than it may: the next look asks again.
    if (made === null || made.visits < this.#due) return;
    noteOutlook(paths, made);
    this.#due = nextOutlookAt(readOutlooks(paths));
  }
}
