import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { LanguagePlaces } from '../../../src/corpus/pairs/page-language-places.ts';

const shareIn = (places: LanguagePlaces, url: string, lang: string) => places.home(url as CanonicalUrl, lang);

/** Pages by language, each with its number. */
function placesOf(urlOf: (lang: string, i: number) => string, langs: readonly string[], count = 20): LanguagePlaces {
  const places = new LanguagePlaces();
  for (const lang of langs) for (let i = 0; i < count; i++) places.add(urlOf(lang, i) as CanonicalUrl, lang);
  return places;
}

test.each<[string, (lang: string, i: number) => string]>([
  ['a folder', (lang, i) => `http://a.example/man/${lang}x/${i}.html`],
  ['a subdomain', (lang, i) => `http://${lang}x.a.example/man/${i}.html`],
  ['an ending', (lang, i) => `http://a.example/man/${i}/of/some/depth/${i % 3}.${lang}x.html`],
  ['a query', (lang, i) => `http://a.example/show?id=${i}&in=${lang}x`],
])('%s tells the language; pages of other languages there are strangers', (_, urlOf) => {
  const places = placesOf(urlOf, ['en', 'fr', 'cs']);
  for (let i = 20; i < 25; i++) places.add(urlOf('cs', i) as CanonicalUrl, 'en');
  expect(shareIn(places, urlOf('en', 3), 'en')).toBe(1);
  expect(shareIn(places, urlOf('cs', 22), 'en')).toBeCloseTo(5 / 25);
  expect(shareIn(places, urlOf('cs', 2), 'cs')).toBeCloseTo(20 / 25);
});

test.each<[string, (lang: string, i: number) => string]>([
  ['names of pages alone', (lang, i) => `http://a.example/${lang}${i}.html`],
  ['one folder for all', (_, i) => `http://a.example/man/${i}.html`],
])('URLs with %s say nothing of the language', (_, urlOf) => {
  const places = placesOf(urlOf, ['en', 'fr', 'cs']);
  places.add(urlOf('en', 1) as CanonicalUrl, 'fr');
  expect(shareIn(places, urlOf('en', 1), 'fr')).toBe(1);
});

test('a word of few pages, and another domain, say nothing', () => {
  const places = placesOf((lang, i) => `http://a.example/${lang}/${i}`, ['en', 'fr']);
  for (let i = 0; i < 4; i++) places.add(`http://a.example/new/${i}` as CanonicalUrl, 'en');
  expect(shareIn(places, 'http://a.example/new/1', 'fr')).toBe(1);
  expect(shareIn(places, 'http://b.example/en/1', 'fr')).toBe(1);
});

test('a place with more words than any site has languages is forgotten, though its words tell the language', () => {
  const wide = (words: number) =>
    placesOf(
      (lang, i) => `http://a.example/${lang}/${i}`,
      Array.from({ length: words }, (_, i) => `l${i}`),
      5,
    );
  expect(shareIn(wide(300), 'http://a.example/l3/1', 'l4')).toBe(0);
  expect(shareIn(wide(301), 'http://a.example/l3/1', 'l4')).toBe(1);
});

test('words that say little of the language for their number tell none', () => {
  // Two languages by 64 words: a bit of six.
  const places = placesOf((lang, i) => `http://a.example/${lang}${i % 32}/x`, ['en', 'fr'], 320);
  expect(shareIn(places, 'http://a.example/en3/x', 'fr')).toBe(1);
});

test('pages of ever new names and domains hold a bounded number of words', () => {
  const places = new LanguagePlaces();
  for (let i = 0; i < 45_000; i++) places.add(`http://n${i % 3000}.example/${i}/a/b/c/${i}.html` as CanonicalUrl, 'en');
  expect(places.words).toBeLessThanOrEqual(100_000);
  const names = new LanguagePlaces();
  for (let i = 0; i < 100_000; i++)
    names.add(`http://a.example/${i % 2 === 0 ? 'en' : 'fr'}/n${i}` as CanonicalUrl, i % 2 === 0 ? 'en' : 'fr');
  expect(names.words).toBeLessThan(1000);
  expect(shareIn(names, 'http://a.example/en/n2', 'fr')).toBe(0);
});
