import { expect, test } from 'vitest';
import { odt } from '../../../src/reading/documents/kinds/odt.ts';
import { documentIn, linesOf, readWith, zipOf } from './documents.ts';

const TYPE = 'application/vnd.oasis.opendocument.text';
const p = (content: string, style = 'Standard') => `<text:p text:style-name="${style}">${content}</text:p>`;
const content = (body: string, styles = '') =>
  `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
const filesOf = (body: string, styles = '', others: Readonly<Record<string, string>> = {}) => ({
  mimetype: TYPE,
  'content.xml': content(body, styles),
  ...others,
});
const read = (body: string, styles?: string, others?: Readonly<Record<string, string>>) =>
  documentIn(odt, zipOf(filesOf(body, styles, others)), 'https://fen.example/a.odt');
const bodyOf = async (body: string, styles?: string, others?: Readonly<Record<string, string>>) => (await read(body, styles, others)).body;

test('headings, titles, quotations and texts of programs are told by levels and styles', async () => {
  const styles =
    '<style:style style:name="P1" style:parent-style-name="Quotations"/><style:style style:name="P2" style:parent-style-name="P3"/><style:style style:name="P3" style:parent-style-name="Preformatted_20_Text"/>';
  const named = '<office:styles><style:style style:name="Mine" style:display-name="Heading 3"/></office:styles>';
  const body = await bodyOf(
    p('Moore', 'Title') +
      '<text:h text:outline-level="2">Zwei <text:span>Teile</text:span></text:h><text:h>One</text:h><text:h text:outline-level="9">Deep</text:h>' +
      p('Mine', 'Mine') +
      p('quoted', 'P1') +
      p('a\n  b<text:s text:c="3"/>c', 'P2') +
      p('<text:tab/>d<text:line-break/>e', 'P3') +
      p('Contents 1 … 3', 'Contents_20_1') +
      `<text:table-of-content><text:index-body>${p('Zwei')}</text:index-body></text:table-of-content><text:bibliography><text:index-body>${p('Fenn 1999')}</text:index-body></text:bibliography>`,
    styles,
    { 'styles.xml': named },
  );
  expect(body.split('\n')).toEqual([
    '<h1>Moore</h1>',
    '<h2>Zwei Teile</h2>',
    '<h1>One</h1>',
    '<h6>Deep</h6>',
    '<h3>Mine</h3>',
    '<blockquote>quoted</blockquote>',
    '<pre>a b   c',
    '\td',
    'e</pre>',
    '<p>Fenn 1999</p>',
  ]);
});

test('lists have their signs at each level; lists of headings are headings', async () => {
  const item = (inner: string) => `<text:list-item>${inner}</text:list-item>`;
  const styles =
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>' +
    '<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format=""/></text:list-style>' +
    '<text:list-style style:name="L3"><text:list-level-style-number text:level="1" style:num-format="a"/></text:list-style>';
  const body = await bodyOf(
    `<text:list text:style-name="L1">${item(p('one') + p('more'))}${item(`${p('two')}<text:list>${item(p('a'))}</text:list><text:list text:style-name="L3">${item(p('b'))}</text:list>`)}</text:list>` +
      `<text:list text:style-name="L2">${item(p('no number'))}</text:list><text:list>${item('<text:h text:outline-level="1">Head</text:h>')}</text:list>`,
    styles,
  );
  expect(body.replaceAll('\n', '')).toBe(
    '<ol><li><p>one</p><p>more</p></li><li><p>two</p><ul><li>a</li></ul><ol><li>b</li></ol></li></ol><ul><li>no number</li></ul><h1>Head</h1>',
  );
});

test('tracked deletions, comments, readings and hidden text are absent; insertions are present', async () => {
  const changes = `<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>${p('deleted')}</text:deletion></text:changed-region></text:tracked-changes>`;
  const hidden = '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>';
  const body = await bodyOf(
    changes +
      p('Peat <text:change text:change-id="c1"/>is <text:change-start text:change-id="c2"/>black<text:change-end text:change-id="c2"/>.') +
      p(
        'word<office:annotation><text:p>comment</text:p></office:annotation>s <text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>',
      ) +
      p('see <text:span text:style-name="H">nothing</text:span><text:hidden-text>x</text:hidden-text>this') +
      p('all', 'H') +
      `<text:section text:display="none">${p('no')}</text:section><text:section>${p('yes')}</text:section>`,
    hidden,
  );
  expect(linesOf(body)).toEqual(['Peat is black.', 'words 漢字', 'see this', 'yes']);
});

test('links, spans, notes, frames and formulas', async () => {
  const styles =
    '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="I" style:parent-style-name="B"><style:text-properties fo:font-style="italic"/></style:style>';
  const note = (id: string, inner: string) =>
    `<text:note text:id="${id}"><text:note-citation>*</text:note-citation><text:note-body>${inner}</text:note-body></text:note>`;
  const body = await bodyOf(
    p(
      `<text:a xlink:href="https://bogs.example/?a=1&amp;b=2">bo<text:span text:style-name="B">gs</text:span></text:a>, <text:a xlink:href="#s">here</text:a>, <text:a xlink:href="../b.odt">file</text:a>`,
    ) +
      p(
        `<text:span text:style-name="I">both </text:span>moss${note('1', p('first'))} peat${note('2', p(`<text:a xlink:href="https://n.example/">two</text:a>`) + p('more'))}`,
      ) +
      p(
        `Text<draw:frame><draw:text-box>${p('boxed')}</draw:text-box></draw:frame> on <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="r.png"/></draw:frame>`,
      ) +
      `<draw:custom-shape>${p('in a shape')}</draw:custom-shape>`,
    styles,
    {
      'Object 1/content.xml':
        '<math xmlns="m"><semantics><mfrac> <mi>a</mi><mi> b </mi></mfrac><annotation encoding="StarMath 5.0">a over b</annotation></semantics></math>',
    },
  );
  expect(body.split('\n')).toEqual([
    '<p><a href="https://bogs.example/?a=1&amp;b=2">bo<strong>gs</strong></a>, <a href="#s">here</a>, <a href="https://fen.example/b.odt">file</a></p>',
    '<p><strong><em>both</em></strong> moss<sup><a href="#note-1">[1]</a></sup> peat<sup><a href="#note-2">[2]</a></sup></p>',
    '<p>Text on <math><semantics><mfrac> <mi>a</mi><mi>b</mi></mfrac></semantics></math></p>',
    '<p>boxed</p>',
    '<p>in a shape</p>',
    '<section role="doc-endnotes"><ol><li id="note-1">first</li>',
    '<li id="note-2"><p><a href="https://n.example/">two</a></p>',
    '<p>more</p></li></ol></section>',
  ]);
});

test('tables have head cells, spans and tables in cells', async () => {
  const cell = (inner: string, attributes = '') => `<table:table-cell ${attributes}>${inner}</table:table-cell>`;
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
  const inner = `<table:table>${row(cell(p('in')))}</table:table>`;
  const body = await bodyOf(
    `<table:table><table:table-column/><table:table-header-rows>${row(cell(p('Site'), 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>')}</table:table-header-rows>` +
      `<table:table-rows>${row(cell(p('Fen'), 'table:number-rows-spanned="2"'), cell(inner))}${row('<table:covered-table-cell/>', cell(p('1') + p('2')))}</table:table-rows></table:table>`,
  );
  expect(body.replaceAll('\n', '')).toBe(
    '<table><tr><th colspan="2">Site</th></tr><tr><td rowspan="2">Fen</td><td><table><tr><td>in</td></tr></table></td></tr><tr><td><p>1</p><p>2</p></td></tr></table>',
  );
});

