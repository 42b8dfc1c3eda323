/** Pages that look empty without their scripts. A browser may find their text; the rule would rather ask for a needless look than miss one. */
import type { PageContent } from './blocks.ts';
import type { PageSigns } from './page-signals.ts';
import { isDemand } from './script-demands.ts';

/** Main text of a shell is shorter, in UTF-16 units: a page with more has a text of its own. */
const SHORTEST_TEXT = 200;
/** Longest text of all blocks, in UTF-16 units: longer pages are lists of links, and are not read a second time. */
const LONGEST_PAGE = 20_000;
/** Inline scripts far above the text: at least so long, in UTF-16 units, and so many times its length. A script that counts visits has 1,000 at most. */
const LONG_SCRIPT = 5_000;
const FAR_ABOVE = 10;

/** @param mainLength of the main text, in UTF-16 units */
export function isShell({ text }: PageContent, mainLength: number, signs: PageSigns): boolean {
  if (mainLength >= SHORTEST_TEXT || text.length > LONGEST_PAGE) return false;
  const { hasScript, noscript } = signs.wall;
  if (!hasScript) return false;
  if (isDemand(noscript)) return true;
  const { waits, isNamed, isLoading, hasBundle, scriptLength } = signs.shell;
  if (waits || isNamed || isLoading) return true;
  return (hasBundle && text.length < SHORTEST_TEXT) || scriptLength > Math.max(LONG_SCRIPT, FAR_ABOVE * text.length);
}
