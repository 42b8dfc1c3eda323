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
