/** A URL that a file names, and the reader of a form of files. */
import type { CanonicalUrl } from '../../base/core/types.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';

/** A URL of the file, with the words that its record has. */
export interface ListedUrl {
  readonly url: CanonicalUrl;
  /** '' without one. */
  readonly title: string;
  /** Summary, notes, tags and folders. Absent without any. */
  readonly context?: string;
}

/** Reads one line after the other. `end` gives the URLs of a record that the file does not close. */
export interface LineReader {
  /** Does it take a long line in pieces? */
  readonly inPieces?: true;
  /** @param isWhole false for a piece of a line whose rest follows */
  read(line: string, isWhole: boolean): readonly ListedUrl[];
  end(): readonly ListedUrl[];
  /** Number of files that an index of sitemaps names, which are not read here. */
  readonly otherLists?: number;
}

/** Characters that end a URL in any text (RFC 3986, appendix C), and those of TeX, wikis and CSV around one. Longer ones are no URLs of a crawl. */
const URL_IN_TEXT = /https?:\/\/[^\s<>"'`{}|\\^[\]]{1,4096}/gi;
/** Punctuation behind a URL belongs to the sentence. */
const BEHIND = /[.,;:!?*]+$/;
/** Titles are anchor texts, of which a page has rarely more. */
const MOST_TITLE = 300;
/** An abstract has some 250 words. */
const MOST_CONTEXT = 2000;

/** All URLs of a text. */
export function inText(text: string, title = '', context = ''): ListedUrl[] {
  return [...text.matchAll(URL_IN_TEXT)].flatMap(([found]) => listed(trimmed(found), title, context));
}

/** The URL with its words; none if it is not one of http(s). */
export function listed(written: string, title: string, context = ''): ListedUrl[] {
  const url = canonicalizeWithRoute(written.trim());
  if (url === null) return [];
  const words = shortened(context, MOST_CONTEXT);
  return [{ url, title: shortened(title, MOST_TITLE), ...(words !== '' && { context: words }) }];
}

function shortened(text: string, most: number): string {
  return text
    .slice(0, 4 * most)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most);
}

/** Omits the punctuation behind a URL, and a bracket that the URL does not open itself. */
function trimmed(found: string): string {
  const bare = found.replace(BEHIND, '');
  return bare.endsWith(')') && !bare.includes('(') ? trimmed(bare.slice(0, -1)) : bare;
}
