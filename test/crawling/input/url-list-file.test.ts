import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../../src/base/core/errors.ts';
import { refuseWithoutUrls, urlsIn } from '../../../src/crawling/input/url-list-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-url-list-'));
afterAll(() => rmSync(dir, { recursive: true }));
let files = 0;

function file(content: string | Uint8Array): string {
  const path = join(dir, `list-${++files}`);
  writeFileSync(path, content);
  return path;
}

/** `url` or `url title`, of all lines. */
async function listed(content: string | Uint8Array): Promise<string[]> {
  const found: string[] = [];
  for await (const { urls } of urlsIn(file(content))) found.push(...urls.map(({ url, title }) => `${url}${title && ` ${title}`}`));
  return found;
}

const CDX = [
  ' CDX N b a m s k r M S V g',
  'test,fen)/ 20200101000000 http://fen.test/ text/html 200 AAAA - - 100 0 a.warc.gz',
  'test,fen)/heron.jpg 20200101000000 http://fen.test/heron.jpg image/jpeg 200 AAAA - - 100 0 a.warc.gz',
  'test,fen)/gone 20200101000000 http://fen.test/gone text/html 404 AAAA - - 100 0 a.warc.gz',
  'test,fen)/same 20200101000000 http://fen.test/same warc/revisit - AAAA - - 100 0 a.warc.gz',
].join('\n');

test.each<[string, string, string[]]>([
  [
    'routes of an application',
    'See http://fen.test/#/reed/7, and http://fen.test/b#part.\n',
    ['http://fen.test/#/reed/7', 'http://fen.test/b'],
  ],
  [
    'a list, with comments, bullets and words',
    '# fens\n\n* http://fen.test/a\n  http://fen.test/b  # wet\n3. (see http://fen.test/c).\n',
    ['http://fen.test/a', 'http://fen.test/b', 'http://fen.test/c'],
  ],
  [
    'line ends of any system',
    'http://fen.test/a\r\nhttp://fen.test/b\rhttp://fen.test/c',
    ['http://fen.test/a', 'http://fen.test/b', 'http://fen.test/c'],
  ],
  ['a CDX with a head: pages that answered', CDX, ['http://fen.test/', 'http://fen.test/same']],
  [
    'a CDX in another order of columns',
    ' CDX a b s m\nhttp://fen.test/x 20200101 200 text/html\nhttp://fen.test/y 20200101 500 text/html',
    ['http://fen.test/x'],
  ],
  ['a CDX without a head', 'test,fen)/ 20200101000000 http://fen.test/ text/html 200 A 1 2 a.warc', ['http://fen.test/']],
  [
    'CDXJ',
    'test,fen)/a 20200101000000 {"url": "http://fen.test/a", "mime": "text/html", "status": "200"}\ntest,fen)/b 20200101000000 {"url": "http://fen.test/b", "mime": "image/png", "status": "200"}',
    ['http://fen.test/a'],
  ],
  [
    'JSON lines: the address of a record, not the addresses in its text or of its referrer',
    '{"url":"http:\\/\\/fen.test\\/a","title":"On  fens","referrer":"http://x.test/","text":"see http://y.test/"}\n{"id":1}\n{"link":[{"URL":"http://fen.test/b"}],"title":["Two"]}',
    ['http://fen.test/a On fens', 'http://fen.test/b Two'],
  ],
  [
    'an array in one line',
    '[{"URL":"http://fen.test/a","title":"A"},{"URL":"http://fen.test/b"}]',
    ['http://fen.test/a A', 'http://fen.test/b'],
  ],
  ['JSON over several lines', '[\n  {\n    "URL": "http://fen.test/a",\n    "id": "x"\n  }\n]', ['http://fen.test/a']],
  [
    'CSV: the column of addresses, with its title',
    'Author,Title,URL,Image\nBo,"Moss, and ""peat""","http://fen.test/a,b",http://fen.test/x.png\nCy,,http://fen.test/c,\nDi,None,,\n',
    ['http://fen.test/a,b Moss, and "peat"', 'http://fen.test/c'],
  ],
  ['a table with tabs', 'name\tWebsite\nfen\thttp://fen.test/\n', ['http://fen.test/']],
  [
    'BibTeX: addresses with the title of their entry, wherever it stands',
    '@misc{a,\n  url = {http://fen.test/a\\_b?x=1\\&y=2},\n  title = {On {Peat}},\n}\n@article{b, note = "\\url{http://fen.test/b}" }\n@book{c, booktitle = {No}, title = "Bogs", url = "http://fen.test/c"}\n@book{d, title={Open,\n url = {http://fen.test/d}}\n',
    ['http://fen.test/a_b?x=1&y=2 On Peat', 'http://fen.test/b', 'http://fen.test/c Bogs', 'http://fen.test/d Open,'],
  ],
  [
    'RIS',
    'TY  - ELEC\r\nTI  - Bog oaks\r\nUR  - http://fen.test/oak\r\nER  - \r\nTY  - JOUR\r\nL1  - http://fen.test/p.pdf\r\n',
    ['http://fen.test/oak Bog oaks', 'http://fen.test/p.pdf'],
  ],
  ['a dump in SQL', "INSERT INTO l VALUES (1,'http://fen.test/a'),(2,'http://fen.test/b');", ['http://fen.test/a', 'http://fen.test/b']],
  [
    'HTML and Markdown',
    '<a href="http://fen.test/a">x</a>\n[b](http://fen.test/b) and http://fen.test/c_(bog).',
    ['http://fen.test/a', 'http://fen.test/b', 'http://fen.test/c_(bog)'],
  ],
  ['other schemes, and what is no address', 'ftp://fen.test/a\nhttp://\nmailto:a@fen.test\nHTTP://FEN.test/b\n', ['http://fen.test/b']],
])('%s', async (_, content, found) => {
  expect(await listed(content)).toEqual(found);
  // Packed, in two members.
  const bytes = Buffer.from(content);
  const half = Math.floor(bytes.length / 2);
  expect(await listed(Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]))).toEqual(found);
  // In another encoding.
  expect(await listed(Buffer.from(`\ufeff${content}`, 'utf16le'))).toEqual(found);
});

