/** Groups of elements that are alike, and the one among them that is the posts of a thread. */
import type { HeadMarks, Mark } from './head-marks.ts';
import type { PageElement, PageTree } from './page-tree.ts';
import type { Prose } from './prose.ts';
import { isQuote } from './quotes.ts';

/** More are no thread that anybody reads on one page. */
export const MAX_POSTS = 2_000;
/** Posts inside posts; deeper ones are at this depth. */
export const MAX_POST_DEPTH = 100;
export const LEAST_POSTS = 2;
/** Least share of the members of a group that have a head and a body. */
const LEAST_SHARE = 0.7;
/**
 * Least mean share of the members with a date and of those with an author, with a name of posts and without: on the development pages, threads have 1,
 * and columns, cards and products .5 to .83.
 */
const NAMED_HEADS = 0.7;
/** Least share of the members with a date, or of those with an author, if the page shows one of both alone. */
const HALF_HEADS = 0.95;
const UNNAMED_HEADS = 0.9;
/** Least number of posts without such a name: two columns are none. Words such as `Posted:` may replace their authors. */
export const LEAST_UNNAMED = 3;
/** Groups that are looked at, those with the most words first. */
const MAX_GROUPS = 400;
/** Other groups that are tried together with the best, and the least share of such a union that has a head and a body. */
const MAX_FIRST = 4;
const MAX_UNIONS = 24;
const UNION_SHARE = 0.8;
/** Words of a member of the second kind, on average: heads have fewer. */
const UNION_WORDS = 7;
/** Least share of its heads, of those of the best group: parts of one post share its head. */
const UNION_HEADS = 0.9;
/** Words in class names and types of posts. */
const POST_NAME =
  /(?:^|[^a-z])(?:comments?|commentary|repl(?:y|ies)|answers?|posts?|message|msg|topic|question|entry|hentry|h-entry|review|e-?mail)(?:$|[^a-z])|(?:comment|post|answer|reply|posting|question)$|^article|^div\.c?post|suggestedanswer|postbit|ipsentry/i;
/** Groups that may be a second kind of posts. */
const COMMENT_NAME = /(?:[.@]|^article\.)(?:[a-z]+-)?(?:comments?|reply|answer|suggestedanswer|acceptedanswer|question)(?:-#)?$/i;
/** Factors of a group with such a name, and of one that is finer than another. By hand: both are smaller than the loss of a head. */
const NAMED = 1.25;
const FINER = 0.08;
/** Words that a post has on average, at least. */
const LEAST_WORDS = 3;

/** One element of a group, with the elements of the same group directly inside it. */
export interface PostElement {
  readonly part: PageElement;
  readonly inner: PostElement[];
  /** Number of members around it. */
  readonly level: number;
  /** 1 for one of a second kind, such as comments on answers. */
  readonly kind: number;
}

export interface PostGroup {
  /** Name that its elements share. */
  readonly key: string;
  /** Elements in the order of the page. */
  readonly members: readonly PostElement[];
  /** Words of its bodies. */
  readonly words: number;
  /** Share of its members that have a head and a body, and mean share of those with a date and of those with an author. */
  readonly share: number;
  readonly heads: number;
  readonly score: number;
}

/** The groups that may be posts, best first. */
export function postGroups(tree: PageTree, marks: HeadMarks, prose: Prose): readonly PostGroup[] {
  const groups: PostGroup[] = [];
  for (const { key, parts } of alikeParts(tree, prose)) {
    const group = rated(key, membersOf(parts), marks, prose);
    if (group !== null) groups.push(group);
  }
  groups.sort(byScore);
  const unions = groups.slice(0, MAX_FIRST).map((group) => withAnother(group, groups.slice(0, MAX_UNIONS), marks, prose));
  return [...unions, ...groups.slice(MAX_FIRST)].sort(byScore);
}

function byScore(a: PostGroup, b: PostGroup): number {
  return b.score - a.score;
}

/** A group together with another kind of posts, such as answers and the comments on them, if each of both has its own head and body. */
function withAnother(best: PostGroup, others: readonly PostGroup[], marks: HeadMarks, prose: Prose): PostGroup {
  let found = best;
  for (const other of others) {
    const isOne = COMMENT_NAME.test(other.key) ? isPostKey(best.key) : COMMENT_NAME.test(best.key) && isPostKey(other.key);
    if (other === best || !isOne || other.words < UNION_WORDS * other.members.length) continue;
    const parts = new Set([...best.members, ...other.members].map(({ part }) => part));
    if (parts.size < best.members.length + LEAST_POSTS || parts.size > MAX_POSTS) continue;
    const first = new Set(best.members.map(({ part }) => part));
    const sorted = [...parts].sort((a, b) => a.index - b.index);
    const union = rated(
      `${best.key} ${other.key}`,
      membersOf(sorted, (part) => (first.has(part) ? 0 : 1)),
      marks,
      prose,
    );
    if (union === null || union.share < UNION_SHARE || union.heads < UNION_HEADS * best.heads) continue;
    if (found === best || union.score > found.score) found = union;
  }
  return found;
}

/** Elements with a class name in common, and siblings without any. */
function alikeParts(tree: PageTree, prose: Prose): readonly { readonly key: string; readonly parts: readonly PageElement[] }[] {
  const byKey = new Map<string, PageElement[]>();
  for (const part of tree.parts) {
    if (part.last < part.first || prose.words(part.first, part.last) === 0 || NEVER.has(part.tag) || part.isInline || isQuote(part))
      continue;
    for (const key of groupKeysOf(part)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [part]);
      else if (known.length < MAX_POSTS) known.push(part);
    }
  }
  const seen = new Set<string>();
  return [...byKey]
    .sort(([a], [b]) => Number(isPostKey(b)) - Number(isPostKey(a)))
    .filter(([, parts]) => parts.length >= LEAST_POSTS && isNew(parts, seen))
    .map(([key, parts]) => ({ key, parts, words: outermostWords(parts, prose) }))
    .filter(({ parts, words }) => words >= LEAST_WORDS * parts.length)
    .sort((a, b) => b.words - a.words)
    .slice(0, MAX_GROUPS);
}

