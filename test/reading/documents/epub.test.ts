import { expect, test } from 'vitest';
import { epub } from '../../../src/reading/documents/kinds/epub.ts';
import { zipFile } from '../../support/zip-file.ts';
import { documentIn, linesOf, readWith, textOf, zipOf } from './documents.ts';

const CONTAINER =
  '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
const XHTML = 'application/xhtml+xml';

interface Book {
  readonly metadata?: string;
  /** File name, properties and body of each item, in the order of the manifest. */
  readonly items: readonly (readonly [href: string, body: string, properties?: string])[];
  readonly spine?: readonly number[];
  readonly guide?: string;
  readonly others?: Readonly<Record<string, string>>;
}

function bookOf({ metadata = '', items, spine, guide = '', others = {} }: Book): Record<string, string> {
  const manifest = items.map(
    ([href, , properties], i) => `<item id="i${i}" href="${href}" media-type="${XHTML}" properties="${properties ?? ''}"/>`,
  );
  const itemrefs = (spine ?? items.map((_, i) => i)).map((i) => `<itemref idref="i${i}"/>`);
  const opf = `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0"><metadata>${metadata}</metadata><manifest>${manifest.join('')}<item id="css" href="a.css" media-type="text/css"/></manifest><spine>${itemrefs.join('')}</spine>${guide}</package>`;
  const chapters = items.map(([href, body]) => [`OPS/${decodeURIComponent(href)}`, body.startsWith('<?') ? body : xhtml(body)] as const);
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OPS/book.opf': opf,
    ...Object.fromEntries(chapters),
    ...others,
  };
}

function xhtml(body: string, attributes = ''): string {
  return `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"${attributes}><head><title>file</title><style>p {}</style></head><body>${body}</body></html>`;
}

const read = (book: Book) => documentIn(epub, zipOf(bookOf(book)), 'https://books.example/bog.epub');

test('the chapters of a book are one page in the order of its spine, without contents', async () => {
  const { body } = await read({
    items: [
      ['nav.xhtml', '<nav><ol><li><a href="one.xhtml">One</a></li></ol></nav>', 'nav'],
      ['two.xhtml', '<h1>Two</h1><p>Carr and fen.</p>'],
      ['sub%20dir/one.xhtml', '<h1>One</h1><p>Peat grows slowly.</p>'],
      ['toc.html', '<p>One … 3</p>'],
    ],
    spine: [3, 0, 2, 1],
    guide: '<guide><reference type="toc" href="toc.html"/><reference type="text" href="two.xhtml"/></guide>',
  });
  expect(linesOf(body)).toEqual(['One', 'Peat grows slowly.', 'Two', 'Carr and fen.']);
});

test('links between chapters become links in the page, those to other files of the book become text', async () => {
  const { body } = await read({
    items: [
      ['a/one.xhtml', '<p id="p">See <a href="../two.xhtml#s">two</a>, <a href="#p">here</a>, <a href="../two.xhtml">all</a>.</p>'],
      [
        'two.xhtml',
        '<p id="s"><a href="https://bogs.example/?a=1&amp;b=2">Bogs</a> <a href="plate.jpg">plate</a> <a href="javascript:x()">x</a> <a href="//cdn.example/y">y</a></p>',
      ],
    ],
  });
  expect(body).toContain('<p id="c1-p">See <a href="#c2-s">two</a>, <a href="#c1-p">here</a>, <a href="#c2">all</a>.</p>');
  expect(body).toContain(
    '<p id="c2-s"><a href="https://bogs.example/?a=1&amp;b=2">Bogs</a> <a>plate</a> <a>x</a> <a href="https://cdn.example/y">y</a></p>',
  );
});

test('markup of XML and of careless writers is clean HTML, chapter by chapter', async () => {
  const { body } = await read({
    items: [
      [
        'one.xhtml',
        '<p><a id="x"/>Sphagnum&nbsp;&#x26; co.<br/>Next &lt;line&gt; <![CDATA[a < b]]></p><script>var a = "<p>no</p>";</script><div><p>left open <b>bold',
      ],
      [
        'two.xhtml',
        '<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>x</h:title></h:head><h:body><h:header><h:h2>Two</h:h2></h:header><h:p>word<h:span epub:type="pagebreak" title="7">7</h:span>s<h:a role="doc-backlink" href="#x">↩</h:a></h:p></h:body></h:html>',
      ],
      [
        'three.xhtml',
        '<aside hidden="hidden"><p>A note that readers pop up.</p></aside><unknown>kept</unknown><img alt="no" src="a.png"/>',
      ],
    ],
  });
  expect(body).toContain(
    '<p><a id="c1-x"></a>Sphagnum\u00a0&amp; co.<br>Next &lt;line&gt; a &lt; b</p><div><p>left open <b>bold</b></p></div></section>',
  );
  expect(linesOf(body).slice(2)).toEqual(['left open bold', 'Two', 'words', 'A note that readers pop up.', 'kept']);
});

test('numbers of notes are no part of words', async () => {
  const note = (attribute: string) => `<p>moss<sup><a ${attribute} href="#n">1</a></sup></p>`;
  const { html } = await read({
    items: [['one.xhtml', [note('epub:type="noteref"'), note('role="doc-noteref"'), note('title="noteref"')].join('')]],
  });
  expect(textOf(html).split(/\n+/)).toEqual(['moss 1', 'moss 1', 'moss1']);
});

