/** Blocks of text to Markdown: CommonMark 0.31, tables of GitHub Flavored Markdown 0.29. */

/** Lists and quotes nested deeper are written at this depth: every line starts with a prefix. */
const MAX_NESTING = 8;
/** Deeper containers are not distinguished. */
const MAX_OPEN = 100;

/** An open list or quote. */
interface Container {
  /** The element that ends it. */
  readonly name: string;
  readonly kind: 'quote' | 'bullets' | 'numbers';
  /** Of the next item. */
  number: number;
  /** An item has started, and has no text yet. */
  pending: boolean;
  /** Width of the marker of the open item: the indent of its further lines. */
  width: number;
}

/** Writes blocks in document order into lists, quotes and the page. */
export class MarkdownWriter {
  readonly #parts: string[] = [];
  #open: Container[] = [];
  /** The containers that were open when the last block was written, and whether that block was a plain paragraph. */
  #lastOpen: readonly Container[] = [];
  #lastPlain = false;

  begin(name: string, kind: Container['kind'], number = 1): void {
    if (this.#open.length < MAX_OPEN) this.#open.push({ name, kind, number, pending: false, width: 0 });
  }

  /** Ends the innermost container of that name and everything open inside it; does nothing if there is none. */
  end(name: string): void {
    const index = this.#open.findLastIndex((container) => container.name === name);
    if (index >= 0) this.#open.length = index;
  }

  /** The next block is the first of an item of the innermost list. */
  item(): void {
    const list = this.#list();
    if (list !== undefined) list.pending = true;
  }

  /** The next block belongs to the open item; the first block of a list starts one. */
  inItem(): void {
    const list = this.#list();
    if (list !== undefined) list.pending = list.width === 0;
  }

  /** Text that already contains Markdown; its line breaks are kept. */
  paragraph(text: string): void {
    const lines = text.split('\n').map((line) => escapeLineStart(line.trim()));
    this.#write(
      lines.map((line, i) => (i < lines.length - 1 ? `${line}\\` : line)),
      true,
    );
  }

  heading(level: number, text: string): void {
    this.#write([`${'#'.repeat(level)} ${text.replaceAll(/\s+/g, ' ')}`], false);
  }

  code(text: string, language: string): void {
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
    this.#write([fence + language, ...text.split('\n'), fence], false);
  }

  /** The first row is the head. */
  table(rows: readonly (readonly string[])[]): void {
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const line = (row: readonly string[]) =>
      `| ${Array.from({ length: columns }, (_, i) => (row[i] ?? '').replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
    const [head = [], ...body] = rows;
    this.#write([line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)], false);
  }

  /** The whole text, with a line break at the end; '' if nothing was written. */
  finish(): string {
    return this.#parts.length === 0 ? '' : `${this.#parts.join('')}\n`;
  }

  #list(): Container | undefined {
    return this.#open.findLast(({ kind }) => kind !== 'quote');
  }

  #write(lines: readonly string[], plain: boolean): void {
    const open = this.#open.slice(0, MAX_NESTING);
    if (this.#parts.length > 0) this.#parts.push(this.#separator(open, plain));
    const first = open.map(firstPrefix).join('');
    const rest = open.map(restPrefix).join('');
    this.#parts.push(lines.map((line, i) => ((i === 0 ? first : rest) + line).trimEnd()).join('\n'));
    for (const container of open) container.pending = false;
    this.#lastOpen = open;
    this.#lastPlain = plain;
  }

  /** Items of one line are adjacent; otherwise they are separated by a blank line, which stays in the quotes that contain both blocks. */
  #separator(open: readonly Container[], plain: boolean): string {
    const [next] = open.filter(({ pending }) => pending);
    if (next !== undefined && plain && this.#lastPlain && this.#lastOpen.includes(next)) return '\n';
    // The first item of a list inside an item.
    const before = next === undefined ? undefined : open[open.indexOf(next) - 1];
    if (plain && this.#lastPlain && before !== undefined && before.kind !== 'quote' && this.#lastOpen.at(-1) === before) return '\n';
    let common = 0;
    while (common < open.length && open[common] === this.#lastOpen[common] && !open[common]?.pending) common += 1;
    return `\n${open.slice(0, common).map(restPrefix).join('').trimEnd()}\n`;
  }
}

function firstPrefix(container: Container): string {
  if (container.kind === 'quote' || !container.pending) return restPrefix(container);
  const marker = container.kind === 'bullets' ? '- ' : `${container.number}. `;
  container.number += 1;
  container.width = marker.length;
  return marker;
}

function restPrefix({ kind, width }: Container): string {
  return kind === 'quote' ? '> ' : ' '.repeat(width);
}

/** Longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Escapes words that would be markup; an underscore inside a word is none. */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?[a-z0-9]{1,32};)/giu, '\\$&');
}

/** Escapes a line that would start a heading, a list or a quote, or would underline a heading. */
function escapeLineStart(line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|[-+](?:\s|$)|>|=+\s*$|-{2,}\s*$|\|)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** Code inside a line. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return fence + pad + text + pad + fence;
}
