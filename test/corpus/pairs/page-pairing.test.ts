import { expect, test } from 'vitest';
import type { PairedPages } from '../../../src/corpus/pairs/page-pairing.ts';
import { paired, type Written } from './written-pages.ts';

const TOPICS = [
  ['The mill was built in 1741 by Pieter Hagen.', 'Le moulin fut construit en 1741 par Pieter Hagen.'],
  ['It has 4 wings of 23.5 metres and grinds 300 kg an hour.', 'Il a 4 ailes de 23,5 mètres et moud 300 kg par heure.'],
  [
    'Its owner sold it to the Vermeer family in 1902 for 12,500 guilders.',
    'Son propriétaire le vendit à la famille Vermeer en 1902 pour 12.500 florins.',
  ],
  ['Visitors are welcome.', 'Les visiteurs sont les bienvenus.'],
] as const;

/** The text of a page about a mill of its own: other years, weights and names. */
function mill(i: number, side: 0 | 1): string {
  const names = ['Hagen', 'Brandt', 'Okonjo', 'Silva', 'Moreau', 'Tanaka', 'Novak', 'Lindqvist'];
  const lines = TOPICS.map((line) =>
    line[side].replace('Hagen', `${names[i % 8]}${i}`).replace(/\b(1\d{3}|300)\b/g, (year) => String(Number(year) + 7 * i)),
  );
  return lines.slice(0, 3 + (i % 2)).join('\n');
}

const mills = (urlOf: (i: number, side: 0 | 1) => string, count = 8): Written[] =>
  Array.from({ length: count }, (_, i) =>
    ([0, 1] as const).map((side) => ({ url: urlOf(i, side), lang: side === 0 ? 'en' : 'fr', text: mill(i, side) })),
  ).flat();

const twinsOf = ({ pairs }: PairedPages): boolean => pairs.every(({ left, right }) => right === left + 1);

test('pages that declare each other are a pair, though nothing else of them agrees', async () => {
  const { pairs, without } = await paired([
    {
      url: 'http://a.example/mills',
      lang: 'en',
      text: 'Mills of the north, a short guide.',
      alternates: { en: 'http://a.example/mills', fr: 'http://a.example/moulins' },
    },
    {
      url: 'http://a.example/moulins',
      lang: 'fr',
      text: 'Les moulins du nord, un petit guide.',
      alternates: { en: 'http://a.example/mills' },
    },
  ]);
  expect(pairs).toMatchObject([{ left: 0, right: 1, by: 'hreflang', isReciprocal: true }]);
  expect(without.size).toBe(0);
});

test('a page that a crawl kept as the alternate of another one is its partner, though neither of them says so', async () => {
  const { pairs } = await paired([
    { url: 'http://a.example/mills', lang: 'en', text: 'Mills of the north, a short guide.' },
    { url: 'http://a.example/moulins', lang: 'fr', text: 'Les moulins du nord, un petit guide.', alternateOf: 'http://a.example/mills' },
    { url: 'http://a.example/autre', lang: 'fr', text: 'Un autre guide.', alternateOf: 'http://a.example/unknown' },
  ]);
  expect(pairs).toMatchObject([{ left: 0, right: 1, by: 'hreflang', isReciprocal: false }]);
});

test('a page has the region that it declares, if its text is in that language', async () => {
  const detect = (text: string) => text.slice(0, 2);
  const pages = [
    { url: 'http://a.example/0', lang: 'zh-tw', text: 'zh 1' },
    { url: 'http://a.example/1', lang: 'zh-cn', text: 'zh 2' },
    { url: 'http://a.example/2', lang: null, text: 'zh 3' },
    { url: 'http://a.example/3', lang: 'zh-tw', text: 'en 4' },
    { url: 'http://a.example/4', lang: 'en', text: 'zh 5' },
    { url: 'http://a.example/5', lang: 'zh-tw', text: 'de 6' },
  ];
  const { without } = await paired(pages, ['en', 'zh-tw'], detect);
  const reasons = pages.map((_, i) => without.get(i));
  expect(reasons).toEqual(['no-candidate', 'other-region', 'other-region', 'no-candidate', 'other-region', 'no-candidate']);
});

