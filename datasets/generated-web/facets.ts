/** The lists of the shop: one for every choice of facets in every order, each linking on to further choices. */
import type { Rng } from '../../src/base/core/rng.ts';
import { pick } from './chance.ts';

export interface Choice {
  readonly facet: string;
  readonly value: string;
}

export interface FacetPlace {
  readonly kind: 'facet';
  /** In the order of the query, no facet twice. */
  readonly choices: readonly Choice[];
}

export interface FacetLink {
  readonly to: FacetPlace;
  readonly anchorText: string;
}

/** Some 5 thousand million sets of choices, each in any order of its parameters. */
const FACETS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    colour: 'red green blue black white brown grey yellow',
    size: '1 2 3 4 5 6 7 8 9 10',
    make: 'alder birch cedar elm oak',
    material: 'wood steel glass cotton leather',
    price: '0-10 10-20 20-50 50-100 100-200 200-500',
    rating: '1 2 3 4 5',
    sort: 'price name newest rating sold',
    view: 'grid list table',
    stock: 'now soon all',
    delivery: 'post van shop',
    season: 'spring summer autumn winter',
    page: '2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20',
  }).map(([facet, values]) => [facet, values.split(' ')]),
);
const FACET_NAMES = [...FACETS.keys()];
/** P(a link on a chosen facet takes the choice back, rather than changing it). */
const TAKEN_BACK = 0.2;

/** The list with nothing chosen. */
export const ALL_WARES: FacetPlace = { kind: 'facet', choices: [] };

export function facetPath({ choices }: FacetPlace): string {
  return choices.length === 0 ? '/list' : `/list?${choices.map(parameter).join('&')}`;
}

/** What is chosen, alike for every order of the parameters. */
export function chosen({ choices }: FacetPlace): string {
  return choices.map(parameter).sort().join('&');
}

/** The list at a path with query; null for facets or values that the shop does not have, and for a facet named twice. */
export function facetPlace(target: string): FacetPlace | null {
  const query = /^\/list(?:\?(.*))?$/s.exec(target);
  if (query === null) return null;
  const parts = (query[1] ?? '') === '' ? [] : (query[1] ?? '').split('&');
  const choices = parts.map(choiceOf).filter((choice) => choice !== null);
  const facets = new Set(choices.map(({ facet }) => facet));
  return facets.size === parts.length ? { kind: 'facet', choices } : null;
}

/** `count` different lists one choice away. */
export function furtherFacets(from: FacetPlace, count: number, rng: Rng): readonly FacetLink[] {
  const own = facetPath(from);
  const found = new Map<string, FacetLink>();
  while (found.size < count) {
    const link = oneChoiceOn(from.choices, rng);
    const path = facetPath(link.to);
    if (path !== own) found.set(path, link);
  }
  return [...found.values()];
}

/** A choice added at any place, changed, or taken back; it may also change to what it was. */
function oneChoiceOn(choices: readonly Choice[], rng: Rng): FacetLink {
  const facet = pick(FACET_NAMES, rng);
  const at = choices.findIndex((choice) => choice.facet === facet);
  if (at >= 0 && rng() < TAKEN_BACK) return linkTo(choices.toSpliced(at, 1), `any ${facet}`);
  const value = pick(FACETS.get(facet) ?? [], rng);
  const put = at >= 0 ? choices.toSpliced(at, 1, { facet, value }) : choices.toSpliced(anyGap(choices, rng), 0, { facet, value });
  return linkTo(put, `${facet} ${value}`);
}

function anyGap(choices: readonly Choice[], rng: Rng): number {
  return Math.floor(rng() * (choices.length + 1));
}

function linkTo(choices: readonly Choice[], anchorText: string): FacetLink {
  return { to: { kind: 'facet', choices }, anchorText };
}

function choiceOf(part: string): Choice | null {
  const [facet = '', value = '', ...more] = part.split('=');
  return more.length === 0 && FACETS.get(facet)?.includes(value) === true ? { facet, value } : null;
}

function parameter({ facet, value }: Choice): string {
  return `${facet}=${value}`;
}
