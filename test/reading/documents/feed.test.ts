import { expect, test } from 'vitest';
import { feed } from '../../../src/reading/documents/kinds/feed.ts';
import { documentIn, linesOf, readWith } from './documents.ts';

const read = (text: string | Uint8Array) => documentIn(feed, Buffer.from(text), 'https://fen.example/news/feed.xml');

test('RSS 2.0: titles with links, the whole text before its summary, facts', async () => {
  const { body, facts } = await read(`<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:media="m"><channel>
    <title>Fen &amp;amp; bog</title><link>https://fen.example/</link><description>News of the &lt;i&gt;fen&lt;/i&gt;</description><language>en-GB</language>
    <generator>WordPress 6</generator><lastBuildDate>Tue, 03 Mar 2020 10:00:00 GMT</lastBuildDate><managingEditor>ada@fen.example (Ada Fenn)</managingEditor>
    <item><media:title>no</media:title><title>Moss &lt;b&gt;grows&lt;/b&gt;</title><link>/moss?a=1&amp;b=2</link><dc:creator>Bo Marsh</dc:creator><pubDate>Mon, 02 Mar 2020 08:00:00 +0100</pubDate>
      <description>Short.</description><content:encoded><![CDATA[<p>Long &amp; whole, with a <a href="p.html">plate</a>.</p><script>x()</script>]]></content:encoded></item>
    <item><guid>https://fen.example/2</guid><description>No title &lt;p&gt;here</description></item>
    <item><title>Guid is no address</title><guid isPermaLink="false">https://fen.example/3</guid></item></channel></rss>`);
  expect(body.replaceAll('\n', '')).toBe(
    '<h1>Fen &amp; bog</h1>News of the <i>fen</i>' +
      '<section><h2><a href="https://fen.example/moss?a=1&amp;b=2">Moss grows</a></h2><p>Bo Marsh, 2020-03-02</p><p>Long &amp; whole, with a <a href="https://fen.example/news/p.html">plate</a>.</p></section>' +
      '<section><p><a href="https://fen.example/2">https://fen.example/2</a></p>No title <p>here</p></section><section><h2>Guid is no address</h2></section>',
  );
  expect(facts).toMatchObject({
    title: 'Fen & bog',
    authors: ['Ada Fenn'],
    modified: '2020-03-03T10:00:00Z',
    language: 'en-gb',
    producer: 'WordPress 6',
    items: 3,
    cut: false,
  });
});

test('Atom: links for readers, kinds of text, XHTML, bases', async () => {
  const { body, facts } =
    await read(`<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="https://moor.example/x/"><a:title type="text">Moor &lt;b&gt;</a:title><a:subtitle>Torf</a:subtitle><a:author><a:name>Cy Reed</a:name><a:email>c@r.example</a:email></a:author>
    <a:entry><a:title type="html">Eins &amp;amp; zwei</a:title><a:link rel="self" href="self"/><a:link rel="alternate" href="eins"/><a:updated>2021-05-06T07:08:09Z</a:updated><a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Im <a href="bild">Bild</a><br/>unten</p></div></a:content></a:entry>
    <a:entry><a:link href="zwei"/><a:published>2021-05-07</a:published><a:summary type="text">a &lt;b c</a:summary></a:entry></a:feed>`);
  expect(body.replaceAll('\n', '')).toBe(
    '<h1>Moor &lt;b&gt;</h1><p>Torf</p><section><h2><a href="https://moor.example/x/eins">Eins &amp; zwei</a></h2><p>2021-05-06</p><div><p>Im <a href="https://moor.example/x/bild">Bild</a><br>unten</p></div></section>' +
      '<section><p><a href="https://moor.example/x/zwei">2021-05-07</a></p><p>a &lt;b c</p></section>',
  );
  expect(facts).toMatchObject({ title: 'Moor <b>', authors: ['Cy Reed'], modified: '2021-05-07', language: 'de', items: 2 });
});

test('RSS 1.0 and 0.91 have their items elsewhere', async () => {
  const one = await read(
    '<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="r" xmlns:dc="d"><channel rdf:about="x"><title>Old</title></channel><item><title>A</title><link>https://a.example/</link><dc:date>2002-03-04</dc:date></item><item><title>B</title></item></rdf:RDF>',
  );
  expect([linesOf(one.body), one.facts.items]).toEqual([['Old', 'A', '2002-03-04', 'B'], 2]);
  const zero = await read(
    Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><rss version="0.91"><channel><title>Caf\xe9</title><item><title>A</title></item></channel></rss>',
      'latin1',
    ),
  );
  expect(linesOf(zero.body)).toEqual(['Café', 'A']);
});

test('JSON Feed: content as HTML or text, authors of both versions', async () => {
  const { body, facts } = await read(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Peat',
      description: 'All <of> it',
      language: 'nl',
      author: { name: 'Di Moor' },
      items: [
        {
          id: 1,
          url: 'https://p.example/1',
          title: 'One',
          content_html: '<p>A <em>bog</em></p>',
          date_published: '2020-02-03T04:05:06Z',
          authors: [{ name: 'Ed' }, { url: 'x' }],
        },
        { id: 2, external_url: '/2', content_text: 'First.\n\nSecond <b>.' },
        'damaged',
      ],
    }),
  );
  expect(body.replaceAll('\n', '')).toBe(
    '<h1>Peat</h1><p>All &lt;of&gt; it</p><section><h2><a href="https://p.example/1">One</a></h2><p>Ed, 2020-02-03</p><p>A <em>bog</em></p></section>' +
      '<section><p><a href="https://fen.example/2">https://fen.example/2</a></p><p>First.</p><p>Second &lt;b&gt;.</p></section>',
  );
  expect(facts).toMatchObject({ title: 'Peat', authors: ['Di Moor'], language: 'nl', modified: '2020-02-03T04:05:06Z', items: 3 });
});

test('feeds are told by root and namespace, or by their version; sitemaps, pages and other JSON are none', async () => {
  const feeds = [
    '<rss>',
    '<?xml version="1.0"?><!-- a > b --><?xml-stylesheet href="a"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
    '<rdf:RDF xmlns="http://purl.org/rss/1.0/">',
    '{ "title": "version", "version": "https:\\/\\/jsonfeed.org\\/version\\/1" }',
  ];
  expect(feeds.map((text) => feed.looksLike(Buffer.from(text)))).toEqual([true, true, true, true]);
  const others = [
    '<urlset/>',
    '<feed>',
    '<rdf:RDF xmlns:owl="o">',
    '<html><body><rss>',
    '{"version":"1.0","a":"https://jsonfeed.org/version/1"}',
    '{"a":{"version":"https://jsonfeed.org/version/1"}}',
    'rss',
    '',
    '{',
  ];
  expect(others.map((text) => feed.looksLike(Buffer.from(text)))).toEqual(others.map(() => false));
  expect(await readWith(feed, Buffer.from('<rss><channel/></rss>'))).toMatchObject({
    kind: 'failed',
    detail: 'the file has neither the title of a feed nor items',
  });
  expect(await readWith(feed, Buffer.from('{"version": "https://jsonfeed.org/version/1", "items": ['))).toMatchObject({ kind: 'failed' });
  expect((await read('<rss><channel><title>Cut</title><item><title>One</title></item><item><title>Tw')).facts).toMatchObject({
    title: 'Cut',
    items: 2,
  });
});
