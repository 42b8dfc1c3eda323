import type { DocumentKind } from '../document-kind.ts';
import { declaredType, hasEntries } from '../zip-kind.ts';

const TEXT = 'application/vnd.oasis.opendocument.text';
const TYPES: readonly string[] = [TEXT, `${TEXT}-template`, `${TEXT}-master`, `${TEXT}-web`];

export const odt: DocumentKind<'odt'> = {
  name: 'odt',
  mediaTypes: TYPES,
  endings: ['.odt', '.ott'],
  looksLike(bytes) {
    const type = declaredType(bytes);
    if (type !== null) return TYPES.includes(type.toLowerCase());
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
