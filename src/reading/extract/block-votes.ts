/**
 * The votes of a page's blocks on the template of its host. A block alone is judged by its words, and a short one or one far from
 * sentences goes astray on one page and not on the next; at the same place of five siblings, their blocks together do not.
 */
import type { BlockVotes, SpareBlocks } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { LINE, LINE_SIZE, lineNumber, type PageContent } from './blocks.ts';
import { BlockLines, lineEndsBefore } from './line-notes.ts';
import { ROLE } from './main-text.ts';
import { BOILERPLATE } from './tags.ts';

type Voted = Pick<PageContent, 'text' | 'lines' | 'lineNotes'>;

/** Longer blocks are no labels, such as `Returns:`. In UTF-16 units. */
export const MAX_LABEL = 40;
/** Pages have some dozens of places; API references of a megabyte some hundred. */
const MAX_PLACES = 1000;
/** Labels and spare blocks of one page, and units of the text of the latter. More is an index. */
const MAX_LABELS = 1000;
const MAX_SPARE = 1000;
const MAX_SPARE_CHARS = 100_000;
const FNV_PRIME = 0x01000193;

/** Positions of a block among those of its path: the first and the last one are often another thing, such as a byline or a call to subscribe. */
const POSITION = { only: 0, first: 1, last: 2, middle: 3 } as const;
const POSITION_BITS = 3;

/**
 * The votes of a page; null if it has none. Blocks that are boilerplate by an element, hidden, mostly links, or on a path without classes have no
 * vote, and are never spare: a menu never becomes text. O(blocks + characters of the text).
 * @param roles of the blocks
 * @param others `ROLE.text` for each block of the other text
 */
export function blockVotes(page: Voted, roles: Uint8Array, others: Uint8Array): BlockVotes | null {
  const places = placesOf(page, roles.length);
  const tallies = new Map<number, number>();
  for (let i = 0; i < roles.length && tallies.size < MAX_PLACES; i += 1) {
    const place = places[i] as number;
    if (place !== 0) tallies.set(place, (tallies.get(place) ?? 0) + (roles[i] === ROLE.text ? 1 : -1));
  }
  if (tallies.size === 0) return null;
  const voted = [...tallies];
  return {
    kept: ascending(voted.flatMap(([place, sum]) => (sum >= 0 ? [place] : []))),
    left: ascending(voted.flatMap(([place, sum]) => (sum < 0 ? [place] : []))),
    lines: labelsOf(page, roles, places),
    spare: new SpareCollector(page, places).of(roles, others),
  };
}

/** Blocks that may be spare, by their numbers: not in the text, and with a vote. */
export function spareBlocks(page: Voted, roles: Uint8Array): ReadonlySet<number> {
  const places = placesOf(page, roles.length);
  const found = new Set<number>();
  for (let i = 0; i < roles.length; i += 1) if (places[i] !== 0 && roles[i] !== ROLE.text) found.add(i);
  return found;
}

/** The place of each block; 0 for those without a vote. */
function placesOf({ lines }: Voted, count: number): Int32Array {
  const places = new Int32Array(count);
  const lastOf = new Map<number, number>();
  for (let i = 0; i < count; i += 1) {
    const path = pathOf(lines, i);
    if (path === 0) continue;
    places[i] = pathKeyOf(path) | (lastOf.has(path) ? POSITION.middle : POSITION.first);
    lastOf.set(path, i);
  }
  for (const [path, last] of lastOf) {
    const isOnly = ((places[last] as number) & POSITION_BITS) === POSITION.first;
    places[last] = pathKeyOf(path) | (isOnly ? POSITION.only : POSITION.last);
  }
  return places;
}

/** The key of a path, which its four places share; never 0, which is no place. */
function pathKeyOf(path: number): number {
  return Math.imul(path, FNV_PRIME) & ~POSITION_BITS || POSITION_BITS + 1;
}

/** The path of classes of a place. */
export function pathOfPlace(place: number): number {
  return place & ~POSITION_BITS;
}

/** The places of a path: of an only block, of the first, of the last, and of those between. */
export function placesOfPath(path: number): number[] {
  return Object.values(POSITION).map((position) => path | position);
}

/** The path of classes of a block with a vote; 0 for others. */
function pathOf(lines: Int32Array, block: number): number {
  const at = LINE_SIZE * block;
  const isLinked = 2 * (lines[at + LINE.linkHalfWords] as number) > (lines[at + LINE.halfWords] as number);
  return isLinked || ((lines[at + LINE.flags] as number) & BOILERPLATE) !== 0 ? 0 : (lines[at + LINE.place] as number);
}

