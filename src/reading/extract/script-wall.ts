/** Applications without their scripts: pages with labels at most, where a script would render the rest. */
import type { PageLines } from './page-lines.ts';
import type { PageSigns } from './page-signals.ts';
import { isAppealOfPage, isDemand } from './script-demands.ts';

/**
 * Words, at most, of the whole page that a rule allows, and of a line in it: an application has labels, a page has sentences. Of 1,570 real pages with main
 * text, one in a hundred has fewer than 40 visible words.
 */
const FEW_IN_APP = 12;
const LABEL = 5;
const FEW_WITH_DEMAND = 40;
const CLAUSE = 10;
/** A frame of links around an application has more. */
const FEW_IN_FRAME = 300;
const NOSCRIPT = /<noscript/i;
/** A longer noscript is a page by itself. */
const LONG_NOSCRIPT = 60;
/** Least words of a sentence, which ends with a stop: the page speaks. */
const SENTENCE = 4;
const STOPPED = /[.!?。！？]["'”»）)]*$/;
const RIGHTS = /©|copyright|all rights reserved/i;
/** A page that is better with scripts is there without them. */
const BETTER = /\b(better|best|improve|enhance|optimal)/i;

/** @param lines of a page with a short main text */
export function needsScripts(lines: PageLines, signs: PageSigns): boolean {
  if (!lines.areFew(lines.visible(), FEW_IN_FRAME)) return false;
  if (!lines.areFew(lines.unlinked(), FEW_WITH_DEMAND + LONG_NOSCRIPT)) return false;
  // Most pages speak, which their lines say before all tags are read.
  const noscript = signs.hasMarkup(NOSCRIPT) ? signs.wall.noscript : '';
  const own = [...lines.named()].filter((line) => !noscript.includes(lines.text(line)) && !RIGHTS.test(lines.text(line)));
  if (own.some((line) => lines.words(line) >= SENTENCE && STOPPED.test(lines.text(line)))) return false;
  if (!signs.wall.hasScript || wordsIn(noscript) > LONG_NOSCRIPT) return false;
  return isEmpty(own, lines, signs) || isApp(own, lines, signs) || isFramed(own, lines, signs);
}

/** A page without words, fields and pictures; or its words are links around elements of its own. */
function isEmpty(own: readonly number[], lines: PageLines, { wall: { hasMedia, hasField, hasPassword, hasCustom } }: PageSigns): boolean {
  if (hasMedia || hasField || hasPassword) return false;
  return own.length === 0 || (hasCustom && lines.areFew(own, FEW_IN_APP) && own.every((line) => lines.isLinked(line)));
}

/** Labels around an element that waits; or few words, and a demand. */
function isApp(own: readonly number[], lines: PageLines, signs: PageSigns): boolean {
  if (!lines.areFew(own, FEW_WITH_DEMAND)) return false;
  const { hasRoot, hasMedia, noscript } = signs.wall;
  const longest = Math.max(0, ...own.map((line) => lines.words(line)));
  const waits = hasRoot && signs.shell.waits;
  if (waits && lines.areFew(own, FEW_IN_APP) && longest <= LABEL) return true;
  const asks = () =>
    (isDemand(noscript) && !BETTER.test(noscript)) || [...lines.visible()].some((line) => isAppealOfPage(lines.text(line)));
  return longest <= CLAUSE && (hasRoot ? waits : !hasMedia && lines.areFew(own, FEW_IN_APP)) && asks();
}

/** Links around an element that waits, and a demand: the navigation of an application. */
function isFramed(own: readonly number[], lines: PageLines, signs: PageSigns): boolean {
  const others = own.filter((line) => !lines.isLinked(line));
  const { hasRoot, noscript } = signs.wall;
  return hasRoot && lines.areFew(others, FEW_IN_APP) && isDemand(noscript) && signs.shell.waits;
}

/** Words; two characters of a script without spaces count as one. */
function wordsIn(text: string): number {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[\p{L}\p{N}]+/gu)?.length ?? 0;
}
