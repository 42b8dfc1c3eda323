import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';
import { asciiText, isObjectStart, topLevelString } from '../file-head.ts';

export const openapi: DocumentKind<'openapi'> = {
  ...DOCUMENT_TYPES.openapi,
  looksLike(bytes) {
    const text = asciiText(bytes);
    // Almost no other file has one of these words; the rest of the search costs more.
    if (!text.includes('openapi') && !text.includes('swagger')) return false;
    return isObjectStart(bytes) ? isJson(text) : isYaml(text);
  },
  reader: async () => (await import('./openapi/openapi-document.ts')).openapiDocument,
};

function isJson(text: string): boolean {
  return (startsWith(text, 'openapi', '3.') || startsWith(text, 'swagger', '2.')) && text.includes('"info"');
}

function startsWith(text: string, name: string, version: string): boolean {
  return topLevelString(text, name)?.startsWith(version) === true;
}

const VERSION = /^(?:["']?openapi["']?:\s+["']?3\.\d|["']?swagger["']?:\s+["']?2\.\d)/m;
/** Lines of a mapping that begin at the margin: keys, comments, ends of documents, and lines that continue a key. A page in Markdown has others. */
const LINE = /^(?:["']?[\w$.-]+["']?:(?:\s|$)|#|---|\.\.\.|%YAML|[\]})>|-]|\s|$)/;

/** A mapping whose lines are keys from the first to the one with the version; the file may be cut behind it. */
function isYaml(text: string): boolean {
  const found = VERSION.exec(text);
  if (found === null || !/^["']?info["']?:/m.test(text)) return false;
  const before = text.slice(0, found.index).replace(/^\xef\xbb\xbf/, '');
  return before.split(/\r?\n/).every((line) => LINE.test(line));
}