test('facts of the metadata; the language is stated, or that of most of the text, never that of the defaults', async () => {
  const meta = (inner: string) => ({ 'meta.xml': `<office:document-meta><office:meta>${inner}</office:meta></office:document-meta>` });
  const style = (name: string, code: string, country: string) =>
    `<style:style style:name="${name}"><style:text-properties fo:language="${code}" fo:country="${country}"/></style:style>`;
  const { facts } = await read(
    p('x'),
    '',
    meta(
      '<dc:title>Bogs</dc:title><meta:initial-creator>Ada Fenn</meta:initial-creator><dc:creator>An Editor</dc:creator><meta:creation-date>2019-01-02T03:04:05.123</meta:creation-date><dc:date>2020-01-01T00:00:00</dc:date><dc:language>nl</dc:language><meta:generator>LibreOffice/7.4</meta:generator>',
    ),
  );
  expect(facts).toMatchObject({
    title: 'Bogs',
    authors: ['Ada Fenn'],
    published: '2019-01-02T03:04:05',
    modified: '2020-01-01T00:00:00',
    language: 'nl',
    producer: 'LibreOffice/7.4',
    cut: false,
  });
  const defaults = {
    'styles.xml': `<office:styles><style:default-style style:family="paragraph"><style:text-properties fo:language="en" fo:country="US"/></style:default-style></office:styles>`,
  };
  expect(
    (
      await read(
        p('Das Moor wächst.', 'D') + p('<text:span text:style-name="E">bog</text:span>', 'D'),
        style('D', 'de', 'CH') + style('E', 'en', 'none'),
        { ...defaults, ...meta('<dc:creator>Bo Marsh</dc:creator>') },
      )
    ).facts,
  ).toMatchObject({ language: 'de-ch', authors: ['Bo Marsh'] });
  expect((await read(p('Das Moor wächst.'), '', defaults)).facts.language).toBe(null);
});

