/** The main text of a page about a product: its description and specification are text, teasers of other products are none. */
import { LINE, lineNumber, lineText, PART, type PageContent } from './blocks.ts';
import { linedBlock } from './line-notes.ts';
import { ROLE, RULE } from './main-text.ts';
import { isRelatedHeading } from './related-headings.ts';
import { BOILERPLATE, FLAG } from './tags.ts';

/** Shorter texts, such as a name, are on many places of a page. */
const MIN_CHARS = 40;
/** Characters of a description by which it is found in the text. */
const HEAD_CHARS = 200;
/** A specification has so many pairs at least, and so large a share of them. */
const LEAST_PAIRS = 3;
const LEAST_SHARE = 0.6;
/** Teasers are at most this share of the words of the main text; a line that is no heading may be a label above the page itself. */
const MOST_UNDER_HEADING = 0.6;
const MOST_UNDER_LINE = 0.3;
/** Level of a line that is no heading. */
const NO_LEVEL = 7;
/** Text that a page shows after a click on a tab is boilerplate by no other sign. */
const NOT_SHOWN = BOILERPLATE & ~FLAG.hidden;

export interface ProductMarks {
  readonly roles: Uint8Array;
  /** Rules of the blocks, if they are wanted. */
  readonly rules: Uint8Array | null;
}

/** Changes roles and rules. O(blocks × depth). @param descriptions of the product, as stated */
export function refineProduct(page: PageContent, { roles, rules }: ProductMarks, descriptions: readonly string[]): void {
  const set = (block: number, role: number, rule: number) => {
    roles[block] = role;
    if (rules !== null) rules[block] = rule;
  };
  const related = relatedBlocks(page, roles);
  for (const block of related) if (roles[block] === ROLE.text) set(block, ROLE.links, RULE.related);
  for (const block of [...statedBlocks(page, roles, descriptions), ...specifications(page, roles)])
    if (!related.has(block)) set(block, ROLE.text, RULE.stated);
}

/** The blocks of the stated description, if the text does not have it. */
function statedBlocks(page: PageContent, roles: Uint8Array, descriptions: readonly string[]): readonly number[] {
  const stated = descriptions.map(lettersOf).filter(({ length }) => length >= MIN_CHARS);
  if (stated.length === 0) return [];
  const texts = Array.from(roles, (_, block) => lettersOf(lineText(page, block)));
  const chosen = texts.filter((_, block) => roles[block] === ROLE.text).join(' ');
  const missing = stated.filter((text) => !chosen.includes(text.slice(0, HEAD_CHARS)));
  return texts.flatMap((text, block) => {
    if (roles[block] === ROLE.text || text.length < MIN_CHARS || lineNumber(page.lines, block, LINE.flags) & NOT_SHOWN) return [];
    const isStated = missing.some((description) => description.includes(text) || text.includes(description));
    return isStated && !chosen.includes(text) ? [block] : [];
  });
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

/** The blocks of tables of pairs and of definition lists that are outside of links and boilerplate. */
function specifications(page: PageContent, roles: Uint8Array): readonly number[] {
  const wholes = new Map<number, number[]>();
  for (let block = 0; block < roles.length; block += 1) {
    const part = lineNumber(page.lines, block, LINE.part);
    if (part === PART.none || part === PART.item) continue;
    const whole = lineNumber(page.lines, block, LINE.whole);
    const blocks = wholes.get(whole);
    if (blocks === undefined) wholes.set(whole, [block]);
    else blocks.push(block);
  }
  return [...wholes.values()]
    .filter((blocks) => isSpecification(page, blocks))
    .flat()
    .filter((block) => roles[block] !== ROLE.text);
}

function isSpecification(page: PageContent, blocks: readonly number[]): boolean {
  const { lines } = page;
  const sum = (what: typeof LINE.halfWords | typeof LINE.linkHalfWords) =>
    blocks.reduce((all, block) => all + lineNumber(lines, block, what), 0);
  const pairs = blocks.filter(
    (block) => lineNumber(lines, block, LINE.part) !== PART.cell || linedBlock(page, block).split('\t').length === 2,
  );
  return (
    pairs.length >= Math.max(LEAST_PAIRS, LEAST_SHARE * blocks.length) &&
    2 * sum(LINE.linkHalfWords) <= sum(LINE.halfWords) &&
    blocks.every((block) => (lineNumber(lines, block, LINE.flags) & BOILERPLATE) === 0)
  );
}

/** The blocks of sections with teasers of other products. */
function relatedBlocks(page: PageContent, roles: Uint8Array): ReadonlySet<number> {
  const found = new Set<number>();
  let tree: Sections | null = null;
  for (let block = 0; block < roles.length; block += 1) {
    if (found.has(block) || !isRelatedHeading(lineText(page, block))) continue;
    tree ??= new Sections(page);
    const section = tree.of(block);
    const most = levelOf(page, block) < NO_LEVEL ? MOST_UNDER_HEADING : MOST_UNDER_LINE;
    if (wordsOf(page, section, roles) <= most * wordsOf(page, roles.keys(), roles)) for (const one of section) found.add(one);
  }
  return found;
}

function wordsOf({ lines }: PageContent, blocks: Iterable<number>, roles: Uint8Array): number {
  let words = 0;
  for (const block of blocks) if (roles[block] === ROLE.text) words += lineNumber(lines, block, LINE.halfWords);
  return words;
}

function levelOf({ blocks }: PageContent, block: number): number {
  const { flags = 0, details } = blocks[block] ?? {};
  return flags & FLAG.heading ? Number(/^h([1-6])$/.exec(details?.tag ?? '')?.[1] ?? 6) : NO_LEVEL;
}

/** The sections below headings, by the tree of elements. */
class Sections {
  readonly #page: PageContent;
  /** First block of each element. */
  readonly #first: Int32Array;

  constructor(page: PageContent) {
    this.#page = page;
    this.#first = new Int32Array(page.parents.length).fill(page.blocks.length);
    for (const [i, { details }] of page.blocks.entries())
      for (let node = details.node; node >= 0 && (this.#first[node] ?? 0) > i; node = page.parents[node] ?? -1) this.#first[node] = i;
  }

  /**
   * A heading with the blocks below it: in the largest element that it begins, or else in the element around it; up to the next heading of its level. A line
   * that is no heading has a section only in an element of its own.
   */
  of(heading: number): readonly number[] {
    const { blocks, parents } = this.#page;
    const level = levelOf(this.#page, heading);
    let around = blocks[heading]?.details.node ?? 0;
    while (around > 0 && this.#first[parents[around] ?? 0] === heading) around = parents[around] ?? 0;
    const isAlone = !this.#isIn(heading + 1, around);
    if (isAlone && level === NO_LEVEL) return [];
    const element = isAlone ? (parents[around] ?? 0) : around;
    let end = heading + 1;
    while (this.#isIn(end, element) && (level === NO_LEVEL || levelOf(this.#page, end) > level)) end += 1;
    return Array.from({ length: end - heading }, (_, i) => heading + i);
  }

  #isIn(block: number, element: number): boolean {
    for (let node = this.#page.blocks[block]?.details.node ?? -1; node >= 0; node = this.#page.parents[node] ?? -1)
      if (node === element) return true;
    return false;
  }
}
