/**
 * URLs in the lines of a file that somebody has: a CDX or CDXJ index of an archive, JSON lines, CSV or TSV with a column of URLs, BibTeX, RIS, or any
 * text. The form is recognised by the lines themselves, not by the name of the file.
 */

import type { CanonicalUrl } from '../../base/core/types.ts';
import { cellsOf } from '../../base/text/table-cells.ts';
import { isReadableType } from '../../base/web/content-type.ts';
import { canonicalize } from '../../base/web/url.ts';

/** A URL of the file, with the title that its record has; '' without one. */
export interface ListedUrl {
  readonly url: CanonicalUrl;
  readonly title: string;
}

/** Reads one line after the other. `end` gives the URLs of a record that the file does not close. */
export interface LineReader {
  read(line: string): readonly ListedUrl[];
  end(): readonly ListedUrl[];
}

/** Characters that end a URL in any text (RFC 3986, appendix C), and those of TeX, wikis and CSV around one. */
const URL_IN_TEXT = /https?:\/\/[^\s<>"'`{}|\\^[\]]+/gi;
/** Punctuation behind a URL belongs to the sentence. */
const BEHIND = /[.,;:!?*]+$/;
/** Names of members and columns that have the address of a page. Other URLs of a record (of an image, of the page that linked) are none of it. */
const ADDRESS =
  /^(?:url|uri|link|href|loc|address|web_?site|home_?page|web_?page|(?:target|original|page|landing)[-_ ]?(?:page[-_ ]?)?(?:url|uri))$/i;
const TITLE = /^(?:title|primary_?title|t1|ti)$/i;
/** Deepest member of JSON that is looked at: Crossref has `link: [{ URL }]`. */
const MOST_DEPTH = 3;
/** Titles are anchor texts, of which a page has rarely more. */
const MOST_TITLE = 300;

/** @param first the first line that is not empty */
export function lineReaderFor(first: string): LineReader {
  if (/^\s*[CN]DX\s/.test(first)) return each(cdxReader(first.trim().split(/\s+/).slice(1)));
  if (/^\S+ \d{4,17} (?:\{|https?:\/\/)/.test(first)) return each(cdxReader(null));
  if (/^\s*[{[]/.test(first)) return each(ofJson);
  const table = tableOf(first);
  return table === null ? new Records() : each(table);
}

function each(read: (line: string) => readonly ListedUrl[]): LineReader {
  return { read, end: () => [] };
}

/** All URLs of a text. */
function inText(text: string, title = ''): ListedUrl[] {
  return [...text.matchAll(URL_IN_TEXT)].flatMap(([found]) => listed(trimmed(found), title));
}

function listed(written: string, title: string): ListedUrl[] {
  const url = canonicalize(written);
  return url === null ? [] : [{ url, title: title.replace(/\s+/g, ' ').trim().slice(0, MOST_TITLE) }];
}

/** Omits the punctuation behind a URL, and a bracket that the URL does not open itself. */
function trimmed(found: string): string {
  const bare = found.replace(BEHIND, '');
  return bare.endsWith(')') && !bare.includes('(') ? trimmed(bare.slice(0, -1)) : bare;
}

/**
 * Lines of a CDX (`N b a m s …` names its columns; without a head they are those of Common Crawl and pywb) or CDXJ. Only pages that answered: other
 * statuses and media types are no candidates.
 */
function cdxReader(head: readonly string[] | null): (line: string) => readonly ListedUrl[] {
  const place = (letter: string, otherwise: number) => (head === null ? otherwise : head.indexOf(letter));
  const [url, mime, status] = [place('a', 2), place('m', 3), place('s', 4)];
  return (line) => {
    const json = line.indexOf('{');
    if (json >= 0) return ofJson(line.slice(json));
    const cells = line.trim().split(/\s+/);
    return isPage(cells[mime], cells[status]) ? listed(cells[url] ?? '', '') : [];
  };
}

/** `-` is unknown, and a revisit record is of a page that had not changed. */
function isPage(mime = '-', status = '-'): boolean {
  const isRead = mime === '-' || mime === 'warc/revisit' || isReadableType(mime.toLowerCase());
  return isRead && /^(?:[23]\d\d|-)$/.test(status);
}

/** The addresses in a line of JSON; a line that is none is a text. */
function ofJson(line: string): readonly ListedUrl[] {
  let record: unknown;
  try {
    record = JSON.parse(line.trim().replace(/,$/, ''));
  } catch {
    return inText(line);
  }
  return Array.isArray(record) ? record.flatMap(ofRecord) : ofRecord(record);
}

function ofRecord(record: unknown): ListedUrl[] {
  const { mime, status } = fieldsOf(record);
  if (!isPage(textOf(mime), textOf(status))) return [];
  const found = { urls: [] as string[], title: '' };
  gather(record, 0, found);
  return found.urls.flatMap((written) => listed(written, found.title));
}

function gather(value: unknown, depth: number, found: { urls: string[]; title: string }): void {
  for (const [name, member] of Object.entries(fieldsOf(value))) {
    const text = Array.isArray(member) ? textOf(member[0]) : textOf(member);
    if (text === undefined && depth < MOST_DEPTH) gather(member, depth + 1, found);
    else if (ADDRESS.test(name) && Array.isArray(member)) found.urls.push(...member.flatMap((one) => textOf(one) ?? []));
    else if (ADDRESS.test(name) && text !== undefined) found.urls.push(text);
    else if (TITLE.test(name) && found.title === '') found.title = text ?? '';
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

/** Reader of a table whose first line names a column of addresses; null for any other line. */
function tableOf(head: string): ((line: string) => readonly ListedUrl[]) | null {
  for (const separator of ['\t', ';', ',']) {
    const names = cellsOf(head, separator);
    const url = names.findIndex((name) => ADDRESS.test(name));
    if (url < 0) continue;
    const title = names.findIndex((name) => TITLE.test(name));
    return (line) => {
      const cells = cellsOf(line, separator);
      return inText(cells[url] ?? '', cells[title] ?? '');
    };
  }
  return null;
}

/** Start of a record of BibTeX or RIS. */
const RECORD = /^\s*@\w+\s*[{(]|^TY {2}-/;
/** A title in braces, of which BibTeX has some inside too, in quotes, or of RIS. */
const TITLE_LINE = /(?:^|[\s,])title\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)|"([^"]*))|^T[1I] {2}-\s*(.*)$/i;

/** BibTeX, RIS and texts: the URLs of all lines. Those of a record have its title, which may come behind them. */
class Records implements LineReader {
  #waiting: ListedUrl[] = [];
  #title = '';
  #isRecord = false;

  read(line: string): readonly ListedUrl[] {
    const before = RECORD.test(line) ? this.end() : [];
    if (RECORD.test(line)) this.#isRecord = true;
    const title = this.#isRecord && this.#title === '' ? TITLE_LINE.exec(line) : null;
    if (title !== null) this.#title = (title[1] ?? title[2] ?? title[3] ?? '').replaceAll(/[{}]/g, '');
    // TeX escapes characters of addresses.
    const found = inText(line.replaceAll(/\{?\\([_%&#~$])\}?/g, '$1'));
    if (!this.#isRecord) return found;
    this.#waiting.push(...found);
    return before;
  }

  end(): readonly ListedUrl[] {
    const [found, title] = [this.#waiting, this.#title];
    [this.#waiting, this.#title, this.#isRecord] = [[], '', false];
    return found.map(({ url }) => ({ url, title: title.trim().slice(0, MOST_TITLE) }));
  }
}