function labelsOf({ text, lines }: Voted, roles: Uint8Array, places: Int32Array): number[] {
  const found = new Set<number>();
  for (let i = 0; i < roles.length && found.size < MAX_LABELS; i += 1) {
    if (roles[i] !== ROLE.text || places[i] === 0) continue;
    const [start, end] = [lineNumber(lines, i, LINE.start), lineNumber(lines, i, LINE.end)];
    if (end - start <= MAX_LABEL) found.add(lineHash(text, start, end, pathOfPlace(places[i] as number)));
  }
  return ascending([...found]);
}

/** Hash of the words of a block and of its path. @param path as `pathOfPlace` */
export function lineHash(text: string, start: number, end: number, path: number): number {
  return Math.imul(hashText(text, start, end) ^ path, FNV_PRIME);
}

function ascending(numbers: number[]): number[] {
  return numbers.sort((a, b) => a - b);
}

/** Collects the spare blocks of one page, with their places between the blocks of its text. */
class SpareCollector {
  readonly #page: Voted;
  readonly #places: Int32Array;
  readonly #lines: BlockLines;
  readonly #spare: { readonly [Column in keyof SpareBlocks]: SpareBlocks[Column][number][] } = {
    places: [],
    lines: [],
    after: [],
    before: [],
    gapsBefore: [],
    gapsBehind: [],
    others: [],
    heights: [],
    texts: [],
  };
  /** Units of the spare blocks. */
  #chars = 0;
  /** End of the text so far. */
  #end = 0;
  /** Line ends since the last block of the text or spare one. */
  #gap = 0;
  /** Lines of the other text so far. */
  #others = 0;

  constructor(page: Voted, places: Int32Array) {
    this.#page = page;
    this.#places = places;
    this.#lines = new BlockLines(page);
  }

  of(roles: Uint8Array, others: Uint8Array): SpareBlocks {
    /** Line ends since the last block of the text. */
    let gap = 0;
    for (let i = 0; i < roles.length; i += 1) {
      const ends = lineEndsBefore(this.#page.lineNotes, i);
      gap = Math.max(gap, ends);
      this.#gap = Math.max(this.#gap, ends);
      if (roles[i] === ROLE.text) {
        const start = this.#end === 0 ? 0 : this.#end + gap;
        this.#follow(start);
        this.#end = start + this.#lines.lengthOf(i);
        gap = 0;
      } else if (others[i] === ROLE.text) {
        const height = this.#heightOf(i);
        if (this.#places[i] !== 0) this.#add(i, height);
        this.#others += height;
      }
    }
    this.#follow(this.#end);
    return this.#spare;
  }

  #add(block: number, height: number): void {
    const { text, lines } = this.#page;
    const [start, end] = [lineNumber(lines, block, LINE.start), lineNumber(lines, block, LINE.end)];
    const spare = this.#spare;
    if (spare.places.length >= MAX_SPARE || this.#chars + end - start > MAX_SPARE_CHARS) return;
    const place = this.#places[block] as number;
    const own = this.#lines.of(block);
    this.#endGap();
    spare.places.push(place);
    spare.lines.push(lineHash(text, start, end, pathOfPlace(place)));
    spare.after.push(this.#end);
    spare.gapsBefore.push(this.#gap);
    spare.others.push(this.#others);
    spare.heights.push(height);
    spare.texts.push(own === text.slice(start, end) ? '' : own);
    this.#chars += end - start;
    this.#gap = 0;
  }

  #heightOf(block: number): number {
    const { text, lines } = this.#page;
    const end = lineNumber(lines, block, LINE.end);
    let height = 1;
    for (let at = text.indexOf('\n', lineNumber(lines, block, LINE.start)); at >= 0 && at < end; at = text.indexOf('\n', at + 1))
      height += 1;
    return height;
  }

  /** A block of the text, or its end, follows the spare blocks so far. */
  #follow(start: number): void {
    const { after, before } = this.#spare;
    this.#endGap();
    while (before.length < after.length) before.push(start);
    this.#gap = 0;
  }

  /** The gap behind the last spare block. */
  #endGap(): void {
    const { places, gapsBehind } = this.#spare;
    if (gapsBehind.length < places.length) gapsBehind.push(this.#gap);
  }
}
