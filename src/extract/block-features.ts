/**
 * What the block model sees of each block: its own counts, its neighbours, the slope, the containers around it, the other blocks of the
 * page that stand in the same place, and what elements, roles and class names say. After the features of Kohlschütter et al. 2010
 * ("Boilerplate Detection using Shallow Text Features"), Vogels et al. 2018 ("Web2Text") and our own measurements.
 */
import type { Block, PageContent } from './blocks.ts';
import { blockScores, isFurniture, maxSegment } from './slope.ts';
import { FLAG } from './tags.ts';

/** Names in the order of a row. The part before the dot is the group, for ablations and explanations. */
export const BLOCK_FEATURES = [
  ...['own.words', 'own.linked', 'own.tagsBefore', 'own.inlineTags', 'own.commas', 'own.sentences', 'own.sentenceRate', 'own.digits'],
  ...['own.capitals', 'own.marks', 'own.wordLength', 'own.links', 'own.endsSentence', 'own.endsColon', 'own.duplicates'],
  ...['tag.paragraph', 'tag.item', 'tag.heading', 'tag.cell', 'tag.pre', 'tag.definition', 'tag.quote', 'tag.caption', 'tag.generic'],
  ...['place.index', 'place.words', 'place.depth', 'place.fromHeading', 'place.afterHeading', 'place.afterH1', 'place.inTitle'],
  ...['near.wordsBefore', 'near.linkedBefore', 'near.wordsAfter', 'near.linkedAfter', 'near.wordsBefore2', 'near.wordsAfter2'],
  ...['near.sameNodeBefore', 'near.sameNodeAfter', 'near.sentencesBefore', 'near.sentencesAfter', 'near.tagsAfter'],
  ...['slope.score', 'slope.inside', 'slope.border', 'slope.share', 'slope.best', 'slope.role'],
  ...['window.plain4', 'window.linked4', 'window.sentences4', 'window.plain10', 'window.linked10', 'window.sentences10', 'window.plain25'],
  ...['window.linked25', 'window.sentences25'],
  ...['container.share2', 'container.linked2', 'container.length2', 'container.sentences2', 'container.blocks2'],
  ...['container.share5', 'container.linked5', 'container.length5', 'container.sentences5', 'container.blocks5', 'container.at5'],
  ...['container.share15', 'container.linked15', 'container.length15', 'container.sentences15', 'container.blocks15', 'container.at15'],
  ...['container.share40', 'container.linked40', 'container.length40', 'container.sentences40', 'container.blocks40', 'container.at40'],
  ...['path.tagBlocks', 'path.tagShare', 'path.tagLinked', 'path.tagLength', 'path.tagSentences'],
  ...['path.classBlocks', 'path.classShare', 'path.classLinked', 'path.classLength', 'path.classSentences'],
  ...['semantic.nav', 'semantic.header', 'semantic.footer', 'semantic.aside', 'semantic.hidden', 'semantic.form', 'semantic.list'],
  ...['semantic.table', 'semantic.main', 'semantic.anyMain', 'semantic.mainShare'],
  ...[
    'hint.furniture',
    'hint.body',
    'hint.anyBody',
    'hint.bodyShare',
    'hint.comments',
    'hint.commentsShare',
    'hint.caption',
    'hint.byline',
  ],
  ...['page.blocks', 'page.words', 'page.linked', 'page.sentences', 'page.paragraphs', 'page.items', 'page.length'],
] as const;

export const FEATURE_COUNT = BLOCK_FEATURES.length;

/** Ancestors with at least so many blocks are looked at: a paragraph's list, its section, the column, the page's body. */
const CONTAINER_SIZES = [2, 5, 15, 40] as const;
const WINDOWS = [4, 10, 25] as const;
/** Titles repeat as headings; longer blocks are no titles. */
const MAX_TITLE_WORDS = 25;

/** Sums over some of a page's blocks. */
interface Sums {
  blocks: number;
  words: number;
  plain: number;
  sentences: number;
}

/**
 * Features of all blocks of a page, shape [blocks.length, FEATURE_COUNT], row by row. O(blocks).
 * @param roles the `ROLE` of each block by the slope.
 */
export function blockFeatures(page: PageContent, roles: Uint8Array): Float32Array {
  return new FeatureWriter(page).write(roles);
}

