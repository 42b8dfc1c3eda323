/** Media types and endings of the kinds of documents. The readers of their files are in `kinds/`. */
import { DOCUMENT_KIND_NAMES, type DocumentKindName } from '../../base/core/document-kind-names.ts';

export interface DocumentTypes<Name extends DocumentKindName = DocumentKindName> {
  readonly name: Name;
  /** Lower case, without parameters. */
  readonly mediaTypes: readonly string[];
  /** Media types that its files share with other data, such as `application/json`: only the bytes tell them apart. Absent: none. */
  readonly sharedTypes?: readonly string[];
  /** Endings of files, lower case, with their dots. */
  readonly endings: readonly string[];
}

/** Media types of any XML and any JSON. */
const XML_TYPES: readonly string[] = ['application/xml', 'text/xml'];
const JSON_TYPES: readonly string[] = ['application/json', 'text/json'];
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';
const MACROS = 'application/vnd.ms-word.';
const TEXT = 'application/vnd.oasis.opendocument.text';

export const DOCUMENT_TYPES: { readonly [Name in DocumentKindName]: DocumentTypes<Name> } = {
  pdf: { name: 'pdf', mediaTypes: ['application/pdf', 'application/x-pdf', 'application/acrobat'], endings: ['.pdf'] },
  epub: { name: 'epub', mediaTypes: ['application/epub+zip'], endings: ['.epub'] },
  docx: {
    name: 'docx',
    mediaTypes: [`${WORD}document`, `${WORD}template`, `${MACROS}document.macroenabled.12`, `${MACROS}template.macroenabled.12`],
    endings: ['.docx', '.docm', '.dotx', '.dotm'],
  },
  odt: { name: 'odt', mediaTypes: [TEXT, `${TEXT}-template`, `${TEXT}-master`, `${TEXT}-web`], endings: ['.odt', '.ott'] },
  openapi: {
    name: 'openapi',
    mediaTypes: ['application/vnd.oai.openapi', 'application/vnd.oai.openapi+json', 'application/openapi+json', 'application/openapi+yaml'],
    sharedTypes: [...JSON_TYPES, 'application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml', 'text/vnd.yaml'],
    endings: ['.json', '.yaml', '.yml'],
  },
  wsdl: { name: 'wsdl', mediaTypes: ['application/wsdl+xml'], sharedTypes: XML_TYPES, endings: ['.wsdl'] },
  feed: {
    name: 'feed',
    mediaTypes: ['application/rss+xml', 'application/atom+xml', 'application/feed+json', 'application/rdf+xml'],
    sharedTypes: [...XML_TYPES, ...JSON_TYPES],
    endings: ['.rss', '.atom'],
  },
};

const ALL: readonly DocumentTypes[] = DOCUMENT_KIND_NAMES.map((name) => DOCUMENT_TYPES[name]);

/** Kinds whose files hold nothing else. Files of the others may be data of any use. */
export const TEXT_KIND_NAMES: readonly DocumentKindName[] = ['pdf', 'epub', 'docx', 'odt'];

/** Endings of documents of these kinds, without their dots. */
export function documentEndings(names: readonly DocumentKindName[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => DOCUMENT_TYPES[name].endings.map((ending) => ending.slice(1))));
}

/** Is it the media type of a document? @param mime lower case, without parameters */
export function isDocumentType(mime: string, kinds: readonly DocumentTypes[] = ALL): boolean {
  return kinds.some(({ mediaTypes }) => mediaTypes.includes(mime));
}

/** May data of a media type be a document of these kinds? Its bytes tell. @param mime lower case, without parameters */
export function isSharedType(mime: string, kinds: readonly DocumentTypes[] = ALL): boolean {
  return kinds.some(({ sharedTypes = [] }) => sharedTypes.includes(mime));
}

/** The kind of a text document by its media type, or its ending; null for other files, and for data, which may be anything. */
export function documentNameOf(mime: string, path: string): DocumentKindName | null {
  const text = TEXT_KIND_NAMES.map((name) => DOCUMENT_TYPES[name]);
  return namedAmong(text, mime, path)?.name ?? null;
}

/** The one of these kinds with the media type, else with the ending of the path. */
export function namedAmong<Kind extends DocumentTypes>(kinds: readonly Kind[], mime: string, path: string): Kind | null {
  const ending = endingOf(path);
  return kinds.find(({ mediaTypes }) => mediaTypes.includes(mime)) ?? kinds.find(({ endings }) => endings.includes(ending)) ?? null;
}

/** Ending of a path with its dot, lower case; '' without one. */
function endingOf(path: string): string {
  const name = (path.split(/[?#]/, 1)[0] ?? '').split('/').pop() ?? '';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}
