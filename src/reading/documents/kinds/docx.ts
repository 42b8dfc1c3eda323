import type { DocumentKind } from '../document-kind.ts';
import { isCompoundFile } from '../office-package.ts';
import { declaredType, hasEntries } from '../zip-kind.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';
const MACROS = 'application/vnd.ms-word.';

export const docx: DocumentKind<'docx'> = {
  name: 'docx',
  mediaTypes: [`${WORD}document`, `${WORD}template`, `${MACROS}document.macroenabled.12`, `${MACROS}template.macroenabled.12`],
  endings: ['.docx', '.docm', '.dotx', '.dotm'],
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
