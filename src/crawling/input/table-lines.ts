/** URLs of CSV and TSV tables, whose cells may have several lines (RFC 4180). */
import { cellsOf } from '../../base/text/table-cells.ts';
import { inText, type LineReader, type ListedUrl } from './listed-url.ts';
import { ADDRESS, CONTEXT, TITLE } from './record-fields.ts';

/** Lines and characters of one row. A longer one has a quote that nobody closed: its lines are rows of their own. */
const MOST_LINES = 200;
const MOST_CHARS = 64 * 1024;

/** Reader of a table whose first line names a column of addresses; null for any other line. */
export function tableReader(head: string): LineReader | null {
  for (const separator of ['\t', ';', ',']) {
    const names = cellsOf(head, separator);
    const url = names.findIndex((name) => ADDRESS.test(name));
    if (url < 0) continue;
    const title = names.findIndex((name) => TITLE.test(name));
    const context = [...names.keys()].filter((at) => CONTEXT.test(names[at] ?? ''));
    return new Table(separator, (cells) => inText(cells[url] ?? '', cells[title] ?? '', context.map((at) => cells[at] ?? '').join(' ')));
  }
  return null;
}

class Table implements LineReader {
  readonly #separator: string;
  readonly #urls: (cells: readonly string[]) => ListedUrl[];
  #held: string[] = [];
  #size = 0;

  constructor(separator: string, urls: (cells: readonly string[]) => ListedUrl[]) {
    [this.#separator, this.#urls] = [separator, urls];
  }

  read(line: string): readonly ListedUrl[] {
    this.#held.push(line);
    this.#size += line.length;
    const row = this.#held.join('\n');
    if (!endsInQuotes(row, this.#separator)) return this.#release([row]);
    return this.#held.length < MOST_LINES && this.#size < MOST_CHARS ? [] : this.#release(this.#held);
  }

  end(): readonly ListedUrl[] {
    return this.#release(this.#held);
  }

  #release(rows: readonly string[]): readonly ListedUrl[] {
    [this.#held, this.#size] = [[], 0];
    return rows.flatMap((row) => this.#urls(cellsOf(row, this.#separator)));
  }
}

/** Has its last cell a quote that the line does not close? */
function endsInQuotes(row: string, separator: string): boolean {
  for (let at = 0; at <= row.length; ) {
    const end = endOfQuotes(row, at);
    if (end === null) return true;
    const next = row.indexOf(separator, end);
    if (next < 0) return false;
    at = next + separator.length;
  }
  return false;
}

/** Place behind the quotes of a cell, in which two stand for one; its start without quotes; null if nothing closes them. A pattern would need memory for each character. */
function endOfQuotes(row: string, start: number): number | null {
  let at = start;
  while (row[at] === ' ') at += 1;
  if (row[at] !== '"') return start;
  for (;;) {
    const end = row.indexOf('"', at + 1);
    if (end < 0) return null;
    if (row[end + 1] !== '"') return end;
    at = end + 1;
  }
}
