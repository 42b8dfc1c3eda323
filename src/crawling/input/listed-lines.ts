/**
 * URLs in the lines of a file that somebody has: a CDX or CDXJ index of an archive, JSON, CSV or TSV with a column of URLs, bookmarks, a sitemap or
 * feed, a dump of MediaWiki's links, BibTeX, RIS, or any text. The form is recognised by the lines themselves, not by the name of the file.
 */
import { Bookmarks } from './bookmark-lines.ts';
import { isPage, jsonReader, recordsOfLine } from './json-records.ts';
import { inText, type LineReader, type ListedUrl, listed } from './listed-url.ts';
import { tableReader } from './table-lines.ts';
import { WikiLinks } from './wiki-links.ts';
import { XmlLines } from './xml-lines.ts';

/** Characters that show the form of a file: a key of a CDX has 2,000. A pattern on a line of megabytes can exceed the stack. */
const START = 8192;
/** Characters of a line among which a title is sought. */
const TITLE_WITHIN = 16 * 1024;

/** @param first the first line that is not empty, or the start of a long one */
export function lineReaderFor(first: string): LineReader {
  const start = first.slice(0, START);
  if (/^\s*[CN]DX\s/.test(start)) return each(cdxReader(first.trim().split(/\s+/).slice(1)));
  if (/^\S+ \d{4,17} (?:\{|https?:\/\/)/.test(start)) return each(cdxReader(null));
  if (/^\s*[{[]/.test(start)) return jsonReader(first);
  if (/^\s*<!DOCTYPE NETSCAPE-Bookmark/i.test(start)) return new Bookmarks();
  if (/^\s*<(?:\?xml|urlset|sitemapindex|rss|feed|opml)\b/i.test(start)) return new XmlLines();
  if (/^(?:-- (?:MySQL|MariaDB) dump|\/\*[!M]|(?:INSERT INTO|CREATE TABLE|DROP TABLE)\b)/i.test(start)) return new WikiLinks();
  return tableReader(first) ?? new Records();
}

function each(read: (line: string) => readonly ListedUrl[]): LineReader {
  return { read, end: () => [] };
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
    if (json >= 0) return recordsOfLine(line.slice(json));
    const cells = line.trim().split(/\s+/);
    return isPage(cells[mime], cells[status]) ? listed(cells[url] ?? '', '') : [];
  };
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
    const title = this.#isRecord && this.#title === '' ? TITLE_LINE.exec(line.slice(0, TITLE_WITHIN)) : null;
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
    return found.flatMap(({ url }) => listed(url, title));
  }
}
