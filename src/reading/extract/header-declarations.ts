/** The declarations in the header of a page that say the same as elements of its head: `Link` (RFC 8288) and `Refresh`. */
import { utf8Field } from '../../base/web/header-fields.ts';
import { type FieldLink, linksInField } from '../../base/web/link-field.ts';
import { refreshTarget } from '../../base/web/refresh.ts';
import type { PageContent } from './blocks.ts';
import { DeclarationReader, type Declarations } from './declarations.ts';
import { NO_LINE_NOTES } from './line-notes.ts';

interface Page {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The declarations of the header, with absolute addresses: they are relative to the page, regardless of its `<base>`.
 * @returns null if the header states none
 */
export function headerDeclarations({ url, headers }: Page): Declarations | null {
  const { link, refresh } = headers;
  if (link === undefined && refresh === undefined) return null;
  const reader = new DeclarationReader();
  reader.start();
  for (const value of (refresh ?? '').split('\n')) readRefresh(reader, utf8Field(value), url);
  for (const found of linksInField(utf8Field(link ?? ''))) readLink(reader, found, url);
  const declared = reader.finish();
  const { canonicalHref, metas, licenceLinks, alternates, nextHrefs, feedHrefs } = declared;
  const isEmpty = canonicalHref === null && [metas, licenceLinks, alternates, nextHrefs, feedHrefs].every(({ length }) => length === 0);
  return isEmpty ? null : { ...declared, licenceLinks: licenceLinks.map((link) => ({ ...link, from: 'header' })) };
}

function readRefresh(reader: DeclarationReader, value: string, base: string): void {
  const target = absolute(refreshTarget(value), base);
  if (target !== null)
    readElement(
      reader,
      'meta',
      new Map([
        ['http-equiv', 'refresh'],
        ['content', `0;url=${target}`],
      ]),
    );
}

function readLink(reader: DeclarationReader, { href, parameters }: FieldLink, base: string): void {
  const target = absolute(href, base);
  if (target !== null) readElement(reader, 'linkrel', new Map([...parameters, ['href', target]]));
}

function readElement(reader: DeclarationReader, kind: 'meta' | 'linkrel', attributes: ReadonlyMap<string, string>): void {
  reader.read(kind, { get: (name) => attributes.get(name) ?? null });
}

function absolute(href: string | null, base: string): string | null {
  return href !== null && URL.canParse(href, base) ? new URL(href, base).href : null;
}

/** A page with the declarations of its header after its own: of two canonical addresses, that of the page counts. */
export function withHeader(content: PageContent, header: Declarations): PageContent {
  const { text, lines, lineNotes, links, title, heading, warnings, signs, lang, baseHref, jsonLd, rsl } = content;
  return {
    ...{ text, lines, lineNotes, links, title, heading, warnings, signs, lang, baseHref, jsonLd, rsl },
    // Some parsers make these when they are asked for.
    get blocks() {
      return content.blocks;
    },
    get parents() {
      return content.parents;
    },
    metas: [...content.metas, ...header.metas],
    canonicalHref: content.canonicalHref ?? header.canonicalHref,
    licenceLinks: [...content.licenceLinks, ...header.licenceLinks],
    alternates: [...content.alternates, ...header.alternates],
    nextHrefs: [...content.nextHrefs, ...header.nextHrefs],
    feedHrefs: [...content.feedHrefs, ...header.feedHrefs],
  };
}

/** Plain text, with the declarations of its header only. */
export function contentOfHeader(header: Declarations): PageContent {
  return {
    ...header,
    text: '',
    blocks: [],
    lines: new Int32Array(0),
    lineNotes: NO_LINE_NOTES,
    parents: [],
    links: [],
    title: '',
    heading: '',
    warnings: [],
    signs: 0,
  };
}
