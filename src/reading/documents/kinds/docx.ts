import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';
import { isCompoundFile } from '../office-package.ts';
import { declaredType, hasEntries } from '../zip-kind.ts';

export const docx: DocumentKind<'docx'> = {
  ...DOCUMENT_TYPES.docx,
  looksLike(bytes) {
    // An encrypted document, or one of Excel or of an older Word.
    if (isCompoundFile(bytes)) return 'maybe';
    if (declaredType(bytes) !== null) return false;
    return hasEntries(
      bytes,
      (name) => name.toLowerCase() === '[content_types].xml',
      (name) => /^word\/[^/]+\.xml$/i.test(name),
    );
  },
  reader: async () => (await import('./docx/docx-reader.ts')).docxReader,
};
