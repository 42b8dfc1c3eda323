/** Documents among the pages of an input: each is read by its kind. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import { DataError } from '../../base/core/errors.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import type { DocumentKind } from '../../reading/documents/document-kind.ts';
import { documentKindOf, TEXT_KINDS } from '../../reading/documents/document-kinds.ts';
import { type OpenedDocument, openDocument } from '../../reading/documents/open-document.ts';
import { type SourcePage, UNKNOWN_URL } from './source-page.ts';

/** Names of files that hold documents. */
export const DOCUMENT_NAME = new RegExp(
  `(?:${TEXT_KINDS.flatMap(({ endings }) => endings)
    .join('|')
    .replaceAll('.', '\\.')})$`,
  'i',
);
/** Names of kinds for people. */
const WORDS: Readonly<Record<DocumentKindName, string>> = {
  pdf: 'PDF',
  epub: 'EPUB',
  docx: 'Word file',
  odt: 'OpenDocument text',
  openapi: 'OpenAPI description',
  wsdl: 'WSDL description',
  feed: 'feed',
};

/** The kind of a file of an input; null for a page. @param name its path or URL, which decides where the bytes leave a choice */
export function kindOfSource(body: Uint8Array, headers: SourcePage['headers'], name: string): DocumentKind | null {
  return documentKindOf(body, parseContentType(headers['content-type']).mime, name, TEXT_KINDS);
}

/** @throws DataError for a file that has the name of a document, and is none */
export function refuseFalseName(path: string): void {
  const kind = TEXT_KINDS.find(({ endings }) => endings.some((ending) => path.toLowerCase().endsWith(ending)));
  if (kind !== undefined) throw new DataError(`${path}: is named like a ${WORDS[kind.name]}, and is none; mend or remove it`);
}

/** The page that a document becomes. @throws DataError naming it, if it cannot be read */
export async function sourceDocument({ id, url, headers, body }: SourcePage, kind: DocumentKind): Promise<SourcePage> {
  // Its links need a base, and are omitted without one.
  const opened = await openDocument({ url: url ?? UNKNOWN_URL, headers, body }, kind);
  if (opened.kind !== 'page') throw new DataError(`${id}: ${whyNotRead(opened, kind)}`);
  const { page } = opened;
  return { id, url, headers: page.headers, body: page.body, ...(page.document && { document: page.document }) };
}

function whyNotRead(opened: Exclude<OpenedDocument, { kind: 'page' }>, { name }: DocumentKind): string {
  const word = WORDS[name];
  if (opened.kind === 'failed') return `is a damaged ${word} (${opened.detail}); mend or remove it`;
  if (opened.reason === 'encrypted') return `is an encrypted ${word}; remove its password, and give it again`;
  return `is a ${word} without text${opened.pages === null ? '' : `, of ${opened.pages} pages`}; recognise its text first, e.g. with ocrmypdf`;
}
