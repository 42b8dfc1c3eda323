import type { DocumentKind } from '../document-kind.ts';
import { DOCUMENT_TYPES } from '../document-types.ts';
import { asciiText, isObjectStart, topLevelString, xmlRoot } from '../file-head.ts';

/** Namespace of Atom 1.0 (RFC 4287), and that of its draft 0.3. */
const ATOM = /http:\/\/www\.w3\.org\/2005\/Atom|http:\/\/purl\.org\/atom\/ns#/;
/** Namespaces of RSS 1.0 and 0.90, which are RDF. */
const RSS_RDF = /http:\/\/purl\.org\/rss\/1\.0\/|http:\/\/(?:my|channel)\.netscape\.com\/rdf\/simple\/0\.9\//;
/** JSON Feed 1.0 and 1.1. */
const JSON_FEED = /^https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\/1/;

export const feed: DocumentKind<'feed'> = {
  ...DOCUMENT_TYPES.feed,
  looksLike(bytes) {
    if (isObjectStart(bytes)) return isJsonFeed(bytes);
    const root = xmlRoot(bytes);
    if (root === null) return false;
    if (root.name === 'rss') return true;
    return (root.name === 'feed' && ATOM.test(root.tag)) || (root.name === 'rdf' && RSS_RDF.test(root.tag));
  },
  reader: async () => (await import('./feed/feed-document.ts')).feedDocument,
};

function isJsonFeed(bytes: Uint8Array): boolean {
  const text = asciiText(bytes);
  return text.includes('jsonfeed.org') && JSON_FEED.test(topLevelString(text, 'version') ?? '');
}