test.each<[readonly [string, string], readonly (readonly [lang: string | null, text: string, side: 0 | 1 | string])[]]>([
  [
    ['pt', 'pt-br'],
    [
      ['pt-br', 'pt', 1],
      ['pt-pt', 'pt', 0],
      ['pt', 'pt', 0],
      [null, 'pt', 0],
      ['en', 'pt', 0],
    ],
  ],
  [
    ['en', 'zh-hans'],
    [
      ['zh-tw', 'zh', 'other-region'],
      ['zh-cn', 'zh', 1],
      ['zh', 'zh', 1],
      [null, 'zh', 'other-region'],
    ],
  ],
  [
    ['en', 'nb-no'],
    [
      ['no', 'no', 'other-region'],
      ['nb-no', 'no', 1],
      ['no-no', 'no', 1],
      [null, 'en', 0],
    ],
  ],
])('of the languages %j, texts with declared tags are of these sides', async (langs, cases) => {
  const detect = (text: string) => text.slice(0, 2);
  for (const [lang, text, side] of cases) {
    const url = (name: string) => `http://a.example/${name}`;
    const page = {
      url: url('page'),
      lang,
      text: `${text} 1741 1902 12500 Hagen.b Silva.c`,
      alternates: Object.fromEntries(langs.map((tag) => [tag, url('twin')])),
    };
    const twins = ([0, 1] as const).map(async (one) => {
      const twin = {
        url: url('twin'),
        lang: langs[one],
        text: `${langs[one].slice(0, 2)} 1741 1902 12500 Hagen.b Silva.c, and more`,
        alternates: { [lang ?? text]: url('page') },
      };
      const { pairs, without } = await paired([page, twin], langs, (words) =>
        words === twin.text ? (langs[one] === 'nb-no' ? 'no' : detect(words)) : detect(words),
      );
      return pairs.length > 0 ? 'pair' : (without.get(0) ?? 'none');
    });
    const found = await Promise.all(twins);
    if (typeof side === 'string') expect([lang, ...found]).toEqual([lang, side, side]);
    else expect([lang, found[1 - side]]).toEqual([lang, 'pair']);
  }
});

test('a declaration that is not returned loses against one that is', async () => {
  const text = 'Opening hours of the museum.';
  const { pairs, without } = await paired([
    { url: 'http://a.example/old', lang: 'en', text, alternates: { fr: 'http://a.example/heures' } },
    { url: 'http://a.example/heures', lang: 'fr', text: 'Heures du musée, tous les jours.', alternates: { en: 'http://a.example/hours' } },
    { url: 'http://a.example/hours', lang: 'en', text: `${text} Daily.`, alternates: { fr: 'http://a.example/heures' } },
  ]);
  expect(pairs).toMatchObject([{ left: 2, right: 1, by: 'hreflang', isReciprocal: true }]);
  expect(without.get(0)).toBe('partner-taken');
});

test.each([
  ['folders', (i: number, side: 0 | 1) => `http://a.example/${['en', 'fr'][side]}/${i}.html`],
  ['a query', (i: number, side: 0 | 1) => `http://a.example/show?id=${i}&lang=${['en', 'fr'][side]}`],
  ['endings of files', (i: number, side: 0 | 1) => `http://a.example/${i}.${['en', 'fr'][side]}.html`],
  ['subdomains', (i: number, side: 0 | 1) => `http://${['en', 'fr'][side]}.a.example/${i}`],
  ['country domains', (i: number, side: 0 | 1) => `http://mills.${['co.uk', 'fr'][side]}/${i}`],
  ['a folder for one language alone', (i: number, side: 0 | 1) => `http://a.example/${['', 'fr/'][side]}mill/${i}`],
  ['random words', (i: number, side: 0 | 1) => `http://a.example/${['quirb', 'zorple'][side]}/${i}.html`],
])('the URLs of twins follow from each other by %s', async (_, urlOf) => {
  const found = await paired(mills(urlOf));
  expect(found.pairs).toHaveLength(8);
  expect(twinsOf(found)).toBe(true);
  expect(new Set(found.pairs.map(({ by }) => by))).toEqual(new Set(['url']));
});

