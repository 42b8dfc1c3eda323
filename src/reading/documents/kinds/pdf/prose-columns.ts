/** Columns that the file interleaves, line by line: their lines are put into the order of reading. Most files have columns one after the other. */
import type { Cell, TextLine } from './glyph-lines.ts';

/** Lines in a row with a gap at one place, before it divides columns: tables of prose are seldom longer. */
const ROWS = 8;
/** Words of a line of prose in a column, on average. */
const WORDS = 4;

/** The lines of one page in the order of reading. */
export function inReadingOrder(lines: readonly TextLine[]): TextLine[] {
  const ordered: TextLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfColumns(lines, at);
    if (end - at >= ROWS && isProse(lines.slice(at, end))) ordered.push(...oneAfterTheOther(lines.slice(at, end)));
    else ordered.push(...lines.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return ordered;
}

/** The line behind those that have two cells around one gutter. */
function endOfColumns(lines: readonly TextLine[], from: number): number {
  let gutter: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at];
    const [left, right] = line?.cells ?? [];
    if (line === undefined || left === undefined || right === undefined || line.cells.length !== 2) break;
    gutter = [Math.max(gutter[0], left.right), Math.min(gutter[1], right.left)];
    if (gutter[1] - gutter[0] < line.size / 2) break;
  }
  return at;
}

function isProse(lines: readonly TextLine[]): boolean {
  const words = (cell: Cell | undefined) =>
    cell?.runs
      .map(({ text }) => text)
      .join('')
      .split(' ').length ?? 0;
  return [0, 1].every((column) => lines.reduce((sum, { cells }) => sum + words(cells[column]), 0) >= WORDS * lines.length);
}

function oneAfterTheOther(lines: readonly TextLine[]): TextLine[] {
  return [0, 1].flatMap((column) =>
    lines.flatMap((line) => {
      const cell = line.cells[column];
      return cell === undefined ? [] : [{ ...line, cells: [cell], left: cell.left, right: cell.right, hyphen: endsWithHyphen(cell) }];
    }),
  );
}

function endsWithHyphen({ runs }: Cell): boolean {
  return runs.at(-1)?.text.endsWith('-') ?? false;
}
