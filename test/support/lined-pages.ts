/** Pages whose lines are known: verse, code, memos, tables, addresses and mails, each in several kinds of markup. */
import fc from 'fast-check';

/** A page with the lines that its text must have, in their order; blanks at the start count where they are kept. */
export interface LinedPage {
  readonly html: string;
  readonly lines: readonly string[];
}

/** A part of a page. */
type Part = LinedPage;

const escaped = (line: string) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const WORDS = 'heron willow mill slate carter ebb quay loft flour Wheel Tide 1804 & <gate> été 石 ζῶ'.split(' ');
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 }).map((some) => some.join(' '));
const line = words.map((some) => `Row ${some}.`);
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const indent = fc.constantFrom('', '', '  ', '    ', '\t', '\t  ');
const codeLine = fc
  .tuple(indent, words, fc.constantFrom('', ';', '  # note', ' '))
  .map(([blanks, some, end]) => `${blanks}x = ${some}${end}`);
const code = fc.array(fc.oneof({ weight: 5, arbitrary: codeLine }, { weight: 1, arbitrary: fc.constant('') }), {
  minLength: 1,
  maxLength: 8,
});
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** The lines of preformatted text: blank ones at its ends and blanks at the ends of lines are none. */
const shownCode = (all: readonly string[]) => all.map((one) => one.trimEnd()).filter((one) => one !== '');

function part(of: fc.Arbitrary<readonly string[]>, markup: (all: readonly string[]) => string, shown = (all: readonly string[]) => all) {
  return of.map((all): Part => ({ html: markup(all), lines: shown(all) }));
}

const joined = (all: readonly string[], before: string, after: string, between = '') =>
  all.map((one) => `${before}${escaped(one)}${after}`).join(between);

const codeParts: readonly fc.Arbitrary<Part>[] = [
  fc.tuple(code, lineEnd).map(([all, end]) => ({ html: `<pre>\n${joined(all, '', '', end)}</pre>`, lines: shownCode(all) })),
  part(code, (all) => `<pre><code class="language-py">${joined(all, '', '', '\n')}\n</code></pre>`, shownCode),
  part(code, (all) => `<pre>${joined(all, '<span class="line">', '</span>', '\n')}</pre>`, shownCode),
  part(code, (all) => `<pre>${joined(all, '<div class="line">', '\n</div>')}</pre>`, shownCode),
  part(code, (all) => `<pre>${joined(all, '<div>', '</div>', '\n')}</pre>`, shownCode),
  part(code, (all) => `<pre>${joined(all, '<span style="display:block">', '\n</span>')}</pre>`, shownCode),
  part(code, (all) => `<pre><ol>${joined(all, '<li><code>', '</code></li>', '\n')}</ol></pre>`, shownCode),
  part(code, (all) => `<div style="white-space: pre-wrap">${joined(all, '', '', '\n')}</div>`, shownCode),
  part(code, (all) => `<pre>${joined(all, '', '', '<br>')}</pre>`, shownCode),
  part(code, (all) => `<listing>${joined(all, '', '', '\n')}</listing>`, shownCode),
];

const verseParts: readonly fc.Arbitrary<Part>[] = [
  part(lines, (all) => `<p>${joined(all, '', '', '<br>')}</p>`),
  part(lines, (all) => `<p class="verse">\n${joined(all, '  ', '<br/>', '\n')}</p>`),
  part(lines, (all) => `<div class="stanza">${joined(all, '<div class="line">', '</div>', '\n')}</div>`),
  part(lines, (all) => `<div class="poem">${joined(all, '<div>', '<br></div>')}</div>`),
  part(lines, (all) => `<p>${joined(all, '<span style="display: block">', '</span>', ' ')}</p>`),
  part(lines, (all) => `<p style="white-space:pre-line">\n${joined(all, '   ', '', '\n')}</p>`),
  part(lines, (all) => `<div class="lg"><div class="linegroup">${joined(all, '<p class="line">', '</p>')}</div></div>`),
];

const otherParts: readonly fc.Arbitrary<Part>[] = [
  part(lines, (all) => `<address>${joined(all, '', '', '<br>\n')}</address>`),
  part(lines, (all) => `<address>${joined(all, '<div>', '</div>', '\n')}</address>`),
  part(lines, (all) => `<ul>${joined(all, '<li>', '</li>', '\n')}</ul>`),
  part(lines, (all) => `<ol>${joined(all, '<li><p>', '</p>')}</ol>`),
  part(lines, (all) => `<dl>${joined(all, '<dt>', '')}</dl>`),
  part(lines, (all) => `<table>${joined(all, '<tr><td>', '</td></tr>', '\n')}</table>`),
  part(
    fc
      .array(fc.tuple(words, words), { minLength: 1, maxLength: 5 })
      .map((rows) => rows.map(([a, b]) => `Row ${a.slice(0, 20)}\tR${b.slice(0, 20)}`)),
    (all) => `<table>${all.map((row) => `<tr><td>${escaped(row).replace('\t', '</td>\n<td>')}</td></tr>`).join('')}</table>`,
    (all) =>
      all.map((row) =>
        row
          .replaceAll(/ +/g, ' ')
          .replaceAll(/ *\t */g, '\t')
          .trim(),
      ),
  ),
  part(lines, (all) => joined(all, '<p>', '</p>', '\n')),
  part(lines, (all) => joined(all, '<div>', '</div>')),
  part(
    lines,
    (all) => `<blockquote>${joined(all, '&gt; ', '', '<br>')}</blockquote>`,
    (all) => all.map((one) => `> ${one}`),
  ),
];

const anyPart = fc.oneof(...codeParts, ...verseParts, ...otherParts);

/** A page of one to five parts, under a heading. */
export const linedPage: fc.Arbitrary<LinedPage> = fc.array(anyPart, { minLength: 1, maxLength: 5 }).map((parts) => ({
  html: `<!doctype html><title>Lines</title><main><h1>Lines of the mill</h1>${parts.map(({ html }) => html).join('\n')}</main>`,
  lines: ['Lines of the mill', ...parts.flatMap((one) => one.lines)],
}));
