/** Cells of tables that spreadsheets open (CSV, TSV). Text of the web may begin like a formula, which a spreadsheet would run. */

/**
 * First characters by which spreadsheets tell a formula, in full width too, or that start a cell of their own (OWASP, "CSV Injection"). Some readers drop
 * white space and invisible characters, so both may come first.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠])/u;
/** Spreadsheets of many countries cut lines at semicolons, and some at tabs. */
const SPECIAL = /[",;\t\r\n]/;

/** The text, behind an apostrophe if a spreadsheet could run it: it then shows the text. */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `guarded` was given. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** A cell of RFC 4180. An empty string is quoted, since an empty cell is null. */
export function csvCell(text: string): string {
  return text === '' || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a table whose cells have no tabs: their white space is one space. */
export function tsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => guarded(cell.replace(/\s+/g, ' '))).join('\t')}\n`;
}

/** Cells of a line of a table, without white space around them and without the quotes of RFC 4180. A cell of several lines ends with its line. */
export function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const [quoted = '', inside] = /^ *"((?:[^"]|"")*)"?/.exec(line.slice(at)) ?? [];
    const next = line.indexOf(separator, at + quoted.length);
    const end = next < 0 ? line.length : next;
    cells.push((inside?.replaceAll('""', '"') ?? line.slice(at, end)).trim());
    at = end + 1;
  }
  return cells;
}
