/** A precision in words: the same on the terminal and on the card. */

import { counted, countText, percentText } from '../../base/text/number-text.ts';
import { sentence } from '../../base/text/sentence.ts';
import type { PrecisionFacts } from '../select/crawl-facts.ts';

/** The pages that a precision describes. */
const OF = {
  kept: 'the pages the crawl kept',
  harvest: 'the pages a harvest takes now',
  corpus: 'the pages in this corpus',
  part: 'its pages',
} as const;

export type PrecisionOf = keyof typeof OF;

/**
 * `precision of the pages the crawl kept: 47.1 % (95 % interval 29.5 % to 65.3 %), measured by 17 answers to pages drawn at random`. A figure of the pages that
 * were read before some time names it, with the number of later pages.
 */
export function precisionLine(of: PrecisionOf, { older, ...facts }: PrecisionFacts): string {
  if (older === undefined) return `precision of ${OF[of]}: ${figureText(facts)}`;
  const later = older.later === 1 ? '1 page read later is' : `${countText(older.later)} pages read later are`;
  return `precision of ${OF[of]}, of those read until ${minuteText(older.until)}: ${figureText(facts)}; ${later} not measured yet`;
}

/** Explanations why a corpus of several topics, or of several corpora, has no figure of its own. */
export const NO_COMMON_FIGURE = {
  topics: 'precision of all pages together: not known, since each answer is about one topic and a page may be on several; by topic:',
  parts:
    'precision of the merged corpus: not known, since the answers of each part are about all its pages, not about those taken here; by part:',
} as const;

/** Line of the precision as a sentence. */
export function precisionSentence(of: PrecisionOf, precision: PrecisionFacts): string {
  return sentence(precisionLine(of, precision));
}

/** Answers to pages drawn at random, and the number that a precision needs. */
export interface DrawnAnswers {
  readonly answered: number;
  readonly needed: number;
}

/** `not measured (1 answer to kept pages drawn at random; needed: 5)`. @param drawn null before the first answer @param pages the pages that are drawn */
export function notMeasuredText(drawn: DrawnAnswers | null, pages = 'kept pages'): string {
  return `not measured${drawn === null ? '' : ` (${counted(drawn.answered, 'answer')} to ${pages} drawn at random; needed: ${countText(drawn.needed)})`}`;
}

function figureText({ share, low, high, answers, pages, known }: Omit<PrecisionFacts, 'older'>): string {
  if (known === pages) return `${percentText(share)}, from the answers to all ${countText(pages)}`;
  const own = known > answers ? `; ${countText(known)} of the ${countText(pages)} have an answer of their own` : '';
  return `${percentText(share)} (95 % interval ${percentText(low)} to ${percentText(high)}), measured by ${counted(answers, 'answer')} to pages drawn at random${own}`;
}

/** `2026-11-27 08:10 UTC`. */
export function minuteText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
