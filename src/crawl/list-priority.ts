import type { ListMark, Unit } from '../core/types.ts';

/**
 * The priority of a list is its own, whatever the scorer: it is no page that could be on topic, and is asked for before pages. 1, halved for each
 * index on the way: a host's index may name many.
 */
export function priorityOf({ level }: ListMark): Unit {
  return 2 ** -level;
}
