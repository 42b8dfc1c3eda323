import { elementHtml } from './document-html.ts';

/** Footnotes and endnotes of a document in the order of their references. */
export class NoteList<T> {
  readonly #notes: T[] = [];

  /** The reference to a note, as HTML. */
  refer(note: T): string {
    const at = this.#notes.indexOf(note);
    const number = at >= 0 ? at + 1 : this.#notes.push(note);
    return `<sup><a href="#note-${number}">[${number}]</a></sup>`;
  }

  /** All notes, for the end of the document. A note may refer to further notes. @param written content of a note */
  html(written: (note: T) => string): string {
    const items: string[] = [];
    for (const note of this.#notes) items.push(`<li id="note-${items.length + 1}">${written(note)}</li>`);
    return elementHtml('section', elementHtml('ol', items.join('\n')), ' role="doc-endnotes"');
  }
}
