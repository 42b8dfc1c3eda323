import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { runs } from '../../support/extent.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'Forager' });
const extract = (html: string, headers: Readonly<Record<string, string>> = {}) => extractor.extract(page(html, undefined, headers));
const metadata = (html: string) => extract(html).metadata;
const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

test('a page that says nothing', () => expect(metadata('<p>text</p>')).toEqual(NO_METADATA));

test('title: the title element, else og:title, else the first heading', () => {
  const og = '<meta property="og:title" content="Og">';
  expect(extract(`<title>T</title>${og}<h1>H</h1>`).title).toBe('T');
  expect(extract(`<title> </title>${og}<h1>H</h1>`).title).toBe('Og');
  expect(extract('<h1>H</h1>').title).toBe('H');
  expect(extract('<p>text</p>').title).toBe('');
});

test('language: the page, the pragma, the header, then what else says it', () => {
  const pragma = '<meta http-equiv="Content-Language" content="de">';
  const locale = '<meta property="og:locale" content="it_IT">';
  const data = jsonLd({ '@type': 'Article', inLanguage: { '@type': 'Language', name: 'Spanish', alternateName: 'es' } });
  expect(extract(`<html lang="pt_BR">${pragma}`, { 'content-language': 'en' }).lang).toBe('pt-br');
  expect(extract(`<html lang="">${pragma}`, { 'content-language': 'fr, en' }).lang).toBe('de');
  expect(extract(`<html lang="">${locale}`, { 'content-language': 'fr, en' }).lang).toBe('fr');
  expect(extract(`${locale}${data}`).lang).toBe('es');
  expect(extract(`${locale}<meta name="dc.language" content="nl">`).lang).toBe('nl');
  expect(extract(locale).lang).toBe('it-it');
  expect(extract('<p>').lang).toBeNull();
});

test('robots: metas for all and for us, and the header', () => {
  const of = (html: string, header?: string) => {
    const { noindex, nofollow } = extract(html, header === undefined ? {} : { 'x-robots-tag': header });
    return [noindex, nofollow];
  };
  expect(of('<p>x')).toEqual([false, false]);
  expect(of('<meta name="robots" content="NOINDEX">')).toEqual([true, false]);
  expect(of('<meta name="forager" content="nofollow">')).toEqual([false, true]);
  expect(of('<meta name="otherbot" content="none">')).toEqual([false, false]);
  expect(of('<p>x', 'noindex, nofollow')).toEqual([true, true]);
  expect(of('<p>x', 'otherbot: noindex')).toEqual([false, false]);
  const metas =
    '<meta name=robots content="NoArchive, max-snippet:-1 "><meta name=forager content="noarchive,noai"><meta name=bot content=none>';
  expect(metadata(metas).robots).toEqual(['noarchive', 'max-snippet:-1', 'noai']);
  const headers = { 'x-robots-tag': 'otherbot: noai\nForager: noimageai, noarchive' };
  expect(extract(metas, headers).metadata.robots).toEqual(['noarchive', 'max-snippet:-1', 'noai', 'noimageai']);
  expect(extract('text', { ...headers, 'content-type': 'text/plain' }).metadata.robots).toEqual(['noimageai', 'noarchive']);
});

test('reservations: metas before headers, noai in both; nothing of a page that says nothing', () => {
  const of = (html: string, headers: Readonly<Record<string, string>> = {}) => extract(html, headers).reservation;
  const metas =
    '<base href="https://b.example/x/"><meta name="TDM-Reservation" content=" 1 "><meta name="tdm-policy" content="policy.json">';
  expect(of('<p>x')).toBeUndefined();
  expect(of(metas)).toEqual({ reserved: true, by: 'meta', policy: 'https://b.example/x/policy.json' });
  expect(of(metas, { 'tdm-reservation': '0' })).toMatchObject({ reserved: true, by: 'meta' });
  expect(of('<p>x', { 'tdm-reservation': '1', 'tdm-policy': '/p' })).toEqual({
    reserved: true,
    by: 'header',
    policy: 'https://www.example.com/p',
  });
  expect(of('<meta name=tdm-reservation content=0>', { 'tdm-reservation': '1' })).toMatchObject({ reserved: false, by: 'meta' });
  expect(of('<meta name=robots content="noindex, NOAI">')).toMatchObject({ reserved: true, by: 'noai' });
  expect(of('<meta name=otherbot content=noai>', { 'x-robots-tag': 'otherbot: noai' })).toBeUndefined();
  expect(of('text', { 'content-type': 'text/plain', 'tdm-reservation': '1' })).toMatchObject({ reserved: true, by: 'header' });
  expect(of('text', { 'content-type': 'text/plain', 'x-robots-tag': 'noai' })).toMatchObject({ reserved: true, by: 'noai' });
});

