/** The recall of a crawl by its known pages, in words: for terminal and page. */

import { commandOn } from '../../base/text/forager-command.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import type { DrawnKnown } from '../../crawling/crawl-dir/known-pages.ts';
import { type KnownRecall, MISSING_CAUSES, type MissingCause, type MissingPage } from './known-recall.ts';

const CAUSES: Readonly<Record<MissingCause, string>> = {
  undiscovered: 'never discovered',
  waiting: 'waiting',
  'off-topic': 'judged off topic',
  refused: 'refused',
  failed: 'failed',
};
/** Number of pages below which the interval covers most of [0, 1]. */
const LEAST_KNOWN = 10;
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

/** The draw of the known pages, and its answers, in words. */
export function drawnText(drawn: DrawnKnown): string {
  const { from, seed, listed, yes, no, skipped, unread, at, names = [], followed } = drawn;
  const list = from === 'sitemap' ? 'sitemaps of the hosts of the seeds' : from;
  const answers = [`${countText(yes)} on topic`, `${countText(no)} off topic`];
  if (skipped > 0) answers.push(`${countText(skipped)} skipped`);
  if (unread > 0) answers.push(`${countText(unread)} without a text`);
  const open = drawn.drawn - yes - no - skipped - unread;
  if (open > 0) answers.push(`${countText(open)} without an answer`);
  const by = names.length === 0 ? '' : `, answered by ${names.join(', ')}`;
  const reach = followed ? '; the crawl reads these sitemaps too, so the recall is that of the pages in them' : '';
  return `known pages drawn at random from ${counted(listed, 'URL')} of ${list} on ${at.slice(0, 10)} (seed ${seed}): ${countText(drawn.drawn)} drawn, ${answers.join(', ')}${by}${reach}`;
}

/** The cause for which a known page is not kept. */
export function missingPageText({ cause, reason }: MissingPage): string {
  return `${CAUSES[cause]}${reason === '' ? '' : ` (${reason})`}`;
}

/** The known pages by their ends, and the share of them that is kept. */
export function recallText(found: KnownRecall): string {
  const { known, kept, missing } = found;
  if (known === 0) return 'known pages: none of them counts';
  const causes = MISSING_CAUSES.flatMap((cause) => {
    const count = missing.filter((page) => page.cause === cause).length;
    return count === 0 ? [] : [`${countText(count)} ${CAUSES[cause]}`];
  });
  const counts = [`${countText(kept)} kept`, ...causes].join(', ');
  return `of ${counted(known, `${found.origin === 'listed' ? 'listed' : 'known'} page`)}: ${counts}; ${shareText(found)}`;
}

function shareText({ recall, ofListed, low, high, known }: KnownRecall): string {
  if (recall === null) return `share ${fraction(ofListed ?? 0)}, which says little about other pages: listed pages are not drawn at random`;
  const few = known < LEAST_KNOWN ? `; ${counted(known, 'page')} say little, give 30 or more` : '';
  return `recall ${fraction(recall)} [${fraction(low)}, ${fraction(high)}] at 90 %${few}`;
}

function leftLines({ left }: KnownRecall): string[] {
  if (left === null) return [];
  const most = left.high === null ? 'any number' : countText(left.high);
  return [`on-topic pages that are not found, by the known pages: ${countText(left.low)} to ${most}`];
}

function excludedLines(excluded: readonly MissingPage[]): string[] {
  if (excluded.length === 0) return [];
  const named = excluded.slice(0, MOST_NAMED).map(({ url, reason }) => `${url} (${reason === '' ? 'out of scope' : reason})`);
  const more = excluded.length > MOST_NAMED ? ` and ${excluded.length - MOST_NAMED} more` : '';
  return [`${counted(excluded.length, 'known page')} that no crawl with these rules can keep, not counted: ${named.join(', ')}${more}`];
}

function fraction(share: number): string {
  return share.toFixed(2).replace(/^0(?=\.)/, '');
}
