/** Blocks of text to Markdown: CommonMark 0.31, tables of GitHub Flavored Markdown 0.29. */
import { escapeMarkdown } from '../../base/text/markdown.ts';
import { type Container, MarkupWriter } from './markup-writer.ts';

/** Lists and quotes nested deeper are written at this depth: every line starts with a prefix. */
const MAX_NESTING = 8;

/** Writes blocks in document order into lists, quotes and the page. */
export class MarkdownWriter extends MarkupWriter {
  readonly #parts: string[] = [];
  /** The containers that were open when the last block was written, and whether that block was a plain paragraph. */
  #lastOpen: readonly Container[] = [];
  #lastPlain = false;

  override text(words: string): string {
    return escapeMarkdown(words);
  }

  override codeSpan(code: string): string {
    const fence = '`'.repeat(longestRun(code) + 1);
    const pad = /^`|`$/.test(code) ? ' ' : '';
    return fence + pad + code + pad + fence;
  }

  /** A dollar sign would end it: such a formula is words. */
  override formula(text: string, isDisplay: boolean): string {
    if (text.includes('$')) return this.text(text);
    const sign = isDisplay ? '$$' : '$';
    return sign + text + sign;
  }

  override link(text: string, href: string): string {
    return `[${text}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
  }

  override paragraph(text: string): void {
    const lines = text.split('\n').map((line) => escapeLineStart(line.trim()));
    this.#write(
      lines.map((line, i) => (i < lines.length - 1 ? `${line}\\` : line)),
      true,
    );
  }

  override heading(level: number, text: string): void {
    this.#write([`${'#'.repeat(level)} ${text.replaceAll(/\s+/g, ' ')}`], false);
  }

  override preformatted(text: string, language: string): void {
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
    this.#write([fence + language, ...text.split('\n'), fence], false);
  }

  /** The first row is the head. */
  override table(rows: readonly (readonly string[])[]): void {
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

  #write(lines: readonly string[], plain: boolean): void {
    const open = this.containers(MAX_NESTING);
    if (this.#parts.length > 0) this.#parts.push(this.#separator(open, plain));
    const first = open.map(firstPrefix).join('');
    this.placed(open);
    const rest = open.map(restPrefix).join('');
    this.#parts.push(lines.map((line, i) => ((i === 0 ? first : rest) + line).trimEnd()).join('\n'));
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
  return container.pending ? markerOf(container, container.items) : restPrefix(container);
}

/** Quotes have their sign on every line, items an indent of the width of their marker. */
function restPrefix(container: Container): string {
  if (container.kind === 'quote') return '> ';
  return container.items === 0 ? '' : ' '.repeat(markerOf(container, container.items - 1).length);
}

/** @param item from 0 */
function markerOf({ kind, first }: Container, item: number): string {
  return kind === 'bullets' ? '- ' : `${first + item}. `;
}

/** The page's title as a heading before its Markdown, unless that starts with a heading of the first level. */
export function withTitle(title: string, markdown: string): string {
  return title === '' || markdown.startsWith('# ') ? markdown : `# ${escapeMarkdown(title)}\n${markdown === '' ? '' : '\n'}${markdown}`;
}

/** Longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Escapes a line that would start a heading, a list or a quote, or would underline a heading. */
function escapeLineStart(line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|[-+](?:\s|$)|>|=+\s*$|-{2,}\s*$|\|)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
