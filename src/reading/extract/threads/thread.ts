/** The thread of a page: its posts, with the blocks of each. */
import type { DateOrder } from '../../../base/text/date-order.ts';
import { LINE, lineNumber, lineText, type PageContent } from '../blocks.ts';
import { linedBlock } from '../line-notes.ts';
import { ROLE } from '../main-text.ts';
import type { PageElements } from '../page-elements.ts';
import { FLAG } from '../tags.ts';
import { asFound, completed, declaredPosts } from './declared-posts.ts';
import { type HeadMarks, headMarks, isDated, type Mark, nameOf } from './head-marks.ts';
import { type PageElement, type PageTree, pageTree } from './page-tree.ts';
import { type Body, isBodyName, postBodies } from './post-bodies.ts';
import { depthsOf } from './post-depths.ts';
import { ownMarks, type PostElement, type PostGroup, postGroups } from './post-groups.ts';
import { hrefOfPost } from './post-links.ts';
import { Prose } from './prose.ts';
import { quotedBlocks } from './quotes.ts';
import { singleMail } from './single-mail.ts';
import { areTeasers } from './teasers.ts';

/** A post as blocks of its page. */
export interface FoundPost {
  readonly author: string | null;
  readonly published: string | null;
  /** Address as written, or a fragment; null without one. */
  readonly href: string | null;
  readonly depth: number;
  /** Posts of one kind are alike: answers, the comments on them. */
  readonly kind: number;
  /** Blocks of its body, ascending. */
  readonly body: readonly number[];
  /** Blocks of the post outside of its body. */
  readonly rest: readonly number[];
  /** Heading of the post, as entries of a blog have; null without. */
  readonly title: number | null;
  /** Blocks of its body that quote an earlier post. */
  readonly quoted: ReadonlySet<number>;
  /** Text of a body that is part of a line with its head; null otherwise. */
  readonly words: string | null;
}

export interface Thread {
  readonly posts: readonly FoundPost[];
}

/** Lines of a head among which the name may be. */
const MAX_HEAD_LINES = 5;
/** The `kind` of an opening post. */
const OPENING = 2;
/** Least share of posts with a heading of their own. */
const LEAST_TITLED = 0.6;
const LEAST_POSTS = 2;
/** Names of replies: the text before them is the opening post. */
const REPLIES = /(?:^|[^a-z])(?:comments?|repl(?:y|ies)|answers?|suggestedanswer|acceptedanswer)(?:$|[^a-z])|(?:comment|answer)$/i;
/** Fewer words before the replies are no opening post. */
const LEAST_OPENING_WORDS = 8;

/** The thread of a page that may have one; null for none. @param orderOfSite order of day and month in numbers, by language and host */
export function findThread(
  elements: PageElements,
  page: PageContent,
  roles: Uint8Array,
  orderOfSite: () => DateOrder | null,
): Thread | null {
  const tree = pageTree(elements);
  const order = knownOrder(page, orderOfSite);
  const prose = Prose.of(page.lines, roles.length);
  const marks = headMarks(page, tree, order);
  const group = postGroups(tree, marks, prose).find(({ members, words }) => !areTeasers(members, words, page, tree));
  const shown = group === undefined ? [] : new PostReader(page, tree, marks, prose, order).posts(group, roles);
  if (shown.length >= LEAST_POSTS) return { posts: completedBy(page, shown) };
  const declared = declaredPosts(page.jsonLd);
  if (declared.length > 0) return { posts: declared.map(asFound) };
  const mail = singleMail(page, tree, marks, order);
  return mail && { posts: [mail] };
}

/** The posts with the parts that the page only declares. */
function completedBy(page: PageContent, shown: readonly FoundPost[]): readonly FoundPost[] {
  if (shown.every(({ author, published, href }) => author !== null && published !== null && href !== null)) return shown;
  const startOf = ({ body }: FoundPost) => Array.from(body.slice(0, 3), (block) => lineText(page, block)).join(' ');
  return completed(shown, declaredPosts(page.jsonLd), startOf);
}

/** The order of the page's dates in numbers: that of the site, else the one that its days beyond the twelfth have. */
function knownOrder({ text }: PageContent, orderOfSite: () => DateOrder | null): () => DateOrder | null {
  let known: DateOrder | null | undefined;
  return () => {
    // null is an answer too: the page is not searched again for each date.
    if (known === undefined) known = orderOfSite() ?? orderShownIn(text);
    return known;
  };
}

function orderShownIn(text: string): DateOrder | null {
  const isDayFirst = DAY_FIRST.test(text);
  if (isDayFirst === MONTH_FIRST.test(text)) return null;
  return isDayFirst ? 'dmy' : 'mdy';
}

