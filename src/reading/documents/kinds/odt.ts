import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';
import { declaredType, hasEntries } from '../zip-kind.ts';

export const odt: DocumentKind<'odt'> = {
  ...DOCUMENT_TYPES.odt,
  looksLike(bytes) {
    const type = declaredType(bytes);
    if (type !== null) return DOCUMENT_TYPES.odt.mediaTypes.includes(type.toLowerCase());
    const isOffice = hasEntries(
      bytes,
      (name) => name === 'content.xml',
      (name) => name.toLowerCase() === 'meta-inf/manifest.xml',
    );
    // Without a declared type it may be a spreadsheet.
    return isOffice === true ? 'maybe' : isOffice;
  },
  reader: async () => (await import('./odt/odt-reader.ts')).odtReader,
};
