/**
 * Formulas as text. Pages have them as MathML, as images with TeX in `alt` or as TeX in scripts, often twice: a program has drawn them beside (KaTeX,
 * MathJax, MediaWiki). Each is written as one `math` element with text alone: its TeX if the page has it, else its MathML on one line. The result is HTML
 * for any parser.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { escapeSigns } from '../../base/text/escape-signs.ts';
import { MathmlLine } from './mathml-line.ts';
import { TagSink } from './tag-sink.ts';
import { knownTags } from './tags.ts';
import { type ContentModel, tokenize } from './tokenizer.ts';

/** Longer formulas are none, and stay as they are: an element that never ends. In UTF-16 units. */
const MAX_FORMULA = 100_000;
const TAGS = knownTags();
/** Class names of elements that are one formula, drawn or in several forms: KaTeX, MediaWiki, MathJax 2 and 3. */
const DRAWN = /(?:^|\s)(?:katex(?:-display)?|mwe-math-element|MathJax(?:_Display|_SVG|_CHTML|_SVG_Display)?|mjx-chtml)(?=\s|$)/;
/** Class names of elements whose images, or whose text between delimiters of TeX, are formulas. */
const CONTAINER = /(?:^|\s)(?:math|maths|equation|formula|tex|latex|displaymath|inline-?math)(?=\s|$)/i;
/** Class names of images that are formulas, as of Sphinx, WordPress and MediaWiki. */
const IMAGE = /(?:^|\s)(?:math|tex|latex|mwe-math-fallback-image-(?:inline|display))(?=\s|$)/i;
/** Text of a formula, not of a photo in an article about mathematics: signs of TeX or of relations, or one short word. */
const LIKE_FORMULA = /[\\^_{}=<>+]|^\S{1,12}$/;
const DISPLAY =
  /(?:^|\s)(?:katex-display|MathJax_(?:SVG_)?Display|mwe-math-element-block|displaymath)(?=\s|$)|(?:^|\s)mwe-math-fallback-image-display/;
