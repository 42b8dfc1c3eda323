/** Files of documents that Forager does not read: their names for people, and the remedy. */

interface OtherKind {
  readonly one: string;
  readonly many: string;
  readonly remedy: string;
}

const SAVE = 'save as HTML or text';
const kind = (name: string, remedy = SAVE, one = `a ${name}`, many = `${name}s`): OtherKind => ({ one, many, remedy });

const WORD = kind('Word file');
const OPEN_DOCUMENT = kind('OpenDocument text', SAVE, 'an OpenDocument text');
const EPUB = kind('EPUB', SAVE, 'an EPUB');
const RICH_TEXT = kind('RTF file', SAVE, 'an RTF file');
const PDF = kind('PDF', 'give the text instead, e.g. as pdftotext makes it');
const SHEET = kind('spreadsheet', 'save the texts as text files or JSON lines');
const SLIDES = kind('presentation');
const SAVED_PAGE = kind('web archive of a browser', 'save the page as HTML', 'a web archive of a browser', 'web archives of a browser');
const E_BOOK = kind('e-book', SAVE, 'an e-book');
const ARCHIVE = kind('archive', 'unpack it and give the folder', 'an archive');

const BY_ENDING: ReadonlyMap<string, OtherKind> = new Map(
  (
    [
      ['doc docx docm dot dotx pages wpd', WORD],
      ['odt ott fodt sxw', OPEN_DOCUMENT],
      ['epub', EPUB],
      ['rtf', RICH_TEXT],
      ['pdf', PDF],
      ['xls xlsx xlsm ods numbers', SHEET],
      ['ppt pptx odp key', SLIDES],
      ['mht mhtml webarchive maff', SAVED_PAGE],
      ['mobi azw azw3 djvu fb2', E_BOOK],
      ['zip tar tgz 7z rar gz xz bz2', ARCHIVE],
    ] as const
  ).flatMap(([endings, of]) => endings.split(' ').map((ending) => [ending, of] as const)),
);

/** The document that a file is by its name; null for other files. */
function kindOfName(name: string): OtherKind | null {
  return BY_ENDING.get(/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** Starts of the names and contents in a ZIP file; the first one tells its kind (OpenDocument 1.2 part 3 §3.3, EPUB 3 OCF §4.3, ECMA-376 part 2). */
const IN_ZIP: readonly (readonly [string, OtherKind])[] = [
  ['mimetypeapplication/epub+zip', EPUB],
  ['mimetypeapplication/vnd.oasis.opendocument.text', OPEN_DOCUMENT],
  ['mimetypeapplication/vnd.oasis.opendocument.spreadsheet', SHEET],
  ['mimetypeapplication/vnd.oasis.opendocument.presentation', SLIDES],
  ['word/', WORD],
  ['xl/', SHEET],
  ['ppt/', SLIDES],
];

/** The document that bytes are; null for other bytes. @param name decides where the bytes leave it open */
function kindOfBytes(bytes: Uint8Array, name: string): OtherKind | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, ZIP_START)).toString('latin1');
  if (text.startsWith('{\\rtf')) return RICH_TEXT;
  if (text.startsWith('PK')) return IN_ZIP.find(([sign]) => text.includes(sign))?.[1] ?? kindOfName(name) ?? ARCHIVE;
  return kindOfName(name);
}

/** The first entries of an office file have the names of its parts. */
const ZIP_START = 64 * 1024;

/** Reason why bytes that are not text are not a page: `is a Word file, which is not read; save as HTML or text`. */
export function whyNoPage(bytes: Uint8Array, name: string): string {
  const found = kindOfBytes(bytes, name);
  return found === null ? 'is binary data, not a page; remove it' : `is ${found.one}, which is not read; ${found.remedy}`;
}

/** Reason why a document of the web is not a page, by its name, as for a file on the disk; null for other names. */
export function whyOtherType(name: string): string | null {
  const found = kindOfName(name);
  if (found === null) return null;
  return found === PDF ? PDF_TEXT : `is ${found.one}, which is not read; ${found.remedy}`;
}

/** The sentence about a PDF, wherever it comes from. */
export const PDF_TEXT = 'is a PDF, not a page; give its text instead, e.g. as pdftotext makes it';

/** `2 Word files are not read; save as HTML or text`, a line for each kind of document among files that are not read; and the number of the others. */
export function unreadKinds(names: readonly string[]): { readonly lines: readonly string[]; readonly others: number } {
  const counts = new Map<OtherKind, number>();
  for (const name of names) {
    const of = kindOfName(name);
    if (of !== null) counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  const lines = [...counts].map(([{ one, many, remedy }, n]) => `${n === 1 ? `${one} is` : `${n} ${many} are`} not read; ${remedy}`);
  return { lines, others: names.length - [...counts.values()].reduce((sum, n) => sum + n, 0) };
}
