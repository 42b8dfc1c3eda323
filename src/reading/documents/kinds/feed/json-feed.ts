/** JSON Feed 1.0 and 1.1 (jsonfeed.org). */
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { isoDate } from '../../../../base/text/iso-date.ts';
import { normaliseLang } from '../../../../base/text/language.ts';
import { cleanHtml } from '../../clean-html.ts';
import { elementHtml, hrefOf } from '../../document-html.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../../json-values.ts';
import type { Feed, FeedItem } from './feed-facts.ts';

/** A feed in JSON. @param base its address @throws SyntaxError if it is not JSON */
export function jsonFeed(text: string, base: string | null): Feed {
  const feed = objectAt(JSON.parse(text));
  return {
    title: textAt(feed['title']),
    description: elementHtml('p', escapeSigns(textAt(feed['description']) ?? '')),
    authors: authorsOf(feed),
    updated: null,
    language: normaliseLang(textAt(feed['language'])),
    producer: null,
    items: listAt(feed['items']).map((item) => itemOf(objectAt(item), base)),
    cut: false,
  };
}

function itemOf(item: JsonObject, base: string | null): FeedItem {
  const link = textAt(item['url']) ?? textAt(item['external_url']);
  return {
    title: textAt(item['title']),
    href: link === null ? null : hrefOf(link, base),
    authors: authorsOf(item),
    published: isoDate(textAt(item['date_published']) ?? textAt(item['date_modified']) ?? ''),
    content: contentOf(item, base),
  };
}

function contentOf(item: JsonObject, base: string | null): string {
  const html = textAt(item['content_html']);
  if (html !== null) return cleanHtml(html, { href: (written) => hrefOf(written, base), id: null }).html;
  const text = textAt(item['content_text']) ?? textAt(item['summary']) ?? '';
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => elementHtml('p', escapeSigns(paragraph.trim())))
    .join('\n');
}

/** Authors of version 1.1, the author of 1.0. */
function authorsOf(object: JsonObject): readonly string[] {
  const authors = [...listAt(object['authors']), object['author']].flatMap((author) => textAt(objectAt(author)['name']) ?? []);
  return [...new Set(authors)];
}
