import { expect, test } from 'vitest';
import { docx } from '../../../src/reading/documents/kinds/docx.ts';
import { documentIn, linesOf, readWith, textOf, zipOf } from './documents.ts';

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

const document = (body: string) => `<?xml version="1.0"?><w:document ${W}><w:body>${body}<w:sectPr/></w:body></w:document>`;
const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const para = (text: string, properties = '') => p(run(text), properties);
const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
const rels = (...all: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`).join('')}</Relationships>`;

const filesOf = (body: string, others: Readonly<Record<string, string>> = {}) => ({
  '[Content_Types].xml': TYPES,
  'word/document.xml': document(body),
  ...others,
});
const read = (body: string, others?: Readonly<Record<string, string>>) =>
  documentIn(docx, zipOf(filesOf(body, others)), 'https://fen.example/papers/a.docx');
const bodyOf = async (body: string, others?: Readonly<Record<string, string>>) => (await read(body, others)).body;

test('headings are told by outline levels and by names of styles, in any language of Word', async () => {
  const styles = `<w:styles ${W}>
    <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
    <w:style w:styleId="Mine"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift2"/></w:style>
    <w:style w:styleId="Level"><w:name w:val="Abschnitt"/><w:pPr><w:outlineLvl w:val="3"/></w:pPr></w:style>
    <w:style w:styleId="Ring"><w:name w:val="ring"/><w:basedOn w:val="Ring"/></w:style>
    <w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
    <w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>`;
  const body = await bodyOf(
    para('Moore', style('Titel')) +
      para('Moore … 3', style('Verzeichnis1')) +
      para('Zwei', style('berschrift2')) +
      para('Kapitel', style('Mine')) +
      para('Vier', style('Level')) +
      para('Text', `${style('Level')}<w:outlineLvl w:val="9"/>`) +
      para('Nine', '<w:outlineLvl w:val="8"/>') +
      para('Ring', style('Ring')),
    { 'word/styles.xml': styles },
  );
  expect(body.split('\n')).toEqual([
    '<h1>Moore</h1>',
    '<h2>Zwei</h2>',
    '<h2>Kapitel</h2>',
    '<h4>Vier</h4>',
    '<p>Text</p>',
    '<h6>Nine</h6>',
    '<p>Ring</p>',
  ]);
  expect(await bodyOf(para('No styles', style('Heading3')))).toBe('<h3>No styles</h3>');
});

test('lists have their levels and signs; a paragraph without a sign continues its item', async () => {
  const level = (format: string, text: string, i = 0) =>
    `<w:lvl w:ilvl="${i}"><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = `<w:numbering ${W}>
    <w:abstractNum w:abstractNumId="1">${level('decimal', '%1.')}${level('bullet', '•', 1)}</w:abstractNum>
    <w:abstractNum w:abstractNumId="2">${level('bullet', ' ', 1)}</w:abstractNum>
    <w:abstractNum w:abstractNumId="3"><w:numStyleLink w:val="Letters"/></w:abstractNum>
    <w:abstractNum w:abstractNumId="4"><w:styleLink w:val="Letters"/>${level('lowerLetter', '%1)')}</w:abstractNum>
    ${[1, 2, 3].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`).join('')}
    <w:num w:numId="5"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">${level('bullet', '-')}</w:lvlOverride></w:num></w:numbering>`;
  const styles = `<w:styles ${W}><w:style w:styleId="L"><w:name w:val="List"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>`;
  const item = (text: string, list: number, i = 0) => para(text, `<w:numPr><w:ilvl w:val="${i}"/><w:numId w:val="${list}"/></w:numPr>`);
  const body = await bodyOf(
    item('one', 1) +
      item('a', 1, 1) +
      item('more a', 2, 1) +
      item('two', 1) +
      item('dash', 5) +
      para('between') +
      para('letter', style('L')) +
      para('plain', `${style('L')}<w:numPr><w:numId w:val="0"/></w:numPr>`) +
      item('unknown', 77),
    { 'word/numbering.xml': numbering, 'word/styles.xml': styles },
  );
  expect(body.replaceAll('\n', '')).toBe(
    '<ol><li>one<ul><li>a<p>more a</p></li></ul></li><li>two</li></ol><ul><li>dash</li></ul><p>between</p><ol><li>letter</li></ol><p>plain</p><ul><li>unknown</li></ul>',
  );
});

test('deleted text is absent, inserted text is present, and moved text once', async () => {
  const del = (text: string) => `<w:del w:id="1"><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
  const ins = (content: string) => `<w:ins w:id="2">${content}</w:ins>`;
  const row = (text: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${para(text)}</w:tc></w:tr>`;
  const body = await bodyOf(
    p(run('Peat is ') + del('brown') + ins(run('black')) + run('.')) +
      p(`<w:moveFrom>${run('moved')}</w:moveFrom>${run('Stays')}`) +
      p(`<w:moveTo>${run('moved')}</w:moveTo>`) +
      p(run('first half, '), '<w:rPr><w:del w:id="3"/></w:rPr>') +
      para('second half') +
      `<w:tbl>${row('kept')}${row('gone', '<w:del w:id="4"/>')}</w:tbl>${p(run('end'), '<w:rPr><w:del w:id="5"/></w:rPr>')}`,
  );
  expect(linesOf(body)).toEqual(['Peat is black.', 'Stays', 'moved', 'first half, second half', 'kept', 'end']);
});

test('links of relationships and of both forms of fields are links, other fields are their results', async () => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const field = (instruction: string, result: string) =>
    `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}${result}${mark('end')}`;
  const others = {
    'word/_rels/document.xml.rels': rels(
      ['r1', 'hyperlink', 'https://bogs.example/a?b=1&amp;c=2'],
      ['r2', 'hyperlink', 'other.docx'],
      ['r3', 'hyperlink', 'javascript:alert(1)'],
    ),
  };
  const body = await bodyOf(
    p(
      `<w:hyperlink r:id="r1" w:anchor="s2">${run('bo', '<w:b/>')}${run('gs')}</w:hyperlink> ${run(', ')}<w:hyperlink w:anchor="x">${run('here')}</w:hyperlink>`,
    ) +
      p(field('HYPERLINK "https://a.example/" \\l "top" \\o "tip"', run('complex'))) +
      p(`<w:fldSimple w:instr=' HYPERLINK "https://b.example/x" '>${run('simple')}</w:fldSimple>`) +
      p(field(' PAGE ', run('12')) + field(`IF ${'x'}`, field('HYPERLINK https://c.example/', run('nested')))) +
      p(`<w:hyperlink r:id="r3">${run('script')}</w:hyperlink><w:hyperlink r:id="r9">${run('lost')}</w:hyperlink>${mark('end')}`),
    others,
  );
  expect(body.split('\n')).toEqual([
    '<p><a href="https://bogs.example/a?b=1&amp;c=2#s2"><strong>bo</strong>gs</a>, <a href="#x">here</a></p>',
    '<p><a href="https://a.example/#top">complex</a></p>',
    '<p><a href="https://b.example/x">simple</a></p>',
    '<p>12<a href="https://c.example/">nested</a></p>',
    '<p>scriptlost</p>',
  ]);
});

test('tables, merged cells, text boxes once, breaks, hidden text and signs', async () => {
  const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const box = `<w:txbxContent>${para('in a box')}</w:txbxContent>`;
  const body = await bodyOf(
    `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(para('Site'), '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell(para('Fen') + para('wet'), '<w:vMerge w:val="restart"/>')}${cell(para('1'))}</w:tr><w:tr>${cell(para('x'), '<w:vMerge/>')}<w:sdt><w:sdtContent>${cell(para('2'))}</w:sdtContent></w:sdt></w:tr></w:tbl>` +
      p(
        `${run('Text')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>${run(' behind')}`,
      ) +
      p(
        `<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:sym w:char="F0B7"/><w:sym w:char="00B5"/></w:r>${run('hidden', '<w:vanish/>')}${run('shown', '<w:vanish w:val="0"/>')}`,
      ) +
      `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${para('Contents')}</w:sdtContent></w:sdt>` +
      p(`${run('x = ')}<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>`) +
      p(`<w:r><w:ruby><w:rt>${run('かん')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r>`),
  );
  expect(body.split('\n')).toEqual([
    '<table><tr><th colspan="2">Site</th></tr>',
    '<tr><td><p>Fen</p>',
    '<p>wet</p></td><td>1</td></tr>',
    '<tr><td></td><td>2</td></tr></table>',
    '<p>Text behind</p>',
    '<p>in a box</p>',
    '<p>a\tb<br>c\u2011\u00b5shown</p>',
    '<p>x = <math><mfrac><mrow><mtext>a</mtext></mrow><mrow><mtext>b</mtext></mrow></mfrac></math></p>',
    '<p>漢字</p>',
  ]);
});

test('notes are listed at the end in the order of their references, each once', async () => {
  const note = (kind: string, id: string, content: string, type = '') => `<w:${kind} w:id="${id}"${type}>${content}</w:${kind}>`;
  const notes = (kind: string, ...all: string[]) =>
    `<w:${kind}s ${W}>${note(kind, '-1', p('<w:r><w:separator/></w:r>'), ' w:type="separator"')}${all.join('')}</w:${kind}s>`;
  const reference = (kind: string, id: string) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const others = {
    'word/footnotes.xml': notes(
      'footnote',
      note('footnote', '7', p(`<w:r><w:footnoteRef/></w:r><w:hyperlink r:id="r1">${run('source')}</w:hyperlink>`)),
      note('footnote', '8', para('never')),
    ),
    'word/endnotes.xml': notes('endnote', note('endnote', '2', para('end') + para('of it'))),
    'word/_rels/footnotes.xml.rels': rels(['r1', 'hyperlink', 'https://note.example/']),
  };
  const body = await bodyOf(
    p(run('moss') + reference('endnote', '2') + run(' and peat') + reference('footnote', '7') + reference('footnote', '99')),
    others,
  );
  expect(body).toContain('<p>moss<sup><a href="#note-1">[1]</a></sup> and peat<sup><a href="#note-2">[2]</a></sup></p>');
  expect(body.slice(body.indexOf('<section')).replaceAll('\n', '')).toBe(
    '<section role="doc-endnotes"><ol><li id="note-1"><p>end</p><p>of it</p></li><li id="note-2"><a href="https://note.example/">source</a></li></ol></section>',
  );
});

test('facts of the properties; those of a template are none, and neither is the language of an installation', async () => {
  const core = (content: string) => ({
    'docProps/core.xml': `<cp:coreProperties xmlns:dc="d" xmlns:dcterms="t">${content}</cp:coreProperties>`,
  });
  const lang = (code: string) => `<w:lang w:val="${code}" w:eastAsia="ja-JP" w:bidi="ar-SA"/>`;
  const { facts } = await read(para('x'), {
    ...core(
      '<dc:title>Bogs &amp; fens</dc:title><dc:creator>Ada Fenn; Bo Marsh;Ada Fenn</dc:creator><dcterms:created>2019-01-02T03:04:05Z</dcterms:created><dcterms:modified>2020-01-01T00:00:00Z</dcterms:modified><dc:language>pt-BR</dc:language>',
    ),
    'docProps/app.xml': '<Properties><Application>Microsoft Office Word</Application><AppVersion>16.0000</AppVersion></Properties>',
  });
  expect(facts).toMatchObject({
    title: 'Bogs & fens',
    authors: ['Ada Fenn', 'Bo Marsh'],
    published: '2019-01-02T03:04:05Z',
    modified: '2020-01-01T00:00:00Z',
    language: 'pt-br',
    producer: 'Microsoft Office Word 16.0000',
  });
  const template = await read(p(run('Moore', lang('de-DE')) + run('bog', lang('en'))), {
    ...core(
      '<dc:creator>python-docx</dc:creator><dcterms:created>2013-12-23T23:15:00Z</dcterms:created><dcterms:modified>2013-12-23T23:15:00Z</dcterms:modified>',
    ),
    'word/styles.xml': `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr>${lang('en-US')}</w:rPr></w:rPrDefault></w:docDefaults></w:styles>`,
  });
  expect(template.facts).toMatchObject({ title: null, authors: [], published: null, modified: null, language: 'de-de', producer: null });
  expect((await read(p(run('湿原の泥炭', lang('en-US'))))).facts.language).toBe('ja-jp');
  expect((await read(p(run('مستنقع', `<w:rtl/>${lang('en-US')}`)))).facts.language).toBe('ar-sa');
  expect((await read(p(run('stated', lang('fr')) + run('but most of it is not')))).facts.language).toBe(null);
});

test('formulas are one line of the text', async () => {
  const m = (name: string, ...parts: readonly string[]) => `<m:${name}>${parts.join('')}</m:${name}>`;
  const part = (name: string, text: string) => m(name, m('r', '<w:rPr><w:i/></w:rPr>', m('t', text)));
  const formulas = [
    m('sSup', '<m:sSupPr><m:ctrlPr/></m:sSupPr>', part('e', 'x'), part('sup', '2')),
    m('f', part('num', 'a'), part('den', 'b')),
    m('rad', m('radPr'), m('deg'), part('e', 'y')),
    m('rad', part('deg', '3'), part('e', 'z')),
    m('nary', '<m:naryPr><m:chr m:val="∑"/></m:naryPr>', part('sub', 'i'), part('sup', 'n'), part('e', 'k')),
    m('d', '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>', part('e', 'p'), part('e', 'q')),
    m('sSubSup', part('e', 'u'), part('sub', '1'), part('sup', '4')),
    m('oMath', m('r')),
  ];
  const { html } = await read(formulas.map((formula) => p(`${run('f: ')}<m:oMath>${formula}</m:oMath>`)).join(''));
  expect(textOf(html).split(/\n+/)).toEqual(['f: x^2', 'f: a/b', 'f: √y', 'f: 3√z', 'f: ∑_i^nk', 'f: [p|q]', 'f: u_1^4', 'f:']);
});

test('another prefix, another place of the parts and UTF-16 do not matter', async () => {
  const renamed = document(para('Elsewhere', style('H'))).replaceAll('w:', 'ns0:');
  const files = {
    '[Content_Types].xml': TYPES,
    '_rels/.rels': rels(['a', 'officeDocument', '/docs/main.xml']),
    'docs/main.xml': new Uint8Array(Buffer.from(`\ufeff${renamed}`, 'utf16le')),
    'docs/_rels/main.xml.rels': rels(['b', 'styles', '../looks/s.xml']),
    'looks/s.xml': `<w:styles ${W}><w:style w:styleId="H"><w:name w:val="Heading 1"/></w:style></w:styles>`,
  };
  expect((await documentIn(docx, zipOf(files))).body).toBe('<h1>Elsewhere</h1>');
});

test('encrypted, old, broken and empty documents are told apart', async () => {
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')]);
  expect(await readWith(docx, compound)).toEqual({ kind: 'refused', reason: 'encrypted', pages: null });
  expect(await readWith(docx, compound.subarray(0, 600))).toMatchObject({
    kind: 'failed',
    detail: 'an OLE file, such as those of Word before 2007',
  });
  const whole = zipOf(filesOf(para('text')));
  expect(await readWith(docx, whole.subarray(0, 300))).toMatchObject({ kind: 'failed', reason: 'decode' });
  expect(await readWith(docx, zipOf({ 'word/document.xml': '<html>' }))).toMatchObject({
    detail: 'the entry word/document.xml is not a Word document',
  });
  expect(await readWith(docx, zipOf(filesOf(p(''))))).toEqual({ kind: 'refused', reason: 'no-text', pages: null });
  expect(
    [whole, compound, zipOf({ 'xl/workbook.xml': '', '[Content_Types].xml': '' }), zipOf({ 'word/a.txt': '' }), whole.subarray(0, 99)].map(
      (bytes) => docx.looksLike(bytes),
    ),
  ).toEqual([true, 'maybe', false, false, 'maybe']);
});

test.each([
  [
    'tables with a paragraph in each',
    (inner: string, n: number) => `<w:tbl><w:tr><w:tc>${para(`cell${n}`)}${inner}</w:tc></w:tr></w:tbl>`,
    90,
  ],
  ['content controls', (inner: string) => `<w:sdt><w:sdtContent>${inner}</w:sdtContent></w:sdt>`, 300],
  ['tables, ever deeper', (inner: string) => `<w:tbl><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>`, 50_000],
  [
    'tables in content controls',
    (inner: string) => `<w:sdt><w:sdtContent><w:tbl><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl></w:sdtContent></w:sdt>`,
    500,
  ],
])('text in %s is kept', async (_, around, depth) => {
  const [before, after] = around('INNER', 0).split('INNER');
  const numbered = (part = '') => Array.from({ length: depth }, (_, n) => part.replace('cell0', `cell${n}`)).join('');
  const { body, facts } = await read(`${para('above')}${numbered(before)}${para('deepest')}${numbered(after)}${para('below')}`);
  const expected = before?.includes('cell0') ? Array.from({ length: depth }, (_, n) => `cell${n}`) : [];
  const lines = linesOf(body);
  expect([lines[0], lines.at(-1), facts.cut]).toEqual(['above', 'below', false]);
  expect(new Set(lines)).toEqual(new Set(['above', ...expected, 'deepest', 'below']));
});

test('deep nesting, entities that grow and tags without an end are bounded', async () => {
  const deep = await read(`${para('shallow')}${'<w:tbl><w:tr><w:tc>'.repeat(5000)}${para('deep')}`);
  expect([linesOf(deep.body), deep.body.length < 100_000, deep.facts.cut]).toEqual([['shallow', 'deep'], true, false]);
  const lol = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${document(para('&b;'))}`;
  expect((await documentIn(docx, zipOf({ ...filesOf(''), 'word/document.xml': lol }))).body).toBe('<p>&amp;b;</p>');
  const open = await read(`${para('before')}<w:p ${'x'.repeat(2e6)}`);
  expect([open.body, open.facts.cut]).toEqual(['<p>before</p>', true]);
  const row = `<w:tr><w:tc>${para('&amp;moss '.repeat(1000))}</w:tc></w:tr>`;
  const { facts, html } = await read(`<w:tbl>${row.repeat(600)}</w:tbl>`);
  expect([facts.cut, html.length < 4 * 1024 * 1024, html.length > 4_000_000]).toEqual([true, true, true]);
  expect(html.slice(-60)).toMatch(/(?:>|moss)<\/body><\/html>$/);
});
