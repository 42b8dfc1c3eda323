import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { DocumentReader } from '../../../src/reading/documents/document-kind.ts';
import { openPdfReader } from '../../../src/reading/documents/kinds/pdf/pdf-reader.ts';
import { Pdfium } from '../../../src/reading/documents/kinds/pdf/pdfium.ts';
import { type PdfOptions, type PdfPage, pdfLines, writePdf } from '../../support/pdf-writer.ts';
import { wholeTest } from '../../support/whole-test.ts';

let reader: DocumentReader;
beforeAll(async () => {
  reader = await openPdfReader();
});

async function read(pages: readonly PdfPage[], options?: PdfOptions) {
  const reading = await reader.read(writePdf(pages, options), 'https://mills.example/papers/a.pdf');
  if (reading.kind !== 'document') throw new Error(`${reading.kind}: ${reading.reason}`);
  const body = /<body>(.*)<\/body>/s.exec(reading.html)?.[1] ?? '';
  return { ...reading, body };
}

const bodyOf = async (lines: readonly string[]) => (await read([{ texts: pdfLines(lines) }])).body;

describe('lines and paragraphs', () => {
  test('lines of one paragraph are joined, a gap begins another', async () => {
    const { body } = await read([
      {
        texts: [
          ...pdfLines(['The mill stood by the river and', 'was turned by the tides, twice', 'a day.']),
          ...pdfLines(['Then came steam.'], { y: 640 }),
        ],
      },
    ]);
    expect(body).toBe('<p>The mill stood by the river and was turned by the tides, twice a day.</p><p>Then came steam.</p>');
  });

  test('an entry of the contents is an item of its own, however its dots are set', async () => {
    const dots = (from: number, y: number) => Array.from({ length: 20 }, (_, n) => ({ x: from + n * 12, y, text: '.' }));
    const { body } = await read([
      {
        texts: [
          { x: 50, y: 700, text: '1 Mills' },
          ...dots(120, 700),
          { x: 420, y: 700, text: '3' },
          { x: 50, y: 688, text: '1.1 Tide mills of the northern coast, and' },
          { x: 50, y: 676, text: 'their wheels .......... 12' },
          { x: 50, y: 664, text: 'Register . . . . . . . . . . . . . . A-2' },
          { x: 50, y: 652, text: 'Preface ···················· xiv', size: 16 },
          { x: 50, y: 600, text: 'It turned, and turned ... and in 1872' },
          { x: 50, y: 588, text: 'it stopped. See p. 3.' },
        ],
      },
    ]);
    expect(body).toBe(
      '<ul><li>1 Mills … 3</li><li>1.1 Tide mills of the northern coast, and their wheels … 12</li><li>Register … A-2</li><li>Preface … xiv</li></ul>' +
        '<p>It turned, and turned ... and in 1872 it stopped. See p. 3.</p>',
    );
  });

  test.each([
    ['an acute before its letter', '\u00b4', 'o', 'ó'],
    ['a diaeresis', '\u00a8', 'U', 'Ü'],
    ['a tilde', '\u02dc', 'n', 'ñ'],
    ['a cedilla behind its letter', 'c', '\u00b8', 'ç'],
    ['a caron', '\u02c7', 'S', 'Š'],
    ['an acute on a letter without its dot', '\u00b4', '\u0131', 'í'],
    ['an accent that no letter has', '\u00b8', 'x', '\u00b8x'],
  ])('%s set over it is one letter with it', async (_, first, second, expected) => {
    const { body } = await read([
      {
        texts: [
          { x: 50, y: 700, text: 'mar' },
          { x: 65.2, y: 700, text: first },
          { x: 65.3, y: 700, text: second },
          { x: 70.4, y: 700, text: 'el ^ 2' },
        ],
      },
    ]);
    expect(body).toBe(`<p>mar${expected}el ^ 2</p>`);
  });

  test('an indent begins a paragraph', async () => {
    const { body } = await read([
      {
        texts: [
          { x: 50, y: 700, text: 'A first paragraph that fills all of' },
          { x: 50, y: 688, text: 'its lines up to the right edge here' },
          { x: 65, y: 676, text: 'Another one, which is indented so' },
          { x: 50, y: 664, text: 'that a reader sees where it starts.' },
        ],
      },
    ]);
    expect(body.match(/<p>/g)).toHaveLength(2);
    expect(body).toContain('edge here</p><p>Another one');
  });

  test('words that the file places apart have a space, letters of a word none', async () => {
    const { body } = await read([
      {
        texts: [
          { x: 50, y: 700, text: 'wa' },
          { x: 60.5, y: 700, text: 'ter' },
          { x: 80, y: 700, text: 'wheel' },
        ],
      },
    ]);
    expect(body).toBe('<p>water wheel</p>');
  });

  test('a raised mark is on its line', async () => {
    const { body } = await read([
      {
        texts: [
          { x: 50, y: 700, text: 'the fall' },
          { x: 90, y: 703.5, text: '3', size: 6 },
          { x: 93, y: 700, text: '. The next' },
        ],
      },
    ]);
    expect(body).toBe('<p>the fall3. The next</p>');
  });

  test('text that stands upright is read along its own lines', async () => {
    const { body } = await read([{ texts: [{ x: 300, y: 300, text: 'beside the page', turn: 1 }, ...pdfLines(['On the page'])] }]);
    expect(body).toBe('<p>beside the page</p><p>On the page</p>');
  });

  test('unspaced scripts are joined without a space', async () => {
    expect(await bodyOf(['潮汐磨坊是一种由潮汐涨落驱', '动的水磨。'])).toBe('<p>潮汐磨坊是一种由潮汐涨落驱动的水磨。</p>');
    expect(await bodyOf(['オランダの風車は水を汲み上', 'げるために使われた。'])).toBe(
      '<p>オランダの風車は水を汲み上げるために使われた。</p>',
    );
  });

  test('presentation forms and radicals are the letters that they show', async () => {
    expect(await bodyOf(['the ﬁrst ﬂood of the o\ufb03ce, ⽔⾞'])).toBe('<p>the first flood of the office, 水車</p>');
  });
});

