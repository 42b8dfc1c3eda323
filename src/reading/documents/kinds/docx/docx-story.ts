/** Styles, lists, notes and languages of a Word document, for all its parts. */
import { LanguageTally } from '../../language-tally.ts';
import { NoteList } from '../../note-list.ts';
import type { XmlElement } from '../../xml-tree.ts';
import type { DocxNumbering } from './docx-numbering.ts';
import type { DocxStyles } from './docx-styles.ts';

export type NoteKind = 'footnote' | 'endnote';

/** Notes of a part by their ids, and targets of its links by theirs. */
export interface DocxNotes {
  readonly elements: ReadonlyMap<string, XmlElement>;
  readonly links: ReadonlyMap<string, string>;
}

interface DocxNote {
  readonly element: XmlElement;
  readonly links: ReadonlyMap<string, string>;
}

export class DocxStory {
  /** Address of the document, for relative links. */
  readonly base: string | null;
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  readonly languages = new LanguageTally();
  readonly notes = new NoteList<DocxNote>();
  readonly #known: ReadonlyMap<string, DocxNote>;

  constructor(base: string | null, styles: DocxStyles, numbering: DocxNumbering, notes: Readonly<Record<NoteKind, DocxNotes>>) {
    this.base = base;
    this.styles = styles;
    this.numbering = numbering;
    this.#known = new Map(
      (['footnote', 'endnote'] as const).flatMap((kind) => {
        const { elements, links } = notes[kind];
        return Array.from(elements, ([id, element]) => [`${kind} ${id}`, { element, links }] as const);
      }),
    );
  }

  /** The reference to a note, as HTML; '' if the document has no such note. */
  refer(kind: NoteKind, id: string): string {
    const note = this.#known.get(`${kind} ${id}`);
    return note === undefined ? '' : this.notes.refer(note);
  }
}
