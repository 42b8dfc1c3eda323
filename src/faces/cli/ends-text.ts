import { refusalText } from '../../base/core/refusal-words.ts';
import { stateText } from '../../base/core/state-words.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import type { CrawlReport } from '../app/crawl-options.ts';

/** `1,453 URLs: 47 kept, 241 off-topic, 6 failed, 429 waiting, 689 out of scope, 40 not HTML or plain text`: they add up. */
export function endsText({ counts, refusals }: Pick<CrawlReport, 'counts' | 'refusals'>): string {
  const refused = Object.entries(refusals).map(([reason, urls]) => [urls, refusalText(reason)] as const);
  const known = refused.reduce((sum, [urls]) => sum + urls, 0);
  const ends = [
    [counts.kept, stateText('kept')],
    [counts.offTopic, stateText('off-topic')],
    [counts.duplicate, stateText('duplicate')],
    [counts.failed, stateText('failed')],
    [counts.waiting + counts.leased, `${stateText('waiting')}${counts.parked > 0 ? ` (${countText(counts.parked)} of them parked)` : ''}`],
    [counts.fetched, stateText('fetched')],
    ...refused,
    [counts.refused - known, stateText('refused')],
  ] as const;
  const parts = ends.flatMap(([urls, what]) => (urls > 0 ? [`${countText(urls)} ${what}`] : []));
  return `${counted(counts.discovered, 'URL')}: ${parts.join(', ')}`;
}
