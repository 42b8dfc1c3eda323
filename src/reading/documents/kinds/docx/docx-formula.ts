/** Formulas of Word (Office Math, ISO/IEC 29500-1 §22.1) as MathML, which the extractor writes on one line. */
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { elementHtml } from '../../document-html.ts';
import { attribute, childAt, elementsOf, textIn, type XmlElement } from '../../xml-tree.ts';

/** Elements with fixed parts: the MathML element, and the parts in its order. */
const SHAPES: Readonly<Record<string, readonly [name: string, ...parts: string[]]>> = {
  f: ['mfrac', 'num', 'den'],
  ssup: ['msup', 'e', 'sup'],
  ssub: ['msub', 'e', 'sub'],
  ssubsup: ['msubsup', 'e', 'sub', 'sup'],
  limlow: ['munder', 'e', 'lim'],
  limupp: ['mover', 'e', 'lim'],
};

/** A formula, or several in a row; '' without text. */
export function formulaHtml(element: XmlElement): string {
  return textOfRuns(element) === '' ? '' : elementHtml('math', inside(element));
}

function textOfRuns(element: XmlElement): string {
  return element.name === 't' ? textIn(element).trim() : elementsOf(element).map(textOfRuns).join('');
}

function mathml(element: XmlElement): string {
  const { name } = element;
  const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
  if (shape !== undefined) return shaped(element, ...shape);
  if (name === 't') return elementHtml('mtext', escapeSigns(textIn(element)));
  if (name === 'rad') return root(element);
  if (name === 'nary') return nary(element);
  if (name === 'd') return delimited(element);
  return isProperty(name) ? '' : inside(element);
}

function inside(element: XmlElement | undefined): string {
  return elementsOf(element).map(mathml).join('');
}

/** A part is one element, also an empty one: its place counts. */
function row(element: XmlElement | undefined): string {
  return `<mrow>${inside(element)}</mrow>`;
}

function shaped(element: XmlElement, name: string, ...parts: readonly string[]): string {
  return elementHtml(name, parts.map((part) => row(childAt(element, part))).join(''));
}

function root(element: XmlElement): string {
  const degree = childAt(element, 'deg');
  if (degree === undefined || textOfRuns(degree) === '') return `<msqrt>${row(childAt(element, 'e'))}</msqrt>`;
  return `<mroot>${row(childAt(element, 'e'))}${row(degree)}</mroot>`;
}

/** Sums and integrals: without a sign of their own, an integral. */
function nary(element: XmlElement): string {
  const sign = attribute(childAt(element, 'narypr', 'chr'), 'val') ?? '∫';
  const limits = ['sub', 'sup'].map((part) => row(childAt(element, part))).join('');
  return `<munderover><mo>${escapeSigns(sign)}</mo>${limits}</munderover>${row(childAt(element, 'e'))}`;
}

function delimited(element: XmlElement): string {
  const signOf = (name: string, usual: string) => escapeSigns(attribute(childAt(element, 'dpr', name), 'val') ?? usual);
  const parts = elementsOf(element).filter(({ name }) => name === 'e');
  const content = parts.map(row).join(`<mo>${signOf('sepchr', '|')}</mo>`);
  return `<mo>${signOf('begchr', '(')}</mo>${content}<mo>${signOf('endchr', ')')}</mo>`;
}

/** `fPr`, `sSupPr`, `rPr`: looks. */
function isProperty(name: string): boolean {
  return name.endsWith('pr');
}
