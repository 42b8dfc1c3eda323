/** The kinds of documents. To add one, add a file in `kinds/`, its name in `base/core/document-kind-names.ts`, and the object here. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { DocumentKind } from './document-kind.ts';
import { docx } from './kinds/docx.ts';
import { epub } from './kinds/epub.ts';
import { feed } from './kinds/feed.ts';
import { odt } from './kinds/odt.ts';
import { openapi } from './kinds/openapi.ts';
import { pdf } from './kinds/pdf.ts';
import { wsdl } from './kinds/wsdl.ts';

/** Kinds in the order of their names. */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [pdf, epub, docx, odt, openapi, wsdl, feed];

/** Kinds whose files hold nothing else. Files of the others may be data of any use. */
export const TEXT_KINDS = documentKindsNamed(['pdf', 'epub', 'docx', 'odt']);

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
  const ending = endingOf(path);
  return possible.find(({ mediaTypes }) => mediaTypes.includes(mime)) ?? possible.find(({ endings }) => endings.includes(ending)) ?? null;
}

/** The kinds with these names, in their order. */
export function documentKindsNamed(names: readonly DocumentKindName[]): readonly DocumentKind[] {
  return DOCUMENT_KINDS.filter(({ name }) => names.includes(name));
}

/** Endings of documents of these kinds, without their dots. */
export function documentEndings(names: readonly DocumentKindName[]): ReadonlySet<string> {
  return new Set(documentKindsNamed(names).flatMap(({ endings }) => endings.map((ending) => ending.slice(1))));
}

/** Is it the media type of a document? @param mime lower case, without parameters */
export function isDocumentType(mime: string, kinds: readonly DocumentKind[] = DOCUMENT_KINDS): boolean {
  return kinds.some(({ mediaTypes }) => mediaTypes.includes(mime));
}

/** May data of a media type be a document of these kinds? Its bytes tell. @param mime lower case, without parameters */
export function isSharedType(mime: string, kinds: readonly DocumentKind[]): boolean {
  return kinds.some(({ sharedTypes = [] }) => sharedTypes.includes(mime));
}

/** The kind of a text document by its media type, or its ending; null for other files, and for data, which may be anything. */
export function documentNameOf(mime: string, path: string): DocumentKindName | null {
  const ending = endingOf(path);
  const kind = TEXT_KINDS.find(({ mediaTypes }) => mediaTypes.includes(mime)) ?? TEXT_KINDS.find(({ endings }) => endings.includes(ending));
  return kind?.name ?? null;
}

/** Ending of a path with its dot, lower case; '' without one. */
function endingOf(path: string): string {
  const name = (path.split(/[?#]/, 1)[0] ?? '').split('/').pop() ?? '';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}
