import type { RunningVisit } from '../../base/core/parts/crawl-events.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { counted } from '../../base/text/number-text.ts';

/** Visits to name: those that started first, since the crawl waits for them. */
const NAMED = 3;

/** `waiting for 2 visits: http://a.example/ (fetch, 12 s), …`. */
export function waitingText(visits: Iterable<RunningVisit>, now: EpochMs): string {
  const all = [...visits];
  const named = all.slice(0, NAMED).map(({ lease, step, since }) => `${lease.entry.url} (${step}, ${Math.round((now - since) / 1000)} s)`);
  const more = all.length > NAMED ? `, and ${counted(all.length - NAMED, 'other')}` : '';
  return all.length === 0 ? 'storing the results' : `waiting for ${counted(all.length, 'visit')}: ${named.join(', ')}${more}`;
}