test('metas in order of exactness; what is empty or no date is passed over', () => {
  const html =
    '<meta name="date" content="2001"><meta property="article:published_time" content=" 2002 "><meta name="DC.creator" content="A. Author">' +
    '<meta property="og:description" content="Og"><meta name="description" content=""><link rel="canonical" href="/c#f"><time datetime="1999">';
  expect(metadata(html)).toEqual({
    ...NO_METADATA,
    canonical: 'https://www.example.com/c',
    description: 'Og',
    authors: ['A. Author'],
    published: '2002',
  });
  const unset = '<meta property="article:published_time" content="0001-01-01T00:00:00"><meta name="pubdate" content="1970-01-01">';
  expect(metadata(`${unset}<meta name="date" content="soon"><meta name="dc:date" content="3 May 2004">`).published).toBe('2004-05-03');
  expect(metadata(unset).published).toBeNull();
});

test('authors: every one, no URL, no byline word, no sentence', () => {
  const citations = '<meta name="citation_author" content="Oakes, M."><meta name="citation_author" content="Vale, T.">';
  expect(metadata(`${citations}<meta name="author" content="Editors">`).authors).toEqual(['Oakes, M.', 'Vale, T.']);
  const facebook = '<meta property="article:author" content="https://social.example/maren">';
  expect(metadata(`${facebook}<meta name="author" content="By  Maren Oakes">`).authors).toEqual(['Maren Oakes']);
  expect(metadata(`${facebook}<p>By <a rel="author" href="/m">Maren Oakes</a></p>`).authors).toEqual(['Maren Oakes']);
  expect(metadata(`<meta name="author" content="${'word '.repeat(60)}"><footer><a rel=author href=/g>us</a></footer>`).authors).toEqual([]);
});

test('dates of time elements: by role, and never an update as a publication', () => {
  const updated = '<time class="updated" datetime="2003-02-01">x</time>';
  const published = '<time itemprop="datePublished" datetime="2001-02-03T04:05+02:00">x</time>';
  expect(metadata(`<time datetime="1999-01-01">x</time>${updated}${published}`)).toMatchObject({
    published: '2001-02-03T04:05:00+02:00',
    modified: '2003-02-01',
  });
  expect(metadata(updated)).toMatchObject({ published: null, modified: '2003-02-01' });
  expect(metadata('<aside><time class="published" datetime="2001">x</time></aside>').published).toBeNull();
});

test.each([
  ['the day of creation', { '@type': 'Article', datePublished: 'last week', dateCreated: '2021-05-03' }],
  ['another value', { '@type': 'Report', datePublished: ['soon', '2021-05-03'] }],
  [
    'the page',
    [
      { '@type': 'Article', datePublished: '03/04/2021' },
      { '@type': 'WebPage', datePublished: '2021-05-03' },
    ],
  ],
  ['a day that is not to come', { '@type': 'Article', datePublished: '2077-01-01', dateCreated: '2021-05-03' }],
  ['the day of creation beside an empty one', { '@type': 'Article', datePublished: ' ', dateCreated: '2021-05-03' }],
])('JSON-LD: an unreadable day is skipped for %s', (_, nodes) => {
  expect(metadata(jsonLd({ '@graph': [nodes].flat() })).published).toBe('2021-05-03');
});

