/** Paragraphs, lists and tables of OpenDocument as blocks. */
import { headingName, innerBlocks, type TextBlock } from '../../blocks-html.ts';
import { elementHtml } from '../../document-html.ts';
import { PLAIN_RUN } from '../../inline-html.ts';
import { attribute, childrenNamed, elementsOf, type XmlElement } from '../../xml-tree.ts';
import { DRAWN, OdtParagraph } from './odt-paragraph.ts';
import type { OdtStory } from './odt-story.ts';

/** Elements around blocks that say nothing about them. */
const AROUND = new Set(['text-box', 'index-body', 'bibliography', 'numbered-paragraph', 'page-sequence', ...DRAWN]);
const ROWS = new Set('table-header-rows table-rows table-row-group'.split(' '));
/** More columns or rows than a cell of a text covers. */
const MAX_SPAN = 1000;

/** Blocks of the body, of a cell, of a note or of a frame. */
export function odtBlocks(story: OdtStory, parent: XmlElement): readonly TextBlock[] {
  return elementsOf(parent).flatMap((child) => blocksOf(story, child));
}

/** All notes of a document. */
export function odtNotes(story: OdtStory): string {
  return story.notes.html((note) => innerBlocks(odtBlocks(story, note)));
}

function blocksOf(story: OdtStory, element: XmlElement): readonly TextBlock[] {
  const { name } = element;
  if (name === 'p' || name === 'h') return paragraph(story, element);
  if (name === 'list') return list(story, element, null, 1);
  if (name === 'table') return [{ kind: 'html', html: table(story, element) }];
  if (name === 'section') return attribute(element, 'display') === 'none' ? [] : odtBlocks(story, element);
  return AROUND.has(name) ? odtBlocks(story, element) : [];
}

function paragraph(story: OdtStory, element: XmlElement): readonly TextBlock[] {
  const style = story.styles.style(attribute(element, 'style-name'));
  if (style.isHidden || style.role === 'contents') return [];
  const text = new OdtParagraph(story);
  text.add(element, PLAIN_RUN, style);
  const level = element.name === 'h' ? Number(attribute(element, 'outline-level') ?? 1) || 1 : style.heading;
  return [shaped(level, style.role, text.html), ...text.drawn.flatMap((drawn) => blocksOf(story, drawn))];
}

function shaped(level: number | null, role: string, html: string): TextBlock {
  if (level !== null) return { kind: 'element', name: headingName(level), html };
  if (role === 'pre') return { kind: 'pre', html: html.replaceAll('<br>', '\n') };
  return { kind: 'element', name: role === 'quote' ? 'blockquote' : 'p', html };
}

/** A list inside of a list has its signs, unless it names others. Numbered headings are lists of headings. */
function list(story: OdtStory, element: XmlElement, around: string | null, level: number): readonly TextBlock[] {
  const style = attribute(element, 'style-name') ?? around;
  const items = elementsOf(element)
    .filter(({ name }) => name === 'list-item' || name === 'list-header')
    .map((item) => itemBlocks(story, item, style, level));
  if (items.some((blocks) => blocks.some(isHeading))) return items.flat();
  const html = items.map((blocks) => elementHtml('li', innerBlocks(blocks))).join('\n');
  return [{ kind: 'html', html: elementHtml(story.styles.isOrdered(style, level) ? 'ol' : 'ul', html) }];
}

function itemBlocks(story: OdtStory, item: XmlElement, style: string | null, level: number): readonly TextBlock[] {
  return elementsOf(item).flatMap((child) => (child.name === 'list' ? list(story, child, style, level + 1) : blocksOf(story, child)));
}

function isHeading(block: TextBlock): boolean {
  return block.kind === 'element' && /^h\d$/.test(block.name);
}

function table(story: OdtStory, element: XmlElement): string {
  return elementHtml('table', rows(story, element, 'td').join('\n'));
}

function rows(story: OdtStory, parent: XmlElement, cell: 'td' | 'th'): readonly string[] {
  return elementsOf(parent).flatMap((child) => {
    if (child.name === 'table-row')
      return [
        elementHtml(
          'tr',
          childrenNamed(child, 'table-cell')
            .map((one) => cellHtml(story, one, cell))
            .join(''),
        ),
      ];
    return ROWS.has(child.name) ? rows(story, child, child.name === 'table-header-rows' ? 'th' : cell) : [];
  });
}

function cellHtml(story: OdtStory, element: XmlElement, name: 'td' | 'th'): string {
  const spans = [span(element, 'columns', 'colspan'), span(element, 'rows', 'rowspan')].join('');
  return `<${name}${spans}>${innerBlocks(odtBlocks(story, element))}</${name}>`;
}

function span(element: XmlElement, of: string, name: string): string {
  const count = Number(attribute(element, `number-${of}-spanned`) ?? 1);
  return count > 1 && count <= MAX_SPAN ? ` ${name}="${count}"` : '';
}
