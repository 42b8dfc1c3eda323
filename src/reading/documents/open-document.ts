/** Documents as pages for an extractor. Readers are loaded with the first document of their kind, one for each thread. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { ReadablePage } from '../../base/core/parts/reading.ts';
import type { DocumentFacts, DocumentKind, DocumentReader, DocumentReading } from './document-kind.ts';
import { cappedFact } from './document-page.ts';
import { shortDescription } from './short-description.ts';

export type OpenedDocument =
  | { readonly kind: 'page'; readonly page: ReadablePage }
  | Exclude<DocumentReading, { readonly kind: 'document' }>;

const readers = new Map<DocumentKindName, Promise<DocumentReader>>();

/** The page that a document becomes: its header fields count, apart from its type. Never throws for any bytes. */
export async function openDocument(page: ReadablePage, kind: DocumentKind): Promise<OpenedDocument> {
  const reading = await (await readerOf(kind)).read(page.body, page.url);
  if (reading.kind !== 'document') return reading;
  const headers = { ...page.headers, 'content-type': 'text/html; charset=utf-8' };
  return { kind: 'page', page: { ...page, headers, body: Buffer.from(reading.html), document: documentOf(kind, reading.facts) } };
}

/** The reader of this thread. One that could not be loaded is loaded again for the next document. */
function readerOf(kind: DocumentKind): Promise<DocumentReader> {
  const known = readers.get(kind.name);
  if (known !== undefined) return known;
  const reader = kind.reader();
  readers.set(kind.name, reader);
  reader.catch(() => readers.delete(kind.name));
  return reader;
}

function documentOf({ name }: DocumentKind, facts: DocumentFacts): ReadablePage['document'] & {} {
  const { pages, title, producer, language, cut, pageStarts, api, items } = facts;
  return {
    kind: name,
    pages,
    declaredTitle: title === null ? null : cappedFact(title),
    producer: producer === null ? null : cappedFact(producer),
    language,
    cut,
    pageStarts,
    ...(api !== null && { api: shortDescription(api) }),
    ...(items !== null && { items }),
  };
}
