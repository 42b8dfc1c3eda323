/** Places in files that only grow, which a purge or repair may shorten. */
import type { FilePlace } from './watch-report.ts';

/** Keys of a place: of so many lines in a row, a purge leaves one. */
const TAIL = 8;

/**
 * Number of lines before a place in a file as it is now. A purge removes lines: the place is then behind the last of its lines that are left.
 * @param lineOf the number of the line with a key, from 0; undefined for a line that is gone
 * @returns null if none of its lines is left
 */
export function linesBefore({ lines, tail }: FilePlace, lineOf: (key: string) => number | undefined): number | null {
  if (lines === 0) return 0;
  for (const key of tail.toReversed()) {
    const line = lineOf(key);
    if (line !== undefined) return line + 1;
  }
  return null;
}

/** The place at the end of a file of so many lines. @param keyOf the key of a line, by its number */
export function placeAtEnd(lines: number, keyOf: (line: number) => string): FilePlace {
  const first = Math.max(0, lines - TAIL);
  return { lines, tail: Array.from({ length: lines - first }, (_, i) => keyOf(first + i)) };
}
