/** The text of one paragraph of Word: runs, links, fields, notes, and the text boxes that hang on it. */
import { normaliseLang } from '../../../../base/text/language.ts';
import { InlineHtml, PLAIN_RUN, type RunStyle } from '../../inline-html.ts';
import { attribute, childAt, descendants, elementsOf, textIn, type XmlElement } from '../../xml-tree.ts';
import { fieldLink } from './docx-fields.ts';
import { formulaHtml } from './docx-formula.ts';
import type { DocxStory } from './docx-story.ts';

/** Elements around runs that say nothing about them. */
const AROUND = new Set('ins moveto smarttag customxml sdt sdtcontent dir bdo fldsimple hyperlink'.split(' '));
/** Deleted text, text that moved elsewhere, and properties. */
const OMITTED = new Set('del movefrom ppr rpr'.split(' '));

const DRAWINGS = new Set(['drawing', 'pict', 'object']);

/** A field between its marks: first its instruction, then its result. */
interface Field {
  instruction: string;
  isResult: boolean;
}

export class DocxParagraph {
  readonly #story: DocxStory;
  readonly #links: ReadonlyMap<string, string>;
  readonly #inline: InlineHtml;
  readonly #fields: Field[] = [];
  readonly #boxes: XmlElement[] = [];

  /** @param links targets by their ids, of the part that the paragraph is in */
  constructor(story: DocxStory, links: ReadonlyMap<string, string>) {
    this.#story = story;
    this.#links = links;
    this.#inline = new InlineHtml(story.base);
  }

  /** Contents of text boxes, which are blocks. */
  get boxes(): readonly XmlElement[] {
    return this.#boxes;
  }

  get html(): string {
    return this.#inline.finish();
  }

  add(element: XmlElement, href: string | null = null): void {
    for (const child of elementsOf(element)) {
      if (OMITTED.has(child.name)) continue;
      if (child.name === 'r') this.#run(child, href);
      else if (AROUND.has(child.name)) this.add(child, this.#hrefOf(child) ?? href);
      else if (child.name === 'omath' || child.name === 'omathpara') this.#formula(child);
      else if (child.name === 'alternatecontent') this.#alternatives(child, href);
    }
  }

  #hrefOf(element: XmlElement): string | null {
    if (element.name === 'fldsimple') return fieldLink(attribute(element, 'instr') ?? '');
    if (element.name !== 'hyperlink') return null;
    const anchor = attribute(element, 'anchor') ?? attribute(element, 'doclocation');
    const target = this.#links.get(attribute(element, 'id') ?? '');
    if (target === undefined) return anchor === null ? null : `#${anchor}`;
    return anchor === null || target.includes('#') ? target : `${target}#${anchor}`;
  }

