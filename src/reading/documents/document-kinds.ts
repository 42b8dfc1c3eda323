/**
 * The kinds of documents. To add one, add a file in `kinds/`, its name in `base/core/document-kind-names.ts`, its media types and endings in
 * `document-types.ts`, and the object here.
 */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { DocumentKind } from './document-kind.ts';
import { namedAmong, TEXT_KIND_NAMES } from './document-types.ts';
import { docx } from './kinds/docx.ts';
import { epub } from './kinds/epub.ts';
import { feed } from './kinds/feed.ts';
import { odt } from './kinds/odt.ts';
import { openapi } from './kinds/openapi.ts';
import { pdf } from './kinds/pdf.ts';
import { wsdl } from './kinds/wsdl.ts';

/** Kinds in the order of their names. */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [pdf, epub, docx, odt, openapi, wsdl, feed];

/** Kinds whose files hold nothing else. */
export const TEXT_KINDS = documentKindsNamed(TEXT_KIND_NAMES);

/**
 * The kind of a document; null for other files. Its bytes decide; if they leave a choice, the media type decides, then the ending of the path.
 * @param mime lower case, without parameters; '' if unknown
 * @param path of its URL, or the name of its file
 */
export function documentKindOf(
  bytes: Uint8Array,
  mime: string,
  path: string,
  kinds: readonly DocumentKind[] = DOCUMENT_KINDS,
): DocumentKind | null {
  const looks = kinds.map((kind) => [kind, kind.looksLike(bytes)] as const);
  const sure = looks.find(([, look]) => look === true);
  if (sure) return sure[0];
  const possible = looks.filter(([, look]) => look === 'maybe').map(([kind]) => kind);
  return namedAmong(possible, mime, path);
}

/** The kinds with these names, in their order. */
export function documentKindsNamed(names: readonly DocumentKindName[]): readonly DocumentKind[] {
  return DOCUMENT_KINDS.filter(({ name }) => names.includes(name));
}
