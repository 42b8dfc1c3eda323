import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUrlList } from '../../../src/reading/extract/url-list.ts';
import { attributeOf, XmlScanner } from '../../../src/reading/extract/xml-scanner.ts';
import { urlOf } from '../../support/frontier-values.ts';

const AT = urlOf('http://www.moss.test/sitemap.xml');
const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

async function sitemap(text: string | Uint8Array) {
  const { pages, lists } = await readUrlList(AT, typeof text === 'string' ? bytesOf(text) : text, 'sitemap');
  return { urls: pages.map(({ url }) => url), lists };
}

function urlset(...urls: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NS}>${urls.map((url) => `<url><loc>${url}</loc><lastmod>2024-01-01</lastmod></url>`).join('\n')}</urlset>`;
}

async function feed(text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  const { pages, lists } = await readUrlList(urlOf('http://moss.test/blog/feed'), bytes, 'feed');
  expect(lists).toEqual([]);
  return pages.map(({ url, title }) => [url, title]);
}

describe('sitemaps', () => {
  test('locations in their order, each once, entities and character data read, relative ones resolved', async () => {
    const xml = urlset(
      'http://www.moss.test/a?x=1&amp;y=2',
      ' \n http://www.moss.test/b ',
      '<![CDATA[http://www.moss.test/c]]>',
      '/d',
      'http://www.moss.test/b#top',
    );
    expect(await sitemap(xml)).toEqual({
      urls: ['http://www.moss.test/a?x=1&y=2', 'http://www.moss.test/b', 'http://www.moss.test/c', 'http://www.moss.test/d'],
      lists: [],
    });
  });

  test('other elements are no pages: images, the page for telephones, what stands elsewhere; that in another language is one', async () => {
    const xml = `<urlset ${NS} xmlns:image="i" xmlns:xhtml="h"><!-- <url><loc>http://www.moss.test/comment</loc></url> --><loc>http://www.moss.test/nowhere</loc>
      <url><loc>http://www.moss.test/a</loc><image:image><image:loc>http://www.moss.test/a.png</image:loc></image:image><image:loc>http://www.moss.test/b.png</image:loc>
      <xhtml:link rel="alternate" hreflang="de" href="http://www.moss.test/de/a"/><xhtml:link rel="alternate" media="handheld" href="http://m.moss.test/a"/>
      <xhtml:link rel="Alternate" hreflang="fr" href="/fr/a"/><xhtml:link rel="alternate" hreflang="en" href="http://heath.test/a"/></url>
      <xhtml:link rel="alternate" hreflang="es" href="http://www.moss.test/es/a"/></urlset>`;
    expect((await sitemap(xml)).urls).toEqual(['http://www.moss.test/a', 'http://www.moss.test/de/a', 'http://www.moss.test/fr/a']);
  });

  test('the page in other languages, which stand anywhere in its element: at most a hundred, of its own domain, in a language', async () => {
    const alternate = (lang: string, url: string) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${url}"/>`;
    const many = Array.from({ length: 150 }, (_, i) => alternate('de', `/many/${i}`)).join('');
    const xml = `<urlset ${NS} xmlns:xhtml="h"><url>${alternate('en', '/a')}<loc>/a</loc>${alternate('zh_Hant', '/zh/a')}${alternate('x-default', '/')}</url>
      <url><loc>/b</loc>${alternate('fr', 'http://heath.test/b')}${alternate('', '/fr/b')}</url><url><loc>/c</loc>${many}</url><url>${alternate('fr', '/fr')}</url></urlset>`;
    const { pages } = await readUrlList(AT, bytesOf(xml), 'sitemap');
    const stated = new Map(pages.flatMap(({ url, alternates }) => (alternates ? [[new URL(url).pathname, alternates] as const] : [])));
    expect([...stated.keys()]).toEqual(['/a', '/c']);
    expect(stated.get('/a')).toEqual([
      { lang: 'en', url: 'http://www.moss.test/a' },
      { lang: 'zh-hant', url: 'http://www.moss.test/zh/a' },
    ]);
    expect(stated.get('/c')).toHaveLength(100);
  });

  test('the day of the last change, wherever it stands in its element; what is no day states none', async () => {
    const xml = `<urlset ${NS}><url><lastmod>2024-05-06</lastmod><loc>/a</loc></url><url><loc>/b</loc><lastmod> 2024-05-06T07:08:09+02:00 </lastmod></url>
      <url><loc>/c</loc><lastmod>lately</lastmod></url><url><loc>/d</loc></url><lastmod>2020-01-01</lastmod></urlset>`;
    const { pages } = await readUrlList(AT, bytesOf(xml), 'sitemap');
    expect(pages.map(({ url, modified }) => [url.slice(-1), modified && new Date(modified).toISOString()])).toEqual([
      ['a', '2024-05-06T00:00:00.000Z'],
      ['b', '2024-05-06T05:08:09.000Z'],
      ['c', undefined],
      ['d', undefined],
    ]);
  });

  test('a prefix for all elements', async () => {
    const xml = '<sm:urlset xmlns:sm="s"><sm:url><sm:loc>http://www.moss.test/a</sm:loc></sm:url></sm:urlset>';
    expect((await sitemap(xml)).urls).toEqual(['http://www.moss.test/a']);
  });

  test('an index names sitemaps, the first twenty, on any host, never itself', async () => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, i) => `<sitemap><loc>http://cdn.test/${i}.xml.gz</loc></sitemap>`).join('');
    const index = (inner: string) => `<sitemapindex ${NS}>${inner}</sitemapindex>`;
    expect(await sitemap(index(`<sitemap><loc>${AT}</loc></sitemap>${entries(2)}`))).toEqual({
      urls: [],
      lists: ['http://cdn.test/0.xml.gz', 'http://cdn.test/1.xml.gz'],
    });
    expect((await sitemap(index(entries(40)))).lists.length).toBe(20);
  });

  test('pages of the same registrable domain only', async () => {
    const xml = urlset(
      'http://moss.test/',
      'https://blog.moss.test/1',
      'http://elsewhere.test/',
      'ftp://moss.test/x',
      'javascript:alert(1)',
    );
    expect((await sitemap(xml)).urls).toEqual(['http://moss.test/', 'https://blog.moss.test/1']);
  });

  test('lines of plain text', async () => {
    expect((await sitemap('\ufeffhttp://www.moss.test/a\r\nhttp://www.moss.test/b\nnot a url\nhttp://www.moss.test/c')).urls).toEqual([
      'http://www.moss.test/a',
      'http://www.moss.test/b',
      'http://www.moss.test/c',
    ]);
  });

  test('gzip, and gzip that breaks off', async () => {
    const xml = urlset(...Array.from({ length: 20_000 }, (_, i) => `http://www.moss.test/${(i * 7919) % 20_011}`));
    const zipped = gzipSync(xml);
    expect((await sitemap(zipped)).urls.length).toBe(20_000);
    const { urls } = await sitemap(zipped.subarray(0, zipped.length >> 1));
    expect(urls.length).toBeGreaterThan(5000);
    expect(urls.length).toBeLessThan(15_000);
  });

  test('no more than 50,000 pages', async () => {
    const xml = urlset(...Array.from({ length: 50_100 }, (_, i) => `http://www.moss.test/${i}`));
    expect((await sitemap(xml)).urls.length).toBe(50_000);
  });

  test('of a bomb no more than 50 MB are unpacked', async () => {
    const bomb = gzipSync(
      Buffer.concat([bytesOf(`<urlset ${NS}>`), Buffer.alloc(60 * 1024 * 1024, 32), bytesOf(urlset('http://www.moss.test/late'))]),
    );
    expect(await sitemap(bomb)).toEqual({ urls: [], lists: [] });
  });

  test('a document type is passed over and its entities are not resolved', async () => {
    const xml = `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "http://www.moss.test/y">]>${urlset('http://www.moss.test/&x;', '&y;')}`;
    expect((await sitemap(xml)).urls).toEqual(['http://www.moss.test/&x;', 'http://www.moss.test/&y;']);
  });

  test('another charset than UTF-8, as the declaration says', async () => {
    const xml = urlset('http://www.moss.test/%E9t%E9', 'http://www.moss.test/été').replace('UTF-8', 'ISO-8859-1');
    expect((await sitemap(Buffer.from(xml, 'latin1'))).urls).toEqual([
      'http://www.moss.test/%E9t%E9',
      'http://www.moss.test/%C3%A9t%C3%A9',
    ]);
  });

  test('UTF-16 in both byte orders, with its mark or without, whatever the declaration says, packed, and as lines', async () => {
    const urls = ['http://www.moss.test/été', 'http://www.moss.test/2'];
    const read = ['http://www.moss.test/%C3%A9t%C3%A9', 'http://www.moss.test/2'];
    const forms = [urlset(...urls), urlset(...urls).replace('UTF-8', 'utf-16'), urlset(...urls).replace(/<\?.*?\?>/, ''), urls.join('\n')];
    for (const text of forms.flatMap((form) => [form, `\ufeff${form}`])) {
      const little = Buffer.from(text, 'utf16le');
      const big = Buffer.from(little).swap16();
      for (const bytes of [little, big, gzipSync(little), gzipSync(big)]) expect((await sitemap(bytes)).urls).toEqual(read);
    }
  });

  test('UTF-16 is decoded piece by piece: no pair and no character is cut', async () => {
    const urls = Array.from({ length: 9_000 }, (_, i) => `http://www.moss.test/${i}/𐍈`);
    const little = Buffer.from(`\ufeff<!--x-->${urlset(...urls)}`, 'utf16le');
    expect((await sitemap(little)).urls.length).toBe(9_000);
  });

  test.each([
    ['windows-1251', [0xec, 0xee, 0xf5], '%D0%BC%D0%BE%D1%85'],
    ['EUC-KR', [0x94, 0xee], '%EB%B7%81'],
    ['shift_jis', [0x90, 0x85], '%E6%B0%B4'],
    ['utf-16', [0xc3, 0xa9], '%C3%A9'],
    ['no-such-charset', [0xc3, 0xa9], '%C3%A9'],
  ])('a declaration of %s', async (label, bytes, path) => {
    const [before = '', after = ''] = urlset('http://www.moss.test/|').replace('UTF-8', label).split('|');
    const xml = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    expect((await sitemap(xml)).urls).toEqual([`http://www.moss.test/${path}`]);
  });

  test('a page that is none', async () => {
    expect(await sitemap('<!doctype html><html><body><a href="/x">Not found</a></body></html>')).toEqual({ urls: [], lists: [] });
    expect(await sitemap('')).toEqual({ urls: [], lists: [] });
  });
});

