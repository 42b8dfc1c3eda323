import type { Unit } from './types.ts';

/** Is a page on topic? Yes at or above the threshold of its topic; no if it was not judged. */
export function isOnTopic(relevance: Unit | null | undefined, threshold: Unit): boolean {
  return relevance !== null && relevance !== undefined && relevance >= threshold;
}