test('JSON-LD: the work before the page, names by reference, types by full name', () => {
  const graph = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', '@id': '#site', name: 'Tideline &amp; Co' },
      { '@type': 'WebPage', datePublished: '2000-01-01', description: 'The page', license: 'https://licence.example/by' },
      { '@type': 'ImageObject', author: { name: 'A Photographer' }, license: '/picture' },
      {
        '@type': 'https://schema.org/NewsArticle',
        author: [{ '@id': '#maren' }, 'T. Vale'],
        datePublished: '2021-03-14',
        dateModified: ['2021-03-15'],
      },
      { '@type': ['Person', 'Author'], '@id': '#maren', name: 'Maren Oakes' },
    ],
  };
  expect(metadata(jsonLd(graph))).toEqual({
    ...NO_METADATA,
    description: 'The page',
    authors: ['Maren Oakes', 'T. Vale'],
    siteName: 'Tideline & Co',
    published: '2021-03-14',
    modified: '2021-03-15',
    licences: ['https://licence.example/by'],
  });
  const nested = { '@type': 'QAPage', mainEntity: { '@type': 'Question', author: { name: 'Asker' }, dateCreated: '2020-01-02' } };
  expect(metadata(jsonLd([nested]))).toMatchObject({ authors: ['Asker'], published: '2020-01-02' });
  expect(metadata(jsonLd({ '@type': 'Organization', name: 'Not a page', datePublished: '2020' }))).toEqual(NO_METADATA);
});

test.each<readonly [what: string, author: unknown, names: readonly string[]]>([
  ['an object for the name', { '@type': 'Person', name: { '@type': 'Text', '@value': 'Maren Oakes' } }, ['Maren Oakes']],
  ['a name in a name', { name: { name: { name: 'Maren Oakes' } } }, ['Maren Oakes']],
  ['a name in several languages', { name: [{ '@language': 'en', '@value': 'Maren Oakes' }, 'x'] }, ['Maren Oakes']],
  ['parts of a name', { givenName: 'Maren', additionalName: 'A.', familyName: ['Oakes'] }, ['Maren A. Oakes']],
  ['an empty name beside its parts', { name: ' ', givenName: 'Maren', familyName: 'Oakes' }, ['Maren Oakes']],
  ['a list object', { '@list': [{ name: 'Maren Oakes' }, { name: 'T. Vale' }] }, ['Maren Oakes', 'T. Vale']],
  ['a reference with its type', { '@type': 'Person', '@id': '#maren' }, ['Maren Oakes']],
  ['two people in one text', 'By Maren Oakes and Tom Vale', ['Maren Oakes', 'Tom Vale']],
  ['an organisation', { '@type': 'Organization', legalName: 'Tideline Press' }, ['Tideline Press']],
  ['an address and a handle', [{ name: 'https://tide.example/m' }, '@maren'], []],
])('JSON-LD: names as %s', (_, author, names) => {
  const maren = { '@type': 'WebPage', author: { '@id': '#maren', '@type': 'Person', name: 'Maren Oakes' } };
  const work = { '@type': 'BlogPosting', datePublished: 1_620_028_800, author };
  const published = '2021-05-03T08:00:00Z';
  expect(metadata(jsonLd({ '@graph': [maren, work] }))).toMatchObject({ authors: names, published });
});

test('JSON-LD: damaged as it often is, or beyond repair', () => {
  const script = (text: string, type = 'application/ld+json') => `<script type="${type}">${text}</script>`;
  const lines = '{"@type": "Article", "description": "two\nlines\tof it", "datePublished": "2021"}';
  expect(metadata(script(lines))).toMatchObject({ description: 'two lines of it', published: '2021' });
  expect(metadata(script(`//<![CDATA[\n[${lines}]\n//]]>`)).published).toBe('2021');
  expect(metadata(script(`<!-- ${lines} -->`, 'Application/LD+JSON; charset=utf-8')).published).toBe('2021');
  for (const text of ['', '{', '{"@type": "Article", }', 'null', '[[[1]]]', '"Article"', '['.repeat(100_000)]) {
    expect(metadata(script(text))).toEqual(NO_METADATA);
  }
  expect(metadata(script(lines, 'application/json'))).toEqual(NO_METADATA);
  expect(metadata(`<script type="application/ld+json"></script><style>${lines}</style><title>${lines}</title>`)).toEqual(NO_METADATA);
});

test('JSON-LD: bounds', () => {
  let deep: unknown = { '@type': 'Article', datePublished: '2021' };
  for (let i = 0; i < 50; i += 1) deep = { '@graph': [deep] };
  expect(metadata(jsonLd(deep)).published).toBeNull();
  const padding = { '@type': 'Thing', name: 'x'.repeat(600_000) };
  const small = { '@type': 'Article', datePublished: '2021' };
  expect(metadata(jsonLd([small, padding])).published).toBeNull();
  expect(metadata(jsonLd(padding) + jsonLd(small)).published).toBe('2021');
  const many = Array.from({ length: 100 }, (_, i) => ({ name: `Author ${i}` }));
  expect(metadata(jsonLd({ ...small, author: many })).authors).toHaveLength(20);
});

