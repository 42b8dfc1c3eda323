/** Styles of paragraphs: which are headings, lists, quotations, in any language of Word. */
import { attribute, childAt, descendants, type XmlElement } from '../../xml-tree.ts';

/** Place of a paragraph in a list. */
export interface ListPlace {
  /** null without a list; `0` takes a paragraph out of the list of its style. */
  readonly list: string | null;
  readonly level: number | null;
}

export interface ParagraphStyle {
  /** Level of a heading from 1; null for text. */
  readonly heading: number | null;
  readonly place: ListPlace;
  readonly role: 'text' | 'pre' | 'quote' | 'contents';
}

const TEXT: ParagraphStyle = { heading: null, place: { list: null, level: null }, role: 'text' };
/** Styles are based on others; a chain that is longer is a ring. */
const MAX_CHAIN = 20;
/** Outline levels are 0 to 8; 9 is text (ISO/IEC 29500-1 §17.3.1.20). */
const TEXT_LEVEL = 9;

/** Names of Word's own styles are English in the file in each language of the program; those of LibreOffice too. */
const ROLES: readonly (readonly [RegExp, ParagraphStyle['role']])[] = [
  [/^(?:toc \d|toc heading|contents (?:\d+|heading)|table of (?:figures|authorities)|index (?:\d|heading))$/i, 'contents'],
  [/^(?:html preformatted|preformatted text|source ?code|macro(?: ?text)?|plain code|code(?: block)?)$/i, 'pre'],
  [/^(?:(?:intense )?quote|quotations?|block ?text|block ?quote)$/i, 'quote'],
];

/** Styles of a document by their ids. */
export class DocxStyles {
  readonly #elements: ReadonlyMap<string, XmlElement>;
  readonly #known = new Map<string, ParagraphStyle>();

  constructor(root: XmlElement) {
    this.#elements = new Map(descendants(root, 'style').map((style) => [attribute(style, 'styleid') ?? '', style]));
  }

  /** The style of an id; `text` for an unknown one, unless its id says more. */
  style(id: string): ParagraphStyle {
    const known = this.#known.get(id) ?? this.#read(id);
    this.#known.set(id, known);
    return known;
  }

  #read(id: string): ParagraphStyle {
    const chain: XmlElement[] = [];
    for (let next: string | null = id; next !== null && chain.length < MAX_CHAIN; ) {
      const element = this.#elements.get(next);
      if (element === undefined) break;
      chain.push(element);
      next = attribute(childAt(element, 'basedon'), 'val');
    }
    if (chain.length === 0) return named(id);
    const places = chain.map((style) => listPlaceOf(childAt(style, 'ppr')));
    const names = chain.map((style) => named(nameOf(style)));
    return {
      heading: firstOf(chain, (style) => outlineLevel(childAt(style, 'ppr')) ?? named(nameOf(style)).heading),
      place: { list: firstOf(places, ({ list }) => list), level: firstOf(places, ({ level }) => level) },
      role: names.find(({ role }) => role !== 'text')?.role ?? 'text',
    };
  }
}

function nameOf(style: XmlElement): string {
  return attribute(childAt(style, 'name'), 'val') ?? '';
}

function firstOf<T, V>(all: readonly T[], read: (one: T) => V | null): V | null {
  for (const one of all) {
    const value = read(one);
    if (value !== null) return value;
  }
  return null;
}

/** The style that a name, or an id that is one, promises. */
function named(name: string): ParagraphStyle {
  const plain = name.trim();
  const level = /^heading ?([1-9])$/i.exec(plain)?.[1];
  if (level !== undefined) return { ...TEXT, heading: Number(level) };
  if (/^title$/i.test(plain)) return { ...TEXT, heading: 1 };
  const role = ROLES.find(([pattern]) => pattern.test(plain))?.[1];
  return role === undefined ? TEXT : { ...TEXT, role };
}

/** Level of the heading that properties of a paragraph make of it, from 1; null if they say nothing, 0 for text. */
export function outlineLevel(properties: XmlElement | undefined): number | null {
  const value = attribute(childAt(properties, 'outlinelvl'), 'val');
  if (value === null || !/^\d$/.test(value)) return null;
  return Number(value) === TEXT_LEVEL ? 0 : Number(value) + 1;
}

/** The list that properties of a paragraph name. */
export function listPlaceOf(properties: XmlElement | undefined): ListPlace {
  const numbering = childAt(properties, 'numpr');
  const level = attribute(childAt(numbering, 'ilvl'), 'val');
  return { list: attribute(childAt(numbering, 'numid'), 'val'), level: level === null || !/^\d$/.test(level) ? null : Number(level) };
}
