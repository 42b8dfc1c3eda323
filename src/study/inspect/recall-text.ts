/** The recall of a crawl by its known pages, in words: for terminal and page. */
import { basename } from 'node:path';
import { commandOn } from '../../base/text/forager-command.ts';
import { counted } from '../../base/text/number-text.ts';
import { drawnText, leftLines, MISSING_WORDS, recallLine } from '../../corpus/describe/recall-words.ts';
import { MISSING_CAUSES, type MissingCounts, type RecallFacts } from '../../corpus/select/recall-facts.ts';
import type { KnownRecall, MissingPage } from './known-recall.ts';

/** Pages that are named. */
const MOST_NAMED = 5;

/** Lines about the known pages of a crawl: shares, missing pages by cause, pages that do not count. */
export function recallLines(dir: string, found: KnownRecall): string[] {
  const { missing, excluded } = found;
  return [
    recallText(found),
    ...leftLines(found),
    ...(found.drawn === null ? [] : [drawnText(found.drawn)]),
    ...missing.slice(0, MOST_NAMED).map((page) => `  ${missingPageText(page)}: ${page.url}`),
    ...(missing.length === 0 ? [] : [`  ${commandOn('why', dir)} URL explains each`]),
    ...excludedLines(excluded),
  ];
}

/** The cause for which a known page is not kept. */
export function missingPageText({ cause, reason }: MissingPage): string {
  return `${MISSING_WORDS[cause]}${reason === '' ? '' : ` (${reason})`}`;
}

/** The known pages by their ends, and the share of them that is kept. */
export function recallText(found: KnownRecall): string {
  return recallLine(found, missingCounts(found));
}

/** The recall as a card has it: files by their names alone. */
export function recallFacts(found: KnownRecall): RecallFacts {
  const { missing: _, excluded, from, drawn, ...shares } = found;
  const ofDraw = drawn && { ...drawn, from: basename(drawn.from) };
  return { ...shares, from: basename(from), drawn: ofDraw, missing: missingCounts(found), excluded: excluded.length };
}

function missingCounts({ missing }: KnownRecall): MissingCounts {
  return Object.fromEntries(
    MISSING_CAUSES.flatMap((cause) => {
      const count = missing.filter((page) => page.cause === cause).length;
      return count === 0 ? [] : [[cause, count]];
    }),
  );
}

function excludedLines(excluded: readonly MissingPage[]): string[] {
  if (excluded.length === 0) return [];
  const named = excluded.slice(0, MOST_NAMED).map(({ url, reason }) => `${url} (${reason === '' ? 'out of scope' : reason})`);
  const more = excluded.length > MOST_NAMED ? ` and ${excluded.length - MOST_NAMED} more` : '';
  return [`${counted(excluded.length, 'known page')} that no crawl with these rules can keep, not counted: ${named.join(', ')}${more}`];
}
