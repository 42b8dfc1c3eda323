import type { LinkTask, Unit } from '../../base/core/types.ts';

/**
 * Priorities of lists, by the number of indexes on the way to them. A list that a robots.txt, a page or the crawl itself names has the
 * priority of a seed: it is not a page that could be on topic, and it is requested before pages. A list that an index names has the
 * priority of a page, because an index may name many lists.
 */
export const LIST_PRIORITIES: readonly Unit[] = [1, 0.5, 0.25];

/** The fixed priority of anything other than a page under every scorer; null for a page. @param known that of the URL, which an alternate has from its page */
export function priorityOf(task: LinkTask, known: Unit): Unit | null {
  if (task.kind === 'page') return null;
  if (task.kind === 'alternate') return known;
  return task.kind === 'list' ? (LIST_PRIORITIES[task.level] ?? 0) : 1;
}
