import type { Pdfium } from './pdfium.ts';

/** `FPDF_ERR_PASSWORD` of fpdfview.h. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
/** Longest text of a field of metadata, in bytes: titles of books have some hundred. */
const MOST_META_BYTES = 64 * 1024;

export type OpenedPdf = { readonly kind: 'open'; readonly file: PdfFile } | { readonly kind: 'encrypted' } | { readonly kind: 'broken' };

/** A PDF in the memory of PDFium. Its scripts, forms and attachments are not loaded: nothing here asks for them. */
export class PdfFile {
  readonly pdfium: Pdfium;
  readonly pages: number;
  readonly document: number;
  readonly #bytes: number;

  private constructor(pdfium: Pdfium, document: number, bytes: number) {
    this.pdfium = pdfium;
    this.document = document;
    this.#bytes = bytes;
    this.pages = Math.max(0, pdfium.calls.FPDF_GetPageCount(document));
  }

  static open(pdfium: Pdfium, bytes: Uint8Array): OpenedPdf {
    const at = pdfium.copied(bytes);
    if (at === 0) return { kind: 'broken' };
    const document = pdfium.calls.FPDF_LoadMemDocument(at, bytes.byteLength, '');
    if (document !== 0) return { kind: 'open', file: new PdfFile(pdfium, document, at) };
    const error = pdfium.calls.FPDF_GetLastError();
    pdfium.free(at);
    return { kind: error === ERROR_PASSWORD || error === ERROR_SECURITY ? 'encrypted' : 'broken' };
  }

  /** Field of the information dictionary, e.g. `Title`; '' without one. */
  meta(name: string): string {
    const call = (at: number, bytes: number) => this.pdfium.calls.FPDF_GetMetaText(this.document, name, at, bytes);
    return this.pdfium.text('utf16le', MOST_META_BYTES, call);
  }

  /** Language of the catalogue; '' without one. */
  language(): string {
    const call = (at: number, bytes: number) => this.pdfium.calls.FPDFCatalog_GetLanguage(this.document, at, bytes);
    return this.pdfium.text('utf16le', MOST_META_BYTES, call);
  }

  /** The result of `read` for an open page and its text; null if the page is broken. */
  page<T>(index: number, read: (page: number, text: number) => T): T | null {
    const { calls } = this.pdfium;
    const page = calls.FPDF_LoadPage(this.document, index);
    if (page === 0) return null;
    const text = calls.FPDFText_LoadPage(page);
    const result = text === 0 ? null : read(page, text);
    if (text !== 0) calls.FPDFText_ClosePage(text);
    calls.FPDF_ClosePage(page);
    return result;
  }

  close(): void {
    this.pdfium.calls.FPDF_CloseDocument(this.document);
    this.pdfium.free(this.#bytes);
  }
}
