/** The text of one paragraph of OpenDocument (ODF 1.3 part 3 §6): spans, links, spaces, notes, and the frames that hang on it. */
import { InlineHtml, PLAIN_RUN, type RunStyle } from '../../inline-html.ts';
import { attribute, childAt, descendants, type XmlElement } from '../../xml-tree.ts';
import type { OdtStory } from './odt-story.ts';
import type { OdtStyle } from './odt-styles.ts';

/** Elements whose content is not text of the document: comments, readings above words, deleted and hidden text. */
const OMITTED = new Set(
  'annotation annotation-end ruby-text hidden-text hidden-paragraph tracked-changes deletion note-citation script'.split(' '),
);
/** Frames and shapes: their paragraphs are blocks. */
export const DRAWN = new Set(
  'frame g custom-shape rect ellipse circle line polyline polygon path connector caption regular-polygon measure'.split(' '),
);
/** A line of a hundred spaces says as much as a longer one. */
const MAX_SPACES = 100;

export class OdtParagraph {
  readonly #story: OdtStory;
  readonly #inline: InlineHtml;
  readonly #drawn: XmlElement[] = [];

  constructor(story: OdtStory) {
    this.#story = story;
    this.#inline = new InlineHtml(story.base);
  }

  get html(): string {
    return this.#inline.finish();
  }

  /** Frames and shapes with text. */
  get drawn(): readonly XmlElement[] {
    return this.#drawn;
  }

  /** @param around style of the element around it, which its own refines */
  add(element: XmlElement, look: RunStyle, around: OdtStyle): void {
    for (const child of element.children)
      if (typeof child === 'string') this.#text(child, look, around);
      else if (!OMITTED.has(child.name)) this.#element(child, look, around);
  }

  #element(element: XmlElement, look: RunStyle, around: OdtStyle): void {
    const { name } = element;
    if (name === 's') this.#text(' '.repeat(spacesOf(element)), look, around, false);
    else if (name === 'tab') this.#text('\t', look, around, false);
    else if (name === 'line-break') this.#inline.html('<br>', look);
    else if (name === 'note') this.#note(element);
    else if (DRAWN.has(name)) this.#frame(element);
    else if (name === 'span') this.#span(element, look, around);
    else if (name === 'a') this.add(element, { ...look, href: attribute(element, 'href') }, around);
    else this.add(element, look, around);
  }

  #span(element: XmlElement, look: RunStyle, around: OdtStyle): void {
    const own = this.#story.styles.style(attribute(element, 'style-name'));
    if (own.isHidden) return;
    const style = { ...look, isStrong: own.isStrong ?? look.isStrong, isEmphasized: own.isEmphasized ?? look.isEmphasized };
    this.add(element, style, { ...around, language: own.language ?? around.language });
  }

  /** Line ends of the file are spaces (§6.1.2). */
  #text(text: string, look: RunStyle, { language }: OdtStyle, isCollapsed = true): void {
    const shown = isCollapsed ? text.replaceAll(/[ \t\r\n]+/g, ' ') : text;
    this.#inline.text(shown, look);
    this.#story.languages.count(shown.trim().length, language);
  }

  #note(element: XmlElement): void {
    const body = childAt(element, 'note-body');
    if (body !== undefined) this.#inline.html(this.#story.notes.refer(body), PLAIN_RUN);
  }

  /** A formula is in the line; a box is not. Of several forms of one object the first counts (§10.4.2). */
  #frame(element: XmlElement): void {
    const object = descendants(element, 'object')[0];
    const formula = object === undefined ? '' : this.#formula(object);
    if (formula === '') this.#drawn.push(element);
    else this.#inline.html(formula, PLAIN_RUN);
  }

  #formula(object: XmlElement): string {
    const href = attribute(object, 'href');
    return href === null ? '' : this.#story.formula(href);
  }
}

function spacesOf(element: XmlElement): number {
  const count = Number(attribute(element, 'c') ?? 1);
  return count >= 1 ? Math.min(count, MAX_SPACES) : 1;
}