test('licences: from everywhere, resolved, once; rights in words', () => {
  const html =
    '<base href="https://base.example/d/"><link rel="license" href="../by"><meta name="DCTERMS.license" content="https://cc.example/by/4.0/">' +
    '<meta property="dcterms:rights" content="© 2021 Tideline"><p><a rel="nofollow license" href="https://cc.example/by/4.0/">CC</a>' +
    '<a rel="license" href="javascript:void(0)">no</a></p>';
  expect(metadata(html)).toMatchObject({
    licences: ['https://base.example/by', 'https://cc.example/by/4.0/'],
    rights: '© 2021 Tideline',
  });
  const many = Array.from({ length: 60 }, (_, i) => `<link rel=license href="/${i}"><a rel=license href="/b${i}">x</a>`).join('');
  expect(metadata(many).licences).toHaveLength(10);
});

test('alternates are also those of links in the text, where they say so', () => {
  const html =
    '<p>Other versions: <a href="/fr/weir" hreflang="fr" rel="alternate" title="Français">fr</a> <a hreflang="de" href="/de/weir">a German source</a> ' +
    '<a rel="alternate" href="/es/weir">es</a> <a rel="alternate" hreflang="it">no address</a></p>';
  expect(metadata(html).alternates).toEqual([{ lang: 'fr', url: 'https://www.example.com/fr/weir' }]);
});

test('alternates: the first of each language, x-default, and no feed', () => {
  const html =
    '<link rel="alternate" hreflang="de" href="/de"><link rel="alternate" hreflang="DE" href="/de2"><link rel="alternate" hreflang="x-default" href="/">' +
    '<link rel="alternate" hreflang="zh_Hant" href="/zh"><link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" hreflang="!" href="/x">';
  expect(metadata(html).alternates).toEqual([
    { lang: 'de', url: 'https://www.example.com/de' },
    { lang: 'x-default', url: 'https://www.example.com/' },
    { lang: 'zh-hant', url: 'https://www.example.com/zh' },
  ]);
  const code = (i: number) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26));
  const many = Array.from({ length: 600 }, (_, i) => `<link rel=alternate hreflang=${code(i)} href=/${i}>`).join('');
  expect(metadata(many).alternates).toHaveLength(100);
});

test('any declarations give a result of the same shape, whatever they say', () => {
  const word = fc.constantFrom(
    '2021',
    'https://a.example/',
    'By ',
    '"',
    '&quot;',
    '{',
    '[',
    '"@type"',
    ':',
    'Article',
    ',',
    ' ',
    '\n',
    '@graph',
    '}',
    ']',
    'author',
  );
  const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(''));
  const element = fc.oneof(
    text.map((value) => `<script type="application/ld+json">${value}</script>`),
    fc
      .tuple(fc.constantFrom('author', 'date', 'dc.rights', 'og:locale', 'robots'), text)
      .map(([name, value]) => `<meta name='${name}' content='${value}'>`),
    fc
      .tuple(fc.constantFrom('license', 'alternate', 'canonical'), text)
      .map(([rel, value]) => `<link rel=${rel} hreflang=en href='${value}'>`),
    text.map((value) => `<time class=published datetime='${value}'>`),
    fc
      .json()
      .map(
        (json) =>
          `<script type="application/ld+json">{"@type":"Article","author":${json},"license":${json},"datePublished":${json}}</script>`,
      ),
  );
  fc.assert(
    fc.property(fc.array(element, { maxLength: 8 }), (elements) => {
      const found = metadata(elements.join(''));
      expect(Object.keys(found)).toEqual(Object.keys(NO_METADATA));
      for (const url of [...found.licences, ...found.alternates.map((alternate) => alternate.url)]) expect(URL.canParse(url)).toBe(true);
      for (const text of [...found.authors, found.published ?? 'x', found.description ?? 'x']) expect(text).toMatch(/\S/);
    }),
    { numRuns: runs(500) },
  );
});
