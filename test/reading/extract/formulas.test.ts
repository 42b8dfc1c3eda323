import { expect, test } from 'vitest';
import { canonicalize } from '../../../src/base/web/url.ts';
import { withFormulas } from '../../../src/reading/extract/formulas.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const extractor = pageExtractor({ productToken: 'forager', extractor: 'none' });
const url = canonicalize('http://optics.example/') as NonNullable<ReturnType<typeof canonicalize>>;

function read(formula: string) {
  const body = Buffer.from(`<!doctype html><p>Where ${formula} holds.</p>`);
  const { extraction, markdown } = extractor.extractMarkdown({ url, headers: { 'content-type': 'text/html; charset=utf-8' }, body });
  return { text: extraction.text, markdown: markdown.trim() };
}

const mathml = (inside: string, attributes = '') => `<math xmlns="http://www.w3.org/1998/Math/MathML"${attributes}>${inside}</math>`;
const annotated = (tex: string) =>
  `<semantics><mrow><mi>E</mi><mo>=</mo><mi>h</mi><mi>ν</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics>`;

test.each<[string, string, string]>([
  ['MathML with its TeX', mathml(annotated('E = h\\nu')), 'E = h\\nu'],
  [
    'KaTeX',
    `<span class="katex"><span class="katex-mathml">${mathml(annotated('a &lt; b'))}</span><span class="katex-html" aria-hidden="true"><span class="base">a<span>&lt;</span>b</span></span></span>`,
    'a < b',
  ],
  [
    'MediaWiki',
    `<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;">${mathml(annotated('{\\displaystyle n\\sin \\theta }'), ' alttext="{\\displaystyle n}"')}</span><img src="f.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle n\\sin \\theta }"></span>`,
    'n\\sin \\theta',
  ],
  ['its image alone', '<img class="mwe-math-fallback-image-inline" src="f.svg" alt="{\\displaystyle \\lambda _{0}}">', '\\lambda _{0}'],
  ['an alttext', mathml('<mi>k</mi>', ' alttext="k_0"'), 'k_0'],
  ['an image of a class', '<img class="latex" src="f.png" alt="f^{-1}">', 'f^{-1}'],
  ['an image in a container', '<span class="math"><img src="f.png" alt="\\alpha"></span>', '\\alpha'],
  ['an image of LaTeX2HTML', '<IMG WIDTH="14" ALT="$\\kappa_1$" SRC="img3.png">', '\\kappa_1'],
  ['an image of Doxygen', '<img class="formulaInl" alt="\\(n^2\\)" src="form_1.png">', 'n^2'],
  ['an image with an environment', '<img alt="\\begin{pmatrix}a\\end{pmatrix}" src="m.png">', '\\begin{pmatrix}a\\end{pmatrix}'],
  ['a class in capitals', '<SPAN CLASS="MATH">$r &lt; s$</SPAN>', 'r < s'],
  ['a class that says formula', '<span class="formula">\\(u \\to v\\)</span>', 'u \\to v'],
  ['TeX between delimiters', '<span class="math notranslate nohighlight">\\(x &gt; y\\)</span>', 'x > y'],
  ['a script of MathJax', '<span class="MathJax_Preview"></span><script type="math/tex">c^2</script>', 'c^2'],
  [
    'what MathJax 2 has drawn beside its script',
    '<span class="MathJax" id="e1"><nobr><span>c</span><span>2</span></nobr></span><script type="math/tex" id="s1">c^2</script>',
    'c^2',
  ],
  [
    'MathJax 3 with MathML',
    `<mjx-container class="MathJax" jax="CHTML"><mjx-math><mjx-mi>v</mjx-mi></mjx-math><mjx-assistive-mml>${mathml('<mi>v</mi>')}</mjx-assistive-mml></mjx-container>`,
    'v',
  ],
])('%s is text once', (_, html, formula) => {
  expect(read(html)).toEqual({ text: `Where ${formula} holds.`, markdown: `Where $${formula}$ holds.` });
});

test.each([
  ['<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub>', 'x^2+y_i'],
  ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>12</mn></mfrac>', '(a+b)/12'],
  ['<msqrt><mi>x</mi><mo>-</mo><mn>1</mn></msqrt>', '√(x-1)'],
  ['<mroot><mi>x</mi><mn>3</mn></mroot>', '3√x'],
  [
    '<munderover><mo>&sum;</mo><mrow><mi>k</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><msubsup><mi>a</mi><mi>k</mi><mn>2</mn></msubsup>',
    '∑_(k=0)^na_k^2',
  ],
  ['<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>', 'sin x'],
  [
    '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mi>c</mi></mtd></mtr></mtable>',
    '1, 0; 0, c',
  ],
  ['<mi>v</mi><mo>=</mo><mn>3</mn><mspace width="1em"/><mtext>m per s</mtext><mphantom><mi>q</mi></mphantom>', 'v=3 m per s'],
  ['<mfenced><mi>p</mi><mi>q</mi></mfenced>', '(p, q)'],
])('MathML without TeX is typed: %s', (inside, line) => {
  expect(read(mathml(inside)).text).toBe(`Where ${line} holds.`);
});

test('a formula of its own has two dollar signs; one with a dollar sign has none', () => {
  expect(read(mathml('<mi>x</mi>', ' display="block"')).markdown).toBe('Where $$x$$ holds.');
  expect(read('<script type="math/tex; mode=display">x_1 * x_2</script>').markdown).toBe('Where $$x_1 * x_2$$ holds.');
  expect(read('<img class="tex" alt="5\\$">').markdown).toBe('Where 5\\\\$ holds.');
  expect(read('<img class="formulaDsp" alt="\\[ n = 1 \\]">').markdown).toBe('Where $$n = 1$$ holds.');
});

test.each([
  ['no formulas', '<p class="maths-club">mathematics, <img class="photo" alt="A pupil"></p>'],
  ['words about markup', '<pre>&lt;math&gt;</pre><script>var a = "<math>";</script><textarea><math><mi>x</mi></math></textarea>'],
  ['a formula without an end', '<p><math><mi>x</mi><p>More'],
  ['a container of words', '<div class="math"><p>An introduction</p></div><span class="equation">(1)</span>'],
  ['a photo in a container', '<div class="math"><p>Here</p><img src="p.jpg" alt="A pupil at the blackboard"></div>'],
  ['prices', '<p><img src="p.png" alt="$$$"><img src="q.png" alt="$20 off"><img src="r.png" alt="$$">'],
  ['an image without alt', '<img class="tex" src="f.png"><img class="math" alt="">'],
])('%s: the page stays as it is', (_, html) => {
  expect(withFormulas(html)).toBe(html);
});

test('time is linear in any markup', () => {
  for (const piece of [
    '<math>',
    '<span class="math">',
    '<script type="math/tex">x',
    '<span class="katex"><math><msup>',
    '<img class="tex" alt="x">',
  ]) {
    const html = piece.repeat(40_000);
    expectWithin(4000, () => expect(withFormulas(html).length).toBeGreaterThan(0));
  }
});
