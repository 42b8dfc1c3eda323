/** Pages made to take all time or all memory of the pairing. Vitest's limit of time is the bound. */
import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { pageSketch } from '../../../src/corpus/pairs/page-sketch.ts';
import { size } from '../../support/extent.ts';
import { paired, type Written } from './written-pages.ts';

const PAGES = size(100_000, 4000);

function pages(count: number, page: (i: number, side: 0 | 1) => Omit<Written, 'lang'>): readonly Written[] {
  return Array.from({ length: count }, (_, i) => ({ lang: i % 2 === 0 ? 'en' : 'fr', ...page(i >> 1, (i % 2) as 0 | 1) }));
}

test('pages that all have one text a language have nothing rare, and no candidates', async () => {
  const texts = ['Call 0800 1234 for Acme-3000 support.\nOpen 9 to 17.', 'Appelez 0800 1234 pour Acme-3000.\nOuvert de 9 à 17.'];
  const { pairs, without } = await paired(pages(PAGES, (i, side) => ({ url: `http://a.example/${side}x${i}`, text: texts[side] ?? '' })));
  expect(pairs).toEqual([]);
  expect(without.size).toBe(PAGES);
  expect(new Set(without.values())).toEqual(new Set(['no-candidate']));
});

test('pages of one text whose URLs follow a pattern are pairs by it', async () => {
  const texts = ['Call 0800 1234 for Acme-3000 support.\nOpen 9 to 17.', 'Appelez 0800 1234 pour Acme-3000.\nOuvert de 9 à 17.'];
  const { pairs } = await paired(
    pages(PAGES, (i, side) => ({ url: `http://a.example/${['en', 'fr'][side]}/${i}`, text: texts[side] ?? '' })),
  );
  expect(pairs).toHaveLength(PAGES / 2);
  expect(pairs.every(({ left, right }) => right === left + 1)).toBe(true);
});

test('pages that all declare one page as their version are no pairs with it, but for the one it declares', async () => {
  const { pairs, without } = await paired([
    { url: 'http://a.example/fr', lang: 'fr', text: 'Bienvenue chez Acme, ouvert depuis 1871.', alternates: { en: 'http://a.example/7' } },
    ...Array.from({ length: PAGES }, (_, i) => ({
      url: `http://a.example/${i}`,
      lang: 'en',
      text: 'We sell paper.',
      alternates: { fr: 'http://a.example/fr' },
    })),
  ]);
  expect(pairs).toMatchObject([{ left: 8, right: 0, by: 'hreflang', isReciprocal: true }]);
  expect(without.size).toBe(PAGES - 1);
});

test('a million numbers, a word of ten megabytes and a million lines make small sketches', () => {
  const url = 'http://a.example/' as CanonicalUrl;
  const numbers = Array.from({ length: 1_000_000 }, (_, i) => i * 7).join(' ');
  for (const text of [numbers, 'a1'.repeat(5_000_000), '12\n'.repeat(1_000_000), `${'.-'.repeat(1_000_000)}x`]) {
    const { firm, words, lines } = pageSketch({ url, text }, 0);
    expect(firm.byteLength + words.byteLength + lines.byteLength).toBeLessThan(1024);
  }
});

test('URLs of a hundred thousand parts, alike in all but the last', async () => {
  const long = 'en/'.repeat(100_000);
  const { pairs } = await paired(pages(100, (i, side) => ({ url: `http://a.example/${long}${side}/${i}`, text: `Page ${i}` })));
  expect(pairs).toEqual([]);
});

test('a host whose pages declare versions on ever new hosts has few patterns, so that its pages are looked for by few', async () => {
  const at = (i: number, side: 0 | 1) => (side === 0 ? `http://a.example/p${i}` : `http://h${Math.floor(i / 3)}.b.example/p${i}`);
  const { pairs, patterns } = await paired(
    pages(size(100_000, 1200), (i, side) => ({
      url: at(i, side),
      text: `${['Page', 'Feuille'][side]} ${i * 7919}`,
      alternates: { [side === 0 ? 'fr' : 'en']: at(i, side === 0 ? 1 : 0) },
    })),
  );
  expect(pairs).toHaveLength(size(100_000, 1200) / 2);
  expect(patterns.length).toBeGreaterThan(0);
  expect(patterns.length).toBeLessThanOrEqual(32);
});