class FeatureWriter {
  readonly #page: PageContent;
  readonly #blocks: readonly Block[];
  readonly #total: Sums = { blocks: 0, words: 0, plain: 0, sentences: 0 };
  readonly #out: Float32Array;
  /** Running sums before each block, shape [n + 1]. */
  readonly #words: Float64Array;
  readonly #plain: Float64Array;
  readonly #tags: Float64Array;
  readonly #sentences: Float64Array;
  #at = 0;

  constructor(page: PageContent) {
    this.#page = page;
    this.#blocks = page.blocks;
    const n = page.blocks.length;
    this.#out = new Float32Array(n * FEATURE_COUNT);
    this.#words = new Float64Array(n + 1);
    this.#plain = new Float64Array(n + 1);
    this.#tags = new Float64Array(n + 1);
    this.#sentences = new Float64Array(n + 1);
    for (let i = 0; i < n; i += 1) {
      const block = page.blocks[i] as Block;
      add(this.#total, block);
      this.#words[i + 1] = (this.#words[i] as number) + block.words;
      this.#plain[i + 1] = (this.#plain[i] as number) + block.words - block.linkWords;
      this.#tags[i + 1] = (this.#tags[i] as number) + block.blockTags + 0.25 * block.inlineTags;
      this.#sentences[i + 1] = (this.#sentences[i] as number) + block.sentenceEnds;
    }
  }

  write(roles: Uint8Array): Float32Array {
    const blocks = this.#blocks;
    const n = blocks.length;
    const containers = new Containers(this.#page);
    const tagPaths = groupsBy(blocks, (block) => block.details.tagPath);
    const classPaths = groupsBy(blocks, (block) => block.details.classPath);
    const copies = countsBy(blocks, (block) => block.details.hash);
    const scores = blockScores(blocks);
    const best = maxSegment(scores);
    const flagged = flagShares(blocks, this.#total.words);
    const title = this.#page.title.toLowerCase();
    let paragraphs = 0;
    let items = 0;
    for (const { details, words } of blocks) {
      const { tag } = details;
      if (tag === 'p') paragraphs += words;
      else if (tag === 'li') items += words;
    }
    let heading = -1;
    let h1 = 0;
    for (let i = 0; i < n; i += 1) {
      const block = blocks[i] as Block;
      this.#at = i * FEATURE_COUNT;
      this.#own(block, copies.get(block.details.hash) ?? 1);
      this.#tag(block);
      this.#put(i / n);
      this.#put((this.#words[i] as number) / Math.max(1, this.#total.words));
      this.#put(block.details.depth);
      this.#put(heading < 0 ? 50 : Math.min(50, i - heading));
      this.#put(heading < 0 ? 0 : Math.log1p((this.#words[i] as number) - (this.#words[heading] as number)));
      this.#put(h1);
      this.#put(this.#inTitle(block, title));
      if (block.flags & FLAG.heading) heading = i;
      if (block.details.tag === 'h1') h1 = 1;
      this.#near(i, block);
      this.#slope(i, scores, best.start, best.end, best.score);
      this.#put(roles[i] ?? 0);
      for (const reach of WINDOWS) this.#window(i, reach);
      this.#containers(i, block, containers);
      this.#group(tagPaths.get(block.details.tagPath));
      this.#group(classPaths.get(block.details.classPath));
      this.#flags(block, flagged);
      this.#put(Math.log1p(n));
      this.#put(Math.log1p(this.#total.words));
      this.#put(1 - this.#total.plain / Math.max(1, this.#total.words));
      this.#put(this.#total.sentences / Math.max(1, n));
      this.#put(paragraphs / Math.max(1, this.#total.words));
      this.#put(items / Math.max(1, this.#total.words));
      this.#put(this.#total.words / Math.max(1, n));
    }
    return this.#out;
  }

  #put(value: number): void {
    this.#out[this.#at] = value;
    this.#at += 1;
  }

  #own(block: Block, copies: number): void {
    const { words, linkWords, start, end } = block;
    const chars = Math.max(1, end - start);
    const some = Math.max(0.5, words);
    const last = this.#page.text.charCodeAt(end - 1);
    this.#put(Math.log1p(words));
    this.#put(linkWords / some);
    this.#put(Math.min(30, block.blockTags));
    this.#put(Math.min(5, block.inlineTags / some));
    this.#put(block.commas / some);
    this.#put(Math.min(20, block.sentenceEnds));
    this.#put(block.sentenceEnds / some);
    this.#put(block.details.digits / chars);
    this.#put(block.details.capitals / chars);
    this.#put(block.details.marks / chars);
    this.#put(chars / some);
    this.#put(Math.min(20, block.details.links));
    this.#put(isStop(last) ? 1 : 0);
    this.#put(last === 0x3a || last === 0xff1a ? 1 : 0);
    this.#put(Math.min(10, copies));
  }

  #tag({ details: { tag }, flags }: Block): void {
    this.#put(tag === 'p' ? 1 : 0);
    this.#put(tag === 'li' ? 1 : 0);
    this.#put(flags & FLAG.heading ? (/^h[1-6]$/.test(tag) ? Number(tag[1]) : 6) : 0);
    this.#put(tag === 'td' || tag === 'th' || tag === 'tr' ? 1 : 0);
    this.#put(flags & FLAG.pre ? 1 : 0);
    this.#put(tag === 'dd' || tag === 'dt' ? 1 : 0);
    this.#put(tag === 'blockquote' ? 1 : 0);
    this.#put(tag === 'figcaption' || tag === 'caption' ? 1 : 0);
    this.#put(tag === 'div' || tag === 'section' || tag === 'body' || tag === '' ? 1 : 0);
  }

