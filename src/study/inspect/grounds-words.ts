/**
 * Words for doubts, saturation and forecast of a crawl: the same on terminal and page. Each is a clause. The terminal joins clauses, the page makes a
 * sentence of each.
 */
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { STRONGEST } from '../../reading/topic/common-terms.ts';
import type { Doubt } from '../../reading/topic/doubts.ts';
import type { ExploredYield } from './explored-yield.ts';
import type { Outlook } from './outlook.ts';
import type { PastOutlooks } from './past-outlooks.ts';
import type { LastJudged, Saturation } from './saturation.ts';

/** Follows a figure that no label confirms. */
export const BY_MODEL = 'by the model; not measured';

const DOUBTS: Readonly<Record<Doubt, string>> = {
  'one-host': 'all example pages are of one host, so the model may know the host and not the subject',
  'two-hosts': 'the example pages are of two hosts only, so the model may know the hosts and not the subject',
  'unknown-hosts': 'the example pages have no URL, so Forager cannot tell site from subject',
  'unlike-training': 'these pages look unlike your examples, so the model cannot judge itself',
};

/** Reasons why the model's own figures mean nothing. */
export function doubtText(doubts: readonly Doubt[]): string {
  return doubts.map((doubt) => DOUBTS[doubt]).join('; ');
}

/** The consequence of doubts, and their reason. */
export function hiddenText(doubts: readonly Doubt[]): string {
  return `rates and forecast are hidden: ${doubtText(doubts)}`;
}

/** The ways out of doubts. @param answer how to answer pages: a command, or nothing where a link shows it */
export function doubtRemedy(doubts: readonly Doubt[], answer = ''): string {
  const examples = doubts.some((doubt) => doubt !== 'unlike-training') ? ['give examples of 3 hosts or more, with their URLs'] : [];
  return `Remedy: ${[...examples, `answer 30 pages${answer === '' ? '' : `: ${answer}`}`].join('; or ')}`;
}

/** Signs of saturation; null without signs, and if the only sign is a doubt that `hiddenText` shows. */
export function saturationText({ signs, last, terms }: Saturation): string | null {
  const seen = [
    ...(signs.includes('nearly-all') ? [nearlyAllText(last)] : []),
    ...(signs.includes('common-terms')
      ? [`${terms.length} of its ${STRONGEST} strongest terms are function words or words of templates (${terms.join(', ')})`]
      : []),
  ];
  return seen.length === 0 ? null : `the model may no longer distinguish pages: ${seen.join('; ')}`;
}

export function nearlyAllText({ pages, onTopic }: LastJudged): string {
  return `${countText(onTopic)} of the last ${countText(pages)} pages on topic by the model`;
}

/** `last 500 visits: 181 on topic`. */
export function recentText({ visits, onTopic }: { readonly visits: number; readonly onTopic: number }): string {
  return `last ${counted(visits, 'visit')}: ${countText(onTopic)} on topic`;
}

/** `of the next 1,000 perhaps 377 (96 to 600)`. */
export function outlookText({ requests, onTopic, low, high }: Outlook): string {
  return `of the next ${countText(requests)} perhaps ${countText(onTopic)} (${countText(low)} to ${countText(high)})`;
}

/** `earlier forecasts: 3 of 4 held`. */
export function heldText({ compared, held }: Pick<PastOutlooks, 'compared' | 'held'>): string {
  return `earlier forecasts: ${countText(held)} of ${countText(compared.length)} held`;
}

/** `drawn at random from the waiting URLs: 3 of 40 visits on topic (2.6 % to 19.9 % of the URLs that wait)`. */
export function exploredText({ visits, onTopic, low, high }: ExploredYield): string {
  return `drawn at random from the waiting URLs: ${countText(onTopic)} of ${counted(visits, 'visit')} on topic (${percentText(low)} to ${percentText(high)} of the URLs that wait)`;
}

/** `15 questions wait for answers`. */
export function questionsWaitText(questions: number): string {
  return `${counted(questions, 'question waits', 'questions wait')} for answers`;
}

/** Reason why the model of the last training was not activated. */
export function notActivatedText({ labels, pool }: NonNullable<CrawlManifest['keptBeside']>): string {
  return labels === 0
    ? `trained again with ${counted(pool ?? 0, 'unlabelled page')} of the warm-up and not activated, since the new model finds most of them on topic`
    : `trained again with ${counted(labels, 'label')} and not activated, since the new model is worse on held-out labels`;
}
