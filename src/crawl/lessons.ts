import type { Ledger } from '../core/parts/queueing.ts';
import type { LinkScorer } from '../core/parts/scoring.ts';
import { redirectIn } from '../core/reason.ts';
import type { CanonicalUrl, Fate, FrontierEntry, Unit } from '../core/types.ts';

/** What a crawl has settled, to teach a fresh scorer from. */
export interface Past extends Pick<Ledger, 'settled'> {
  /** Begins to read the crawl's recording: the links of a page, or the target of a redirect, asked for in the order of settlement. Left out where scorers do not see links. */
  readonly recording?: () => (url: CanonicalUrl) => readonly CanonicalUrl[];
}

/** What a settled URL teaches of the link that led to it: its relevance; 0 for a dead or unreadable page; null where nothing is known. */
export function lessonOf(fate: Fate, { task }: Pick<FrontierEntry, 'task'>): Unit | null {
  // No page: a host without a sitemap is none the worse.
  if (task.kind === 'list' || task.kind === 'reservations') return null;
  if (fate.relevance !== null) return fate.relevance;
  if (fate.reason === 'http-4xx' || fate.reason === 'content-type') return 0;
  return null;
}

/**
 * Teach a fresh scorer all that a crawl has settled, in the order of settlement, up to `pages` lessons.
 * Scorers are deterministic and settlements are committed in order, so this gives the very weights of that moment:
 * a crawl stores no weights, and any priority it ever gave can be explained exactly. O(settled URLs).
 * @param onLesson told after each
 */
export function relearn(scorer: LinkScorer, past: Past, pages = Number.POSITIVE_INFINITY, onLesson: () => void = () => undefined): void {
  if (!scorer.learn || pages <= 0) return;
  const show = showing(scorer, past);
  for (const { entry, fate } of past.settled()) {
    show?.(entry, fate);
    const lesson = lessonOf(fate, entry);
    if (lesson === null) continue;
    scorer.learn(entry, lesson);
    onLesson();
    if (scorer.learnedFrom >= pages) return;
  }
}

/**
 * Teach a fresh scorer what it knew when it gave a link its priority. A scorer that sees links had seen those of the referrer, or the redirect, before
 * their lesson; with one request at a time this is exact, with more a page may have been seen in between.
 */
export function relearnFor(scorer: LinkScorer, past: Past, { url, edge, redirects }: FrontierEntry): void {
  if (!scorer.learn || edge === null) return;
  const show = showing(scorer, past);
  if (!show) {
    relearn(scorer, past, edge.learnedFrom);
    return;
  }
  let isSeen = false;
  for (const { entry, fate } of past.settled()) {
    show(entry, fate);
    const lesson = lessonOf(fate, entry);
    isSeen ||= redirects > 0 ? redirectIn(fate.reason) === url : entry.url === edge.referrer.url;
    if (lesson !== null && scorer.learnedFrom < edge.learnedFrom) scorer.learn(entry, lesson);
    if (isSeen && scorer.learnedFrom >= edge.learnedFrom) return;
  }
}

/** Shows a scorer again the links of what was settled, told in its order. null for one that sees no links: it costs nothing then, and the recording is not read. */
function showing(scorer: LinkScorer, { recording }: Past): ((entry: FrontierEntry, fate: Fate) => void) | null {
  if (!scorer.see || !recording) return null;
  const linksOf = recording();
  return (entry, { relevance, reason }) => {
    if (relevance !== null || redirectIn(reason) !== null) scorer.see?.(entry, relevance, linksOf(entry.url));
  };
}