test('a line may be cut anywhere between the pieces of the file', async () => {
  const urls = Array.from({ length: 20_000 }, (_, i) => `http://fen.test/${'p'.repeat(i % 97)}/ü${i}`);
  expect(await listed(urls.join('\n'))).toEqual(urls.map((url) => url.replace('ü', '%C3%BC')));
});

describe('is refused in one line, with the line of the file', () => {
  const whole = gzipSync(Array.from({ length: 9000 }, (_, i) => `http://fen.test/${i * 7919}`).join('\n'));
  test.each<[string, () => string, RegExp]>([
    ['a file that is missing', () => join(dir, 'no-such'), /no-such: cannot be read \(no such file\); give a CDX/],
    ['a folder', () => dir, /cannot be read \(it is a folder, not a file\)/],
    ['an empty file', () => file(''), /list-\d+: has no http\(s\) URL in 0 lines; give a CDX/],
    ['a file without URLs', () => file('a\nb\n'), /has no http\(s\) URL in 2 lines/],
    [
      'gzip that ends too early',
      () => file(whole.subarray(0, 10_000)),
      /list-\d+:\d+: the gzip file is damaged here \(unexpected end of file\)/,
    ],
    [
      'gzip with a wrong checksum',
      () => file(Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)])),
      /:\d+: the gzip file is damaged here/,
    ],
    ['a line without end', () => file(`http://fen.test/\n${'x'.repeat(4_300_000)}`), /:2: a line of more than 4194304 characters/],
  ])('%s', async (_, path, message) => {
    const reading = async () => {
      for await (const _one of urlsIn(path()));
    };
    const error = await reading().catch(messageOf);
    expect(error).toMatch(message);
    expect(error).not.toContain('\n');
  });
});

test('a file is not read further than its first URL to see whether it has one', async () => {
  const path = file(Buffer.concat([gzipSync('http://fen.test/\n'.repeat(200_000)), Buffer.from('damaged')]));
  await expect(refuseWithoutUrls(path)).resolves.toBeUndefined();
  mkdirSync(join(dir, 'sub'));
  await expect(refuseWithoutUrls(join(dir, 'sub'))).rejects.toThrow('it is a folder');
});

/** `url | title | context` of all lines. */
async function withWords(content: string | Uint8Array): Promise<string[]> {
  const found: string[] = [];
  for await (const { urls } of urlsIn(file(content)))
    for (const { url, title, context = '' } of urls) found.push([url, title, context].join(' | '));
  return found;
}

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><H3 ADD_DATE="1">Wetlands</H3>
    <DL><p>
        <DT><A HREF="http://fen.test/a" ICON_URI="http://fen.test/icon.ico" TAGS="peat,moss">Fens &amp; bogs</A>
        <DD>All about
