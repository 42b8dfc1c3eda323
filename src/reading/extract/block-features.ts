/**
 * The input of the block model for each block: its own counts, its neighbours, the slope, the containers around it, other blocks of the page at the
 * same path, and flags from elements, roles and class names. The features follow Kohlschütter et al. 2010 ("Boilerplate Detection using Shallow Text
 * Features"), Vogels et al. 2018 ("Web2Text") and our own measurements; most features that the trees did not use were removed.
 */
import type { Block, PageContent } from './blocks.ts';
import { isBoilerplate, type Segment } from './tag-density.ts';
import { FLAG, HINTS, NEAR_HINTS, nearness, SHARED_HINTS } from './tags.ts';

/** Names by group, in the order of a row. A row starts with the values that all blocks of a page share. */
const GROUPS = {
  page: ['blocks', 'words', 'linked', 'sentences', 'paragraphs', 'items', 'length', 'slope', 'slopeBest', 'main'],
  share: ['body', 'related', 'social', 'bio', 'menu', 'comments', 'note', 'item'],
  own: ['words', 'inlineTags', 'capitals', 'marks', 'wordLength', 'endsSentence', 'duplicates'],
  tag: ['item', 'heading', 'pre', 'definition', 'caption', 'generic'],
  place: ['words', 'depth', 'fromHeading', 'afterHeading', 'afterH1', 'inTitle'],
  near: ['wordsAfter', 'linkedAfter', 'sentencesAfter', 'tagsAfter', 'plain4'],
  slope: ['score', 'border', 'role'],
  container2: ['blocks', 'share', 'linked', 'length', 'sentences', 'at'],
  container5: ['blocks', 'share', 'linked', 'length', 'sentences', 'at'],
  container15: ['blocks', 'share', 'linked', 'length', 'sentences', 'at'],
  container40: ['blocks', 'share', 'linked', 'length', 'sentences', 'at'],
  tagPath: ['blocks', 'share', 'linked', 'length', 'sentences'],
  classPath: ['blocks', 'share', 'linked', 'length', 'sentences'],
  semantic: ['header', 'footer', 'form', 'list', 'table', 'main'],
  hint: ['boilerplate', 'body', 'comments', 'caption', 'related', 'item', 'signupNear', 'socialNear', 'bioNear', 'commentsNear'],
} as const;
type Group = keyof typeof GROUPS;

/** `group.name`: for ablations and explanations. */
export const BLOCK_FEATURES: readonly string[] = Object.entries(GROUPS).flatMap(([group, names]) =>
  names.map((name) => `${group}.${name}`),
);
export const FEATURE_COUNT = BLOCK_FEATURES.length;

/** The start of each group in a row. */
const AT = offsets();

/** Sizes of the ancestors that are used, in blocks: a paragraph's list, its section, the column, the page's body. */
const CONTAINERS: readonly (readonly [size: number, at: number])[] = [
  [2, AT.container2],
  [5, AT.container5],
  [15, AT.container15],
  [40, AT.container40],
];
/** Length of the output of `sumsGroup`. */
const SUMS_GROUP = 5;
/** Number of blocks on either side in `near.plain4`. */
const WINDOW = 4;
/** Titles repeat as headings; longer blocks are not titles. */
const MAX_TITLE_WORDS = 25;
/** Flags that are features of a block. */
export const SEMANTIC = [FLAG.header, FLAG.footer, FLAG.form, FLAG.list, FLAG.table, FLAG.main];
export const HINT = [FLAG.boilerplateHint, FLAG.body, FLAG.comments, FLAG.caption, FLAG.related, FLAG.item];

function offsets(): Readonly<Record<Group, number>> {
  let at = 0;
  const found: Record<string, number> = {};
  for (const [group, names] of Object.entries(GROUPS)) {
    found[group] = at;
    at += names.length;
  }
  return found as Record<Group, number>;
}

/** The result of the slope for the page. */
export interface SlopeView {
  /** Role of each block, a `ROLE`, and its score in a segment. */
  readonly roles: Uint8Array;
  readonly scores: Float64Array;
  /** The run of blocks with the best sum of scores. */
  readonly best: Segment;
}

/** Features of all blocks of a page, shape [blocks.length, FEATURE_COUNT], row by row. O(blocks). */
export function blockFeatures(page: PageContent, slope: SlopeView): Float32Array {
  return new FeatureWriter(page).write(slope);
}

/** Each method named after a group writes that group of one row, starting at `at`. */
class FeatureWriter {
  readonly #page: PageContent;
  readonly #blocks: readonly Block[];
  readonly #total = new Sums(1);
  readonly #out: Float32Array;
  /** Sums of words, unlinked words and tags before each block, shape [n + 1, 3]. */
  readonly #before: Float64Array;

