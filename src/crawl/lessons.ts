import type { Frontier, LinkScorer } from '../core/parts.ts';
import type { CanonicalUrl, Fate, FrontierEntry, Unit } from '../core/types.ts';

/** What a crawl has settled, to teach a fresh scorer from. */
export interface Past extends Pick<Frontier, 'settled'> {
  /** Begins to read the crawl's recording: the links of a page, or the target of a redirect, asked for in the order of settlement. Left out where scorers do not see links. */
  readonly recording?: () => (url: CanonicalUrl) => readonly CanonicalUrl[];
}

/** What a settled URL teaches of the link that led to it: its relevance; 0 for a dead or unreadable page; null where nothing is known. */
export function lessonOf(fate: Fate, { edge }: Pick<FrontierEntry, 'edge'>): Unit | null {
  // No page: a host without a sitemap is none the worse.
  if (edge?.link.list) return null;
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
  for (const { entry, lesson } of seenAgain(scorer, past)) {
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
  if (!scorer.see) {
    relearn(scorer, past, edge.learnedFrom);
    return;
  }
  let isSeen = false;
  for (const { entry, fate, lesson } of seenAgain(scorer, past)) {
    isSeen ||= redirects > 0 ? fate.reason === `redirect:${url}` : entry.url === edge.referrer.url;
    if (lesson !== null && scorer.learnedFrom < edge.learnedFrom) scorer.learn(entry, lesson);
    if (isSeen && scorer.learnedFrom >= edge.learnedFrom) return;
  }
}

/** What was settled, in its order, each once the scorer has seen its links. */
function* seenAgain(
  scorer: LinkScorer,
  past: Past,
): Generator<{ readonly entry: FrontierEntry; readonly fate: Fate; readonly lesson: Unit | null }> {
  const linksOf = scorer.see ? past.recording?.() : undefined;
  for (const { entry, fate } of past.settled()) {
    const led = fate.relevance !== null || fate.reason.startsWith('redirect:');
    if (led && linksOf) scorer.see?.(entry, fate.relevance, linksOf(entry.url));
    yield { entry, fate, lesson: lessonOf(fate, entry) };
  }
}
