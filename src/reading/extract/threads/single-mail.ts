/** The page of one mail in the archive of a list: its head, and its text in preformatted blocks. */
import type { DateOrder } from '../../../base/text/date-order.ts';
import { LINE, LINE_SIZE, lineNumber, lineText, type PageContent } from '../blocks.ts';
import { FLAG } from '../tags.ts';
import { dateIn, type HeadMarks, nameOf } from './head-marks.ts';
import type { PageTree } from './page-tree.ts';
import type { FoundPost } from './thread.ts';

/** Lines before the text among which its head is. */
const MAX_HEAD_LINES = 8;
/** Longest line of a head, in characters. */
const MAX_HEAD_CHARS = 200;
/** A time of day behind the day: other texts that begin with a date have none. */
const CLOCK = /\d{1,2}:\d{2}/;

/** May a page be a mail, by the lines above its first preformatted block? */
export function mayBeMail(page: PageContent): boolean {
  const first = firstPreformatted(page.lines);
  return headOf(first).some((block) => hasClock(lineText(page, block)));
}

/** null for other pages. */
export function singleMail(page: PageContent, tree: PageTree, marks: HeadMarks, order: () => DateOrder | null): FoundPost | null {
  const first = firstPreformatted(page.lines);
  if (first < 0) return null;
  const head = headOf(first);
  const published = head.map((block) => dateOfLine(lineText(page, block), order)).find((date) => date !== null);
  const author = authorIn(tree, marks, head.at(-1) ?? first, first);
  if (published === undefined || author === null) return null;
  const body: number[] = [];
  for (let block = first; lineNumber(page.lines, block, LINE.flags) & FLAG.pre; block += 1) body.push(block);
  return { author, published, href: '', depth: 0, kind: 0, body, rest: [], title: null, quoted: new Set(), words: null };
}

/** The lines above a block, the lowest first. */
function headOf(block: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.min(MAX_HEAD_LINES, block)) }, (_, i) => block - 1 - i);
}

function firstPreformatted(lines: Int32Array): number {
  for (let at = 0; at < lines.length; at += LINE_SIZE) if ((lines[at + LINE.flags] ?? 0) & FLAG.pre) return at / LINE_SIZE;
  return -1;
}

function dateOfLine(text: string, order: () => DateOrder | null): string | null {
  return hasClock(text) ? dateIn(text, order) : null;
}

function hasClock(text: string): boolean {
  return text.length <= MAX_HEAD_CHARS && CLOCK.test(text);
}

/** `From: Ada Vale`, or the first name in bold. */
function authorIn(tree: PageTree, { authors }: HeadMarks, from: number, to: number): string | null {
  const start = tree.blockStarts[from] ?? 0;
  const end = tree.blockStarts[to] ?? 0;
  const mark = authors.find(({ at, value }) => at >= start && at < end && value !== null);
  if (mark !== undefined) return mark.value;
  const bold = tree.parts.find(({ tag, from: at }) => (tag === 'b' || tag === 'strong') && at >= start && at < end);
  return bold === undefined ? null : nameOf(tree.textOf(bold));
}
