import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';
import { declaredType, hasEntries } from '../zip-kind.ts';

export const epub: DocumentKind<'epub'> = {
  ...DOCUMENT_TYPES.epub,
  looksLike(bytes) {
    const type = declaredType(bytes);
    return type === null
      ? hasEntries(bytes, (name) => name.toLowerCase() === 'meta-inf/container.xml')
      : DOCUMENT_TYPES.epub.mediaTypes.includes(type.toLowerCase());
  },
  reader: async () => (await import('./epub/epub-reader.ts')).epubReader,
};
