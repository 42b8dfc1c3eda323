import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';
import { xmlRoot } from '../file-head.ts';

/** Roots of WSDL 1.1 and 2.0 with their namespaces, under any prefix. */
const ROOTS: Readonly<Record<string, RegExp>> = {
  definitions: /http:\/\/schemas\.xmlsoap\.org\/wsdl\/["']/,
  description: /http:\/\/www\.w3\.org\/(?:ns|2006\/01)\/wsdl["']/,
};

export const wsdl: DocumentKind<'wsdl'> = {
  ...DOCUMENT_TYPES.wsdl,
  looksLike(bytes) {
    const root = xmlRoot(bytes);
    return root !== null && Object.hasOwn(ROOTS, root.name) && ROOTS[root.name]?.test(root.tag) === true;
  },
  reader: async () => (await import('./wsdl/wsdl-document.ts')).wsdlDocument,
};
