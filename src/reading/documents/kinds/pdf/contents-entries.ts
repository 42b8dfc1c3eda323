/** Entries of contents: a title, a leader of dots, and a page number. */
import { type Cell, type TextLine, textOfLine } from './glyph-lines.ts';

/** Four dots or more, perhaps apart. */
const LEADER = /\s*(?:[.\u00b7\u2024]\s*){3,}[.\u00b7\u2024]\s*|\s*(?:[\u2025\u2026]\s*){2,}/gu;
const ENTRY = new RegExp(`\\S(?:${LEADER.source})\\p{L}?-?(?:\\p{Nd}{1,5}|[ivxlcIVXLC]{1,8})$`, 'u');

const NUMBER_END = /[\p{Nd}ivxlcIVXLC]\s*$/u;
/** Longest entry with its leader, in characters: the search is quadratic. */
const LONGEST = 500;

/** Does a line end with a leader and a page number? */
export function isEntry(line: TextLine): boolean {
  const text = textOfLine(line);
  return text.length <= LONGEST && NUMBER_END.test(text) && ENTRY.test(text.trim());
}

/** The entry in one cell, its leader as one sign. */
export function withShortLeader(line: TextLine): TextLine {
  const runs = line.cells.flatMap((cell: Cell, at) => (at === 0 ? cell.runs : [{ text: ' ', href: null }, ...cell.runs]));
  const isPlain = runs.every(({ href }) => href === null);
  const whole = isPlain ? [{ text: runs.map(({ text }) => text).join(''), href: null }] : runs;
  return { ...line, cells: [{ runs: whole.map(shortened), left: line.left, right: line.right }] };
}

function shortened<Run extends { readonly text: string }>(run: Run): Run {
  return { ...run, text: run.text.replaceAll(LEADER, ' \u2026 ') };
}
