/** The recent results of a crawl and its forecast, for people. */

import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { FollowedLinks } from '../../study/inspect/locality.ts';
import { shownOutlook } from '../../study/inspect/outlook.ts';
import type { CrawlStatus } from '../../study/inspect/status.ts';
import { BY_MODEL } from './grounds-text.ts';

/** Lines of `status`; none before the first visit. All figures are the model's: while there are doubts about it, there are no shares and no forecast. */
export function outlookLines({
  recent,
  locality,
  explored,
  pastOutlooks,
  ...forecast
}: Pick<CrawlStatus, 'recent' | 'outlook' | 'locality' | 'explored' | 'doubts' | 'pastOutlooks'>): string[] {
  if (recent.visits === 0) return [];
  const last = `last ${counted(recent.visits, 'visit')}: ${countText(recent.onTopic)} on topic`;
  const outlook = shownOutlook(forecast);
  if (outlook === 'doubted') return [`${last} (${BY_MODEL})`];
  const next =
    outlook === null
      ? ''
      : `; of the next ${countText(outlook.requests)} perhaps ${countText(outlook.onTopic)} (${countText(outlook.low)} to ${countText(outlook.high)})`;
  const { ofOnTopicPages: on, ofOffTopicPages: off } = locality;
  const links =
    on.followed + off.followed === 0
      ? []
      : [`followed links of on-topic pages: ${ledText(on)}; of off-topic pages: ${ledText(off)} (${BY_MODEL})`];
  return [
    `${last} (${percentText(recent.onTopic / recent.visits)})${next} (${BY_MODEL})`,
    ...heldLines(pastOutlooks),
    ...links,
    ...(explored === null ? [] : [exploredText(explored)]),
  ];
}

function heldLines({ compared, held }: CrawlStatus['pastOutlooks']): string[] {
  if (compared.length === 0) return [];
  return [`earlier forecasts: ${countText(held)} of ${countText(compared.length)} held (${BY_MODEL})`];
}

function exploredText({ visits, onTopic, low, high }: NonNullable<CrawlStatus['explored']>): string {
  return `drawn at random from the waiting URLs: ${countText(onTopic)} of ${counted(visits, 'visit')} on topic (${percentText(low)} to ${percentText(high)} of the URLs that wait; ${BY_MODEL})`;
}

function ledText({ followed, onTopic }: FollowedLinks): string {
  if (followed === 0) return 'none';
  return `${countText(onTopic)} of ${countText(followed)} led to on-topic pages (${percentText(onTopic / followed)})`;
}