the peat
        <DT><A HREF="javascript:alert(1)">Script</A>
        <DT><H3>Birds</H3>
        <DL><p>
            <DT><A HREF="http://fen.test/heron">Heron</A>
        </DL><p>
    </DL><p>
    <DT><A HREF="http://fen.test/last">Last</A>
</DL>`;
const ZOTERO_CSL = `[
\t{
\t\t"id": "keddy2010",
\t\t"type": "book",
\t\t"abstract": "On wetlands.",
\t\t"title": "Wetland ecology",
\t\t"URL": "http://fen.test/keddy",
\t\t"author": [{ "family": "Keddy" }]
\t},
\t{ "id": "none", "title": "Without address" }
]`;
const ZOTERO_ITEMS = `{
  "config": { "label": "BetterBibTeX JSON" },
  "items": [
    { "itemType": "webpage", "title": "Peat", "url": "http://fen.test/peat", "abstractNote": "Layers", "tags": [{ "tag": "bog" }], "attachments": [] }
  ]
}`;
const FIREFOX = JSON.stringify({ title: '', children: [{ title: 'menu', children: [{ title: 'Moss', uri: 'http://fen.test/moss' }] }] });
const CHROME = JSON.stringify(
  { roots: { bookmark_bar: { children: [{ type: 'url', name: 'Sedge', url: 'http://fen.test/sedge' }] }, version: 1 } },
  null,
  1,
);
const ZOTERO_CSV = `"Key","Title","Url","Abstract Note","Manual Tags"
"A1","A ""wet"" place","http://fen.test/wet","Two
lines, with a comma","fen; bog"
"A2","Next","http://fen.test/next","",""`;
const SITEMAP = `<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>http://fen.test/?a=1&amp;b=2</loc><image:image><image:loc>http://fen.test/i.png</image:loc></image:image></url>
<url><loc>
http://bog.test/two</loc></url></urlset>`;
const FEED = `<rss version="2.0"><channel><title>News</title><link>http://fen.test/</link>
<item><title>Rain &amp; snow</title><link>http://fen.test/rain</link><description>&lt;p&gt;Much rain&lt;/p&gt;</description></item></channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Ice</title><link rel="self" href="http://fen.test/self"/><link href="http://fen.test/ice"/></entry></feed>`;
const OPML = `<opml version="2.0"><body><outline text="Fens" htmlUrl="http://fen.test/blog" xmlUrl="http://fen.test/feed"/></body></opml>`;
const OLD_DUMP = `-- MySQL dump 10.16
CREATE TABLE \`externallinks\` (
  \`el_id\` int(10) unsigned NOT NULL AUTO_INCREMENT,
  \`el_from\` int(10) unsigned NOT NULL DEFAULT '0',
  \`el_to\` blob NOT NULL,
  \`el_index\` blob NOT NULL,
  \`el_index_60\` varbinary(60) NOT NULL,
  PRIMARY KEY (\`el_id\`)
) ENGINE=InnoDB;
INSERT INTO \`externallinks\` VALUES (1,10,'http://fen.test/it\\'s(1),a','http://test.fen./','x'),(2,11,'mailto:a@fen.test','mailto:','x'),(3,12,'https://bog.test/','','');`;
const NEW_DUMP = `/*M!999999\\- enable the sandbox mode */
CREATE TABLE \`externallinks\` (
  \`el_id\` bigint(20) NOT NULL,
  \`el_from\` int(8) NOT NULL,
  \`el_to_domain_index\` varbinary(255) NOT NULL,
  \`el_to_path\` blob DEFAULT NULL,
) ENGINE=InnoDB;
INSERT INTO \`externallinks\` VALUES
(1,10,'https://test.fen.www.','/a?b=1'),
(2,11,'http://test.bog.:8080','/x'),(3,12,'http://V4.192.0.2.7.','/ip'),(4,12,'http://test.moor.',NULL);`;

