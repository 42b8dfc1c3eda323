/** The events of a crawl as an async iterable. */
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { CrawlOptions, CrawlReport } from './crawl-options.ts';

/**
 * A running crawl. Await it for its report, or iterate over it for its events; the iteration must start in the same tick as the call. The crawl starts
 * no request while 1,000 events wait to be read. Leaving the loop early stops the crawl like an aborted signal, and waits until everything is stored.
 */
export interface CrawlRun extends Promise<CrawlReport>, AsyncIterable<CrawlEvent, undefined> {}

/** Events that wait to be read before the crawl waits too: a `judged` event keeps its page, some 20 KB. */
const MOST_WAITING = 1000;

/** @param run the crawl itself */
export function withEvents(options: CrawlOptions, run: (options: CrawlOptions) => Promise<CrawlReport>): CrawlRun {
  const events = new EventQueue();
  const stop = new AbortController();
  const report = run(watched(options, events, stop.signal)).finally(() => events.end());
  async function* iterate(): AsyncGenerator<CrawlEvent, undefined> {
    try {
      yield* events.all();
      await report;
    } finally {
      stop.abort();
      // An error that ended the crawl was thrown above; after `break` the caller still has the promise.
      await report.catch(() => undefined);
    }
  }
  return Object.assign(report, {
    [Symbol.asyncIterator]: () => {
      events.open();
      return iterate();
    },
  });
}

function watched(options: CrawlOptions, events: EventQueue, stop: AbortSignal): CrawlOptions {
  // The crawl's own check refuses anything but an object.
  if (typeof options !== 'object' || options === null) return options;
  const { onEvent, mayFetch, signal } = options;
  if (onEvent !== undefined && typeof onEvent !== 'function') return options;
  return {
    ...options,
    signal: signal instanceof AbortSignal ? AbortSignal.any([stop, signal]) : (signal ?? stop),
    onEvent: (event) => {
      onEvent?.(event);
      events.add(event);
    },
    mayFetch: () => events.hasRoom() && (mayFetch?.() ?? true),
  };
}

/** Events in order, kept only for a reader. */
class EventQueue {
  #waiting: CrawlEvent[] = [];
  /** Includes the events that were already handed out. */
  #unread = 0;
  #isRead = false;
  #ended = false;
  #wake: () => void = () => undefined;

  open(): void {
    this.#isRead = true;
  }

  hasRoom(): boolean {
    return this.#unread < MOST_WAITING;
  }

  add(event: CrawlEvent): void {
    if (!this.#isRead) return;
    this.#waiting.push(event);
    this.#unread += 1;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *all(): AsyncGenerator<CrawlEvent, undefined> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      for (const event of batch) {
        this.#unread -= 1;
        yield event;
      }
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
