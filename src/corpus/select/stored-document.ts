import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { ReadablePage } from '../../base/core/parts/reading.ts';
import { hasSignature, isReadableType, parseContentType } from '../../base/web/content-type.ts';
import type { DocumentKind } from '../../reading/documents/document-kind.ts';
import { documentKindOf, documentKindsNamed } from '../../reading/documents/document-kinds.ts';
import type { KeptPage } from '../records/kept-pages.ts';

/**
 * The page of a WARC record for an extractor: a document is opened again. null if it cannot be read any more.
 * @param kind that of its record; null for a page without a document. Default: by its bytes and its type
 */
export async function storedPage(page: KeptPage, kind: DocumentKindName | null | undefined = undefined): Promise<ReadablePage | null> {
  const [found] = kind === undefined ? kindsOf(page) : documentKindsNamed(kind === null ? [] : [kind]);
  if (found === undefined) return page;
  const { openDocument } = await import('../../reading/documents/open-document.ts');
  const opened = await openDocument(page, found);
  return opened.kind === 'page' ? opened.page : null;
}

/** Text that a crawl kept as a page may look like a document, too. */
function kindsOf({ url, headers, body }: KeptPage): readonly DocumentKind[] {
  const { mime } = parseContentType(headers['content-type']);
  const kind = isReadableType(mime) && !hasSignature(body) ? null : documentKindOf(body, mime, url);
  return kind === null ? [] : [kind];
}
