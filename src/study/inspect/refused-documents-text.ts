import { commandOn } from '../../base/text/forager-command.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import type { RefusedDocuments } from './refused-documents.ts';

/** `312 PDF, 40 DOCX refused; --documents pdf,docx reads them`, and the number of those without text. Empty if there are none. */
export function refusedDocumentLines(dir: string, { kinds, noText: { documents, pages } }: RefusedDocuments): string[] {
  const files = kinds.map(({ kind, files: n }) => `${countText(n)} ${kind.toUpperCase()}`).join(', ');
  const option = `--documents ${kinds.map(({ kind }) => kind).join(',')}`;
  return [
    ...(kinds.length > 0 ? [`${files} refused; ${option} reads them`] : []),
    ...(documents > 0
      ? [
          `${counted(documents, 'document')} without text, of ${counted(pages, 'page')}: perhaps scans; list: ${commandOn('ledger', dir, '--reason', 'no-text')}`,
        ]
      : []),
  ];
}