  #inTitle(block: Block, title: string): number {
    if (title === '' || block.words > MAX_TITLE_WORDS || block.end - block.start < 4) return 0;
    const text = this.#page.text.slice(block.start, block.end).toLowerCase();
    return title.includes(text) || text.includes(title) ? text.length / title.length : 0;
  }

  #near(i: number, block: Block): void {
    const before = this.#blocks[i - 1];
    const after = this.#blocks[i + 1];
    this.#put(before ? Math.log1p(before.words) : -1);
    this.#put(before ? before.linkWords / Math.max(0.5, before.words) : -1);
    this.#put(after ? Math.log1p(after.words) : -1);
    this.#put(after ? after.linkWords / Math.max(0.5, after.words) : -1);
    this.#put(Math.log1p(this.#blocks[i - 2]?.words ?? 0));
    this.#put(Math.log1p(this.#blocks[i + 2]?.words ?? 0));
    this.#put(before?.details.tagPath === block.details.tagPath ? 1 : 0);
    this.#put(after?.details.tagPath === block.details.tagPath ? 1 : 0);
    this.#put(Math.min(10, before?.sentenceEnds ?? 0));
    this.#put(Math.min(10, after?.sentenceEnds ?? 0));
    this.#put(Math.min(30, after?.blockTags ?? 0));
  }

  #slope(i: number, scores: Float64Array, start: number, end: number, best: number): void {
    const inside = i >= start && i < end;
    this.#put(Math.max(-60, Math.min(60, scores[i] ?? 0)));
    this.#put(inside ? 1 : 0);
    this.#put(Math.max(-50, Math.min(50, inside ? Math.min(i - start, end - 1 - i) + 1 : i < start ? i - start : end - 1 - i)));
    this.#put(((this.#plain[end] ?? 0) - (this.#plain[start] ?? 0)) / Math.max(1, this.#total.plain));
    this.#put(Math.log1p(Math.max(0, best)));
  }

  #window(i: number, reach: number): void {
    const from = Math.max(0, i - reach);
    const to = Math.min(this.#blocks.length, i + reach + 1);
    const words = (this.#words[to] as number) - (this.#words[from] as number);
    const plain = (this.#plain[to] as number) - (this.#plain[from] as number);
    const tags = (this.#tags[to] as number) - (this.#tags[from] as number);
    this.#put(plain / Math.max(1, words + tags));
    this.#put(1 - plain / Math.max(0.5, words));
    this.#put(((this.#sentences[to] as number) - (this.#sentences[from] as number)) / (to - from));
  }

  #containers(i: number, block: Block, containers: Containers): void {
    for (const [rank, size] of CONTAINER_SIZES.entries()) {
      const node = containers.around(block.details.node, rank);
      const sums = containers.sums[node] as Sums;
      this.#put(sums.plain / Math.max(1, this.#total.plain));
      this.#put(1 - sums.plain / Math.max(0.5, sums.words));
      this.#put(sums.words / Math.max(1, sums.blocks));
      this.#put(sums.sentences / Math.max(1, sums.blocks));
      this.#put(Math.log1p(sums.blocks));
      if (size > 2) this.#put((i - (containers.first[node] ?? 0)) / Math.max(1, sums.blocks));
    }
  }

  #group(sums: Sums | undefined): void {
    const { blocks, words, plain, sentences } = sums ?? this.#total;
    this.#put(Math.log1p(blocks));
    this.#put(plain / Math.max(1, this.#total.plain));
    this.#put(1 - plain / Math.max(0.5, words));
    this.#put(words / Math.max(1, blocks));
    this.#put(sentences / Math.max(1, blocks));
  }

  #flags({ flags }: Block, { main, body, comments }: FlagShares): void {
    for (const flag of [FLAG.nav, FLAG.header, FLAG.footer, FLAG.aside, FLAG.hidden, FLAG.form, FLAG.list, FLAG.table, FLAG.main])
      this.#put(flags & flag ? 1 : 0);
    this.#put(main > 0 ? 1 : 0);
    this.#put(main);
    this.#put(flags & FLAG.furniture ? 1 : 0);
    this.#put(flags & FLAG.body ? 1 : 0);
    this.#put(body > 0 ? 1 : 0);
    this.#put(body);
    this.#put(flags & FLAG.comments ? 1 : 0);
    this.#put(comments);
    this.#put(flags & FLAG.caption ? 1 : 0);
    this.#put(flags & FLAG.byline ? 1 : 0);
  }
}