describe('words that the end of a line breaks', () => {
  test.each([
    ['is joined if the word is elsewhere', ['a ferry and the inter-', 'national ferry, so international'], 'the international ferry, so'],
    [
      'keeps the hyphen of a compound that is elsewhere',
      ['a well-known mill is a well-', 'known mill, known and well'],
      'a well-known mill, known',
    ],
    ['keeps it between two words of the document', ['the old sea is the sea of a sea-', 'wall and the wall was old'], 'a sea-wall and'],
    ['is joined if the parts are syllables', ['they have all seen the revo-', 'lution of their wheels'], 'the revolution of'],
    ['keeps it before a capital', ['they went by way of Anglo-', 'Saxon roads'], 'of Anglo-Saxon roads'],
    ['keeps it in a number', ['in the years of 1914-', '1918 and after them'], 'of 1914-1918 and'],
    ['is joined at a soft hyphen', ['that is the gran\u00ad', 'ary of a so\u00adft town'], 'the granary of a soft town'],
  ])('%s', async (_, lines, expected) => expect(await bodyOf(lines)).toContain(expected));
});

describe('heads and feet', () => {
  const page = (n: number) => ({
    texts: [
      { x: 50, y: 800, text: `${n}   Mills of the fens` },
      ...pdfLines([`Page text number ${['one', 'two', 'three', 'four'][n - 1]} has words.`, 'Same words on all pages.']),
      { x: 290, y: 40, text: `– ${['i', 'ii', 'iii', 'iv'][n - 1]} –` },
    ],
  });

  test('lines that recur on three pages at one height near an end are dropped', async () => {
    const { body } = await read([1, 2, 3].map(page));
    expect(body).not.toContain('fens');
    expect(body).not.toContain('–');
    expect(body.match(/Same words/g)).toHaveLength(3);
  });

  test('two pages show no template', async () => expect((await read([1, 2].map(page))).body.match(/fens/g)).toHaveLength(2));

  test('a line in the middle of three pages is text', async () => {
    const { body } = await read(
      [1, 2, 3].map(() => ({
        texts: [...pdfLines(['top'], { y: 800 }), ...pdfLines(['the same form'], { y: 400 }), ...pdfLines(['low'], { y: 50 })],
      })),
    );
    expect(body.match(/the same form/g)).toHaveLength(3);
    expect(body).not.toContain('top');
  });
});

