import { decodeHTMLAttribute } from 'entities';
import { FLAG, type TagReader } from './tags.ts';

/** Attributes that are read of every visible element. */
export const ANY_ATTRIBUTES = ['class', 'id', 'role', 'style', 'hidden', 'aria-hidden'];
const WANTED: Readonly<Record<TagReader, readonly string[]>> = {
  none: ANY_ATTRIBUTES,
  link: [...ANY_ATTRIBUTES, 'href', 'rel', 'alt', 'hreflang'],
  frame: [...ANY_ATTRIBUTES, 'src'],
  button: [...ANY_ATTRIBUTES, 'aria-expanded', 'aria-controls'],
  image: [...ANY_ATTRIBUTES, 'alt'],
  meta: ['name', 'property', 'itemprop', 'http-equiv', 'content'],
  linkrel: ['rel', 'href', 'hreflang', 'type'],
  script: ['type'],
  base: ['href'],
  html: ['lang', 'xml:lang'],
};
export const ATTRIBUTE_NAMES = [...new Set(Object.values(WANTED).flat())];
/** The place of each name's value. */
export const ATTRIBUTE_PLACES = new Map(ATTRIBUTE_NAMES.map((name, place) => [name, place]));

/** One bit for each of the names. */
function bitsOf(names: readonly string[], bitOf: (name: string) => number): number {
  return names.reduce((bits, name) => bits | (1 << bitOf(name)), 0);
}
export const WANTED_PLACES = Object.fromEntries(
  Object.entries(WANTED).map(([reader, names]) => [reader, bitsOf(names, (name) => ATTRIBUTE_PLACES.get(name) ?? 0)]),
);
/** First letters of the wanted attributes, so that most attributes are skipped without creating a string. */
export const FIRST_LETTERS = Object.fromEntries(
  Object.entries(WANTED).map(([reader, names]) => [reader, bitsOf(names, (name) => name.charCodeAt(0) - 97)]),
);

/** The value of an attribute as written in the page, with its references decoded. */
export function attributeValue(html: string, start: number, end: number): string {
  const value = html.slice(start, end);
  return value.includes('&') ? decodeHTMLAttribute(value) : value;
}

/** WAI-ARIA 1.2 landmark roles and their flags. */
export const ROLES = new Map<string, number>([
  ['navigation', FLAG.nav],
  ['menu', FLAG.nav],
  ['menubar', FLAG.nav],
  ['banner', FLAG.header],
  ['contentinfo', FLAG.footer],
  ['complementary', FLAG.aside],
  ['dialog', FLAG.hidden],
  ['alertdialog', FLAG.hidden],
  ['heading', FLAG.heading],
  ['search', FLAG.form],
  ['main', FLAG.main],
  ['article', FLAG.main],
]);