  #run(run: XmlElement, href: string | null): void {
    const properties = childAt(run, 'rpr');
    if (isOn(properties, 'vanish')) return;
    const style = { isStrong: isOn(properties, 'b'), isEmphasized: isOn(properties, 'i') };
    for (const child of elementsOf(run)) this.#piece(child, { ...style, href: href ?? this.#fieldHref() }, properties);
  }

  #piece(piece: XmlElement, style: RunStyle, properties: XmlElement | undefined): void {
    const { name } = piece;
    if (name === 'fldchar') this.#fieldMark(attribute(piece, 'fldchartype'));
    else if (name === 'instrtext') this.#instruction(textIn(piece));
    else if (name === 'footnotereference' || name === 'endnotereference') this.#note(piece);
    else if (name === 'ruby') this.add(childAt(piece, 'rubybase') ?? piece, style.href);
    else if (name === 'alternatecontent') this.#alternatives(piece, style.href);
    else if (DRAWINGS.has(name)) this.#boxes.push(...descendants(piece, 'txbxcontent'));
    else if (this.#isInstruction) return;
    else if (name === 'br' || name === 'cr') this.#inline.html('<br>', style);
    else this.#text(textOf(piece), style, properties);
  }

  #text(text: string, style: RunStyle, properties: XmlElement | undefined): void {
    this.#inline.text(text, style);
    this.#story.languages.count(text.length, languageOf(text, childAt(properties, 'lang'), properties));
  }

  get #isInstruction(): boolean {
    return this.#fields.at(-1)?.isResult === false;
  }

  /** Open fields beyond the cap. */
  #deeper = 0;

  #fieldHref(): string | null {
    const links = this.#fields.filter(({ isResult }) => isResult).map(({ instruction }) => fieldLink(instruction));
    return links.findLast((link) => link !== null) ?? null;
  }

  #fieldMark(mark: string | null): void {
    const field = this.#fields.at(-1);
    if (mark === 'begin' && this.#fields.length >= MAX_FIELDS) this.#deeper += 1;
    else if (mark === 'begin') this.#fields.push({ instruction: '', isResult: false });
    else if (mark === 'end' && this.#deeper > 0) this.#deeper -= 1;
    else if (mark === 'separate' && field !== undefined) field.isResult = true;
    else if (mark === 'end') this.#fields.pop();
  }

  #instruction(text: string): void {
    const field = this.#fields.at(-1);
    if (field !== undefined && field.instruction.length < MAX_INSTRUCTION) field.instruction += text;
  }

  #note(reference: XmlElement): void {
    const kind = reference.name === 'endnotereference' ? 'endnote' : 'footnote';
    this.#inline.html(this.#story.refer(kind, attribute(reference, 'id') ?? ''), PLAIN_RUN);
  }

  /** Adds one of two forms of a thing, for newer and for older programs (ISO/IEC 29500-3 §7.2). */
  #alternatives(element: XmlElement, href: string | null): void {
    const choice = ['choice', 'fallback'].map((name) => childAt(element, name)).find((one) => one !== undefined && hasText(one));
    if (choice === undefined) return;
    if (childAt(choice, 'r') !== undefined) this.add(choice, href);
    else for (const child of elementsOf(choice)) this.#piece(child, { ...PLAIN_RUN, href }, undefined);
  }

  #formula(element: XmlElement): void {
    this.#inline.html(formulaHtml(element), PLAIN_RUN);
  }
}

/** More than the longest address. */
const MAX_INSTRUCTION = 8192;

function isOn(properties: XmlElement | undefined, name: string): boolean {
  const element = childAt(properties, name);
  return element !== undefined && !/^(?:0|false|off)$/i.test(attribute(element, 'val') ?? '');
}

function hasText(element: XmlElement): boolean {
  return ['t', 'footnotereference', 'endnotereference'].some((name) => descendants(element, name).length > 0);
}

/** Fields inside of each other; real ones are two or three. */
const MAX_FIELDS = 20;

const SIGNS: Readonly<Record<string, string>> = { tab: '\t', ptab: '\t', nobreakhyphen: '\u2011' };

function textOf(piece: XmlElement): string {
  if (piece.name === 't') return textIn(piece);
  return piece.name === 'sym' ? symbolOf(piece) : ((Object.hasOwn(SIGNS, piece.name) ? SIGNS[piece.name] : undefined) ?? '');
}

/** The sign itself; '' for one of the private area of Unicode, whose look only its font knows. */
function symbolOf(piece: XmlElement): string {
  const code = Number.parseInt(attribute(piece, 'char') ?? '', 16);
  return code > 0x20 && code < 0xe000 && (code < 0xd800 || code > 0xdfff) ? String.fromCharCode(code) : '';
}

/** Letters of Chinese, Japanese and Korean have a language of their own in a run, and so have those from right to left. */
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

function languageOf(text: string, lang: XmlElement | undefined, properties: XmlElement | undefined): string | null {
  if (lang === undefined) return null;
  if (isOn(properties, 'rtl') || isOn(properties, 'cs')) return normaliseLang(attribute(lang, 'bidi'));
  return normaliseLang(attribute(lang, EAST_ASIAN.test(text) ? 'eastasia' : 'val'));
}
