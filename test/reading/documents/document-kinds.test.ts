import { expect, test } from 'vitest';
import type { DocumentKind } from '../../../src/reading/documents/document-kind.ts';
import { documentKindOf } from '../../../src/reading/documents/document-kinds.ts';

const never = () => Promise.reject(new Error('not read here'));
const startsWith = (signature: string, look: true | 'maybe') => (bytes: Uint8Array) =>
  Buffer.from(bytes).toString('latin1').startsWith(signature) ? look : false;

const KINDS: readonly DocumentKind[] = [
  { name: 'pdf', mediaTypes: ['application/pdf'], endings: ['.pdf'], looksLike: startsWith('%PDF-', true), reader: never },
  { name: 'openapi', mediaTypes: ['application/openapi+json'], endings: ['.json'], looksLike: startsWith('{', 'maybe'), reader: never },
  { name: 'feed', mediaTypes: ['application/feed+json'], endings: ['.json', '.feed'], looksLike: startsWith('{', 'maybe'), reader: never },
];

const named = (text: string, mime: string, path: string) => documentKindOf(Buffer.from(text), mime, path, KINDS)?.name ?? null;

test.each([
  ['the signature decides before header and ending', '%PDF-1.7', 'application/feed+json', '/a.json', 'pdf'],
  ['the header decides if the bytes leave a choice', '{}', 'application/feed+json', '/a.json', 'feed'],
  ['the ending decides without a helpful header', '{}', 'application/json', '/v1/news.FEED?page=2', 'feed'],
  ['the first of two kinds with one ending', '{}', '', '/a.json', 'openapi'],
  ['bytes that are not of the kind of header and ending', 'hello', 'application/pdf', '/a.pdf', null],
  ['a dot in a folder is no ending', '{}', '', '/a.feed/b', null],
  ['an ending in the query is none', '{}', '', '/get?file=a.feed', null],
])('%s', (_, text, mime, path, expected) => expect(named(text, mime, path)).toBe(expected));
