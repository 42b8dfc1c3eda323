/** Opens the browser that renders pages of a crawl. */
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type AnsweringParts, type BrowserChoice, openRenderer } from '../../crawling/render/machine-renderer.ts';
import { RenderHabits } from '../../crawling/render/render-habits.ts';
import { RenderingReader } from '../../crawling/render/rendering-reader.ts';

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