describe('columns, tables, lists and headings', () => {
  const left = Array.from({ length: 10 }, (_, i) => `left words of line number ${i}`);
  const right = Array.from({ length: 10 }, (_, i) => `right words of line ${i} too`);

  test('columns that the file interleaves are read one after the other', async () => {
    const rows = left.flatMap((text, i) => [
      { x: 50, y: 700 - 12 * i, text },
      { x: 320, y: 700 - 12 * i, text: right[i] ?? '' },
    ]);
    const { body } = await read([{ texts: rows }]);
    expect(body.indexOf('left words of line number 9')).toBeLessThan(body.indexOf('right words of line 0'));
  });

  test('a table stays in rows', async () => {
    const cells = ['Eling', '1785', 'works', 'Three Mills', '1776', 'museum'];
    const { body } = await read([{ texts: cells.map((text, i) => ({ x: 50 + 150 * (i % 3), y: 700 - 15 * Math.floor(i / 3), text })) }]);
    expect(body).toBe(
      '<table><tr><td>Eling</td><td>1785</td><td>works</td></tr><tr><td>Three Mills</td><td>1776</td><td>museum</td></tr></table>',
    );
  });

  test('items with bullets are a list', async () => {
    expect(await bodyOf(['• a wheel of oak', '• two pairs of stones', 'which are French'])).toBe(
      '<ul><li>a wheel of oak</li><li>two pairs of stones which are French</li></ul>',
    );
  });

  test('headings have levels by their size of type; the largest of the first page is the title', async () => {
    const { body, html } = await read([
      {
        texts: [
          { x: 50, y: 780, text: 'On Mills', size: 24 },
          { x: 50, y: 740, text: 'Water', size: 16 },
          ...pdfLines(['Body text that is longer than its headings,', 'on two lines.']),
          { x: 50, y: 640, text: 'Wind', size: 16 },
          ...pdfLines(['More text of the body.'], { y: 620 }),
        ],
      },
    ]);
    expect(body).toContain('<h1>On Mills</h1><h2>Water</h2><p>Body text');
    expect(body).toContain('<h2>Wind</h2><p>More');
    expect(html).toContain('<title>On Mills</title>');
  });
});

describe('from right to left', () => {
  // The glyphs of a file go from left to right, as they are seen.
  const seen = (logical: string) => [...logical].reverse().join('');

  test.each([
    ['Arabic', 'طاحونة المد والجزر قديمة'],
    ['Hebrew', 'טחנת קמח על שפת הנהר'],
    ['Persian', 'آسیاب آبی کنار رودخانه است'],
  ])('%s is read in logical order', async (_, text) => expect(await bodyOf([seen(text)])).toBe(`<p>${text}</p>`));

  test('a number is read from left to right, and its full stop is behind it', async () => {
    expect(await bodyOf([`.1785 ${seen('נבנה בשנת')}`])).toBe('<p>נבנה בשנת 1785.</p>');
  });
});

describe('links', () => {
  test('an annotation links the words under it, a relative one by the address of the document', async () => {
    const { body } = await read([
      {
        texts: pdfLines(['see the list of mills here', 'and the other one']),
        links: [
          { at: [70, 695, 155, 712], uri: 'https://list.example/(mills)?a=1&b=2' },
          { at: [70, 685, 115, 696], uri: '../maps/fen.pdf' },
        ],
      },
    ]);
    expect(body).toContain('see <a href="https://list.example/(mills)?a=1&amp;b=2">the list of mills</a> here');
    expect(body).toContain('<a href="https://mills.example/maps/fen.pdf">the other</a> one');
  });

  test('an address in the text is a link', async () => {
    expect(await bodyOf(['read https://wheels.example/a_b?c=d today'])).toBe(
      '<p>read <a href="https://wheels.example/a_b?c=d">https://wheels.example/a_b?c=d</a> today</p>',
    );
  });

  test('links to mail, files and scripts are words', async () => {
    const links = ['mailto:a@b.example', 'file:///etc/passwd', 'javascript:alert(1)'].map((uri, i) => ({
      at: [50, 695 - 12 * i, 200, 708 - 12 * i] as const,
      uri,
    }));
    expect((await read([{ texts: pdfLines(['write to us', 'open the file', 'run the script']), links }])).body).not.toContain('<a');
  });
});