test.each<[string, string, string[]]>([
  [
    'bookmarks: titles, folders, descriptions and tags; neither icons nor scripts',
    BOOKMARKS,
    [
      'http://fen.test/a | Fens & bogs | All about the peat peat,moss Wetlands',
      'http://fen.test/heron | Heron | Wetlands Birds',
      'http://fen.test/last | Last | ',
    ],
  ],
  ['bookmarks in one line', BOOKMARKS.replaceAll('\n', ' '), expect.arrayContaining(['http://fen.test/last | Last | ']) as string[]],
  ['CSL JSON of Zotero', ZOTERO_CSL, ['http://fen.test/keddy | Wetland ecology | On wetlands.']],
  ['JSON of Better BibTeX', ZOTERO_ITEMS, ['http://fen.test/peat | Peat | Layers bog']],
  ['a backup of Firefox', FIREFOX, ['http://fen.test/moss | Moss | ']],
  ['bookmarks of Chrome', CHROME, ['http://fen.test/sedge | Sedge | ']],
  [
    'CSV of Zotero, whose cells have lines',
    ZOTERO_CSV,
    ['http://fen.test/wet | A "wet" place | Two lines, with a comma fen; bog', 'http://fen.test/next | Next | '],
  ],
  ['a sitemap of any hosts: pages, and no namespaces or images', SITEMAP, ['http://fen.test/?a=1&b=2 |  | ', 'http://bog.test/two |  | ']],
  ['RSS: items, not the channel', FEED, ['http://fen.test/rain | Rain & snow | Much rain']],
  ['Atom: the page of an entry', ATOM, ['http://fen.test/ice | Ice | ']],
  ['OPML: pages, not feeds', OPML, ['http://fen.test/blog | Fens | ']],
  ['other XML is a text', '<?xml version="1.0"?>\n<note>http://fen.test/a</note>', ['http://fen.test/a |  | ']],
  ['links of a wiki until 1.41', OLD_DUMP, ["http://fen.test/it's(1),a |  | ", 'https://bog.test/ |  | ']],
  [
    'links of a wiki since then',
    NEW_DUMP,
    ['https://www.fen.test/a?b=1 |  | ', 'http://bog.test:8080/x |  | ', 'http://192.0.2.7/ip |  | ', 'http://moor.test/ |  | '],
  ],
])('%s', async (_, content, expected) => expect(await withWords(content)).toEqual(expected));

describe('hostile forms', () => {
  const LONG = 5 * 1024 * 1024;

  test.each<[string, string, string]>([
    ['a sitemap in one line', `<urlset>${'<url><loc>http://fen.test/a</loc></url>'.repeat(LONG / 30)}</urlset>`, 'http://fen.test/a'],
    [
      'a dump in one line',
      `INSERT INTO \`externallinks\` VALUES ${"(1,2,'http://fen.test/a','',''),".repeat(LONG / 30)}(3,4,'http://fen.test/last','','');`,
      'http://fen.test/last',
    ],
    [
      'JSON in one line',
      JSON.stringify({ items: Array.from({ length: 1000 }, () => ({ url: 'http://fen.test/a', note: 'x'.repeat(6000) })) }),
      '',
    ],
    [
      'a value without an end',
      `INSERT INTO externallinks VALUES (1,2,'http://fen.test/a','',''),(1,2,'${'x'.repeat(LONG)}`,
      'http://fen.test/a',
    ],
    [
      'quotes of SQL that all look like starts',
      `INSERT INTO externallinks VALUES (1,2,'http://fen.test/a','','')${"(\\'".repeat(LONG / 4)}`,
      '',
    ],
    ['a comment without an end', `<urlset><url><loc>http://fen.test/a</loc></url><!--${'-'.repeat(LONG)}`, 'http://fen.test/a'],
    ['JSON that only opens', `{"url":"http://fen.test/a"${'[{'.repeat(1_000_000)}`, 'http://fen.test/a'],
  ])('%s is read', async (_, content, last) => {
    const found = await withWords(content);
    expect(found.at(-1)).toMatch(last === '' ? 'http://fen.test/a' : last);
  });

  test('a quote that nobody closes costs its row alone', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `http://fen.test/${i},t`);
    expect(await withWords(['url,title', 'http://fen.test/broken,"no end', ...rows].join('\n'))).toHaveLength(1001);
  });

  test('an index of sitemaps names the next step', async () => {
    const index = file('<sitemapindex><sitemap><loc>http://fen.test/one.xml</loc></sitemap></sitemapindex>');
    await expect(refuseWithoutUrls(index)).rejects.toThrow(`${index}: is an index of 1 sitemap; give those files`);
  });

  test('a gzip bomb without line ends is refused at its first long line', async () => {
    const bomb = file(gzipSync(Buffer.concat([Buffer.from('url,title\n'), Buffer.alloc(64 * 1024 * 1024, 'x')])));
    await expect(refuseWithoutUrls(bomb)).rejects.toThrow(/:2: a line of more than 4194304 characters; break it at its records/);
  });
});
