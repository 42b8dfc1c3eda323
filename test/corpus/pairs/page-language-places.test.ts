import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { LanguagePlaces } from '../../../src/corpus/pairs/page-language-places.ts';

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
  expect(places.home(urlOf('en', 3) as CanonicalUrl, 'en')).toBe(1);
  expect(places.home(urlOf('cs', 22) as CanonicalUrl, 'en')).toBeCloseTo(5 / 25);
  expect(places.home(urlOf('cs', 2) as CanonicalUrl, 'cs')).toBeCloseTo(20 / 25);
});

test.each<[string, (lang: string, i: number) => string]>([
  ['names of pages alone', (lang, i) => `http://a.example/${lang}${i}.html`],
  ['one folder for all', (_, i) => `http://a.example/man/${i}.html`],
])('URLs with %s say nothing of the language', (_, urlOf) => {
  const places = placesOf(urlOf, ['en', 'fr', 'cs']);
  places.add(urlOf('en', 1) as CanonicalUrl, 'fr');
  expect(places.home(urlOf('en', 1) as CanonicalUrl, 'fr')).toBe(1);
});

test('a word of few pages, and another domain, say nothing', () => {
  const places = placesOf((lang, i) => `http://a.example/${lang}/${i}`, ['en', 'fr']);
  for (let i = 0; i < 4; i++) places.add(`http://a.example/new/${i}` as CanonicalUrl, 'en');
  expect(places.home('http://a.example/new/1' as CanonicalUrl, 'fr')).toBe(1);
  expect(places.home('http://b.example/en/1' as CanonicalUrl, 'fr')).toBe(1);
});

test('a hundred thousand names at one place are forgotten, and cost seconds at most', () => {
  const places = new LanguagePlaces();
  for (let i = 0; i < 100_000; i++) places.add(`http://a.example/${i % 2 === 0 ? 'en' : 'fr'}/n${i}` as CanonicalUrl, i % 2 === 0 ? 'en' : 'fr');
  expect(places.home('http://a.example/en/n2' as CanonicalUrl, 'fr')).toBe(0);
});