const TEX_SCRIPT = /^math\/(?:tex|asciimath)/i;
/** `\(x\)`, `\[x\]`, `$x$`, `$$x$$`. */
const DELIMITED = /^\s*(?:\\\(([\s\S]+)\\\)|\\\[([\s\S]+)\\\]|\$\$([\s\S]+)\$\$|\$([^$]+)\$)\s*$/;
/** Starts of TeX without delimiters. */
const TEX = /^(?:\{?\\(?:display|text)style\b|\\begin\{)/;
/** MediaWiki puts each formula into a style. */
const STYLED = /^\{\\(?:display|text)style\s([\s\S]*)\}$/;
/** The page with its formulas as text. O(length); pages without formulas have no sign of it, see page-signs.ts. */
export function withFormulas(html: string): string {
  const sink = new FormulaSink(html);
  tokenize(html, sink);
  return sink.finish();
}

/** An open element that is a formula, or has formulas. */
interface Region {
  readonly name: string;
  /** Place of its start tag. */
  readonly start: number;
  /** Open elements of its name, itself included. */
  depth: number;
  isDisplay: boolean;
  /** One formula: `math`, or one of `DRAWN`. Otherwise a container. */
  readonly isFormula: boolean;
  /** End of its start tag. */
  inner: number;
  hasTags: boolean;
}

class FormulaSink extends TagSink {
  readonly #out: string[] = [];
  /** Everything before is written. */
  #from = 0;
  #formula: Region | null = null;
  #container: Region | null = null;
  /** The forms of the open formula. */
  #tex = '';
  #alt = '';
  #line = new MathmlLine();
  /** Is the next text TeX: of an annotation, or of a script? */
  #isTex = false;
  #scriptStart = -1;

  finish(): string {
    this.#out.push(this.html.slice(this.#from));
    return this.#out.join('');
  }

  override text(start: number, end: number, references: boolean): void {
    if (!this.#isTex && this.foreign === 0) return;
    const written = this.html.slice(start, end);
    const text = references ? decodeHTML(written) : written;
    if (this.#isTex) this.#tex += text;
    else this.#line.text(text);
  }

  override startTagEnd(selfClosing: boolean): ContentModel {
    const name = this.name;
    const tag = TAGS.get(name);
    const classes = this.valueOf('class');
    const isForeign = this.foreign > 0 || name === 'svg' || name === 'math';
    const isEmpty = tag?.isVoid === true || (selfClosing && isForeign);
    if (this.#container !== null) this.#container.hasTags = true;
    if (name === 'img') this.#image(classes);
    else if (!isEmpty) this.#open(name, classes);
    if (this.#formula !== null && isForeign) this.#line.start(name, isEmpty);
    return isForeign ? 'data' : (tag?.content ?? 'data');
  }

  #open(name: string, classes: string): void {
    if (name === 'svg' || name === 'math') this.foreign += 1;
    if (name === 'math') this.#alt ||= this.#decodedValueOf('alttext');
    if (name === 'annotation') this.#isTex = /tex/i.test(this.valueOf('encoding')) && this.#tex === '';
    if (name === 'script' && TEX_SCRIPT.test(this.valueOf('type'))) this.#openScript();
    if (this.#formula !== null) this.#deepen(this.#formula, name);
    else if (name === 'math' || name === 'mjx-container' || DRAWN.test(classes)) this.#formula = this.#region(name, classes, true);
    if (this.#container !== null) this.#deepen(this.#container, name);
    else if (CONTAINER.test(classes)) this.#container = this.#region(name, classes, false);
  }

  #deepen(region: Region, name: string): void {
    if (region.name === name) region.depth += 1;
    region.isDisplay ||= this.#isDisplay('');
  }

  #region(name: string, classes: string, isFormula: boolean): Region {
    const isDisplay = DISPLAY.test(classes) || this.#isDisplay(name);
    return { name, start: this.tagStart, depth: 1, isDisplay, isFormula, inner: this.tagEnd, hasTags: false };
  }

  #isDisplay(name: string): boolean {
    const { display, mode } = { display: this.valueOf('display'), mode: this.valueOf('mode') };
    return /^(?:block|true)$/.test(display) || mode === 'display' || name === 'div';
  }

  #openScript(): void {
    if (this.#formula !== null) return;
    this.#isTex = true;
    this.#scriptStart = this.tagStart;
    this.#tex = '';
  }

  override endTag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    const after = this.behindTag(end);
    if (name === 'svg' || name === 'math') this.foreign = Math.max(0, this.foreign - 1);
    if (this.#formula !== null && this.foreign > 0) this.#line.end(name);
    if (name === 'annotation' || name === 'script') this.#endTex(name, after);
    if (this.#formula !== null) this.#endFormula(this.#formula, name, after);
    if (this.#container !== null) this.#endContainer(this.#container, name, start - 2, after);
  }

  #endTex(name: string, after: number): void {
    if (!this.#isTex) return;
    this.#isTex = false;
    if (name !== 'script') return;
    const isDisplay = /mode\s*=\s*display/i.test(this.html.slice(this.#scriptStart, this.#scriptStart + 60));
    this.#replace(this.#scriptStart, after, this.#tex, isDisplay);
    this.#tex = '';
  }

  #endFormula(formula: Region, name: string, after: number): void {
    if (after - formula.start > MAX_FORMULA) this.#forget();
    if (name !== formula.name) return;
    formula.depth -= 1;
    if (formula.depth > 0) return;
    const text = this.#tex || this.#alt || this.#line.finish();
    // MathJax draws the formula of the script behind it.
    const isDrawn = formula.name !== 'math' && text === '' && /^\s*<script[^>]{1,60}math\/tex/.test(this.html.slice(after, after + 200));
    if (text !== '' || isDrawn) this.#replace(formula.start, after, isDrawn ? '' : text, formula.isDisplay);
    this.#forget();
  }

  #endContainer(container: Region, name: string, start: number, after: number): void {
    if (name !== container.name) return;
    container.depth -= 1;
    if (container.depth > 0) return;
    this.#container = null;
    if (container.hasTags || this.#from > container.inner || start - container.inner > MAX_FORMULA) return;
    const tex = delimited(decodeHTML(this.html.slice(container.inner, start)));
    if (tex === null) return;
    this.#replace(container.inner, start, tex.text, tex.isDisplay);
    this.#from = Math.min(start, after);
  }

  /** An image is a formula by its TeX, by its class, in a container, or in an open formula. */
  #image(classes: string): void {
    const alt = this.#decodedValueOf('alt').trim();
    if (alt === '') return;
    const tex = delimited(alt);
    if (this.#formula !== null) this.#alt ||= tex?.text ?? alt;
    else if (tex !== null || TEX.test(alt) || IMAGE.test(classes) || (this.#container !== null && LIKE_FORMULA.test(alt))) {
      this.#replace(this.tagStart, this.tagEnd, tex?.text ?? alt, DISPLAY.test(classes) || tex?.isDisplay === true);
    }
  }

  #decodedValueOf(attribute: string): string {
    return decodeHTMLAttribute(this.valueOf(attribute));
  }

  #forget(): void {
    this.#formula = null;
    this.#tex = this.#alt = '';
    this.#isTex = false;
    this.#line = new MathmlLine();
  }

  #replace(start: number, end: number, text: string, isDisplay: boolean): void {
    const plain = text.trim().replace(STYLED, '$1').replaceAll(/\s+/g, ' ').trim();
    if (start < this.#from) return;
    this.#out.push(this.html.slice(this.#from, start));
    if (plain !== '') this.#out.push(`<math${isDisplay ? ' display="block"' : ''}>${escapeSigns(plain)}</math>`);
    this.#from = end;
  }
}

/** TeX without its delimiters; null for other text. */
function delimited(text: string): { readonly text: string; readonly isDisplay: boolean } | null {
  const found = DELIMITED.exec(text);
  const [inParentheses, inBrackets, inDollars, inDollar] = found?.slice(1) ?? [];
  const tex = inParentheses ?? inBrackets ?? inDollars ?? inDollar;
  return tex === undefined ? null : { text: tex, isDisplay: (inBrackets ?? inDollars) !== undefined };
}
