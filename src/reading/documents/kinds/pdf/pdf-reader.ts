import { messageOf } from '../../../../base/core/errors.ts';
import type { DocumentFacts, DocumentReader, DocumentReading } from '../../document-kind.ts';
import { documentHead, documentPage } from '../../document-page.ts';
import { withAccents } from './accented-letters.ts';
import { BrokenWords } from './broken-words.ts';
import { linesOfGlyphs, type TextLine, textOfLine } from './glyph-lines.ts';
import { HeadingSizes } from './heading-sizes.ts';
import { pdfParagraphs } from './line-paragraphs.ts';
import { pageGlyphs } from './page-glyphs.ts';
import { pdfFacts } from './pdf-facts.ts';
import { PdfFile } from './pdf-file.ts';
import { pdfMarkup } from './pdf-markup.ts';
import { Pdfium } from './pdfium.ts';
import { inReadingOrder } from './prose-columns.ts';
import { withoutRunningLines } from './running-lines.ts';

/** A longer document is cut: at 5 ms a page, the rest would go beyond the time of a page. */
const MOST_PAGES = 2000;
/** An instance is renewed after so many documents, or if its memory has grown to so much: WebAssembly memory never shrinks. */
const DOCUMENTS_OF_INSTANCE = 200;
const MOST_MEMORY = 256 * 1024 * 1024;

export async function openPdfReader(): Promise<DocumentReader> {
  return new PdfReader(await Pdfium.open());
}

class PdfReader implements DocumentReader {
  #pdfium: Pdfium | null;
  #documents = 0;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  async read(bytes: Uint8Array, base: string | null): Promise<DocumentReading> {
    try {
      const pdfium = await this.#instance();
      const reading = readPdf(pdfium, bytes, base);
      // At once: the memory of a large document would stay until the next one.
      if (pdfium.bytes > MOST_MEMORY) this.#pdfium = null;
      return reading;
    } catch (error) {
      // An instance that failed inside of WebAssembly is not used again.
      this.#pdfium = null;
      return { kind: 'failed', reason: 'decode', detail: `PDFium failed on it: ${messageOf(error)}` };
    }
  }

  async #instance(): Promise<Pdfium> {
    this.#documents += 1;
    if (this.#pdfium !== null && this.#documents <= DOCUMENTS_OF_INSTANCE) return this.#pdfium;
    this.#documents = 1;
    this.#pdfium = await Pdfium.open();
    return this.#pdfium;
  }
}

function readPdf(pdfium: Pdfium, bytes: Uint8Array, base: string | null): DocumentReading {
  const opened = PdfFile.open(pdfium, bytes);
  if (opened.kind === 'encrypted') return { kind: 'refused', reason: 'encrypted', pages: null };
  if (opened.kind === 'broken' || opened.file.pages === 0)
    return { kind: 'failed', reason: 'decode', detail: 'it is not a PDF that can be opened' };
  const { file } = opened;
  const stated = pdfFacts(file);
  const lines = linesOf(file, base);
  const { pages } = file;
  file.close();
  if (lines === null) return { kind: 'failed', reason: 'decode', detail: 'none of its pages can be opened' };
  const shown = shownLines(lines);
  if (!shown.some(hasWord)) return { kind: 'refused', reason: 'no-text', pages };
  return documentOf(shown, pages, stated);
}

/** All lines in the order of reading, with heads and feet; null if no page can be opened. */
export function linesOf(file: PdfFile, base: string | null): TextLine[] | null {
  const lines: TextLine[] = [];
  let isOpened = false;
  for (let at = 0; at < Math.min(file.pages, MOST_PAGES); at++) {
    const onPage = file.page(at, (page, text) => inReadingOrder(linesOfGlyphs(withAccents(pageGlyphs(file, page, text, base)), at)));
    isOpened ||= onPage !== null;
    for (const line of onPage ?? []) lines.push(line);
  }
  return isOpened ? lines : null;
}

/** The lines without heads and feet. A document of such lines alone, e.g. a pile of equal forms, keeps them if they have more than the stamp of a scan. */
function shownLines(lines: readonly TextLine[]): readonly TextLine[] {
  const shown = withoutRunningLines(lines);
  if (shown.some(hasWord)) return shown;
  const pages = new Set(lines.map(({ page }) => page)).size;
  return lines.length > MOST_STAMP_LINES * pages ? lines : shown;
}

/** Lines with which libraries stamp the pages of a scan: source, date, terms. */
const MOST_STAMP_LINES = 3;

/** A table of figures has no letters. */
function hasWord(line: TextLine): boolean {
  return /[\p{L}\p{N}]/u.test(textOfLine(line));
}

function documentOf(lines: readonly TextLine[], pages: number, stated: ReturnType<typeof pdfFacts>): DocumentReading {
  const paragraphs = pdfParagraphs(lines);
  const sizes = new HeadingSizes(paragraphs);
  const { body, pageStarts, cut } = pdfMarkup(paragraphs, Math.min(pages, MOST_PAGES), sizes, new BrokenWords(lines));
  const heading = sizes.largestOf(0, paragraphs);
  const before = documentHead(stated, heading).length;
  const facts: DocumentFacts = {
    ...stated,
    pages,
    pageStarts: pageStarts.map((start) => start + before),
    cut: cut || pages > MOST_PAGES,
    api: null,
    items: null,
  };
  return { kind: 'document', html: documentPage(stated, heading, body), facts };
}
