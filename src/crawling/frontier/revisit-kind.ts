import type { Fate, RevisitTask } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { Slot } from './url-table.ts';

/**
 * Kind of the revisits of a settled URL: a kept page, a list that had links, or a seed that is off topic, which is asked for its links. null for all others. Most
 * hosts without a sitemap were asked for one, which had no links.
 */
export function revisitKindOf(
  slot: Slot,
  { state, reason }: Fate,
  { store, urls }: Pick<FrontierParts, 'store' | 'urls'>,
): RevisitTask['of'] | null {
  if (state === 'kept') return 'page';
  if (typeof reason === 'object' && reason.kind === 'list') return reason.links > 0 ? 'list' : null;
  return state === 'off-topic' && store.referrer(urls.discoveryOf(slot)) === null ? 'seed' : null;
}
