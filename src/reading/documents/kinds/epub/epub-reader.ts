/** EPUB 2 and 3: the chapters of a book in the order of reading, as one page. */
import { documentOf, HtmlBody } from '../../document-html.ts';
import type { DocumentReader, DocumentReading } from '../../document-kind.ts';
import { entryName, OfficePackage } from '../../office-package.ts';
import { broken, encrypted, safely } from '../../safe-reading.ts';
import { attribute, descendants } from '../../xml-tree.ts';
import { type BookPackage, readPackage } from './book-package.ts';
import { chapterHtml } from './chapter-html.ts';

export const epubReader: DocumentReader = { read: (bytes, base) => safely(() => readBook(new OfficePackage(bytes), base)) };

function readBook(file: OfficePackage, base: string | null): DocumentReading {
  const book = readPackage(file);
  refuseEncrypted(file, book);
  const body = new HtmlBody();
  const numbers = new Map(book.chapters.map((name, i) => [name.toLowerCase(), i + 1]));
  let language: string | null = null;
  // One damaged chapter does not cost the others.
  let [isRead, isDamaged] = [false, false];
  for (const [i, name] of book.chapters.entries()) {
    if (!file.has(name)) continue;
    const bytes = file.intact(name);
    isDamaged ||= bytes === null;
    if (bytes === null) continue;
    isRead = true;
    const chapter = chapterHtml(bytes, { name, number: i + 1, numbers, base });
    language ??= chapter.language;
    if (!body.add(chapter.html)) break;
  }
  if (isDamaged && !isRead) throw broken('none of its chapters can be read');
  return documentOf(body, { ...book.facts, cut: isDamaged, language: book.facts.language ?? language });
}

/** Fonts may be obfuscated (EPUB 3.3, OCF §4.2.6.3.2, and Adobe's way): they are no text. Content that is encrypted has a seller's protection. */
function refuseEncrypted(file: OfficePackage, { chapters }: BookPackage): void {
  const names = new Set(chapters.map((name) => name.toLowerCase()));
  for (const reference of descendants(file.optionalXml('META-INF/encryption.xml'), 'cipherreference')) {
    if (names.has(entryName(attribute(reference, 'uri') ?? '', '').toLowerCase())) throw encrypted();
  }
}
