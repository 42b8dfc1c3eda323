import type { Frontier, LinkScorer } from '../core/parts.ts';
import type { Fate, FrontierEntry, Unit } from '../core/types.ts';

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
export function relearn(
  scorer: LinkScorer,
  frontier: Pick<Frontier, 'settled'>,
  pages = Number.POSITIVE_INFINITY,
  onLesson: () => void = () => undefined,
): void {
  if (!scorer.learn) return;
  for (const { entry, fate } of frontier.settled()) {
    if (scorer.learnedFrom >= pages) return;
    const lesson = lessonOf(fate, entry);
    if (lesson === null) continue;
    scorer.learn(entry, lesson);
    onLesson();
  }
}
