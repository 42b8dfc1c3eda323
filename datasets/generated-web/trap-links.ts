/** Where the pages of the shop and the forum lead, and which pages of the web lead to them. */
import { chanceOf, idOf, PURPOSE } from './chance.ts';
import { ALL_WARES, type FacetPlace, furtherFacets } from './facets.ts';
import type { Knobs } from './options.ts';
import { EVERYDAY, titleWords } from './sentences.ts';
import { freshSessions, SESSION_PAGES, type SessionPlace } from './sessions.ts';
import { type Trap, type TrapPlace, trapPath } from './traps.ts';

export interface TrapLink {
  readonly to: TrapPlace;
  readonly anchorText: string;
}

/** One page in fifty links to a trap. */
export const TRAP_LINKS = 0.02;
/** Lists that a list of the shop links to: what a column of filters and a row of page numbers show. */
const FACET_LINKS = 15;

/** Links into the shop and the forum from the page with a number. Each has a stream of its own, so that no knob moves what another does. */
export function doorsOf(knobs: Knobs, id: number): readonly TrapLink[] {
  return [...(knobs.facetTrap ? shopDoor(knobs.seed, id) : []), ...(knobs.sessionTrap ? forumDoor(knobs.seed, id) : [])];
}

/** Links of a page of the shop or the forum: they follow from the seed and the path it was asked for by, session and order of choices with it. */
export function trapLinks(place: FacetPlace | SessionPlace, seed: number, path = trapPath(place)): readonly TrapLink[] {
  const rng = chanceOf(seed, PURPOSE.trapLinks, idOf(path));
  if (place.kind === 'facet') return furtherFacets(place, FACET_LINKS, rng);
  return freshSessions(rng).map((to) => ({ to, anchorText: forumTitle(to.page, seed) }));
}

/** Links of a trap's home; none for the calendar, which has none. */
export function trapHomeLinks(trap: Trap, seed: number): readonly TrapLink[] {
  if (trap === 'calendar') return [];
  return trapLinks(trap === 'facet' ? ALL_WARES : forumPage(1), seed, '/');
}

/** Title of a page of the forum, in whatever session. */
export function forumTitle(page: number, seed: number): string {
  return titleWords(EVERYDAY, chanceOf(seed, PURPOSE.trapTitle, page));
}

function shopDoor(seed: number, id: number): readonly TrapLink[] {
  const rng = chanceOf(seed, PURPOSE.facetDoors, id);
  return rng() < TRAP_LINKS ? furtherFacets(ALL_WARES, 1, rng).map(({ to }) => ({ to, anchorText: 'Shop' })) : [];
}

function forumDoor(seed: number, id: number): readonly TrapLink[] {
  const rng = chanceOf(seed, PURPOSE.sessionDoors, id);
  return rng() < TRAP_LINKS ? [{ to: forumPage(1 + Math.floor(rng() * SESSION_PAGES)), anchorText: 'Forum' }] : [];
}

function forumPage(page: number): SessionPlace {
  return { kind: 'session', page, session: null };
}