  constructor(page: PageContent) {
    this.#page = page;
    this.#blocks = page.blocks;
    const n = page.blocks.length;
    this.#out = new Float32Array(n * FEATURE_COUNT);
    const before = new Float64Array(3 * (n + 1));
    for (let i = 0; i < n; i += 1) {
      const block = page.blocks[i] as Block;
      this.#total.add(0, block);
      const at = 3 * i;
      before[at + 3] = (before[at] as number) + block.words;
      before[at + 4] = (before[at + 1] as number) + block.words - block.linkWords;
      before[at + 5] = (before[at + 2] as number) + block.blockTags + 0.25 * block.inlineTags;
    }
    this.#before = before;
  }

  write({ roles, scores, best }: SlopeView): Float32Array {
    const blocks = this.#blocks;
    const n = blocks.length;
    const containers = new Containers(this.#page);
    const tagPaths = new PathGroups(blocks, (block) => block.details.tagPath);
    const classPaths = new PathGroups(blocks, (block) => block.details.classPath);
    const copies = new PathGroups(blocks, (block) => block.details.hash);
    const constant = new Float32Array(AT.own);
    this.#pageGroup(constant, (this.#plainBefore(best.end) - this.#plainBefore(best.start)) / this.#allPlain, best.score);
    this.#shareGroup(constant);
    const title = this.#page.title.toLowerCase();
    let heading = -1;
    let h1 = 0;
    for (let i = 0; i < n; i += 1) {
      const block = blocks[i] as Block;
      const row = i * FEATURE_COUNT;
      this.#out.set(constant, row);
      this.#ownGroup(row + AT.own, block, copies.blocksLike(i));
      this.#tagGroup(row + AT.tag, block);
      this.#placeGroup(row + AT.place, i, heading, h1, this.#inTitle(block, title));
      if (block.flags & FLAG.heading) heading = i;
      if (block.details.tag === 'h1') h1 = 1;
      this.#nearGroup(row + AT.near, i);
      this.#slopeGroup(row + AT.slope, i, scores, best.start, best.end, roles[i] ?? 0);
      for (let rank = 0; rank < CONTAINERS.length; rank += 1) this.#containerGroup(row, i, rank, containers);
      this.#sumsGroup(row + AT.tagPath, tagPaths.sums, tagPaths.of(i));
      this.#sumsGroup(row + AT.classPath, classPaths.sums, classPaths.of(i));
      this.#flagGroups(row, block);
    }
    return this.#out;
  }

  get #allWords(): number {
    return Math.max(1, this.#total.of(0, SUM.words));
  }

  get #allPlain(): number {
    return Math.max(1, this.#total.of(0, SUM.plain));
  }

  #wordsBefore(i: number): number {
    return this.#before[3 * i] as number;
  }

