/** How a crawl does and what it may still find, for people. */
import type { CrawlStatus } from '../app/inspect.ts';
import type { FollowedLinks } from '../app/locality.ts';
import { counted, countText, percentText } from './progress.ts';

/** Lines of `status`; none before the first visit. */
export function outlookLines({
  recent,
  outlook,
  locality,
  explored,
}: Pick<CrawlStatus, 'recent' | 'outlook' | 'locality' | 'explored'>): string[] {
  if (recent.visits === 0) return [];
  const next =
    outlook === null
      ? ''
      : `; of the next ${countText(outlook.requests)} perhaps ${countText(outlook.onTopic)} (${countText(outlook.low)} to ${countText(outlook.high)})`;
  const { ofOnTopicPages: on, ofOffTopicPages: off } = locality;
  const links =
    on.followed + off.followed === 0 ? [] : [`followed links of on-topic pages: ${ledText(on)}; of off-topic pages: ${ledText(off)}`];
  return [
    `last ${countText(recent.visits)} visits: ${countText(recent.onTopic)} on topic (${percentText(recent.onTopic / recent.visits)})${next}`,
    ...links,
    ...(explored === null ? [] : [exploredText(explored)]),
  ];
}

function exploredText({ visits, onTopic, low, high }: NonNullable<CrawlStatus['explored']>): string {
  return `drawn by chance from what waited: ${countText(onTopic)} of ${counted(visits, 'visit')} on topic (${percentText(low)} to ${percentText(high)} of what waits)`;
}

function ledText({ followed, onTopic }: FollowedLinks): string {
  if (followed === 0) return 'none';
  return `${countText(onTopic)} of ${countText(followed)} led to on-topic pages (${percentText(onTopic / followed)})`;
}