const DAY_FIRST = /(?<![\d./-])(?:1[3-9]|2\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)?\d\d(?![\d./-])/;
const MONTH_FIRST = /(?<![\d./-])(?:0?[1-9]|1[0-2])([./-])(?:1[3-9]|2\d|3[01])\1(?:19|20)?\d\d(?![\d./-])/;

class PostReader {
  readonly #page: PageContent;
  readonly #tree: PageTree;
  readonly #marks: HeadMarks;
  readonly #prose: Prose;
  readonly #order: () => DateOrder | null;

  constructor(page: PageContent, tree: PageTree, marks: HeadMarks, prose: Prose, order: () => DateOrder | null) {
    this.#page = page;
    this.#tree = tree;
    this.#marks = marks;
    this.#prose = prose;
    this.#order = order;
  }

  posts({ members, key }: PostGroup, roles: Uint8Array): readonly FoundPost[] {
    const bodies = postBodies(this.#page, this.#tree, members, this.#prose);
    const opening = REPLIES.test(key) ? this.#opening(members[0], roles, key.startsWith('@')) : null;
    const depths = depthsOf(members, this.#tree);
    const found = members.flatMap((member, i) => {
      const body = bodies[i];
      return body === undefined || body.blocks.length === 0 ? [] : [this.#post(member, body, (depths[i] ?? 0) + Number(opening !== null))];
    });
    const posts = this.#titled(found);
    return opening === null ? posts.map((post, i) => (i === 0 && post.href === null ? { ...post, href: '' } : post)) : [opening, ...posts];
  }

  /** The text before the first reply: an article, a question. */
  #opening(first: PostElement | undefined, roles: Uint8Array, isDeclared: boolean): FoundPost | null {
    const { part } = first ?? {};
    if (part === undefined) return null;
    const body: number[] = [];
    for (let block = 0; block < part.first; block += 1)
      if (roles[block] === ROLE.text && !(lineNumber(this.#page.lines, block, LINE.flags) & FLAG.heading && body.length === 0))
        body.push(block);
    const words = body.reduce((sum, block) => sum + this.#prose.words(block, block), 0);
    if (words < LEAST_OPENING_WORDS) return null;
    const from = this.#tree.blockStarts[Math.max(0, (body[0] ?? 0) - MAX_HEAD_LINES)] ?? 0;
    const isNear = ({ at, weight }: Mark) => weight > 0 && at >= from && at < part.from;
    const author = bestOf(this.#marks.authors.filter(isNear));
    const published = bestOf(this.#marks.dates.filter(isNear));
    // Where microdata name the replies, they may name all posts.
    if (isDeclared && (author === null || published === null)) return null;
    return {
      author,
      published,
      href: '',
      depth: 0,
      kind: OPENING,
      body: this.#withoutTitle(body),
      rest: [],
      title: null,
      quoted: new Set(),
      words: null,
    };
  }

  /** Blocks without the title of the page and the lines of the head at the start, and without headings of the replies at the end. */
  #withoutTitle(blocks: readonly number[]): readonly number[] {
    const isHeading = (block: number) => (lineNumber(this.#page.lines, block, LINE.flags) & FLAG.heading) !== 0;
    const isTitle = (block: number) =>
      this.#page.title.startsWith(lineText(this.#page, block)) || isHeading(block) || this.#isHead(block, null);
    let from = 0;
    let to = blocks.length;
    while (from < to - 1 && from < MAX_HEAD_LINES && isTitle(blocks[from] ?? 0)) from += 1;
    while (to > from + 1 && isHeading(blocks[to - 1] ?? 0)) to -= 1;
    return blocks.slice(from, to);
  }

  #post(member: PostElement, body: Body, depth: number): FoundPost {
    const author = this.#headOf(member, body, this.#marks.authors);
    const blocks = this.#withoutHead(body.blocks, author);
    return {
      author: author ?? this.#firstName(member, blocks),
      published: this.#headOf(member, body, this.#marks.dates),
      href: hrefOfPost(member, this.#tree),
      depth,
      kind: member.kind,
      body: blocks,
      rest: without(ownBlocks(member), blocks),
      title: this.#titleOf(member, blocks[0] ?? 0, author),
      quoted: quotedBlocks(this.#page, this.#tree, body.parts, [blocks[0] ?? 0, blocks.at(-1) ?? 0]),
      words: this.#wordsInLine(member, blocks),
    };
  }

  /** The best mark outside of a body; else, before its text. */
  #headOf(member: PostElement, { parts, blocks }: Body, marks: readonly Mark[]): string | null {
    const own = ownMarks(member, marks);
    const outside = own.filter(({ at }) => !parts.some(({ from, to }) => at >= from && at <= to));
    const start = this.#tree.blockStarts[blocks[MAX_HEAD_LINES] ?? blocks.at(-1) ?? 0] ?? 0;
    return bestOf(outside) ?? bestOf(blocks.length > 1 ? own.filter(({ at }) => at <= start) : own);
  }

  /** The text of a body of one block that has a head in its line: that of the element with its words. */
  #wordsInLine({ part }: PostElement, blocks: readonly number[]): string | null {
    const [block] = blocks;
    const start = this.#tree.blockStarts[block ?? -1];
    if (block === undefined || start === undefined || blocks.length > 1) return null;
    const isHere = ({ at }: Mark) => at > start && at <= part.to;
    if (!this.#marks.authors.some(isHere)) return null;
    for (let at = part.index + 1; at < part.end; at += 1) {
      const inner = this.#tree.parts[at] as PageElement;
      if (inner.isInline && inner.first === block && inner.names.names.some(isBodyName)) return this.#tree.textOf(inner);
    }
    return null;
  }

  /** Blocks without lines of the head at the start: those with the date or the name, and the title of the thread. */
  #withoutHead(blocks: readonly number[], author: string | null): readonly number[] {
    let from = 0;
    while (from < blocks.length - 1 && from < MAX_HEAD_LINES && this.#isHead(blocks[from] ?? 0, author)) from += 1;
    return blocks.slice(from);
  }

  #isHead(block: number, author: string | null): boolean {
    const text = lineText(this.#page, block);
    if (text.length > 120) return false;
    if (/^(?:re|aw|sv|antw|from|date|subject|to|cc|message-id|in-reply-to|references|von|datum|betreff)\s?:/i.test(text)) return true;
    if (text.length > 2 && this.#page.title.startsWith(text)) return true;
    if (author !== null && text.startsWith(author) && text.length < author.length + 60) return true;
    return text.length < 80 && !/[.!?]$/.test(text) && isDated(text, this.#order);
  }

  /** The heading above a body that is neither the title of the thread nor the name of the author. */
  #titleOf(member: PostElement, start: number, author: string | null): number | null {
    const { title, lines } = this.#page;
    const found = ownBlocks(member).find((block) => {
      if (block >= start || !(lineNumber(lines, block, LINE.flags) & FLAG.heading)) return false;
      const text = lineText(this.#page, block);
      return text !== author && !title.startsWith(text) && !/^(?:re|aw|sv|antw)\s?:/i.test(text);
    });
    return found ?? null;
  }

  /** Posts whose headings are their own, or without headings. */
  #titled(posts: readonly FoundPost[]): readonly FoundPost[] {
    const titles = new Set(posts.flatMap(({ title }) => (title === null ? [] : [lineText(this.#page, title)])));
    return titles.size >= LEAST_TITLED * posts.length ? posts : posts.map((post) => ({ ...post, title: null }));
  }

  /** The first short line of the head that is no date, in posts without markup for names. */
  #firstName(member: PostElement, body: readonly number[]): string | null {
    for (const block of ownBlocks(member).slice(0, MAX_HEAD_LINES)) {
      if (block >= (body[0] ?? 0)) return null;
      const [text = ''] = linedBlock(this.#page, block).split(/[\n\t]/, 1);
      const isHeading = (lineNumber(this.#page.lines, block, LINE.flags) & FLAG.heading) !== 0;
      const name = isHeading || text.split(' ').length > 4 || isDated(text, this.#order) ? null : nameOf(text);
      if (name !== null) return name;
    }
    return null;
  }
}

/** The value of the mark with the largest weight; of equal ones, the first. */
function bestOf(marks: readonly Mark[]): string | null {
  let best: Mark | null = null;
  for (const mark of marks) if (mark.value !== null && (best === null || mark.weight > best.weight)) best = mark;
  return best?.value ?? null;
}

/** @param left ascending, as the blocks */
function without(blocks: readonly number[], left: readonly number[]): readonly number[] {
  const gone = new Set(left);
  return blocks.filter((block) => !gone.has(block));
}

function ownBlocks({ part, inner }: PostElement): readonly number[] {
  const blocks: number[] = [];
  let next = 0;
  for (let block = part.first; block <= part.last; block += 1) {
    while (next < inner.length && (inner[next]?.part.last ?? 0) < block) next += 1;
    if (next >= inner.length || (inner[next]?.part.first ?? 0) > block) blocks.push(block);
  }
  return blocks;
}
