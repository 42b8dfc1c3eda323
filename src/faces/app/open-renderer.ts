/** Opens the browser that renders pages, for a crawl or for a command. */
import { systemClock } from '../../base/core/clock.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { findBrowser } from '../../crawling/render/find-browser.ts';
import type { ResourceParts } from '../../crawling/render/page-answers.ts';
import { PageRenderer } from '../../crawling/render/page-renderer.ts';
import { RenderHabits } from '../../crawling/render/render-habits.ts';
import { RenderingReader } from '../../crawling/render/rendering-reader.ts';

/** Options about the browser of this machine. */
export interface BrowserChoice {
  /** Default: the first that `findBrowser` finds. */
  readonly browser?: string;
  /** Default: true. */
  readonly sandbox?: boolean;
}

/** The parts that answer the requests of a rendered page. */
export type AnsweringParts = Omit<ResourceParts, 'clock'>;

/** The browser starts with the first page. @param concurrency pages at once. @throws UsageError if the machine has none */
export function openRenderer({ sandbox = true, ...choice }: BrowserChoice, concurrency: number, parts: AnsweringParts): PageRenderer {
  return new PageRenderer({ path: findBrowser(choice), noSandbox: !sandbox, concurrency }, { ...parts, clock: systemClock });
}

/**
 * A reader of a crawl that renders pages. It knows the URL patterns that earlier runs learned.
 * @param reader closes with it. @throws UsageError if the machine has no browser
 */
export function renderingReader(
  reader: PageReader,
  { render, renderConcurrency }: Pick<CrawlManifest, 'render' | 'renderConcurrency'>,
  choice: BrowserChoice,
  parts: AnsweringParts,
  ledger: Pick<Ledger, 'settled'>,
): PageReader {
  if (render === 'never') return reader;
  const renderer = openRenderer(choice, renderConcurrency, parts);
  return new RenderingReader(reader, renderer, render, render === 'auto' ? learnedHabits(ledger) : new RenderHabits());
}

/** Habits by the visits of earlier runs, in their order. The ledger does not say which pages had scripts: nearly all do. O(settled URLs). */
function learnedHabits(ledger: Pick<Ledger, 'settled'>): RenderHabits {
  const habits = new RenderHabits();
  for (const { entry, fate } of ledger.settled()) {
    if (fate.rendered) habits.noteRendered(entry.url, fate.rendered);
    else if (fate.relevance !== null) habits.notePlain(entry.url);
  }
  return habits;
}
