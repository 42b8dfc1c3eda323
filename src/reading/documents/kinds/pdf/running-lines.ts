/** Heads, feet and page numbers: lines that recur on three or more pages at one height, near the upper or lower end of the page. */
import { grouped } from '../../../../base/core/grouped.ts';
import { type TextLine, textOfLine } from './glyph-lines.ts';

const PAGES = 3;
/** Share of the page's height, at either end, in which such lines are. */
const MARGIN = 0.15;
/** Heights within so many points are one. */
const SAME_HEIGHT = 3;
/** A page number in digits or Roman numerals, which differs from page to page. */
const NUMBER = /(?<![\p{L}\p{Nd}])\p{Nd}+(?![\p{L}\p{Nd}])|\b[ivxlc]+\b/giu;

/** The other lines. @param lines of all pages, in their order */
export function withoutRunningLines(lines: readonly TextLine[]): readonly TextLine[] {
  const ends = [...grouped(lines, ({ page }) => page).values()].flatMap(pageEnds);
  const pages = new Map<string, Set<number>>();
  for (const line of ends.flat()) {
    for (const key of keysOf(line)) {
      const known = pages.get(key) ?? new Set();
      pages.set(key, known.add(line.page));
    }
  }
  const recurs = (line: TextLine) => keysOf(line).some((key) => (pages.get(key)?.size ?? 0) >= PAGES);
  const running = new Set(ends.flatMap((end) => whileTrue(end, recurs)));
  return running.size === 0 ? lines : lines.filter((line) => !running.has(line));
}

/** Lines near the upper and the lower end of a page, from the end towards the middle. */
function pageEnds(lines: readonly TextLine[]): [TextLine[], TextLine[]] {
  const down = [...lines].sort((a, b) => b.y - a.y);
  const [highest, lowest] = [down[0]?.y ?? 0, down.at(-1)?.y ?? 0];
  const margin = MARGIN * (highest - lowest);
  return [down.filter(({ y }) => y >= highest - margin), [...down].reverse().filter(({ y }) => y <= lowest + margin)];
}

/** The first lines, up to one for which the test fails: behind the first line of text, all is text. */
function whileTrue(lines: readonly TextLine[], test: (line: TextLine) => boolean): readonly TextLine[] {
  const end = lines.findIndex((line) => !test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** The words without numbers, at two grids of heights: equal heights are in one box of at least one of them. */
function keysOf(line: TextLine): string[] {
  const words = textOfLine(line).replace(NUMBER, '#').replace(/\s+/g, ' ').trim();
  return [0, 0.5].map((shift) => `${shift} ${Math.round(line.y / (2 * SAME_HEIGHT) + shift)} ${line.turn} ${words}`);
}