/** Two class names of the same elements are one group. */
function isNew(parts: readonly PageElement[], seen: Set<string>): boolean {
  const key = parts.map(({ index }) => index).join();
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

export const NEVER = new Set(
  'html body head p a span b i em strong br h1 h2 h3 h4 h5 h6 ul ol nav header footer aside form button label option select pre code blockquote'.split(
    ' ',
  ),
);

/** Names of an element that others may share. */
export function groupKeysOf(part: PageElement): readonly string[] {
  const { tag, parent } = part;
  const keys = [...part.names.keysOf(tag)];
  const id = part.attribute('id');
  if (id !== undefined && /\d/.test(id)) keys.push(`${tag}#${id.toLowerCase().replaceAll(/\d+/g, '#')}`);
  const type = part.attribute('itemtype');
  if (type !== undefined) keys.push(`@${type.slice(type.lastIndexOf('/') + 1)}`);
  const property = part.attribute('itemprop');
  if (property !== undefined && part.has('itemscope')) keys.push(`@@${property.toLowerCase()}`);
  if (keys.length === 0) keys.push(`${parent}>${tag}`);
  return keys;
}

/** Is it the key of a group by a name of posts? */
export function isPostKey(key: string): boolean {
  return POST_NAME.test(key);
}

/** Words of the elements that are in no other of the list. */
function outermostWords(parts: readonly PageElement[], prose: Prose): number {
  let words = 0;
  let end = -1;
  for (const part of parts) {
    if (part.index < end) continue;
    words += prose.words(part.first, part.last);
    end = part.end;
  }
  return words;
}

/** @param parts in the order of the page */
export function membersOf(parts: readonly PageElement[], kindOf: (part: PageElement) => number = () => 0): readonly PostElement[] {
  const open: PostElement[] = [];
  return parts.map((part) => {
    while (open.length > 0 && (open.at(-1)?.part.end ?? 0) <= part.index) open.pop();
    const member: PostElement = { part, inner: [], level: Math.min(open.length, MAX_POST_DEPTH), kind: kindOf(part) };
    open.at(-1)?.inner.push(member);
    open.push(member);
    return member;
  });
}

function rated(key: string, members: readonly PostElement[], marks: HeadMarks, prose: Prose): PostGroup | null {
  const { length } = members;
  let words = 0;
  let whole = 0;
  let dated = 0;
  let authored = 0;
  let many = 0;
  for (const [i, member] of members.entries()) {
    const own = ownWords(member, prose);
    words += own;
    const dates = ownMarks(member, marks.dates);
    const authors = ownMarks(member, marks.authors);
    if (dates.length > 0) dated += 1;
    if (authors.length > 0) authored += 1;
    if (own > 0 && dates.length + authors.length > 0) whole += 1;
    // Most groups have no heads.
    if ((whole + length - 1 - i) / length < LEAST_SHARE) return null;
    if (authors.length > 2 && new Set(authors.filter(({ weight }) => weight >= 4).map(({ value }) => value)).size > 2) many += 1;
  }
  const share = whole / length;
  const heads = (dated + authored) / (2 * length);
  const isNamed = isPostKey(key);
  if (share < LEAST_SHARE || words < LEAST_WORDS * length || many > length / 2) return null;
  const hasHeads = heads >= NAMED_HEADS || Math.max(dated, authored) >= HALF_HEADS * length;
  if (
    isNamed
      ? !hasHeads
      : (heads < UNNAMED_HEADS && Math.min(dated, signedOf(members, marks)) < UNNAMED_HEADS * length) ||
        length < LEAST_UNNAMED ||
        !areSisters(members)
  )
    return null;
  const score = words * share ** 2 * heads ** 2 * (1 + FINER * Math.log(length)) * (isNamed ? NAMED : 1);
  return { key, members, words, share, heads, score };
}

function signedOf(members: readonly PostElement[], marks: HeadMarks): number {
  const signs = marks.signs();
  return members.filter((member) => ownMarks(member, signs).length > 0).length;
}

/** Do they follow each other in one element? Elements with a class of style are anywhere. */
function areSisters(members: readonly PostElement[]): boolean {
  const [first] = members;
  return members.filter(({ part }) => part.parent === first?.part.parent).length >= 0.8 * members.length;
}

/** Words of a member outside of the members in it. */
export function ownWords({ part, inner }: PostElement, prose: Prose): number {
  return inner.reduce((words, { part: { first, last } }) => words - prose.words(first, last), prose.words(part.first, part.last));
}

/** Marks in a member and in no member in it. */
export function ownMarks({ part, inner }: PostElement, marks: readonly Mark[]): readonly Mark[] {
  const found: Mark[] = [];
  let next = 0;
  for (let i = firstFrom(marks, part.from); i < marks.length; ) {
    const mark = marks[i] as Mark;
    if (mark.at > part.to) break;
    while ((inner[next]?.part.to ?? Number.POSITIVE_INFINITY) < mark.at) next += 1;
    const around = inner[next]?.part;
    if (around !== undefined && mark.at >= around.from) i = firstFrom(marks, around.to + 1);
    else {
      found.push(mark);
      i += 1;
    }
  }
  return found;
}

function firstFrom(marks: readonly Mark[], place: number): number {
  let from = 0;
  let to = marks.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((marks[middle]?.at ?? 0) < place) from = middle + 1;
    else to = middle;
  }
  return from;
}