describe('feeds', () => {
  test('the day of the last change of an entry: Atom, RSS 2.0, RSS 1.0', async () => {
    const dates = async (xml: string) => {
      const { pages } = await readUrlList(AT, bytesOf(xml), 'feed');
      return pages.map(({ modified }) => modified && new Date(modified).toISOString());
    };
    const atom = `<feed><updated>2020-01-01T00:00:00Z</updated><entry><link href="/a"/><published>2024-01-01T00:00:00Z</published><updated>2024-05-06T07:08:09Z</updated></entry>
      <entry><link href="/b"/><published>2024-01-01T00:00:00Z</published></entry><entry><link href="/c"/></entry></feed>`;
    expect(await dates(atom)).toEqual(['2024-05-06T07:08:09.000Z', '2024-01-01T00:00:00.000Z', undefined]);
    const rss =
      '<rss><channel><pubDate>Mon, 01 Jan 2018 00:00:00 GMT</pubDate><item><link>/a</link><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item></channel></rss>';
    expect(await dates(rss)).toEqual(['2024-05-06T07:08:09.000Z']);
    const rdf = '<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><item><link>/a</link><dc:date>2024-05-06</dc:date></item></rdf:RDF>';
    expect(await dates(rdf)).toEqual(['2024-05-06T00:00:00.000Z']);
  });

  test('RSS: links and titles of items, on any host; not those of the channel', async () => {
    const xml = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="a"><channel><title>Moss</title><link>http://moss.test/</link><atom:link href="http://moss.test/feed" rel="self"/>
      <item><title>Peat &amp; <![CDATA[moss]]></title><link>http://moss.test/1</link><media:title>no</media:title></item>
      <item><title>Elsewhere</title><link> http://peat.test/2 </link></item><item><title>Nothing</title></item></channel></rss>`;
    expect(await feed(xml)).toEqual([
      ['http://moss.test/1', 'Peat & moss'],
      ['http://peat.test/2', 'Elsewhere'],
    ]);
  });

  test('RSS 1.0', async () => {
    const xml =
      '<rdf:RDF xmlns:rdf="r" xmlns="x"><channel><link>http://moss.test/</link></channel><item rdf:about="y"><title>One</title><link>http://moss.test/1</link></item></rdf:RDF>';
    expect(await feed(xml)).toEqual([['http://moss.test/1', 'One']]);
  });

  test('RSS: a guid is the link of an item without one, unless it says that it is none', async () => {
    const items = [
      '<guid>http://moss.test/g1</guid>',
      '<guid isPermaLink=" TRUE ">https://peat.test/g2</guid><link>  </link>',
      "<guid ispermalink='false'>http://moss.test/no</guid>",
      '<guid>tag:moss.test,2020:7</guid>',
      '<guid>/relative</guid>',
      '<guid>http://moss.test/no</guid><link>http://moss.test/link</link>',
      '<link>http://moss.test/first</link><guid>http://moss.test/no</guid>',
      '<link>javascript:void 0</link><guid><![CDATA[http://moss.test/g3]]></guid>',
    ];
    const xml = `<rss><channel><guid>http://moss.test/no</guid>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;
    expect((await feed(xml)).map(([url]) => url)).toEqual([
      'http://moss.test/g1',
      'https://peat.test/g2',
      'http://moss.test/link',
      'http://moss.test/first',
      'http://moss.test/g3',
    ]);
  });

  test('RSS 1.0: rdf:about of an item without a link', async () => {
    const xml = `<rdf:RDF xmlns:rdf="r" xmlns="x"><item rdf:about="http://moss.test/about"/><item rdf:about="http://moss.test/no"><link>http://moss.test/1</link></item><item rdf:about="urn:x"/></rdf:RDF>`;
    expect((await feed(xml)).map(([url]) => url)).toEqual(['http://moss.test/about', 'http://moss.test/1']);
  });

  test('xml:base, nested, on any element, of RSS too', async () => {
    const xml = `<feed xml:base="http://peat.test/a/"><entry><link href="1"/></entry><entry xml:base="b/c/"><link href="2"/></entry>
      <entry xml:base="/d/"><link xml:base="e/" href="3"/></entry><entry xml:base="http://["><link href="4"/></entry><entry><link href="5"/></entry></feed>`;
    expect((await feed(xml)).map(([url]) => url)).toEqual([
      'http://peat.test/a/1',
      'http://peat.test/a/b/c/2',
      'http://peat.test/d/e/3',
      'http://peat.test/a/4',
      'http://peat.test/a/5',
    ]);
    const rss = `<rss xml:base="http://peat.test/r/"><channel><item><link>1</link></item><item xml:base="s/"><link xml:base="t/">2</link></item></channel></rss>`;
    expect((await feed(rss)).map(([url]) => url)).toEqual(['http://peat.test/r/1', 'http://peat.test/r/s/t/2']);
  });

  test('Atom: of several links the HTML page for readers, else its content, else another form', async () => {
    const entry = (...inner: string[]) => `<entry>${inner.join('')}</entry>`;
    const xml = `<feed>${[
      entry(
        '<link rel="alternate" type="application/pdf" href="/1.pdf"/>',
        '<link rel="alternate" type="text/html; charset=utf-8" href="/1"/>',
      ),
      entry('<link rel="alternate" type="application/json" href="/2.json"/>'),
      entry('<link rel="http://www.iana.org/assignments/relation/alternate" href="/3"/>', '<link rel="alternate" href="/no"/>'),
      entry('<link rel="self" href="/no"/>', '<content type="text/html" src="/4"/>'),
      entry('<content type="image/png" src="/no"/>', '<link rel="enclosure" href="/no"/>', '<id>http://moss.test/no</id>'),
      entry('<link rel="" href="/5"/>', '<link href=""/>'),
    ].join('')}</feed>`;
    expect((await feed(xml)).map(([url]) => url)).toEqual(['1', '2.json', '3', '4', '5'].map((path) => `http://moss.test/${path}`));
  });

  test('UTF-16, and another charset by declaration', async () => {
    const xml = '<rss><channel><item><title>Møll</title><guid>http://moss.test/1</guid></item></channel></rss>';
    expect(await feed(Buffer.from(xml, 'utf16le'))).toEqual([['http://moss.test/1', 'Møll']]);
    const latin = `<?xml version='1.0' encoding='iso-8859-15'?>${xml}`;
    expect(await feed(Buffer.from(latin, 'latin1'))).toEqual([['http://moss.test/1', 'Møll']]);
  });

  test('Atom: alternate links of entries, relative ones too', async () => {
    const xml = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://moss.test/"/><entry><title type="html">One</title>
      <link rel="edit" href="http://moss.test/edit/1"/><link rel='alternate' type="text/html" href='/1?a=1&amp;b=2'/><link href="/second"/></entry>
      <entry><link href="2"/><title>Two</title></entry></feed>`;
    expect(await feed(xml)).toEqual([
      ['http://moss.test/1?a=1&b=2', 'One'],
      ['http://moss.test/blog/2', 'Two'],
    ]);
  });
});

describe('the scanner', () => {
  /** All it says, one text for each run of pieces. */
  function said(pieces: readonly string[]): string[] {
    const out: string[] = [];
    let text = '';
    const flush = () => {
      if (text !== '') out.push(`text ${text}`);
      text = '';
    };
    const scanner = new XmlScanner({
      open: (name, prefix, tag) => {
        flush();
        out.push(`open ${prefix}:${name} ${attributeOf(tag, 'href') ?? ''}`);
      },
      close: (name) => {
        flush();
        out.push(`close ${name}`);
      },
      text: (piece) => {
        text += piece;
      },
    });
    for (const piece of pieces) scanner.push(piece);
    flush();
    return out;
  }

  const XML = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c>d">]><a:B href='1 > "0"' x="&lt;">one &amp; two<!-- <no> --><![CDATA[<three>]]><c/>&#x41;</a:B> end`;

  test('pieces of any length say the same', () => {
    const whole = said([XML]);
    expect(whole).toEqual(['open a:b 1 > "0"', 'text one & two<three>', 'open :c ', 'close c', 'text A', 'close b', 'text  end']);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 60 }), (lengths) => {
        const pieces: string[] = [];
        let at = 0;
        for (let i = 0; at < XML.length; i++) {
          const length = lengths[i % lengths.length] ?? 1;
          pieces.push(XML.slice(at, at + length));
          at += length;
        }
        expect(said(pieces)).toEqual(whole);
      }),
    );
  });

  test('what has no end stops it, and costs no more than it is long', () => {
    const scanner = new XmlScanner({ open: () => undefined, close: () => undefined, text: () => undefined });
    for (let i = 0; i < 40 && !scanner.broken; i++) scanner.push(`<!-- ${'x'.repeat(64 * 1024)}`);
    expect(scanner.broken).toBe(true);
  });

  test('garbage throws nothing and never hangs', async () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!',
      '[',
      ']',
      '"',
      "'",
      '&',
      ';',
      '&amp;',
      'url',
      'loc',
      ' ',
      '<url>',
      '<loc>',
      'http://www.moss.test/1',
      '</loc>',
      '?',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const { urls } = await sitemap(pieces.join(''));
        expect(urls.every((url) => URL.canParse(url))).toBe(true);
      }),
    );
  });
});
