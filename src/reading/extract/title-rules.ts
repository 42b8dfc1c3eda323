/** Rules after the choice of main text, for short lines above or below a block of it: titles of boxes, names of code, captions of code, tables and quotes. */
import { isProper, LINE, lineNumber, lineText, PART, type PageContent } from './blocks.ts';
import { isBoxTitle } from './box-titles.ts';
import { ROLE, RULE } from './main-text.ts';
import { FLAG } from './tags.ts';

type Page = Pick<PageContent, 'text' | 'lines' | 'parents'>;
type Keep = (block: number, rule: number) => void;

/** Code and tables. */
const SHOWN = FLAG.pre | FLAG.table;
/** Longer boxes are sections. */
const MAX_BOX_BLOCKS = 12;
/** Longer lines are no captions. In UTF-16 units. */
const MAX_CHARS = 400;
/** `src/main.c`, `/etc/fstab`. */
const FILE_NAME = /^(?:~?\/[\w./-]+|[\w./-]+\.\w{1,10}|Makefile|Dockerfile)[\s:¶#]*$/;
/** `Table 2.`, `Listing 3-1:`, `図 4`. */
const NUMBERED = /^\p{L}{1,14}\.?\s?\d{1,3}(?:[.-]\d{1,3})*(?:\s?[.:：)–—|-]|\s|$)/u;

/**
 * The rules of this file. From the end: a title above a caption that is kept is above text. Changes roles and rules. O(blocks × depth).
 *
 * Captions of images stay out: on the development pages, annotators put 13 % of those between two blocks of text into it.
 */
export function keepTitles(page: Page, roles: Uint8Array, keep: Keep): void {
  for (let i = roles.length - 1; i >= 0; i -= 1) {
    if (!isProper(page.lines, i)) continue;
    if (roles[i - 1] === ROLE.text && isBoxTitle(lineText(page, i))) keepBox(page, roles, i, keep);
    if (roles[i] === ROLE.text) continue;
    if (roles[i + 1] === ROLE.text && isBoxTitle(lineText(page, i))) keep(i, RULE.title);
    else if (isCaption(page, roles, i)) keep(i, RULE.caption);
  }
}

/** The text of a box below a block of the text in the same section. */
function keepBox(page: Page, roles: Uint8Array, title: number, keep: Keep): void {
  const { lines, parents } = page;
  const box = lineNumber(lines, title, LINE.whole);
  const section = parents[box] ?? -1;
  if (section < 0 || isUnder(page, title - 1, box) || !isUnder(page, title - 1, section)) return;
  for (let i = title + 1; i < Math.min(roles.length, title + MAX_BOX_BLOCKS) && isUnder(page, i, box); i += 1)
    if (roles[i] !== ROLE.text && isProper(lines, i)) keep(i, RULE.title);
}

/** Is the element around that of a block the given one, or in it? Elements have larger numbers than those around them. */
function isUnder({ lines, parents }: Page, block: number, element: number): boolean {
  let around = lineNumber(lines, block, LINE.whole);
  while (around > element) around = parents[around] ?? -1;
  return around === element;
}

function isCaption(page: Page, roles: Uint8Array, block: number): boolean {
  const { lines } = page;
  if (lineNumber(lines, block, LINE.end) - lineNumber(lines, block, LINE.start) > MAX_CHARS) return false;
  if (roles[block + 1] === ROLE.text && (isTableCaption(page, block) || isAbove(page, block))) return true;
  return roles[block - 1] === ROLE.text && isBelow(page, block);
}

/** A block of a table that is in none of its rows, above them. */
function isTableCaption({ lines, parents }: Page, block: number): boolean {
  const isInTables = (flagsOf(lines, block) & flagsOf(lines, block + 1) & FLAG.table) !== 0;
  if (!isInTables || lineNumber(lines, block, LINE.part) !== PART.none) return false;
  const table = lineNumber(lines, block, LINE.whole);
  const below = lineNumber(lines, block + 1, LINE.whole);
  if (lineNumber(lines, block + 1, LINE.part) === PART.cell) return below === table || parents[below] === table;
  // A paragraph in a cell of a row, which may be in a group of rows.
  const group = parents[parents[below] ?? -1];
  return group === table || (group !== undefined && parents[group] === table);
}

/** A line directly above code or a table, by its class, its number, or as the name of a file. */
function isAbove(page: Page, block: number): boolean {
  const [flags, below] = [flagsOf(page.lines, block), flagsOf(page.lines, block + 1)];
  if ((below & SHOWN & ~flags) === 0) return false;
  const text = lineText(page, block);
  return (flags & FLAG.caption) !== 0 || NUMBERED.test(text) || ((below & FLAG.pre) !== 0 && FILE_NAME.test(text));
}

/** A line of the figure, by its class or element, that shows the block above as text. */
function isBelow(page: Page, block: number): boolean {
  const { lines } = page;
  if ((flagsOf(lines, block) & FLAG.caption) === 0 || (flagsOf(lines, block - 1) & (SHOWN | FLAG.caption)) === 0) return false;
  return isUnder(page, block - 1, lineNumber(lines, block, LINE.whole));
}

function flagsOf(lines: Int32Array, block: number): number {
  return lineNumber(lines, block, LINE.flags);
}
