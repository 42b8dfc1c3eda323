import type { LinkTask, Unit } from '../core/types.ts';

/**
 * By the indexes on the way to a list. One that a robots.txt, a page or the crawl itself names comes with the seeds: it is no page that could be on topic, and is
 * asked for before pages. One that an index names comes among pages, since an index may name many.
 */
export const LIST_PRIORITIES: readonly Unit[] = [1, 0.5, 0.25];

/** The priority of what is asked for besides pages, whatever the scorer; null for a page, which the scorer gives one. */
export function priorityOf(task: LinkTask): Unit | null {
  if (task.kind === 'page') return null;
  return task.kind === 'list' ? (LIST_PRIORITIES[task.level] ?? 0) : 1;
}
