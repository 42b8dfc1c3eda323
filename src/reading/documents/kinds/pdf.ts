import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';

/** PDF readers accept bytes before the header, up to this place (Adobe's implementation note 13 of PDF 1.7, appendix H). */
const HEADER_WITHIN = 1024;

/** Portable Document Format (ISO 32000), by PDFium. */
export const pdf = {
  ...DOCUMENT_TYPES.pdf,
  looksLike: (bytes) => {
    const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEADER_WITHIN)).toString('latin1');
    if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(start)) return true;
    return start.includes('%PDF-') ? 'maybe' : false;
  },
  reader: async () => (await import('./pdf/pdf-reader.ts')).openPdfReader(),
} as const satisfies DocumentKind<'pdf'>;
