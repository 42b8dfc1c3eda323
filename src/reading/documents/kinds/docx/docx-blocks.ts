/** Paragraphs and tables of Word as blocks. */
import { headingName, innerBlocks, type TextBlock, writtenBlocks } from '../../blocks-html.ts';
import { elementHtml } from '../../document-html.ts';
import { attribute, childAt, childrenNamed, descendants, elementsOf, type XmlElement } from '../../xml-tree.ts';
import { DocxParagraph } from './docx-paragraph.ts';
import type { DocxStory } from './docx-story.ts';
import { listPlaceOf, outlineLevel } from './docx-styles.ts';

/** Elements around blocks that say nothing about them. */
const AROUND = new Set('sdtcontent customxml smarttag ins moveto'.split(' '));
/** The gallery of Word that a table of contents comes from (ISO/IEC 29500-1 §17.5.2.12). */
const CONTENTS = 'table of contents';

/** Blocks of one part of a document. @param links targets by their ids */
export class DocxBlocks {
  readonly #story: DocxStory;
  readonly #links: ReadonlyMap<string, string>;
  /** Paragraph whose end was deleted: the next one continues it. */
  #unfinished: DocxParagraph | null = null;

  constructor(story: DocxStory, links: ReadonlyMap<string, string>) {
    this.#story = story;
    this.#links = links;
  }

  /** Blocks of the body, of a cell, of a note or of a text box. */
  blocksOf(parent: XmlElement): readonly TextBlock[] {
    const blocks = this.#inside(parent);
    const rest = this.#unfinished?.html ?? '';
    this.#unfinished = null;
    return [...blocks, { kind: 'element', name: 'p', html: rest }];
  }

  #inside(parent: XmlElement): readonly TextBlock[] {
    return elementsOf(parent).flatMap((child) => this.#blocks(child));
  }

  #blocks(element: XmlElement): readonly TextBlock[] {
    if (element.name === 'p') return this.#paragraph(element);
    if (element.name === 'tbl') return [{ kind: 'html', html: this.#table(element) }];
    if (element.name === 'sdt') return isContents(element) ? [] : this.#inside(element);
    if (element.name === 'alternatecontent') return this.#inside(childAt(element, 'choice') ?? childAt(element, 'fallback') ?? element);
    return AROUND.has(element.name) ? this.#inside(element) : [];
  }

  #paragraph(element: XmlElement): readonly TextBlock[] {
    const properties = childAt(element, 'ppr');
    const paragraph = this.#unfinished ?? new DocxParagraph(this.#story, this.#links);
    paragraph.add(element);
    const mark = childAt(properties, 'rpr');
    const isUnfinished = childAt(mark, 'del') !== undefined || childAt(mark, 'movefrom') !== undefined;
    this.#unfinished = isUnfinished ? paragraph : null;
    if (isUnfinished) return [];
    const block = this.#shaped(properties, paragraph.html);
    const boxes = paragraph.boxes.flatMap((box) => this.#other().blocksOf(box));
    return block === null ? boxes : [block, ...boxes];
  }

  /** null for a line of the contents. */
  #shaped(properties: XmlElement | undefined, html: string): TextBlock | null {
    const style = this.#story.styles.style(attribute(childAt(properties, 'pstyle'), 'val') ?? '');
    if (style.role === 'contents') return null;
    const heading = outlineLevel(properties) ?? style.heading ?? 0;
    if (heading > 0) return { kind: 'element', name: headingName(heading), html };
    const own = listPlaceOf(properties);
    const list = own.list ?? style.place.list ?? '0';
    const level = own.level ?? style.place.level ?? 0;
    if (list !== '0') return this.#item(list, level, html);
    if (style.role === 'pre') return { kind: 'pre', html: html.replaceAll('<br>', '\n') };
    return { kind: 'element', name: style.role === 'quote' ? 'blockquote' : 'p', html };
  }

  #item(list: string, level: number, html: string): TextBlock {
    const kind = this.#story.numbering.kindOf(list, level);
    return { kind: 'item', level, isOrdered: kind === 'ordered', isNext: kind === 'blank', html };
  }

  #table(table: XmlElement): string {
    const rows = rowsOf(table, 'tr').filter((row) => childAt(row, 'trpr', 'del') === undefined);
    return elementHtml('table', rows.map((row) => elementHtml('tr', this.#cells(row))).join('\n'));
  }

  #cells(row: XmlElement): string {
    const name = childAt(row, 'trpr', 'tblheader') === undefined ? 'td' : 'th';
    const cells = rowsOf(row, 'tc').filter((cell) => childAt(cell, 'tcpr', 'celldel') === undefined);
    return cells.map((cell) => this.#cell(cell, name)).join('');
  }

  /** A cell that is merged with the one above it is empty. */
  #cell(cell: XmlElement, name: string): string {
    const merge = childAt(cell, 'tcpr', 'vmerge');
    const isMerged = merge !== undefined && attribute(merge, 'val')?.toLowerCase() !== 'restart';
    const span = Number(attribute(childAt(cell, 'tcpr', 'gridspan'), 'val') ?? 1);
    const html = isMerged ? '' : innerBlocks(this.#other().blocksOf(cell));
    return `<${name}${span > 1 && span < MAX_SPAN ? ` colspan="${span}"` : ''}>${html}</${name}>`;
  }

  /** A reader whose paragraphs do not continue those around it. */
  #other(): DocxBlocks {
    return new DocxBlocks(this.#story, this.#links);
  }

  /** Notes of the story as a list, for the end of the document. */
  static notesHtml(story: DocxStory): string {
    return story.notes.html(({ element, links }) => innerBlocks(new DocxBlocks(story, links).blocksOf(element)));
  }

  pieces(parent: XmlElement): readonly string[] {
    return writtenBlocks(this.blocksOf(parent));
  }
}

/** More columns than Word allows, 63. */
const MAX_SPAN = 64;

/** Rows or cells, also those in content controls. */
function rowsOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(parent).flatMap((child) => {
    if (child.name === name) return [child];
    return child.name === 'sdt' || AROUND.has(child.name) ? rowsOf(child, name) : [];
  });
}

function isContents(control: XmlElement): boolean {
  const galleries = childrenNamed(childAt(control, 'sdtpr'), 'docpartobj').flatMap((part) => descendants(part, 'docpartgallery'));
  return galleries.some((gallery) => attribute(gallery, 'val')?.toLowerCase() === CONTENTS);
}
