/** RSS 0.9 to 2.0 and Atom. */
import { decodeHTML } from 'entities';
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { isoDate } from '../../../../base/text/iso-date.ts';
import { normaliseLang } from '../../../../base/text/language.ts';
import { squeeze } from '../../../../base/text/squeeze.ts';
import { cleanHtml } from '../../clean-html.ts';
import { oneLine } from '../../described-html.ts';
import { elementHtml, hrefOf } from '../../document-html.ts';
import {
  attribute,
  childAt,
  childrenNamed,
  descendants,
  elementsOf,
  readXml,
  textIn,
  type XmlElement,
  type XmlNode,
} from '../../xml-tree.ts';
import type { Feed, FeedItem } from './feed-facts.ts';

/** Elements of `media` and the like have names of RSS: `media:title`, `itunes:author`. */
const FOREIGN = /^<(?:media|itunes|image|podcast|georss|yt|slash|sy):/i;

/** The longest feeds have a few hundred items. */
const MAX_ITEMS = 10_000;
/** More than the longest name with an address. */
const MAX_NAME = 300;

/** A feed in XML. @param base its address */
export function xmlFeed(bytes: Uint8Array, base: string | null): Feed {
  const { root, cut } = readXml(bytes);
  const [channel = childAt(root, 'feed') ?? root] = descendants(root, 'channel');
  const place = baseOf(channel, base);
  const items = [...descendants(root, 'item'), ...descendants(root, 'entry')];
  return {
    title: plainIn(channel, 'title'),
    description: markupIn(own(channel, 'description', 'subtitle', 'tagline'), place),
    authors: authorsOf(channel),
    updated: dateOf(channel, 'lastbuilddate', 'updated', 'modified', 'pubdate', 'date'),
    language: normaliseLang(plainIn(channel, 'language') ?? attribute(childAt(root, 'feed') ?? childAt(root, 'rss'), 'lang')),
    producer: plainIn(channel, 'generator'),
    items: items.slice(0, MAX_ITEMS).map((item) => itemOf(item, baseOf(item, place))),
    cut: cut || items.length > MAX_ITEMS,
  };
}

function itemOf(item: XmlElement, base: string | null): FeedItem {
  return {
    title: plainIn(item, 'title'),
    href: linkOf(item, base),
    authors: authorsOf(item),
    published: dateOf(item, 'pubdate', 'published', 'issued', 'date', 'updated', 'modified'),
    // The whole text, else its summary.
    content: markupIn(own(item, 'encoded', 'content', 'description', 'summary'), base),
  };
}

/** The first child of the first name that has text. */
function own(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  const children = elementsOf(element).filter(({ tag }) => !FOREIGN.test(tag));
  for (const name of names) {
    const found = children.find((child) => child.name === name && textIn(child).trim() !== '');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Text without markup: titles of RSS have it escaped, as those of Atom with a type have. */
function plainIn(element: XmlElement, name: string): string | null {
  const child = own(element, name);
  if (child === undefined) return null;
  const text = textIn(child);
  return attribute(child, 'type') === 'text' ? squeeze(text) || null : squeeze(decodeHTML(oneLine(text) ?? '')) || null;
}

function dateOf(element: XmlElement, ...names: readonly string[]): string | null {
  return isoDate(squeeze(textIn(own(element, ...names))));
}

/** Names of people: `<author><name>` of Atom, `dc:creator`, `me@x.example (My Name)` of RSS. */
function authorsOf(element: XmlElement): readonly string[] {
  const named = ['author', 'creator', 'managingeditor'].flatMap((name) => childrenNamed(element, name));
  const names = named.filter(({ tag }) => !FOREIGN.test(tag)).map((one) => squeeze(textIn(childAt(one, 'name') ?? one)).slice(0, MAX_NAME));
  return [...new Set(names.map((name) => /^\S+@\S+\s+\((.+)\)$/.exec(name)?.[1] ?? name))].filter(
    (name) => name !== '' && !/^\S+@\S+$/.test(name),
  );
}

/** The link for readers, else an id that is an address (RSS 2.0, `guid`). */
function linkOf(item: XmlElement, base: string | null): string | null {
  const links = childrenNamed(item, 'link').map((link) => ({
    href: attribute(link, 'href') ?? textIn(link).trim(),
    isForReaders: [null, 'alternate'].includes(attribute(link, 'rel')),
  }));
  const written = links.find(({ href, isForReaders }) => isForReaders && href !== '')?.href;
  const guid = childrenNamed(item, 'guid').find((one) => attribute(one, 'ispermalink')?.toLowerCase() !== 'false');
  const id = textIn(guid).trim();
  return hrefOf(written ?? (/^https?:/i.test(id) ? id : ''), base);
}

/** Content as HTML: text that is markup, or elements (Atom's XHTML), or text alone. */
function markupIn(element: XmlElement | undefined, base: string | null): string {
  if (element === undefined) return '';
  const options = { href: (written: string) => hrefOf(written, baseOf(element, base)), id: null };
  if (elementsOf(element).length > 0) return cleanHtml(element.children.map(markupOf).join(''), options).html;
  const text = textIn(element);
  const isMarkup = attribute(element, 'type') !== 'text' && /<[a-z/!]|&[a-z#]/i.test(text);
  return isMarkup ? cleanHtml(text, options).html : elementHtml('p', escapeSigns(text.trim()));
}

function markupOf(node: XmlNode): string {
  if (typeof node === 'string') return escapeSigns(node);
  return node.tag.endsWith('/>') ? node.tag : `${node.tag}${node.children.map(markupOf).join('')}</${node.name}>`;
}

function baseOf(element: XmlElement, base: string | null): string | null {
  const written = attribute(element, 'base')?.trim();
  if (written === undefined) return base;
  return URL.canParse(written, base ?? undefined) ? new URL(written, base ?? undefined).href : base;
}