test('a pattern of random words is learned from pages whose texts agree, and pairs pages that have nothing rare', async () => {
  const urlOf = (name: string, side: 0 | 1) => `http://a.example/${['quirb', 'zorple'][side]}/${name}.html`;
  const found = await paired([
    ...mills((i, side) => urlOf(String(i), side)),
    { url: urlOf('thanks', 0), lang: 'en', text: 'We thank all who helped us.\nThey know who they are.' },
    { url: urlOf('thanks', 1), lang: 'fr', text: 'Merci à ceux qui nous ont aidés.\nIls savent de qui nous parlons.' },
  ]);
  expect(found.patterns).toMatchObject([{ leftHost: 'a.example', rightHost: 'a.example', left: 'quirb', right: 'zorple' }]);
  expect(found.pairs).toHaveLength(9);
  expect(twinsOf(found)).toBe(true);
});

test('pages without a pattern are paired by numbers, names and lines', async () => {
  const found = await paired(mills((i, side) => `http://a.example/${['m', 'p'][side]}${(i * 7919 + side * 104729) % 9973}`));
  expect(found.pairs).toHaveLength(8);
  expect(twinsOf(found)).toBe(true);
  expect(new Set(found.pairs.map(({ by }) => by))).toEqual(new Set(['structure']));
});

test('a link whose text names the language of its target makes a pair', async () => {
  const { pairs } = await paired([
    { url: 'http://a.example/contact', lang: 'en', text: 'Write to us, or visit the mill on Sunday.' },
    {
      url: 'http://a.example/k7',
      lang: 'fr',
      text: 'Écrivez-nous, ou visitez le moulin le dimanche.',
      from: { url: 'http://a.example/contact', words: 'Version française' },
    },
  ]);
  expect(pairs).toMatchObject([{ left: 0, right: 1, by: 'link', isReciprocal: false }]);
});

test('each page without a partner has its reason', async () => {
  const { pairs, without } = await paired([
    { url: 'http://a.example/1', lang: 'de', text: 'Eine Seite auf Deutsch.' },
    { url: 'http://a.example/2', lang: null, text: '42' },
    { url: 'http://a.example/3', lang: 'en', text: '  ' },
    { url: 'http://a.example/4', lang: 'en', text: 'Its twin was never fetched.', alternates: { fr: 'http://a.example/absent' } },
    { url: 'http://a.example/5', lang: 'en', text: 'Its twin is German, whatever it says.', alternates: { fr: 'http://a.example/1' } },
    { url: 'http://a.example/6', lang: 'en', text: 'A page alone.' },
    { url: 'http://a.example/en/7', lang: 'en', text: 'Not translated yet: see 1848 and XKCD.' },
    { url: 'http://a.example/fr/7', lang: 'fr', text: 'Not translated yet: see 1848 and XKCD.' },
  ]);
  expect(pairs).toEqual([]);
  expect([...without].sort(([a], [b]) => a - b)).toEqual([
    [0, 'other-language'],
    [1, 'unknown-language'],
    [2, 'empty-text'],
    [3, 'partner-missing'],
    [4, 'partner-other-language'],
    [5, 'no-candidate'],
    [6, 'same-text'],
    [7, 'same-text'],
  ]);
});

test('a page that declares many regions has the partner of any of them that is in the corpus', async () => {
  const regions = Object.fromEntries(['be', 'ca', 'ch', 'lu', 'mc', 'sn'].map((region) => [`fr-${region}`, `http://a.example/${region}`]));
  const english = { url: 'http://a.example/mills', lang: 'en', text: 'Mills of the north, a short guide.', alternates: regions };
  const french = { url: 'http://a.example/sn', lang: 'fr', text: 'Les moulins du nord, un petit guide.' };
  expect((await paired([english, french])).pairs).toMatchObject([{ left: 0, right: 1, by: 'hreflang' }]);

  const german = { url: 'http://a.example/be', lang: 'de', text: 'Eine Seite auf Deutsch.' };
  expect((await paired([english])).without.get(0)).toBe('partner-missing');
  expect((await paired([english, german])).without.get(0)).toBe('partner-other-language');
  expect((await paired([english, german, { ...french, text: english.text }])).without.get(0)).toBe('same-text');
});

