import { MAX_PAGE_CHARS } from '../extract/page-caps.ts';
import { elementHtml } from './document-html.ts';

/** Footnotes and endnotes of a document in the order of their references. */
export class NoteList<T> {
  /** Numbers of the notes. */
  readonly #notes = new Map<T, number>();

  /** The reference to a note, as HTML. */
  refer(note: T): string {
    const number = this.#notes.get(note) ?? this.#notes.size + 1;
    this.#notes.set(note, number);
    return `<sup><a href="#note-${number}">[${number}]</a></sup>`;
  }

  /** All notes, for the end of the document. A note may refer to further notes. @param written content of a note */
  html(written: (note: T) => string): string {
    const items: string[] = [];
    let chars = 0;
    for (const [note, number] of this.#notes) {
      // More has no room in the page, which is cut there.
      if (chars > MAX_PAGE_CHARS) break;
      const item = `<li id="note-${number}">${written(note)}</li>`;
      chars += item.length;
      items.push(item);
    }
    return elementHtml('section', elementHtml('ol', items.join('\n')), ' role="doc-endnotes"');
  }
}
