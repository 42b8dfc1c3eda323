/** A whole crawl with parts of a program, and its explanations. */
import { inWords } from '../../base/core/errors.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { Why, WhyOptions } from '../../study/inspect/why.ts';
import type { CrawlOptions } from '../app/crawl-options.ts';
import { type CrawlRun, withEvents } from '../app/crawl-run.ts';
import type { ReplaceParts } from '../app/replaced-parts.ts';

/**
 * A crawl, new or resumed, as `crawl` of the library runs it, with some of its parts replaced. The manifest names the replaced parts. A part that wraps
 * another one has to close it. A scorer is fixed for the life of the crawl, and may be asked in any order.
 * @param replace gets the parts as they open, and returns the replacements by name
 * @throws as `crawl`; UsageError for a part that may not be replaced; the errors of `replace`
 */
export function crawlWith(options: CrawlOptions, replace: ReplaceParts): CrawlRun {
  return withEvents(options, (watched) => inWords(async () => (await import('../app/run-crawl.ts')).crawlWatched(watched, replace)));
}

/** Explains a URL of a crawl whose scorer a program replaced. @param scorer a fresh one of that program. @throws as `why` of the library */
export function whyWith(dir: string, url: string, scorer: LinkScorer, options: WhyOptions = {}): Promise<Why> {
  return inWords(async () => (await import('../../study/inspect/why.ts')).whyBy(scorer, dir, url, options));
}