test('the order of the pages changes no pair', async () => {
  const pages = mills((i, side) => `http://a.example/${['m', 'p'][side]}${(i * 7919 + side * 104729) % 9973}`);
  const named = async (written: readonly Written[]) =>
    (await paired(written)).pairs.map(({ left, right }) => `${written[left]?.url} ${written[right]?.url}`).sort();
  expect(await named(pages.toReversed())).toEqual(await named(pages));
});

test('a page is paired with the page among pages of its language, not with a copy among pages of another', async () => {
  // The copies in the folder of Czech are of the edition that is translated: they have all of its numbers.
  const urlOf = (folder: string, i: number) => `http://a.example/${folder}/${i}.html`;
  const older = (text: string) => text.replaceAll(/\b1\d{3}\b/g, (year) => String(Number(year) + 1));
  const czech = Array.from({ length: 12 }, (_, i) => ({ url: urlOf('zq', 20 + i), lang: 'cs', text: `Mlýn číslo ${i}` }));
  const pages = [
    ...mills((i, side) => urlOf(['en', 'fr'][side] === 'en' ? 'xk' : 'wj', i)).map((page) =>
      page.lang === 'en' ? { ...page, text: older(page.text) } : page,
    ),
    ...mills((i) => urlOf('zq', i)).filter(({ lang }) => lang === 'en'),
    ...czech,
  ];
  const found = await paired(pages);
  const folders = new Set(found.pairs.map(({ left, right }) => [left, right].map((page) => pages[page]?.url.split('/')[3]).join(' ')));
  expect([found.pairs.length, ...folders]).toEqual([8, 'xk wj']);
});

test('pages in two languages of one folder, such as that of a country, are at home there', async () => {
  const czech = Array.from({ length: 12 }, (_, i) => ({ url: `http://a.example/zq/${i}`, lang: 'cs', text: `Mlýn číslo ${i}` }));
  const other = (text: string) => text.replaceAll(/\b1\d{3}\b/g, (year) => String(Number(year) + 1));
  const pages = [
    ...mills((i, side) => `http://a.example/ca/${['', 'f'][side]}${i}`),
    ...mills((i) => `http://a.example/fr/f${i}`)
      .filter(({ lang }) => lang === 'fr')
      .map((page) => ({ ...page, text: other(page.text) })),
    ...mills((i) => `http://a.example/fr/g${i}`, 4)
      .filter(({ lang }) => lang === 'fr')
      .map((page, i) => ({ ...page, text: `Page ${i} sur autre chose.` })),
    ...czech,
  ];
  const { pairs } = await paired(pages);
  expect(pairs.map(({ right }) => pages[right]?.url.split('/')[3])).toEqual(Array(8).fill('ca'));
});

test('a declared partner is taken among pages of any language', async () => {
  const urlOf = (folder: string, i: number) => `http://a.example/${folder}/${i}.html`;
  const czech = Array.from({ length: 12 }, (_, i) => ({ url: urlOf('zq', 20 + i), lang: 'cs', text: `Mlýn číslo ${i}` }));
  const pages = [
    ...mills((i, side) => urlOf(side === 0 ? 'xk' : 'wj', i)).map((page, at) =>
      page.lang === 'fr' ? { ...page, alternates: { en: urlOf('zq', at >> 1) } } : page,
    ),
    ...mills((i) => urlOf('zq', i))
      .filter(({ lang }) => lang === 'en')
      .map((page) => ({ ...page, alternates: { fr: page.url.replace('zq', 'wj') } })),
    ...czech,
  ];
  const found = await paired(pages);
  expect(new Set(found.pairs.map(({ left }) => pages[left]?.url.split('/')[3]))).toEqual(new Set(['zq']));
});