  #plainBefore(i: number): number {
    return this.#before[3 * i + 1] as number;
  }

  #pageGroup(out: Float32Array, slopeShare: number, slopeScore: number): void {
    const n = Math.max(1, this.#blocks.length);
    let paragraphs = 0;
    let items = 0;
    let main = 0;
    for (const { details, words, flags } of this.#blocks) {
      if (details.tag === 'p') paragraphs += words;
      else if (details.tag === 'li') items += words;
      if (flags & FLAG.main) main = 1;
    }
    out[0] = this.#blocks.length;
    out[1] = this.#total.of(0, SUM.words);
    out[2] = 1 - this.#total.of(0, SUM.plain) / this.#allWords;
    out[3] = this.#total.of(0, SUM.sentences) / n;
    out[4] = paragraphs / this.#allWords;
    out[5] = items / this.#allWords;
    out[6] = this.#total.of(0, SUM.words) / n;
    out[7] = slopeShare;
    out[8] = Math.max(0, slopeScore);
    out[9] = main;
  }

  /** Shares of the page's words under class names and ids with each hint; boilerplate does not count as body. */
  #shareGroup(out: Float32Array): void {
    const shared = new Float64Array(SHARED_HINTS.length);
    let body = 0;
    for (const block of this.#blocks) {
      const { flags, words } = block;
      if ((flags & HINTS) === 0) continue;
      if (flags & FLAG.body && !isBoilerplate(block)) body += words;
      for (let k = 0; k < shared.length; k += 1) if (flags & (SHARED_HINTS[k] as number)) shared[k] = (shared[k] as number) + words;
    }
    out[AT.share] = body / this.#allWords;
    for (let k = 0; k < shared.length; k += 1) out[AT.share + 1 + k] = (shared[k] as number) / this.#allWords;
  }

  #ownGroup(from: number, block: Block, copies: number): void {
    const { words, start, end, details } = block;
    const chars = Math.max(1, end - start);
    const some = Math.max(0.5, words);
    const out = this.#out;
    let at = from;
    out[at++] = words;
    out[at++] = Math.min(5, block.inlineTags / some);
    out[at++] = details.capitals / chars;
    out[at++] = details.marks / chars;
    out[at++] = chars / some;
    out[at++] = isStop(this.#page.text.charCodeAt(end - 1)) ? 1 : 0;
    out[at++] = Math.min(10, copies);
  }

  #tagGroup(from: number, { details: { tag }, flags }: Block): void {
    const out = this.#out;
    const { item, level, definition, caption, generic } = tagSigns(tag);
    let at = from;
    out[at++] = item;
    out[at++] = flags & FLAG.heading ? level : 0;
    out[at++] = flags & FLAG.pre ? 1 : 0;
    out[at++] = definition;
    out[at++] = caption;
    out[at++] = generic;
  }

  #placeGroup(from: number, i: number, heading: number, h1: number, inTitle: number): void {
    const out = this.#out;
    let at = from;
    out[at++] = this.#wordsBefore(i) / this.#allWords;
    out[at++] = (this.#blocks[i] as Block).details.depth;
    out[at++] = heading < 0 ? 50 : Math.min(50, i - heading);
    out[at++] = heading < 0 ? 0 : this.#wordsBefore(i) - this.#wordsBefore(heading);
    out[at++] = h1;
    out[at++] = inTitle;
  }

  #inTitle({ words, start, end }: Block, title: string): number {
    return title === '' || words > MAX_TITLE_WORDS || end - start < 4 ? 0 : inTitle(this.#page.text.slice(start, end), title);
  }

  #nearGroup(from: number, i: number): void {
    const after = this.#blocks[i + 1];
    const first = Math.max(0, i - WINDOW);
    const end = Math.min(this.#blocks.length, i + WINDOW + 1);
    const words = this.#wordsBefore(end) - this.#wordsBefore(first);
    const plain = this.#plainBefore(end) - this.#plainBefore(first);
    const tags = (this.#before[3 * end + 2] as number) - (this.#before[3 * first + 2] as number);
    const out = this.#out;
    let at = from;
    out[at++] = after ? after.words : -1;
    out[at++] = after ? after.linkWords / Math.max(0.5, after.words) : -1;
    out[at++] = Math.min(10, after?.sentenceEnds ?? 0);
    out[at++] = Math.min(30, after?.blockTags ?? 0);
    out[at++] = plain / Math.max(1, words + tags);
  }

  #slopeGroup(from: number, i: number, scores: Float64Array, start: number, end: number, role: number): void {
    const border = i < start ? i - start : i >= end ? end - 1 - i : Math.min(i - start, end - 1 - i) + 1;
    const out = this.#out;
    let at = from;
    out[at++] = Math.max(-60, Math.min(60, scores[i] as number));
    out[at++] = Math.max(-50, Math.min(50, border));
    out[at++] = role;
  }

  #containerGroup(row: number, i: number, rank: number, containers: Containers): void {
    const node = containers.around((this.#blocks[i] as Block).details.node, rank);
    const at = row + (CONTAINERS[rank]?.[1] ?? 0);
    this.#sumsGroup(at, containers.sums, node);
    this.#out[at + SUMS_GROUP] = (i - (containers.first[node] as number)) / Math.max(1, containers.sums.of(node, SUM.blocks));
  }

  #sumsGroup(from: number, sums: Sums, heap: number): void {
    const blocks = sums.of(heap, SUM.blocks);
    const words = sums.of(heap, SUM.words);
    const plain = sums.of(heap, SUM.plain);
    const sentences = sums.of(heap, SUM.sentences);
    const out = this.#out;
    let at = from;
    out[at++] = blocks;
    out[at++] = plain / this.#allPlain;
    out[at++] = 1 - plain / Math.max(0.5, words);
    out[at++] = words / Math.max(1, blocks);
    out[at++] = sentences / Math.max(1, blocks);
  }

  #flagGroups(row: number, { flags, details: { near } }: Block): void {
    const out = this.#out;
    for (let k = 0; k < SEMANTIC.length; k += 1) out[row + AT.semantic + k] = flags & (SEMANTIC[k] as number) ? 1 : 0;
    for (let k = 0; k < HINT.length; k += 1) out[row + AT.hint + k] = flags & (HINT[k] as number) ? 1 : 0;
    for (let k = 0; k < NEAR_HINTS.length; k += 1) out[row + AT.hint + HINT.length + k] = nearness(near, k);
  }
}

const SUM = { blocks: 0, words: 1, plain: 2, sentences: 3 } as const;
type Sum = (typeof SUM)[keyof typeof SUM];

