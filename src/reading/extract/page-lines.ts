/** The lines of a page by their numbers, for the readers of short pages. */
import { isLinked, LINE, LINE_SIZE, lineNumber, lineText, type PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';
import { isDemand, isLoading } from './script-demands.ts';
import { FLAG } from './tags.ts';

/** The blocks, one after another, by their numbers: most pages show with the first of them that they are no walls. */
export class PageLines {
  readonly #page: PageContent;
  readonly #chosen: Uint8Array;

  constructor(page: PageContent, chosen: Uint8Array) {
    this.#page = page;
    this.#chosen = chosen;
  }

  text(line: number): string {
    return lineText(this.#page, line);
  }

  /** Words, as the parser counts them: two characters of a script without spaces count as one. */
  words(line: number): number {
    return lineNumber(this.#page.lines, line, LINE.halfWords) / 2;
  }

  sum(lines: readonly number[]): number {
    return lines.reduce((words, line) => words + this.words(line), 0);
  }

  /** Do the lines have so many words, at most? It reads no further than that. */
  areFew(lines: Iterable<number>, most: number): boolean {
    let words = 0;
    for (const line of lines) {
      words += this.words(line);
      if (words > most) return false;
    }
    return true;
  }

  *all(): Generator<number> {
    for (let line = 0; line < this.#chosen.length; line += 1) yield line;
  }

  *main(): Generator<number> {
    for (const line of this.all()) if (this.#chosen[line] === ROLE.text) yield line;
  }

  *visible(): Generator<number> {
    for (const line of this.all()) if ((lineNumber(this.#page.lines, line, LINE.flags) & FLAG.hidden) === 0) yield line;
  }

  /** The visible ones that neither ask for scripts nor say that the page is loading. */
  *named(): Generator<number> {
    for (const line of this.visible()) {
      const text = this.text(line);
      if (!isDemand(text) && !isLoading(text)) yield line;
    }
  }

  /** The visible ones that are no links. */
  *unlinked(): Generator<number> {
    for (const line of this.visible()) if (!this.isLinked(line)) yield line;
  }

  /** Is a line mostly links? */
  isLinked(line: number): boolean {
    return isLinked(this.#page.lines, line);
  }
}

/** Length of the main text, in UTF-16 units. @param chosen the roles of the blocks of main text */
export function mainLength({ lines }: PageContent, chosen: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < chosen.length; i += 1)
    if (chosen[i] === ROLE.text) length += (lines[LINE_SIZE * i + LINE.end] ?? 0) - (lines[LINE_SIZE * i + LINE.start] ?? 0);
  return length;
}
