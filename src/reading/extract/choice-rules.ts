/** Rules after the choice of main text that look at runs of blocks, for both parsers: they read lines, roles and probabilities alone. */
import { LINE, LINE_SIZE, lineNumber, lineText, type PageContent, STOPS } from './blocks.ts';
import { ROLE, RULE } from './main-text.ts';
import { keepStructures } from './structure-rules.ts';
import { BOILERPLATE, FLAG } from './tags.ts';

type Lines = Pick<PageContent, 'text' | 'lines' | 'parents'>;

/**
 * Least probability of main text of a list between two blocks of text, and of one that a colon announces or that two paragraphs enclose. On the
 * development pages, most lists above were marked as text; further down were lists of tags, of commands, and of other pages.
 */
const LIST_PROBABILITY = 0.35;
const ENCLOSED_PROBABILITY = 0.09;
/** Longer lists in a text are its index or a menu. */
const MAX_ITEMS = 40;
/** More lists with the same first item are commands of entries. */
const MAX_ALIKE = 2;
/** Shorter texts, such as `Details`, are repeated on purpose. */
const MIN_COPY_CHARS = 40;

/** All such rules, after the model has found text. */
export function refineRoles(page: Lines, roles: Uint8Array, probabilities: ArrayLike<number>, rules: Uint8Array | null): void {
  keepStructures(page, roles, probabilities, rules);
  keepLists(page, roles, probabilities, rules);
  dropCopies(page, roles, rules);
}

/**
 * Keeps short lists of links that stand between two blocks of an article, if their first item is not one of many alike on the page. Changes roles and
 * rules. O(blocks).
 * @param rules of the blocks, if they are wanted
 */
function keepLists(page: Lines, roles: Uint8Array, probabilities: ArrayLike<number>, rules: Uint8Array | null): void {
  const found: (readonly [start: number, end: number])[] = [];
  const article = articleFlags(page.lines);
  let start = roles.indexOf(ROLE.text) + 1;
  while (start > 0 && start < roles.length) {
    let end = start;
    while (end < roles.length && roles[end] !== ROLE.text) end += 1;
    if (end < roles.length && end > start && isList(page, start, end, probabilities, article)) found.push([start, end]);
    start = end + 1;
  }
  const alike = new Map<string, number>();
  for (const [from] of found) alike.set(lineText(page, from), (alike.get(lineText(page, from)) ?? 0) + 1);
  for (const [from, to] of found) {
    if ((alike.get(lineText(page, from)) ?? 0) > MAX_ALIKE) continue;
    roles.fill(ROLE.text, from, to);
    rules?.fill(RULE.list, from, to);
  }
}

/** The flags of which a block of an article has one; 0 if the page does not mark its article. */
function articleFlags(lines: Int32Array): number {
  for (let at: number = LINE.flags; at < lines.length; at += LINE_SIZE) if ((lines[at] ?? 0) & ARTICLE) return ARTICLE;
  return 0;
}

/** Are the blocks `[start, end)` a list of the article, below a block that is no heading? */
function isList(page: Lines, start: number, end: number, probabilities: ArrayLike<number>, article: number): boolean {
  const { lines } = page;
  if (end - start > MAX_ITEMS || flagsOf(lines, start - 1) & FLAG.heading) return false;
  let best = 0;
  for (let i = start; i < end; i += 1) {
    const flags = flagsOf(lines, i);
    if (!(flags & FLAG.list) || (article !== 0 && !(flags & article)) || flags & NO_LIST) return false;
    best = Math.max(best, probabilities[i] ?? 0);
  }
  const last = lastOf(page, start - 1);
  const isEnclosed = COLONS.includes(last) || (isProse(page, start - 1) && isProse(page, end));
  return best >= (isEnclosed ? ENCLOSED_PROBABILITY : LIST_PROBABILITY);
}

/** A block outside lists that ends with a stop. */
function isProse(page: Lines, block: number): boolean {
  return (flagsOf(page.lines, block) & (FLAG.list | FLAG.heading)) === 0 && STOPS.includes(lastOf(page, block));
}

/** The last character of a block. */
function lastOf({ text, lines }: Lines, block: number): string {
  return text.charAt(lineNumber(lines, block, LINE.end) - 1);
}

const COLONS = ':：';
const ARTICLE = FLAG.main | FLAG.body;
const NO_LIST = BOILERPLATE | FLAG.heading | FLAG.related | FLAG.comments;
/** Takes hidden blocks out of the text that are copies of other blocks of it: the same page for another device, or for print. Changes roles and rules. */
function dropCopies(page: Lines, roles: Uint8Array, rules: Uint8Array | null): void {
  const isHidden = (i: number) => roles[i] === ROLE.text && (flagsOf(page.lines, i) & FLAG.hidden) !== 0;
  if (!roles.some((_, i) => isHidden(i))) return;
  const seen = new Set<string>();
  for (let i = 0; i < roles.length; i += 1) if (roles[i] === ROLE.text && !isHidden(i)) seen.add(lineText(page, i));
  for (let i = 0; i < roles.length; i += 1) {
    if (!isHidden(i)) continue;
    const line = lineText(page, i);
    if (line.length >= MIN_COPY_CHARS && seen.has(line)) {
      roles[i] = ROLE.links;
      if (rules !== null) rules[i] = RULE.copy;
    } else seen.add(line);
  }
}

function flagsOf(lines: Int32Array, block: number): number {
  return lineNumber(lines, block, LINE.flags);
}
