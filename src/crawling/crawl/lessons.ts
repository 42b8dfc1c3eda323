import type { LessonQueue, LinkScorer } from '../../base/core/parts/scoring.ts';
import { redirectIn, wordOf } from '../../base/core/reason.ts';
import type { CanonicalUrl, Fate, FrontierEntry, Unit } from '../../base/core/types.ts';
import { showingAgain } from './all-links.ts';

/** Everything that a crawl has settled: the lessons for a fresh scorer. */
export interface Past {
  /** Settled URLs with their fates, as in `Ledger.settled`. */
  settled(): Iterable<{ readonly entry: FrontierEntry; readonly fate: Fate }>;
  /**
   * Starts to read the recording of the crawl: the links of a page, or the target of a redirect, in the order of settlement. Absent if no scorer
   * observes links.
   */
  readonly recording?: () => (url: CanonicalUrl) => readonly CanonicalUrl[];
}

/** The order of a crawl that is alone: the scorer learns each lesson as its URL is settled. */
export const AT_ONCE: LessonQueue = { teach: () => true, learned: () => [] };

/** The lesson of a settled URL about the link that led to it: its relevance; 0 for a dead or unreadable page; null if nothing is known. */
export function lessonOf(fate: Fate, { task }: Pick<FrontierEntry, 'task'>): Unit | null {
  // No scorer gave their priority. A host without a sitemap is not worse than others, nor is a page in another language.
  if (task.kind === 'list' || task.kind === 'reservations' || task.kind === 'alternate') return null;
  if (fate.relevance !== null) return fate.relevance;
  if (fate.reason === 'http-4xx' || wordOf(fate.reason) === 'content-type') return 0;
  return null;
}

/**
 * Teaches a fresh scorer everything that a crawl has settled, in the order of settlement, up to `pages` lessons. Scorers are deterministic and
 * settlements are committed in order, so this restores the exact weights of that moment. A crawl therefore stores no weights, and every priority that
 * it ever gave can be explained exactly. O(settled URLs).
 * @param onLesson called after each lesson
 */
export function relearn(scorer: LinkScorer, past: Past, pages = Number.POSITIVE_INFINITY, onLesson: () => void = () => undefined): void {
  if (!scorer.learn || pages <= 0) return;
  const show = showingAgain(scorer, past.recording);
  for (const { entry, fate } of past.settled()) {
    show(entry, fate);
    const lesson = lessonOf(fate, entry);
    if (lesson === null) continue;
    scorer.learn(entry, lesson, fate.wanted);
    onLesson();
    if (scorer.learnedFrom >= pages) return;
  }
}

/**
 * Restores the knowledge of a scorer at the time it scored a link. An observer of links had already seen those of the referrer, or the redirect, before
 * their lesson. With one request at a time this is exact; with several, another page may have been seen in between.
 */
export function relearnFor(scorer: LinkScorer, past: Past, { url, edge, redirects }: FrontierEntry): void {
  if (!scorer.learn || edge === null) return;
  const show = showingAgain(scorer, past.recording);
  let isSeen = !scorer.observer || !past.recording;
  for (const { entry, fate } of past.settled()) {
    show(entry, fate);
    const lesson = lessonOf(fate, entry);
    isSeen ||= redirects > 0 ? redirectIn(fate.reason) === url : entry.url === edge.referrer.url;
    if (lesson !== null && scorer.learnedFrom < edge.learnedFrom) scorer.learn(entry, lesson, fate.wanted);
    if (isSeen && scorer.learnedFrom >= edge.learnedFrom) return;
  }
}
