/** The `Link` header field (RFC 8288): links that a page states outside of its text. */

/** One link. Parameter names are lower case; of a repeated parameter, the first counts. */
export interface FieldLink {
  readonly href: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Longest field that is read: servers send a few hundred characters, and cut at 8 to 64 KB. */
const MAX_CHARS = 64 * 1024;
/** Number of links read of one field. */
const MAX_LINKS = 500;

/** A target in angle brackets, and its parameters up to the comma before the next one. */
const LINK = /[^<]*<([^>]*)>((?:[^,"]|"(?:[^"\\]|\\.)*"?)*)/y;
const PARAMETER = /;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*)))?/g;

/**
 * The links of a field that can be read (RFC 8288 appendix B.2). A link with an `anchor` is about another resource and is omitted.
 * O(length).
 * @param field repeated fields joined by commas
 */
export function linksInField(field: string): readonly FieldLink[] {
  const text = field.slice(0, MAX_CHARS);
  const links: FieldLink[] = [];
  LINK.lastIndex = 0;
  for (let found = LINK.exec(text); found !== null && links.length < MAX_LINKS; found = LINK.exec(text)) {
    const parameters = parametersIn(found[2] ?? '');
    if (!parameters.has('anchor')) links.push({ href: (found[1] ?? '').trim(), parameters });
  }
  return links;
}

function parametersIn(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1'));
  }
  return parameters;
}
