/**
 * The demands of strategies by the graph of links (`LinkScorer.observer`), in one place. They see all links of each page, a resumed crawl shows them the
 * links of its recording again, and each of several machines has a part of the graph. No other file of a crawl knows such strategies.
 */
import { UsageError } from '../../base/core/errors.ts';
import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import { redirectIn } from '../../base/core/reason.ts';
import type { CanonicalUrl, Fate, FrontierEntry } from '../../base/core/types.ts';

type Observed = Pick<LinkScorer, 'observer'>;
/** The links of a page, or the target of a redirect, in the order of settlement. */
type Recording = () => (url: CanonicalUrl) => readonly CanonicalUrl[];

/** Shows a read page, right before its links are scored. */
export function showPage({ observer }: Observed, entry: FrontierEntry, read: Extract<ReadOutcome, { kind: 'read' }>): void {
  if (!observer) return;
  const { extraction, relevance, links } = read;
  observer.page(entry, relevance, extraction.nofollow ? [] : links.map(({ url }) => url));
}

/** Shows a redirect, right before its target is scored. */
export function showRedirect({ observer }: Observed, entry: FrontierEntry, to: CanonicalUrl): void {
  observer?.redirect(entry, to);
}

/** Shows settled URLs again, in the order of settlement. Without an observer, it does nothing and the recording is not read. */
export function showingAgain({ observer }: Observed, recording: Recording | undefined): (entry: FrontierEntry, fate: Fate) => void {
  if (!observer || !recording) return () => undefined;
  const linksOf = recording();
  return (entry, { relevance, reason }) => {
    if (relevance !== null) observer.page(entry, relevance, linksOf(entry.url));
    else if (redirectIn(reason) !== null) for (const to of linksOf(entry.url)) observer.redirect(entry, to);
  };
}

/** @throws UsageError for a scorer with an observer, in a crawl of several machines */
export function refusePartOfGraph({ observer, strategy }: Pick<LinkScorer, 'observer' | 'strategy'>): void {
  if (observer)
    throw new UsageError(
      `--strategy ${strategy}: reads the graph of all links, and each of several machines has a part of it; start another crawl with another strategy`,
    );
}
