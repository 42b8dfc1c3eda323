/** The hosts that have no end: which there are, and what their URLs mean. */
import { type CalendarPlace, calendarPath, calendarPlace } from './calendar.ts';
import { type FacetPlace, facetPath, facetPlace } from './facets.ts';
import type { Knobs } from './options.ts';
import { type SessionPlace, sessionPath, sessionPlace } from './sessions.ts';

export type TrapPlace = CalendarPlace | FacetPlace | SessionPlace;
export type Trap = TrapPlace['kind'];

/** Names of the hosts, where the web has names. */
export const TRAP_HOSTS: Readonly<Record<Trap, string>> = {
  calendar: 'calendar.example',
  facet: 'shop.example',
  session: 'forum.example',
};

/** Traps of a web, in the order of their hosts. */
export function trapsOf(knobs: Knobs): readonly Trap[] {
  const wanted: readonly (readonly [Trap, boolean])[] = [
    ['calendar', knobs.calendarTrap],
    ['facet', knobs.facetTrap],
    ['session', knobs.sessionTrap],
  ];
  return wanted.filter(([, isThere]) => isThere).map(([trap]) => trap);
}

export function trapPath(place: TrapPlace): string {
  if (place.kind === 'calendar') return calendarPath(place);
  return place.kind === 'facet' ? facetPath(place) : sessionPath(place);
}

/** The place of a trap at a path with query; null when nothing can be there. The calendar ignores the query. */
export function trapPlace(trap: Trap, target: string): TrapPlace | null {
  if (trap === 'calendar') return calendarPlace(target.replace(/\?.*$/s, ''));
  return trap === 'facet' ? facetPlace(target) : sessionPlace(target);
}
