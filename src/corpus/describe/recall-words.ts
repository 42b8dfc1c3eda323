/** The recall by known pages in words: the same on the terminal, the page and the card. */
import { counted, countText } from '../../base/text/number-text.ts';
import {
  type DrawFacts,
  MISSING_CAUSES,
  type MissingCause,
  type MissingCounts,
  type RecallFacts,
  type RecallShares,
} from '../select/recall-facts.ts';

/** Causes for which known pages are not kept. */
export const MISSING_WORDS: Readonly<Record<MissingCause, string>> = {
  undiscovered: 'never discovered',
  waiting: 'waiting',
  'off-topic': 'judged off topic',
  refused: 'refused',
  failed: 'failed',
};
/** Number of pages below which the interval covers most of [0, 1]. */
const LEAST_KNOWN = 10;

/** Lines about known pages on a card. */
export function completenessText(facts: RecallFacts): string[] {
  const { missing, excluded, drawn } = facts;
  return [
    recallLine(facts, missing),
    ...leftLines(facts),
    ...(drawn === null ? [] : [drawnText(drawn)]),
    ...(excluded === 0 ? [] : [`${counted(excluded, 'known page')} that no crawl with these rules can keep, not counted`]),
  ];
}

/** The known pages by their ends, and the share of them that is kept. */
export function recallLine(shares: RecallShares, missing: MissingCounts): string {
  const { known, kept, origin } = shares;
  if (known === 0) return 'known pages: none of them counts';
  const causes = MISSING_CAUSES.flatMap((cause) => {
    const count = missing[cause] ?? 0;
    return count === 0 ? [] : [`${countText(count)} ${MISSING_WORDS[cause]}`];
  });
  const counts = [`${countText(kept)} kept`, ...causes].join(', ');
  return `of ${counted(known, `${origin === 'listed' ? 'listed' : 'known'} page`)}: ${counts}; ${shareText(shares)}`;
}

function shareText({ recall, ofListed, low, high, known }: RecallShares): string {
  if (recall === null) return `share ${fraction(ofListed ?? 0)}, which says little about other pages: listed pages are not drawn at random`;
  const few = known < LEAST_KNOWN ? `; ${counted(known, 'page')} say little, give 30 or more` : '';
  return `recall ${fraction(recall)} [${fraction(low)}, ${fraction(high)}] at 90 %${few}`;
}

/** The number of on-topic pages that are not found; none for listed pages. */
export function leftLines({ left }: RecallShares): string[] {
  if (left === null) return [];
  const most = left.high === null ? 'any number' : countText(left.high);
  return [`on-topic pages that are not found, by the known pages: ${countText(left.low)} to ${most}`];
}

/** The draw of the known pages, and its answers, in words. */
export function drawnText(drawn: DrawFacts): string {
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

function fraction(share: number): string {
  return share.toFixed(2).replace(/^0(?=\.)/, '');
}
