/** Styles of paragraphs: which are headings, lists, quotations, in any language of Word. */
import { type ParagraphRole, roleNamed } from '../../paragraph-roles.ts';
import { firstKnown, styleChain } from '../../style-chain.ts';
import { attribute, childAt, descendants, type XmlElement } from '../../xml-tree.ts';

/** Place of a paragraph in a list. */
export interface ListPlace {
  /** null without a list; `0` takes a paragraph out of the list of its style. */
  readonly list: string | null;
  readonly level: number | null;
}

export interface ParagraphStyle extends ParagraphRole {
  readonly place: ListPlace;
}

/** Outline levels are 0 to 8; 9 is text (ISO/IEC 29500-1 §17.3.1.20). */
const TEXT_LEVEL = 9;

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
    const chain = styleChain(this.#elements, id, (style) => attribute(childAt(style, 'basedon'), 'val'));
    if (chain.length === 0) return { ...roleNamed(id), place: { list: null, level: null } };
    const places = chain.map((style) => listPlaceOf(childAt(style, 'ppr')));
    const names = chain.map((style) => roleNamed(nameOf(style)));
    return {
      heading: firstKnown(chain, (style) => outlineLevel(childAt(style, 'ppr')) ?? roleNamed(nameOf(style)).heading),
      place: { list: firstKnown(places, ({ list }) => list), level: firstKnown(places, ({ level }) => level) },
      role: names.find(({ role }) => role !== 'text')?.role ?? 'text',
    };
  }
}

function nameOf(style: XmlElement): string {
  return attribute(childAt(style, 'name'), 'val') ?? '';
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
