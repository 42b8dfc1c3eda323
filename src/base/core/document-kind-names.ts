/** The only list of names of document kinds; `reading/documents/document-kinds.ts` has the kinds themselves. */
export const DOCUMENT_KIND_NAMES = ['pdf', 'epub', 'docx', 'odt', 'openapi', 'wsdl', 'feed'] as const;
export type DocumentKindName = (typeof DOCUMENT_KIND_NAMES)[number];
