/** The reports of a watch as an Atom feed (RFC 4287). */
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { printable } from '../../base/text/printable.ts';
import { changeFacts } from './watch-markdown.ts';
import type { WatchItem, WatchReport } from './watch-report.ts';

/** Entries of the feed, those of the newest report first: readers fetch it far more often than it grows by as many. */
export const FEED_ENTRIES = 200;

const WORDS: Readonly<Record<WatchItem['kind'], string>> = {
  new: 'New',
  changed: 'Changed',
  moved: 'Moved',
  gone: 'Gone',
  noindex: 'Asks not to be kept',
  back: 'Back',
};

/** @param name of the crawl. @param reports the newest first; at least one */
export function watchFeed(name: string, reports: readonly WatchReport[]): string {
  const [newest] = reports;
  const entries = reports.flatMap(({ items }) => items.toSorted((a, b) => (a.at > b.at ? -1 : 1)).map(entryOf)).slice(0, FEED_ENTRIES);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${textOf(feedId(newest, name))}</id>
<title>${textOf(`${name}: new, changed and gone pages`)}</title>
<updated>${newest?.to ?? ''}</updated>
<author><name>Forager</name></author>
${entries.join('')}</feed>
`;
}

function feedId(newest: WatchReport | undefined, name: string): string {
  return newest?.crawl ? `urn:uuid:${newest.crawl}` : `urn:forager:${encodeURIComponent(name)}`;
}

/** The id is that of the version; of a page without another one, with the change and its moment. */
function entryOf(item: WatchItem): string {
  const { kind, url, title, at, before, after } = item;
  const isVersion = kind === 'new' || kind === 'changed';
  const id = isVersion ? after : `${before}#${kind}-${at}`;
  const words =
    item.words?.edits.map(({ removed, added }) => `${removed === '' ? '' : `−${removed}`} ${added === '' ? '' : `+${added}`}`.trim()) ?? [];
  const summary = [...changeFacts(item), ...(item.onTopic === false ? ['off topic now'] : []), ...words].join('\n');
  return `<entry>
<id>${textOf(id ?? url)}</id>
<title>${textOf(`${WORDS[kind]}: ${title || url}`)}</title>
<link href="${textOf(url)}"/>
<updated>${at}</updated>
<category term="${kind}"/>
${summary === '' ? '' : `<summary>${textOf(summary)}</summary>\n`}</entry>
`;
}

/** Text of XML, without characters that XML 1.0 does not allow. */
function textOf(text: string): string {
  return escapeSigns(printable(text).replaceAll(NOT_XML, ' '));
}

const NOT_XML = /[\uFFFE\uFFFF]/g;
