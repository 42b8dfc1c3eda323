/** The interface of a kind of document: one object in one file of `kinds/`. `document-kinds.ts` lists them. A kind turns bytes into HTML and facts. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { ApiDescription } from '../../base/core/types.ts';
import type { DocumentTypes } from './document-types.ts';

export interface DocumentKind<Name extends DocumentKindName = DocumentKindName> extends DocumentTypes<Name> {
  /** Is a file with these bytes, perhaps only its first 4 KB, of this kind? `maybe` leaves the choice to its media type and its ending. */
  looksLike(bytes: Uint8Array): boolean | 'maybe';
  /** Loads the reader, with the first document of the kind: a crawl without documents loads none. */
  reader(): Promise<DocumentReader>;
}

export interface DocumentReader {
  /**
   * Reads a document, bounded in time and memory. Never throws.
   * @param base address of the document, for relative links; null if unknown
   */
  read(bytes: Uint8Array, base: string | null): DocumentReading | Promise<DocumentReading>;
}

export type DocumentReading =
  /** `html` is a page for the extractor, made by `documentPage`. */
  | { readonly kind: 'document'; readonly html: string; readonly facts: DocumentFacts }
  | RefusedDocument
  | { readonly kind: 'failed'; readonly reason: 'decode'; readonly detail: string };

export interface RefusedDocument {
  readonly kind: 'refused';
  readonly reason: 'encrypted' | 'no-text';
  /** null if unknown. */
  readonly pages: number | null;
}

/** A document's statements about itself; null or empty if it states nothing. */
export interface DocumentFacts {
  /** Title as declared, even if it is the name of a file. */
  readonly title: string | null;
  readonly authors: readonly string[];
  /** ISO 8601. */
  readonly published: string | null;
  readonly modified: string | null;
  /** BCP 47. */
  readonly language: string | null;
  /** Program that wrote the file. */
  readonly producer: string | null;
  /** Number of pages; null for kinds without pages: a chapter is none. */
  readonly pages: number | null;
  /** Offsets in `html` at which pages begin, ascending. Empty for kinds without pages. */
  readonly pageStarts: readonly number[];
  /** A limit of size omitted the rest. */
  readonly cut: boolean;
  /** Description of a service; null for other kinds. */
  readonly api: ApiDescription | null;
  /** Number of items of a feed; null for other kinds. */
  readonly items: number | null;
}

/** Facts of a document that states nothing. */
export const NO_DOCUMENT_FACTS: DocumentFacts = {
  title: null,
  authors: [],
  published: null,
  modified: null,
  language: null,
  producer: null,
  pages: null,
  pageStarts: [],
  cut: false,
  api: null,
  items: null,
};
