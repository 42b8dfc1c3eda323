import { type Rng, seededRng } from '../../src/base/core/rng.ts';

/** What a stream of chance is for, so that no two uses of one page share a stream. */
export const PURPOSE = {
  words: 1,
  graph: 2,
  title: 3,
  links: 4,
  text: 5,
  anchors: 6,
  site: 7,
  changes: 8,
  seeds: 9,
  calendar: 10,
  facetDoors: 11,
  sessionDoors: 12,
  trapLinks: 13,
  trapTitle: 14,
  trapText: 15,
  listChanges: 16,
} as const;

/** The stream of chance for one purpose and one thing. Mixing is the finaliser of MurmurHash3 (Austin Appleby, public domain). */
export function chanceOf(seed: number, purpose: number, id: number): Rng {
  return seededRng(mixed(mixed(mixed(seed) ^ purpose) ^ id));
}

function mixed(value: number): number {
  let h = (value + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32 bits that stand for a text as an id of chance: FNV-1a (Fowler, Noll and Vo, public domain) over UTF-16 units. */
export function idOf(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return h >>> 0;
}

/** One of `items`, all alike likely. */
export function pick<T>(items: readonly T[], rng: Rng): T {
  return items[Math.floor(rng() * items.length)] as T;
}

/** One of `items`, early ones more often (density ∝ 1/√rank): words of a language are used unevenly. */
export function pickSkewed<T>(items: readonly T[], rng: Rng): T {
  const at = rng();
  return items[Math.floor(at * at * items.length)] as T;
}
