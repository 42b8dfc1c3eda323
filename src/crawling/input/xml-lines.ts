/** URLs of XML lists on the disk: sitemaps and their indexes, RSS, Atom and OPML. Any other XML is a text. */
import { decodeXML } from 'entities';
import { attributeOf, type XmlHandlers, XmlScanner } from '../../reading/extract/xml-scanner.ts';
import { inText, type LineReader, type ListedUrl, listed } from './listed-url.ts';

const ROOTS: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'rss', 'rdf', 'feed', 'opml']);
/** Elements that are one page each. */
const ENTRIES: ReadonlySet<string> = new Set(['url', 'item', 'entry', 'sitemap']);
/** Characters of an element that are held. */
const MOST_TEXT = 4096;

interface Entry {
  url: string;
  title: string;
  context: string;
}

export class XmlLines implements LineReader, XmlHandlers {
  readonly inPieces = true;
  readonly #scanner = new XmlScanner(this, decodeXML);
  #found: ListedUrl[] = [];
  /** null before the first element. */
  #isList: boolean | null = null;
  #entry: Entry | null = null;
  #text = '';
  otherLists = 0;

  read(line: string, isWhole: boolean): readonly ListedUrl[] {
    if (this.#isList !== false) this.#scanner.push(isWhole ? `${line}\n` : line);
    if (this.#scanner.broken) this.#isList = false;
    return this.#isList === false ? inText(line) : this.#taken();
  }

  end(): readonly ListedUrl[] {
    return this.#taken();
  }

  open(name: string, prefix: string, tag: string): void {
    this.#isList ??= ROOTS.has(name);
    this.#text = '';
    if (ENTRIES.has(name)) this.#entry = { url: '', title: '', context: '' };
    // An Atom link to a page has no relation or this one.
    if (name === 'link' && prefix === '' && this.#entry !== null && (attributeOf(tag, 'rel') ?? 'alternate') === 'alternate')
      this.#entry.url ||= attributeOf(tag, 'href') ?? '';
    if (name === 'outline')
      this.#found.push(...listed(attributeOf(tag, 'htmlurl') ?? '', attributeOf(tag, 'text') ?? '', attributeOf(tag, 'description') ?? ''));
  }

  close(name: string, prefix: string): void {
    const [entry, text] = [this.#entry, this.#text.trim()];
    this.#text = '';
    if (entry === null) return;
    if ((name === 'loc' || name === 'link') && prefix === '') entry.url ||= text;
    if (name === 'title') entry.title ||= text;
    // Summaries of feeds may be HTML.
    if (name === 'description' || name === 'summary' || name === 'category') entry.context += ` ${text.replace(/<[^>]*>/g, ' ')}`;
    if (ENTRIES.has(name)) this.#take(entry, name);
  }

  text(text: string): void {
    if (this.#text.length < MOST_TEXT) this.#text += text;
  }

  #take({ url, title, context }: Entry, name: string): void {
    this.#entry = null;
    if (name === 'sitemap') this.otherLists += 1;
    else this.#found.push(...listed(url, title, context));
  }

  #taken(): readonly ListedUrl[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}
