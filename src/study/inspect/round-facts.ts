/** Facts about the rounds of a crawl. */

import { counted } from '../../base/text/number-text.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';

export interface RoundFacts {
  /** The present or last round, from 1. */
  readonly round: number;
  /** Number of rounds of the last run. */
  readonly of: number;
  /** URLs on other hosts that wait for the next round. */
  readonly held: number;
}

/** O(discovered URLs). @returns null for a crawl without rounds */
export function roundFacts({
  manifest,
  frontier,
}: { readonly manifest: Pick<CrawlManifest, 'rounds'> } & {
  readonly frontier: Pick<OpenCrawl['frontier'], 'notes' | 'refusals'>;
}): RoundFacts | null {
  if (manifest.rounds === null) return null;
  return { round: frontier.notes.round ?? 1, of: manifest.rounds, held: frontier.refusals().get('next-round') ?? 0 };
}

/** The facts in a line of a report. */
export function roundLine({ round, of, held }: RoundFacts): string {
  return `round ${round} of ${of}: ${counted(held, 'URL')} on other hosts ${held === 1 ? 'waits' : 'wait'} for the next round`;
}
