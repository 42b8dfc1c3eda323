/** The recent results of a crawl and its forecast, for people. */

import { countText, percentText } from '../../base/text/number-text.ts';
import { BY_MODEL, exploredText, heldText, outlookText, recentText } from '../../study/inspect/grounds-words.ts';
import type { FollowedLinks } from '../../study/inspect/locality.ts';
import { shownOutlook } from '../../study/inspect/outlook.ts';
import type { CrawlStatus } from '../../study/inspect/status.ts';

/** Lines of `status`; none before the first visit. All figures are the model's: while there are doubts about it, there are no shares and no forecast. */
export function outlookLines({
  recent,
  locality,
  explored,
  pastOutlooks,
  ...forecast
}: Pick<CrawlStatus, 'recent' | 'outlook' | 'locality' | 'explored' | 'doubts' | 'pastOutlooks'>): string[] {
  if (recent.visits === 0) return [];
  const last = recentText(recent);
  const outlook = shownOutlook(forecast);
  if (outlook === 'doubted') return [`${last} (${BY_MODEL})`];
  const next = outlook === null ? '' : `; ${outlookText(outlook)}`;
  const { ofOnTopicPages: on, ofOffTopicPages: off } = locality;
  const links =
    on.followed + off.followed === 0
      ? []
      : [`followed links of on-topic pages: ${ledText(on)}; of off-topic pages: ${ledText(off)} (${BY_MODEL})`];
  return [
    `${last} (${percentText(recent.onTopic / recent.visits)})${next} (${BY_MODEL})`,
    ...(pastOutlooks.compared.length === 0 ? [] : [`${heldText(pastOutlooks)} (${BY_MODEL})`]),
    ...links,
    ...(explored === null ? [] : [`${exploredText(explored)} (${BY_MODEL})`]),
  ];
}

function ledText({ followed, onTopic }: FollowedLinks): string {
  if (followed === 0) return 'none';
  return `${countText(onTopic)} of ${countText(followed)} led to on-topic pages (${percentText(onTopic / followed)})`;
}
