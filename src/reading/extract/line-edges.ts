/** Ends of lines and paragraphs at the elements of a page, and the white space that these keep. */
import { FLAG } from './tags.ts';

/**
 * The edge of a block-level element in the lines of the text: a paragraph, unless the element is an item or a line; a section, always. A list is a
 * section outside other lists, an item inside. A generic element is a line in verse and preformatted text, a paragraph elsewhere.
 */
export const EDGE = { paragraph: 1, item: 2, line: 4, section: 8, list: 16, generic: 32 } as const;

/** White space that an element keeps: line ends; blanks; and whether generic elements inside are lines. */
export const KEEP = { lines: 1, blanks: 2, verse: 4 } as const;

const PREFORMATTED = KEEP.lines | KEEP.blanks;
const EDGES: ReadonlyMap<string, number> = new Map([
  ...each(EDGE.item, 'li dt dd tr td th thead tbody tfoot option optgroup'),
  ...each(EDGE.list, 'ul ol dl menu dir'),
  ...each(EDGE.generic, 'div center'),
  ...each(
    EDGE.section,
    'h1 h2 h3 h4 h5 h6 hgroup hr table pre listing xmp plaintext blockquote section article main aside nav header footer figure form fieldset ' +
      'details dialog search body',
  ),
]);

function each(edge: number, names: string): (readonly [string, number])[] {
  return names.split(' ').map((name) => [name, edge] as const);
}

/** The edge of a block-level element with this name. */
export function edgeOfTag(name: string): number {
  return EDGES.get(name) ?? EDGE.paragraph;
}

/** The white space that an element keeps by its name. */
export function keepsOfTag({ name, flags }: { readonly name: string; readonly flags: number }): number {
  if (flags & FLAG.pre) return PREFORMATTED;
  return name === 'address' ? KEEP.verse : 0;
}