describe('metadata', () => {
  const ONE = [{ texts: pdfLines(['Words of the text.']) }];

  test('title, authors, dates, language and producer of the file', async () => {
    const info = {
      Title: 'Mills & men',
      Author: 'Ann Reed, Bo Lindqvist and 王小明',
      CreationDate: "D:20190312140501+01'00'",
      ModDate: 'D:20200401',
      Producer: 'pdfTeX-1.40',
    };
    const { facts, html } = await read(ONE, { info, language: 'de-AT' });
    expect(facts).toMatchObject({
      title: 'Mills & men',
      authors: ['Ann Reed', 'Bo Lindqvist', '王小明'],
      published: '2019-03-12T14:05:01+01:00',
      modified: '2020-04-01',
      language: 'de-at',
      producer: 'pdfTeX-1.40',
      pages: 1,
      cut: false,
    });
    expect(html).toContain('<title>Mills &amp; men</title>');
  });

  test.each(['Microsoft Word - draft3.doc', 'untitled', 'paper_v2.dvi'])('%s is declared, and no title', async (Title) => {
    const { facts, html } = await read(ONE, { info: { Title, Author: 'user', CreationDate: 'D:19700101000000Z' } });
    expect(facts).toMatchObject({ title: Title, authors: [], published: null });
    expect(html).not.toContain('<title>');
  });

  test.each([
    ['Smith, John; Doe, Jane', ['Smith, John', 'Doe, Jane']],
    ['Jean Valjean et Fantine', ['Jean Valjean', 'Fantine']],
    ['Administrator', []],
    ['mail@host.example', []],
  ])('authors of %s', async (Author, authors) => expect((await read(ONE, { info: { Author } })).facts.authors).toEqual(authors));
});

describe('outcomes', () => {
  test('an encrypted file is refused', async () => {
    expect(await reader.read(writePdf([{ texts: pdfLines(['secret']) }], { encrypted: true }), null)).toMatchObject({
      kind: 'refused',
      reason: 'encrypted',
    });
  });

  test('pages without text are refused, with their number', async () => {
    expect(await reader.read(writePdf([{ texts: [] }, { texts: [] }]), null)).toEqual({ kind: 'refused', reason: 'no-text', pages: 2 });
  });

  test('the stamp of a library on each page of a scan is no text', async () => {
    const stamped = Array.from({ length: 4 }, () => ({ texts: pdfLines(['Digitized by a library'], { y: 20 }) }));
    expect(await reader.read(writePdf(stamped), null)).toMatchObject({ kind: 'refused', reason: 'no-text', pages: 4 });
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['cut short', writePdf([{ texts: pdfLines(['a']) }]).subarray(0, 40)],
    ['of another kind', Buffer.from('PK\u0003\u0004 not a PDF')],
    ['only a header', Buffer.from('%PDF-1.7\n%%EOF')],
  ])('a file that is %s fails', async (_, bytes) =>
    expect(await reader.read(bytes, null)).toMatchObject({ kind: 'failed', reason: 'decode' }),
  );

  test('scripts are not run, and are no text', async () => {
    const script = '/OpenAction << /S /JavaScript /JS (app.alert\\("no"\\); while\\(true\\){}) >>';
    expect((await read([{ texts: pdfLines(['Plain words.']) }], { catalogue: script })).body).toBe('<p>Plain words.</p>');
  });

  test('of more than 2,000 pages, the first 2,000 are read', async () => {
    const pages = Array.from({ length: 2003 }, (_, i) => ({ texts: pdfLines([`word${i}`]) }));
    const { body, facts } = await read(pages);
    expect(facts).toMatchObject({ pages: 2003, cut: true });
    expect(facts.pageStarts).toHaveLength(2000);
    expect(body).toContain('word1999');
    expect(body).not.toContain('word2000');
  });

  test('each page begins at its offset, one without text too', async () => {
    const { html, facts } = await read([{ texts: pdfLines(['First page.']) }, { texts: [] }, { texts: pdfLines(['Third page.']) }]);
    expect(facts.pageStarts.map((at) => html.slice(at, at + 12))).toEqual(['<p>First pag', '<p>Third pag', '<p>Third pag']);
  });

  test('a paragraph goes over the page', async () => {
    const { html, facts } = await read([
      { texts: pdfLines(['It was a mill that the', 'tide turned and it was']) },
      { texts: pdfLines(['left to the birds.', 'They came.']) },
    ]);
    expect(html).toContain('it was left to');
    expect(html.slice(facts.pageStarts[1])).toMatch(/^left to/);
  });
});

