/** The lines of a page's texts: its blocks have them as notes, because words, links and judgements are read from blocks of one line. */
import { LINE, LINE_SIZE, type PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';

/** The white space of `PageContent.text` that means something: ends of lines, blanks of preformatted text, cells of a row. */
export interface LineNotes {
  /** Two numbers for each run of white space, ascending: its place in the text, and its end in `blanks`. At the start of a block it comes before the text. */
  readonly runs: Int32Array;
  /** The white space of the runs, one after another: line feeds, tabs, spaces. */
  readonly blanks: string;
  /** The line ends before each block, and `SAME_PARAGRAPH`. */
  readonly gaps: Uint8Array;
}

export const NO_LINE_NOTES: LineNotes = { runs: new Int32Array(0), blanks: '', gaps: new Uint8Array(0) };

/** Set in the gap of a block that is a further line of the paragraph before it: of verse, an address, preformatted text. */
export const SAME_PARAGRAPH = 128;
/** A paragraph ends with a blank line. */
const PARAGRAPH_GAP = 2;

/** Number of line ends before a block. */
export function lineEndsBefore({ gaps }: LineNotes, block: number): number {
  return (gaps[block] ?? PARAGRAPH_GAP) & ~SAME_PARAGRAPH;
}

/**
 * The blocks whose role is text, with their lines. Paragraphs end with a blank line, items and rows with a line feed; cells of a row end with a tab.
 * O(blocks + characters).
 */
export function linedText(page: PageContent, roles: Uint8Array, heads: BlockHeads = NO_HEADS): string {
  const lines = new BlockLines(page);
  const parts: string[] = [];
  let gap = 0;
  for (let block = 0; block < roles.length; block += 1) {
    gap = Math.max(gap, lineEndsBefore(page.lineNotes, block));
    if (roles[block] !== ROLE.text) continue;
    const head = heads.get(block);
    if (head !== undefined) {
      parts.push(...(parts.length > 0 ? ['\n'.repeat(PARAGRAPH_GAP)] : []), head);
      gap = PARAGRAPH_GAP;
    }
    if (parts.length > 0) parts.push('\n'.repeat(gap));
    lines.addTo(parts, block);
    gap = 0;
  }
  return parts.join('');
}

/** Lines that are put before blocks, by their numbers. */
export type BlockHeads = ReadonlyMap<number, string>;
const NO_HEADS: BlockHeads = new Map();

/** Blocks with their lines; those for which `isQuoted` is true with `> ` before each line. @param blocks ascending. O(their characters + all blocks between them) */
export function quotedText(page: PageContent, blocks: readonly number[], isQuoted: (block: number) => boolean): string {
  const lines = new BlockLines(page, blocks[0]);
  let text = '';
  let before: number | null = null;
  for (const block of blocks) {
    let gap = 0;
    for (let between = (before ?? block) + 1; before !== null && between <= block; between += 1)
      gap = Math.max(gap, lineEndsBefore(page.lineNotes, between));
    const quoted = isQuoted(block);
    const own = quoted ? `> ${lines.of(block).replaceAll('\n', '\n> ')}` : lines.of(block);
    const isOneQuote = quoted && before !== null && isQuoted(before);
    text += `${isOneQuote ? '\n>'.repeat(Math.max(0, gap - 1)) + (gap > 0 ? '\n' : '') : '\n'.repeat(gap)}${own}`;
    before = block;
  }
  return text;
}

/** The text of one block with its lines. */
export function linedBlock(page: PageContent, block: number): string {
  return new BlockLines(page, block).of(block);
}

/** The first run at a place or behind it. O(log runs). */
function runFrom(runs: Int32Array, place: number): number {
  let from = 0;
  let to = runs.length >> 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((runs[2 * middle] ?? 0) < place) from = middle + 1;
    else to = middle;
  }
  return 2 * from;
}

/** The texts of blocks with their lines. Blocks are asked for in ascending order. */
export class BlockLines {
  readonly #page: Pick<PageContent, 'text' | 'lines' | 'lineNotes'>;
  #run = 0;

  /** @param first number of the first block that is asked for */
  constructor(page: Pick<PageContent, 'text' | 'lines' | 'lineNotes'>, first = 0) {
    this.#page = page;
    if (first > 0) this.#run = runFrom(page.lineNotes.runs, page.lines[LINE_SIZE * first + LINE.start] ?? 0);
  }

  of(block: number): string {
    const parts: string[] = [];
    this.addTo(parts, block);
    return parts.join('');
  }

  addTo(parts: string[], block: number): void {
    const { text, lines, lineNotes } = this.#page;
    const { runs } = lineNotes;
    const start = lines[LINE_SIZE * block + LINE.start] as number;
    const end = lines[LINE_SIZE * block + LINE.end] as number;
    this.#skipTo(start);
    let at = start;
    for (; (runs[this.#run] ?? end) < end; this.#run += 2) {
      const place = runs[this.#run] as number;
      parts.push(text.slice(at, place), this.#blanks());
      at = place === start ? place : place + 1;
    }
    parts.push(text.slice(at, end));
  }

  /** Length of the text of a block, in UTF-16 units. */
  lengthOf(block: number): number {
    const { lines, lineNotes } = this.#page;
    const { runs } = lineNotes;
    const start = lines[LINE_SIZE * block + LINE.start] as number;
    const end = lines[LINE_SIZE * block + LINE.end] as number;
    this.#skipTo(start);
    let length = end - start;
    for (; (runs[this.#run] ?? end) < end; this.#run += 2) {
      const blanks = (runs[this.#run + 1] as number) - (this.#run === 0 ? 0 : (runs[this.#run - 1] as number));
      length += runs[this.#run] === start ? blanks : blanks - 1;
    }
    return length;
  }

  #skipTo(place: number): void {
    const { runs } = this.#page.lineNotes;
    while ((runs[this.#run] ?? place) < place) this.#run += 2;
  }

  #blanks(): string {
    const { runs, blanks } = this.#page.lineNotes;
    return blanks.slice(this.#run === 0 ? 0 : runs[this.#run - 1], runs[this.#run + 1]);
  }
}
