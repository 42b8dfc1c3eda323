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
export function linedText(page: PageContent, roles: Uint8Array): string {
  const lines = new LineWriter(page);
  let gap = 0;
  for (let block = 0; block < roles.length; block += 1) {
    gap = Math.max(gap, lineEndsBefore(page.lineNotes, block));
    if (roles[block] !== ROLE.text) continue;
    lines.write(block, gap);
    gap = 0;
  }
  return lines.text();
}

/** The text of one block with its lines. */
export function linedBlock(page: PageContent, block: number): string {
  const lines = new LineWriter(page);
  lines.write(block, 0);
  return lines.text();
}

class LineWriter {
  readonly #page: PageContent;
  readonly #parts: string[] = [];
  #run = 0;

  constructor(page: PageContent) {
    this.#page = page;
  }

  text(): string {
    return this.#parts.join('');
  }

  /** @param gap line ends before the block, unless it is the first */
  write(block: number, gap: number): void {
    const { text, lines, lineNotes } = this.#page;
    const { runs } = lineNotes;
    const start = lines[LINE_SIZE * block + LINE.start] as number;
    const end = lines[LINE_SIZE * block + LINE.end] as number;
    if (this.#parts.length > 0) this.#parts.push('\n'.repeat(gap));
    this.#skipTo(start);
    let at = start;
    for (; (runs[this.#run] ?? end) < end; this.#run += 2) {
      const place = runs[this.#run] as number;
      this.#parts.push(text.slice(at, place), this.#blanks());
      at = place === start ? place : place + 1;
    }
    this.#parts.push(text.slice(at, end));
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