/** The tree of block-level elements, with sums over the blocks below each. */
class Containers {
  readonly sums: Sums[];
  /** First block below each node. */
  readonly first: Int32Array;
  /** For each container size, the nearest node at or above each node that is so large. */
  readonly #large: readonly Int32Array[];

  constructor({ blocks, parents }: PageContent) {
    const count = parents.length;
    this.sums = Array.from({ length: count }, () => ({ blocks: 0, words: 0, plain: 0, sentences: 0 }));
    this.first = new Int32Array(count).fill(blocks.length);
    for (const [i, block] of blocks.entries()) {
      add(this.sums[block.details.node] as Sums, block);
      this.first[block.details.node] = Math.min(this.first[block.details.node] ?? i, i);
    }
    for (let node = count - 1; node > 0; node -= 1) {
      const parent = parents[node] as number;
      addSums(this.sums[parent] as Sums, this.sums[node] as Sums);
      this.first[parent] = Math.min(this.first[parent] as number, this.first[node] as number);
    }
    this.#large = CONTAINER_SIZES.map((size) => {
      const large = new Int32Array(count);
      for (let node = 1; node < count; node += 1)
        large[node] = (this.sums[node] as Sums).blocks >= size ? node : (large[parents[node] as number] as number);
      return large;
    });
  }

  around(node: number, rank: number): number {
    return this.#large[rank]?.[node] ?? 0;
  }
}

function add(sums: Sums, block: Block): void {
  sums.blocks += 1;
  sums.words += block.words;
  sums.plain += block.words - block.linkWords;
  sums.sentences += block.sentenceEnds;
}

function addSums(to: Sums, from: Sums): void {
  to.blocks += from.blocks;
  to.words += from.words;
  to.plain += from.plain;
  to.sentences += from.sentences;
}

function groupsBy(blocks: readonly Block[], keyOf: (block: Block) => number): Map<number, Sums> {
  const groups = new Map<number, Sums>();
  for (const block of blocks) {
    const key = keyOf(block);
    let sums = groups.get(key);
    if (sums === undefined) {
      sums = { blocks: 0, words: 0, plain: 0, sentences: 0 };
      groups.set(key, sums);
    }
    add(sums, block);
  }
  return groups;
}

function countsBy(blocks: readonly Block[], keyOf: (block: Block) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const block of blocks) counts.set(keyOf(block), (counts.get(keyOf(block)) ?? 0) + 1);
  return counts;
}

/** Shares of the page's words in `main` and under class names that say body or comments, furniture left out. */
interface FlagShares {
  readonly main: number;
  readonly body: number;
  readonly comments: number;
}

function flagShares(blocks: readonly Block[], total: number): FlagShares {
  let main = 0;
  let body = 0;
  let comments = 0;
  for (const block of blocks) {
    if (isFurniture(block)) continue;
    if (block.flags & FLAG.main) main += block.words;
    if (block.flags & FLAG.body) body += block.words;
    if (block.flags & FLAG.comments) comments += block.words;
  }
  const all = Math.max(1, total);
  return { main: main / all, body: body / all, comments: comments / all };
}

function isStop(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x2026 || code === 0x3002 || code === 0xff01 || code === 0xff1f;
}
