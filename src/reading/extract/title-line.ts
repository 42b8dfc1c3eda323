/** The line of a page that is its title, among the lines of its text. */
import { LINE, LINE_SIZE, type PageContent } from './blocks.ts';
import { FLAG } from './tags.ts';

/** Number of lines in which the title is looked for. */
const MOST_LINES = 3_000;
/** Least share of the page's title that a heading has which is part of it, if there is an `h1`. */
const LEAST_SHARE = 0.4;

/** Line of the longest heading that is part of the page's title, else of the first `h1`; those in the header of the site last. -1 for neither. */
export function titleLine({ lines, text, title, heading }: Pick<PageContent, 'text' | 'lines' | 'title' | 'heading'>): number {
  let best = -1;
  let most = 0;
  let first = -1;
  for (let i = 0; i < Math.min(MOST_LINES, lines.length / LINE_SIZE); i += 1) {
    const at = LINE_SIZE * i;
    const flags = lines[at + LINE.flags] ?? 0;
    if ((flags & FLAG.heading) === 0 || (flags & (FLAG.nav | FLAG.aside | FLAG.hidden)) !== 0) continue;
    const line = text.slice(lines[at + LINE.start], lines[at + LINE.end]);
    const rank = line.length + (flags & FLAG.header ? -0.5 : 0);
    if (line.length >= 4 && rank > most && title.includes(line)) [best, most] = [i, rank];
    if (line === heading && (first < 0 || (flags & FLAG.header) === 0)) first = i;
  }
  return best >= 0 && (first < 0 || most >= LEAST_SHARE * title.length) ? best : first;
}
