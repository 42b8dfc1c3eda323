import type { DocumentKind } from '../document-kind.ts';
import { declaredType, hasEntries } from '../zip-kind.ts';

const EPUB = 'application/epub+zip';

export const epub: DocumentKind<'epub'> = {
  name: 'epub',
  mediaTypes: [EPUB],
  endings: ['.epub'],
  looksLike(bytes) {
    const type = declaredType(bytes);
    return type === null ? hasEntries(bytes, (name) => name.toLowerCase() === 'meta-inf/container.xml') : type.toLowerCase() === EPUB;
  },
  reader: async () => (await import('./epub/epub-reader.ts')).epubReader,
};
