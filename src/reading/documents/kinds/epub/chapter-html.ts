/** A chapter of a book as a part of the page that the book becomes. */
import { xmlDecoder } from '../../../extract/xml-decoder.ts';
import { type CleanMarkup, cleanHtml } from '../../clean-html.ts';
import { elementHtml, hrefOf } from '../../document-html.ts';
import { entryName } from '../../office-package.ts';

export interface ChapterPlace {
  /** Name of its entry. */
  readonly name: string;
  /** Place in the order of reading, from 1. */
  readonly number: number;
  /** Numbers of all chapters by their names in lower case: links between them become links in the page. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly base: string | null;
}

/** The body of a chapter in a section. Ids have the number of the chapter in front. O(bytes) */
export function chapterHtml(bytes: Uint8Array, place: ChapterPlace): CleanMarkup {
  const { html, language } = cleanHtml(xmlDecoder(bytes).decode(bytes), {
    href: (written) => placeOf(written, place),
    id: (written) => `c${place.number}-${written}`,
  });
  const lang = language === null ? '' : ` lang="${language}"`;
  return { html: elementHtml('section', html, ` id="c${place.number}"${lang}`), language };
}

/** A place in the book, or an address outside of it. Other files of the book have no address. */
function placeOf(written: string, { name, number: own, numbers, base }: ChapterPlace): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written)) return hrefOf(written, base);
  const number = written.startsWith('#') ? own : numbers.get(entryName(written, name).toLowerCase());
  const fragment = written.includes('#') ? written.slice(written.indexOf('#') + 1) : '';
  return number === undefined ? null : `#c${number}${fragment === '' ? '' : `-${fragment}`}`;
}
