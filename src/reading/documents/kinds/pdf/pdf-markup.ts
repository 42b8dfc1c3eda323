/** HTML from the paragraphs of a document: headings by size of type. */
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { UNSPACED_EXTENDED } from '../../../../base/text/unspaced-scripts.ts';
import type { BrokenWords } from './broken-words.ts';
import { type Cell, type TextLine, type TextRun, textOfLine } from './glyph-lines.ts';
import type { HeadingSizes } from './heading-sizes.ts';
import { BULLET, type PdfParagraph } from './line-paragraphs.ts';

/** HTML that is written, in UTF-16 units: the reader of pages takes 4 × 2²⁰, with the head. */
const MOST_MARKUP = 4_000_000;
const UNSPACED_END = new RegExp(`[${UNSPACED_EXTENDED}]$`, 'u');
const UNSPACED_START = new RegExp(`^[${UNSPACED_EXTENDED}]`, 'u');
const CONTAINERS = { paragraph: null, item: 'ul', row: 'table' } as const;

export interface PdfMarkup {
  readonly body: string;
  /** Offsets in `body` at which pages begin. */
  readonly pageStarts: readonly number[];
  readonly cut: boolean;
}

/** @param pages number of pages, with those that have no text */
export function pdfMarkup(paragraphs: readonly PdfParagraph[], pages: number, sizes: HeadingSizes, words: BrokenWords): PdfMarkup {
  const writer = new PdfWriter(words);
  for (const paragraph of paragraphs) {
    if (writer.length > MOST_MARKUP) break;
    writer.write(paragraph, sizes.levelOf(paragraph));
  }
  return { ...writer.end(pages), cut: writer.length > MOST_MARKUP };
}

class PdfWriter {
  readonly #words: BrokenWords;
  readonly #parts: string[] = [];
  readonly #pageStarts: number[] = [];
  #container: 'ul' | 'table' | null = null;
  length = 0;

  constructor(words: BrokenWords) {
    this.#words = words;
  }

  write({ kind, lines }: PdfParagraph, level: number | null): void {
    const container = CONTAINERS[kind];
    if (container !== this.#container) {
      if (this.#container) this.#put(`</${this.#container}>`);
      if (container) this.#put(`<${container}>`);
      this.#container = container;
    }
    if (kind === 'row') for (const line of lines) this.#row(line);
    else this.#block(kind === 'item' ? 'li' : level === null ? 'p' : `h${level}`, lines, kind === 'item');
  }

  end(pages: number): Pick<PdfMarkup, 'body' | 'pageStarts'> {
    if (this.#container) this.#put(`</${this.#container}>`);
    this.#startPages(pages - 1);
    return { body: this.#parts.join(''), pageStarts: this.#pageStarts };
  }

  #row(line: TextLine): void {
    this.#startPages(line.page);
    this.#put('<tr>');
    for (const { runs } of line.cells) this.#put(`<td>${markupOf(runs)}</td>`);
    this.#put('</tr>');
  }

  #block(tag: string, lines: readonly TextLine[], isItem: boolean): void {
    const [first] = lines;
    if (first !== undefined) this.#startPages(first.page);
    this.#put(`<${tag}>`);
    lines.forEach((line, at) => {
      this.#startPages(line.page);
      const runs = at === 0 && isItem ? withoutBullet(runsOf(line)) : runsOf(line);
      const next = lines[at + 1];
      this.#put(next === undefined ? markupOf(withoutSoftHyphens(runs)) : this.#lineBefore(runs, textOfLine(next)));
    });
    this.#put(`</${tag}>`);
  }

  /** Markup of a line, with the space between it and the next one. */
  #lineBefore(runs: readonly TextRun[], next: string): string {
    const last = runs.at(-1);
    if (last === undefined) return '';
    const { text, spaced } = this.#words.joined(last.text, next);
    const isOneWord = UNSPACED_END.test(text) && UNSPACED_START.test(next);
    return `${markupOf(withoutSoftHyphens([...runs.slice(0, -1), { ...last, text }]))}${spaced && !isOneWord ? ' ' : ''}`;
  }

  /** Notes that all pages up to this one begin here. */
  #startPages(page: number): void {
    while (this.#pageStarts.length <= page) this.#pageStarts.push(this.length);
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.length += text.length;
  }
}

/** Runs of all cells. */
function runsOf({ cells }: TextLine): readonly TextRun[] {
  return cells.flatMap(({ runs }: Cell, at) => (at === 0 ? runs : [{ text: ' ', href: null }, ...runs]));
}

function withoutBullet(runs: readonly TextRun[]): readonly TextRun[] {
  return runs.map((run, at) => (at === 0 ? { ...run, text: run.text.replace(BULLET, '') } : run));
}

/** A soft hyphen inside of a line is not shown. */
function withoutSoftHyphens(runs: readonly TextRun[]): readonly TextRun[] {
  return runs.map((run) => (run.text.includes('\u00ad') ? { ...run, text: run.text.replaceAll('\u00ad', '') } : run));
}

function markupOf(runs: readonly TextRun[]): string {
  return runs
    .map(({ text, href }) => (href === null ? escapeSigns(text) : `<a href="${escapeSigns(href)}">${escapeSigns(text)}</a>`))
    .join('');
}
