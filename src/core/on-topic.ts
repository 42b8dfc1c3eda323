import type { Unit } from './types.ts';

/** Is a page on topic? At its topic's threshold it is; where nobody judged it, it is not. */
export function isOnTopic(relevance: Unit | null | undefined, threshold: Unit): boolean {
  return relevance !== null && relevance !== undefined && relevance >= threshold;
}
