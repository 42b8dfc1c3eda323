/** The kinds of documents. To add one, add a file in `kinds/`, its name in `base/core/document-kind-names.ts`, and the object here. */
import type { DocumentKind } from './document-kind.ts';
import { docx } from './kinds/docx.ts';
import { epub } from './kinds/epub.ts';
import { feed } from './kinds/feed.ts';
import { odt } from './kinds/odt.ts';
import { openapi } from './kinds/openapi.ts';
import { wsdl } from './kinds/wsdl.ts';

/** Kinds in the order of their names. */
export const DOCUMENT_KINDS: readonly DocumentKind[] = [epub, docx, odt, openapi, wsdl, feed];

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

/** Ending of a path with its dot, lower case; '' without one. */
function endingOf(path: string): string {
  const name = (path.split(/[?#]/, 1)[0] ?? '').split('/').pop() ?? '';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}