/** Sums over blocks, for several groups of blocks, in one array: shape [size, 4]. */
class Sums {
  readonly #sums: Float64Array;

  constructor(size: number) {
    this.#sums = new Float64Array(4 * size);
  }

  of(heap: number, sum: Sum): number {
    return this.#sums[4 * heap + sum] as number;
  }

  add(heap: number, block: Block): void {
    const sums = this.#sums;
    const at = 4 * heap;
    sums[at] = (sums[at] as number) + 1;
    sums[at + 1] = (sums[at + 1] as number) + block.words;
    sums[at + 2] = (sums[at + 2] as number) + block.words - block.linkWords;
    sums[at + 3] = (sums[at + 3] as number) + block.sentenceEnds;
  }

  addAll(to: number, from: number): void {
    const sums = this.#sums;
    for (let k = 0; k < 4; k += 1) sums[4 * to + k] = (sums[4 * to + k] as number) + (sums[4 * from + k] as number);
  }
}

/** The tree of block-level elements, with sums over the blocks below each. */
class Containers {
  readonly sums: Sums;
  /** First block below each node. */
  readonly first: Int32Array;
  /** Nearest node at or above each node of each container size, shape [nodes, CONTAINERS.length]. */
  readonly #large: Int32Array;

  constructor({ blocks, parents }: PageContent) {
    const count = parents.length;
    const sums = new Sums(count);
    const first = new Int32Array(count).fill(blocks.length);
    for (let i = 0; i < blocks.length; i += 1) {
      const block = blocks[i] as Block;
      sums.add(block.details.node, block);
      first[block.details.node] = Math.min(first[block.details.node] as number, i);
    }
    for (let node = count - 1; node > 0; node -= 1) {
      const parent = parents[node] as number;
      sums.addAll(parent, node);
      first[parent] = Math.min(first[parent] as number, first[node] as number);
    }
    const sizes = CONTAINERS.length;
    const large = new Int32Array(count * sizes);
    for (let node = 1; node < count; node += 1) {
      const size = sums.of(node, SUM.blocks);
      const above = (parents[node] as number) * sizes;
      for (let rank = 0; rank < sizes; rank += 1) {
        large[node * sizes + rank] = size >= (CONTAINERS[rank]?.[0] ?? 0) ? node : (large[above + rank] as number);
      }
    }
    this.#large = large;
    this.sums = sums;
    this.first = first;
  }

  around(node: number, rank: number): number {
    return this.#large[node * CONTAINERS.length + rank] as number;
  }
}

/** Blocks that share a key, e.g. their path of elements. */
class PathGroups {
  readonly sums: Sums;
  readonly #groups: Int32Array;

  constructor(blocks: readonly Block[], keyOf: (block: Block) => number) {
    const known = new Map<number, number>();
    this.sums = new Sums(blocks.length);
    this.#groups = new Int32Array(blocks.length);
    for (let i = 0; i < blocks.length; i += 1) {
      const block = blocks[i] as Block;
      const key = keyOf(block);
      let group = known.get(key);
      if (group === undefined) {
        group = known.size;
        known.set(key, group);
      }
      this.#groups[i] = group;
      this.sums.add(group, block);
    }
  }

  of(block: number): number {
    return this.#groups[block] as number;
  }

  blocksLike(block: number): number {
    return this.sums.of(this.of(block), SUM.blocks);
  }
}

interface TagSigns {
  readonly item: number;
  /** Level of a heading; 0 for other blocks. */
  readonly level: number;
  readonly definition: number;
  readonly caption: number;
  readonly generic: number;
}

/** The name of a block's element as numbers. @param tag '' outside all elements */
export function tagSigns(tag: string): TagSigns {
  return {
    item: tag === 'li' ? 1 : 0,
    level: headingLevel(tag),
    definition: tag === 'dd' || tag === 'dt' ? 1 : 0,
    caption: tag === 'figcaption' || tag === 'caption' ? 1 : 0,
    generic: tag === 'div' || tag === 'section' || tag === 'body' || tag === '' ? 1 : 0,
  };
}

/** The length of a text as a share of the title's, if one is part of the other; 0 if not. @param title in lower case, not '' */
export function inTitle(written: string, title: string): number {
  const text = written.toLowerCase();
  return title.includes(text) || text.includes(title) ? text.length / title.length : 0;
}

function headingLevel(tag: string): number {
  return tag.length === 2 && tag.charCodeAt(0) === 0x68 && tag !== 'hr' ? tag.charCodeAt(1) - 48 : 6;
}

function isStop(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x2026 || code === 0x3002 || code === 0xff01 || code === 0xff1f;
}
