/** Documents among the answers to requests: signs of one, its cap, and the reading of a body that is none. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { Bytes } from '../../base/core/types.ts';
import { isUnknownType, looksBinary } from '../../base/web/content-type.ts';
import { documentKindOf, documentKindsNamed } from '../../reading/documents/document-kinds.ts';
import { documentNameOf, isDocumentType, isSharedType } from '../../reading/documents/document-types.ts';
import type { BodyDecision } from './exchange.ts';

/** Most bytes of a document: of the PDFs of the web, one in a hundred is larger, mostly scans. */
export const MAX_DOCUMENT_BYTES: Bytes = 32 * 1024 * 1024;
/** Rules of a crawl that reads documents of some kinds, perhaps none. */
export class DocumentRules {
  readonly #kinds: ReturnType<typeof documentKindsNamed>;

  constructor(names: readonly DocumentKindName[]) {
    this.#kinds = documentKindsNamed(names);
  }

  /** Media types for `Accept`, each with a comma behind it. */
  get accepted(): string {
    return this.#kinds.flatMap(({ mediaTypes }) => mediaTypes.slice(0, 1).map((type) => `${type};q=0.9,`)).join('');
  }

  /** Most bytes of a body that may be a document; `most` if none is read. */
  atLeast(most: Bytes): Bytes {
    return this.#kinds.length === 0 ? most : Math.max(most, MAX_DOCUMENT_BYTES);
  }

  /** The decision by the type and length that the header states; null if the type is not that of a document. */
  byHeader(mime: string, length: Bytes, maxWireBytes: Bytes): BodyDecision | null {
    if (this.#kinds.length === 0 || !this.#mayHave(mime)) return null;
    if (length > MAX_DOCUMENT_BYTES) return { kind: 'refuse', reason: 'too-large' };
    return { kind: 'keep', maxWireBytes: this.atLeast(maxWireBytes) };
  }

  /**
   * Most bytes of a body by its start, which counts more than its type.
   * @param start decoded, or `coded`: packed text is seldom as long as a packed document
   */
  mostBytes(start: Uint8Array | 'coded', mime: string, maxWireBytes: Bytes): Bytes {
    return start === 'coded' || this.#mayHave(mime) || this.mayStart(start) ? this.atLeast(maxWireBytes) : maxWireBytes;
  }

  /** May a document that is not told by its type begin like that? */
  mayStart(start: Uint8Array): boolean {
    const looks = this.#kinds.map((kind) => kind.looksLike(start));
    return looks.includes(true) || (looks.includes('maybe') && looksBinary(start));
  }

  /** @param mime lower case, without parameters */
  isDocument(body: Uint8Array, mime: string, url: string): boolean {
    return documentKindOf(body, mime, url, this.#kinds) !== null;
  }

  /** Is a body that is not a document no page either? A page under the type of a document is often a login. */
  isOther(body: Uint8Array, mime: string): boolean {
    return looksBinary(body) || isSharedType(mime, this.#kinds) || isUnknownType(mime);
  }

  /** Kind of a refused document that would be read if the crawl read its kind; null for other files. */
  unreadKind(mime: string, url: string): DocumentKindName | null {
    const name = documentNameOf(mime, url);
    return this.#kinds.some((kind) => kind.name === name) ? null : name;
  }

  #mayHave(mime: string): boolean {
    return isUnknownType(mime) || isDocumentType(mime, this.#kinds) || isSharedType(mime, this.#kinds);
  }
}