test('facts of EPUB 3 and of EPUB 2: title, authors by their roles, dates, language, program', async () => {
  const three = await read({
    metadata:
      '<dc:title id="s">A Series</dc:title><dc:title id="t">Peat &amp; Moss</dc:title><meta refines="#t" property="title-type">main</meta>' +
      '<dc:creator id="c1">Ada Fenn</dc:creator><meta refines="#c1" property="role" scheme="marc:relators">aut</meta>' +
      '<dc:creator id="c2">Bo Marsh</dc:creator><meta refines="#c2" property="role">ill</meta><dc:creator>Cy Reed</dc:creator>' +
      '<dc:language>de-AT</dc:language><dc:date>2019-05</dc:date><meta property="dcterms:modified">2020-01-02T03:04:05Z</meta>' +
      '<dc:contributor id="c3">calibre (6.1)</dc:contributor><meta refines="#c3" property="role">bkp</meta>',
    items: [['one.xhtml', '<p>Text.</p>']],
  });
  expect(three.facts).toMatchObject({
    title: 'Peat & Moss',
    authors: ['Ada Fenn', 'Cy Reed'],
    published: '2019-05',
    modified: '2020-01-02T03:04:05Z',
    language: 'de-at',
    producer: 'calibre (6.1)',
    cut: false,
  });
  expect(three.html).toContain('<html lang="de-at"><head><meta charset="utf-8"><title>Peat &amp; Moss</title>');
  const two = await read({
    metadata:
      '<dc-metadata><dc:Title> Bogs </dc:Title><dc:creator opf:role="edt">Di Moor</dc:creator>' +
      '<dc:date opf:event="modification">2011-02-03</dc:date><dc:date opf:event="publication">1998</dc:date></dc-metadata><meta name="generator" content="Sigil 0.9"/>',
    items: [['one.xhtml', xhtml('<p>Text.</p>', ' xml:lang="en-GB"')]],
  });
  expect(two.facts).toMatchObject({
    title: 'Bogs',
    authors: ['Di Moor'],
    published: '1998',
    modified: '2011-02-03',
    language: 'en-gb',
    producer: 'Sigil 0.9',
  });
});

test('encrypted content is refused, obfuscated fonts are not', async () => {
  const encryption = (uri: string) =>
    `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`;
  const items = [['one%20a.xhtml', '<p>Text.</p>']] as const;
  const book = (uri: string) => zipOf(bookOf({ items, others: { 'META-INF/encryption.xml': encryption(uri) } }));
  expect(await readWith(epub, book('OPS/fonts/a.otf'))).toMatchObject({ kind: 'document' });
  expect(await readWith(epub, book('OPS/one%20a.xhtml'))).toEqual({ kind: 'refused', reason: 'encrypted', pages: null });
  expect(await readWith(epub, book('/ops/One a.xhtml'))).toMatchObject({ reason: 'encrypted' });
  expect(await readWith(epub, zipOf(bookOf({ items }), { 'OPS/one a.xhtml': { flags: 1 } }))).toMatchObject({ reason: 'encrypted' });
});

test('a book without its container, or whose spine names nothing, is read; without chapters it is broken', async () => {
  const { 'META-INF/container.xml': _, ...parts } = bookOf({ items: [['one.xhtml', '<p>Found.</p>']], spine: [] });
  expect(linesOf((await documentIn(epub, zipOf(parts))).body)).toEqual(['Found.']);
  expect(await readWith(epub, zipOf(bookOf({ items: [] })))).toMatchObject({
    kind: 'failed',
    detail: 'the package file of the book names no chapter',
  });
  expect(await readWith(epub, zipOf({ mimetype: 'application/epub+zip' }))).toMatchObject({ detail: 'the book has no package file' });
  expect(await readWith(epub, zipOf(bookOf({ items: [['one.xhtml', '<p> </p>']] })))).toEqual({
    kind: 'refused',
    reason: 'no-text',
    pages: null,
  });
});

test('a book is told by its first entry, else by its container; other archives are none', () => {
  const book = zipOf(bookOf({ items: [['one.xhtml', '<p>x</p>']] }));
  const { mimetype: _, ...rest } = bookOf({ items: [] });
  expect(epub.looksLike(book)).toBe(true);
  expect(epub.looksLike(book.subarray(0, 400))).toBe(true);
  expect(epub.looksLike(zipOf(rest))).toBe(true);
  expect(epub.looksLike(zipOf(rest).subarray(0, 400))).toBe('maybe');
  expect(epub.looksLike(zipOf({ mimetype: 'application/vnd.oasis.opendocument.text' }))).toBe(false);
  expect(epub.looksLike(zipFile([{ name: 'readme.txt', data: 'x' }]))).toBe(false);
  expect(epub.looksLike(Buffer.from('<html>'))).toBe(false);
});

test('a damaged chapter costs itself alone, and the book is cut; without a whole chapter it is broken', async () => {
  const book: Book = {
    items: [
      ['one.xhtml', '<p>Peat grows slowly.</p>'],
      ['two.xhtml', '<p>Carr and fen.</p>'],
      ['three.xhtml', '<p>Moss is light.</p>'],
    ],
  };
  const { body, facts } = await documentIn(epub, zipOf(bookOf(book), { 'OPS/two.xhtml': { crc: 1 } }), null);
  expect(linesOf(body)).toEqual(['Peat grows slowly.', 'Moss is light.']);
  expect(facts.cut).toBe(true);
  const damaged = Object.fromEntries(book.items.map(([name]) => [`OPS/${name}`, { crc: 1 }]));
  expect(await readWith(epub, zipOf(bookOf(book), damaged))).toMatchObject({ kind: 'failed', reason: 'decode' });
});
