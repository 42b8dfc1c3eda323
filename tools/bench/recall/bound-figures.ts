/** Figures that may be upper bounds of the recall of a crawl, from its own visits or another crawl. */
import type { Unit } from '../../../src/base/core/types.ts';

/**
 * Upper bound of the recall by citations: pages that few of the kept pages cite tell how many none cites (Chao 1984, a lower bound of the number of
 * pages). null without a page that two cite.
 * @param cited number of kept pages that cite each kept page
 */
export function boundByCitations(cited: readonly number[]): Unit | null {
  const once = cited.filter((count) => count === 1).length;
  const twice = cited.filter((count) => count === 2).length;
  if (twice === 0 || cited.length === 0) return null;
  return cited.length / (cited.length + once ** 2 / (2 * twice));
}

/** Upper bound by random visits: the share on topic among them holds for the waiting URLs. null without a random visit. */
export function boundByQueue(kept: number, waiting: number, random: { readonly visits: number; readonly onTopic: number }): Unit | null {
  if (random.visits === 0 || kept === 0) return null;
  return kept / (kept + (waiting * random.onTopic) / random.visits);
}

/**
 * Upper bound by another crawl (Lincoln and Petersen): the share of its pages that this one keeps too. Crawls find the same pages first, so the share is too
 * high. null without a page.
 */
export function boundByOther(both: number, other: number): Unit | null {
  return other === 0 ? null : both / other;
}
