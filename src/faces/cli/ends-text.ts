import { refusalText } from '../../base/core/refusal-words.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import type { CrawlReport } from '../app/crawl-options.ts';

/** `1,453 URLs: 47 kept, 241 off topic, 6 failed, 429 waiting, 689 out of scope, 40 not HTML or plain text`: they add up. */
export function endsText({ counts, refusals }: Pick<CrawlReport, 'counts' | 'refusals'>): string {
  const refused = Object.entries(refusals).map(([reason, urls]) => [urls, refusalText(reason)] as const);
  const known = refused.reduce((sum, [urls]) => sum + urls, 0);
  const ends = [
    [counts.kept, 'kept'],
    [counts.offTopic, 'off topic'],
    [counts.duplicate, 'copies of kept pages'],
    [counts.failed, 'failed'],
    [counts.queued + counts.leased, `waiting${counts.parked > 0 ? ` (${countText(counts.parked)} of them parked)` : ''}`],
    [counts.fetched, 'redirects, lists of URLs and files of reservations'],
    ...refused,
    [counts.refused - known, 'refused'],
  ] as const;
  const parts = ends.flatMap(([urls, what]) => (urls > 0 ? [`${countText(urls)} ${what}`] : []));
  return `${counted(counts.discovered, 'URL')}: ${parts.join(', ')}`;
}
