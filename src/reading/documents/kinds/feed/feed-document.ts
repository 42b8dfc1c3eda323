/** Feeds as documents: a heading with the link of each item, and its text. */
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { xmlDecoder } from '../../../extract/xml-decoder.ts';
import { documentOf, elementHtml, HtmlBody, linked } from '../../document-html.ts';
import { type DocumentReader, type DocumentReading, NO_DOCUMENT_FACTS } from '../../document-kind.ts';
import { isObjectStart } from '../../file-head.ts';
import { broken, safely } from '../../safe-reading.ts';
import type { Feed, FeedItem } from './feed-facts.ts';
import { jsonFeed } from './json-feed.ts';
import { xmlFeed } from './xml-feed.ts';

export const feedDocument: DocumentReader = { read: (bytes, base) => safely(() => readFeed(bytes, base)) };

function readFeed(bytes: Uint8Array, base: string | null): DocumentReading {
  const feed = isObjectStart(bytes) ? jsonFeed(xmlDecoder(bytes).decode(bytes), base) : xmlFeed(bytes, base);
  if (feed.title === null && feed.items.length === 0) throw broken('the file has neither the title of a feed nor items');
  const body = new HtmlBody();
  body.add(elementHtml('h1', escapeSigns(feed.title ?? '')));
  body.add(feed.description);
  for (const item of feed.items) if (!body.add(itemHtml(item, base))) break;
  return documentOf(body, { ...NO_DOCUMENT_FACTS, ...factsOf(feed) });
}

function factsOf({ title, authors, updated, language, producer, items, cut }: Feed) {
  const newest = items.reduce(
    (last: string | null, { published }) => (published !== null && published > (last ?? '') ? published : last),
    null,
  );
  return { title, authors, modified: updated ?? newest, language, producer, items: items.length, cut };
}

/** An item without a title has its link at its date, or alone. */
function itemHtml({ title, href, authors, published, content }: FeedItem, base: string | null): string {
  const credits = [...authors, ...(published === null ? [] : [published.slice(0, 10)])].join(', ');
  const line = title === null ? linked(escapeSigns(credits || (href ?? '')), href, base) : escapeSigns(credits);
  const heading = title === null ? '' : elementHtml('h2', linked(escapeSigns(title), href, base));
  return elementHtml('section', [heading, elementHtml('p', line), content].filter((part) => part !== '').join('\n'));
}