test('encrypted, broken, empty and other files are told apart', async () => {
  const manifest = (path: string) => ({
    'META-INF/manifest.xml': `<manifest:manifest><manifest:file-entry manifest:full-path="${path}"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`,
  });
  const refused = { kind: 'refused', reason: 'encrypted', pages: null };
  expect(await readWith(odt, zipOf(filesOf(p('x'), '', manifest('content.xml'))))).toEqual(refused);
  expect(await readWith(odt, zipOf({ mimetype: TYPE, 'encrypted-package': 'x', ...manifest('encrypted-package') }))).toEqual(refused);
  expect(await readWith(odt, zipOf(filesOf(p('x')), { 'content.xml': { flags: 1 } }))).toEqual(refused);
  expect(await readWith(odt, zipOf(filesOf(p('x'), '', manifest('Pictures/a.png'))))).toMatchObject({ kind: 'document' });
  expect(await readWith(odt, zipOf({ mimetype: TYPE }))).toMatchObject({ detail: 'the file has no entry content.xml' });
  expect(await readWith(odt, zipOf({ mimetype: TYPE, 'content.xml': '<office:body><office:spreadsheet/></office:body>' }))).toMatchObject({
    detail: 'content.xml is not an OpenDocument text',
  });
  expect(await readWith(odt, zipOf(filesOf(p(' '))))).toEqual({ kind: 'refused', reason: 'no-text', pages: null });
  const looks = [
    zipOf(filesOf('')),
    zipOf({ mimetype: `${TYPE}-template` }),
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '' }),
    zipOf({ 'content.xml': '', 'META-INF/manifest.xml': '' }),
    zipOf({ 'content.xml': '' }),
    Buffer.from('PK'),
  ];
  expect(looks.map((bytes) => odt.looksLike(bytes))).toEqual([true, true, false, 'maybe', false, false]);
});

test.each([
  ['lists', '<text:list><text:list-item>', '</text:list-item></text:list>', p('deepest'), 400],
  ['sections', '<text:section>', '</text:section>', p('deepest'), 1000],
  ['tables', '<table:table><table:table-row><table:table-cell>', '</table:table-cell></table:table-row></table:table>', p('deepest'), 2000],
  ['spans', '<text:p>', '</text:p>', `${'<text:span>'.repeat(700)}deepest${'</text:span>'.repeat(700)}`, 1],
])('text in %s, ever deeper, is kept', async (_, before, after, inner, depth) => {
  const { body, facts } = await read(`${p('above')}${before.repeat(depth)}${inner}${after.repeat(depth)}${p('below')}`);
  expect([linesOf(body), facts.cut]).toEqual([['above', 'deepest', 'below'], false]);
});
