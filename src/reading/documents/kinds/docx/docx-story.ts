/** Styles, lists, notes and languages of a Word document, for all its parts. */
import type { XmlElement } from '../../xml-tree.ts';
import type { DocxNumbering } from './docx-numbering.ts';
import type { DocxStyles } from './docx-styles.ts';

export type NoteKind = 'footnote' | 'endnote';

export interface DocxNote {
  readonly kind: NoteKind;
  readonly element: XmlElement;
}

/** @param base address of the document, for relative links */
export class DocxStory {
  readonly base: string | null;
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  readonly #notes: Readonly<Record<NoteKind, ReadonlyMap<string, XmlElement>>>;
  readonly #referred: DocxNote[] = [];
  /** Characters of runs by the languages that they state. */
  readonly #languages = new Map<string, number>();
  #chars = 0;

  constructor(
    base: string | null,
    styles: DocxStyles,
    numbering: DocxNumbering,
    notes: Readonly<Record<NoteKind, ReadonlyMap<string, XmlElement>>>,
  ) {
    this.base = base;
    this.styles = styles;
    this.numbering = numbering;
    this.#notes = notes;
  }

  /** Notes in the order of their references. */
  get notes(): readonly DocxNote[] {
    return this.#referred;
  }

  /** The number of a note, from 1; null if the document has no such note. */
  refer(kind: NoteKind, id: string): number | null {
    const element = this.#notes[kind].get(id);
    if (element === undefined) return null;
    const at = this.#referred.findIndex((note) => note.element === element);
    return at >= 0 ? at + 1 : this.#referred.push({ kind, element });
  }

  count(chars: number, language: string | null): void {
    this.#chars += chars;
    if (language !== null) this.#languages.set(language, (this.#languages.get(language) ?? 0) + chars);
  }

  /** The language that most of the text states. The one of the defaults is that of the program's installation, and counts for nothing. */
  get language(): string | null {
    for (const [language, chars] of this.#languages) if (2 * chars > this.#chars) return language;
    return null;
  }
}
