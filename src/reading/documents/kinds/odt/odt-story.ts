import { LanguageTally } from '../../language-tally.ts';
import { NoteList } from '../../note-list.ts';
import type { XmlElement } from '../../xml-tree.ts';
import type { OdtStyles } from './odt-styles.ts';

/** Styles, notes and languages of an OpenDocument text, for all its parts. */
export class OdtStory {
  /** Address of the document, for relative links. */
  readonly base: string | null;
  readonly styles: OdtStyles;
  readonly languages = new LanguageTally();
  /** Bodies of notes. */
  readonly notes = new NoteList<XmlElement>();
  /** MathML of a formula that is a file of its own; '' for other objects. @param href of the object */
  readonly formula: (href: string) => string;

  constructor(base: string | null, styles: OdtStyles, formula: (href: string) => string) {
    this.base = base;
    this.styles = styles;
    this.formula = formula;
  }
}