describe('what is no running line', () => {
  const prose = (page: number) =>
    pdfLines([`The ${['first', 'second', 'third', 'fourth'][page]} mill ground the corn of its parish`, 'and paid a tithe.'], { y: 600 });

  test.each([
    ['numbered headings of larger type on each page', (page: number) => ({ x: 50, y: 780, text: `Chapter ${page + 1}`, size: 24 })],
    ['numbered headings that do not follow the pages', (page: number) => ({ x: 50, y: 780, text: `Question ${[1, 4, 5, 9][page]}` })],
    ['words of Roman letters', (page: number) => ({ x: 50, y: 780, text: `${['civil', 'mill', 'vivid', 'ill'][page]} law` })],
  ])('%s', async (_name, head) => {
    const { body } = await read([0, 1, 2, 3].map((page) => ({ texts: [head(page), ...prose(page)] })));
    for (const page of [0, 1, 2, 3]) expect(body).toContain(head(page).text);
  });

  test('page numbers in a line with the title, in Roman and in Arabic digits, are', async () => {
    const heads = [
      (page: number) => `On Mills ${page + 7}`,
      (page: number) => `Preface ${['xi', 'xii', 'xiii', 'xiv'][page]}`,
      (page: number) => `${page + 1}`,
    ];
    for (const head of heads) {
      const { body } = await read([0, 1, 2, 3].map((page) => ({ texts: [{ x: 50, y: 780, text: head(page) }, ...prose(page)] })));
      for (const page of [0, 1, 2, 3]) expect(body).not.toContain(`>${head(page)}<`);
    }
  });
});

test('a table of figures is a document, without a letter', async () => {
  const { body } = await read([{ texts: pdfLines(['1801 342 17', '1802 351 21']) }]);
  expect(body).toContain('1801 342 17');
});

test.each(['ada@mills.example', '\\\\server\\share\\a.pdf'])('%s is no link', async (uri) => {
  const { body } = await read([{ texts: pdfLines(['Write to us about the mill']), links: [{ at: [40, 690, 300, 720], uri }] }]);
  expect(body).not.toContain('<a');
});

/** A page whose content is that many megabytes of white space, packed. */
function inflating(megabytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' ')).toString('latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>',
    `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content}\nendstream`,
  ];
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Size 5 /Root 1 0 R >>\n%%EOF`, 'latin1');
}

wholeTest('a small file that asks for all memory fails, and the next one is read', async () => {
  const before = process.memoryUsage.rss();
  expect(await reader.read(inflating(700), null)).toMatchObject({ kind: 'failed', reason: 'decode' });
  expect(process.memoryUsage.rss() - before).toBeLessThan(1024 ** 3);
  expect(await bodyOf(['The mill stood by the river.'])).toContain('The mill stood');
});

test('the instance of PDFium is renewed after 200 documents, and each document is read', async () => {
  const opened = vi.spyOn(Pdfium, 'open');
  const own = await openPdfReader();
  const file = writePdf([{ texts: pdfLines(['The mill of the tide.']) }]);
  const counts: number[] = [];
  for (let n = 1; n <= 401; n++) {
    expect((await own.read(file, null)).kind).toBe('document');
    if (n % 200 < 2) counts.push(opened.mock.calls.length);
  }
  opened.mockRestore();
  // At documents 1, 200, 201, 400 and 401.
  expect(counts).toEqual([1, 1, 2, 2, 3]);
});
