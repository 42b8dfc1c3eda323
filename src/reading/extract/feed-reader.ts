import type { CanonicalUrl } from '../../base/core/types.ts';
import { squeeze } from '../../base/text/squeeze.ts';
import { ListReader } from './list-reader.ts';
import { attributeOf } from './xml-scanner.ts';

/** Feeds list new pages; the longest have a few hundred entries. */
const MAX_ENTRIES = 1000;
const MAX_TITLE_CHARS = 200;

/** Quality of an entry's link as the way to its page. The first of the best wins. */
const RANK = { none: 0, about: 1, guid: 2, content: 3, otherType: 4, page: 5 } as const;
type Rank = (typeof RANK)[keyof typeof RANK];

/** The relation of an Atom link, also by its registered URI (RFC 4287 §4.2.7.2). */
const ALTERNATE = /^(?:http:\/\/www\.iana\.org\/assignments\/relation\/)?(?:alternate)?$/i;
const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml|x?html|)\s*(?:;|$)/i;
/** Dates of an entry, the last change first: Atom, Dublin Core, RSS 2.0. */
const DATES: readonly string[] = ['updated', 'modified', 'dcterms:modified', 'dc:date', 'published', 'pubdate', 'date'];
const WEB = /^\s*https?:\/\//i;

/**
 * The entries of RSS 0.9 to 2.0 and Atom, with the URL of each: its link, in Atom that for readers and rather an HTML page; else the content that it
 * refers to; else a `guid` that is a permalink, which it is unless it says otherwise (RSS 2.0); else `rdf:about` (RSS 1.0).
 */
export class FeedReader extends ListReader {
  #title = '';
  #url: CanonicalUrl | null = null;
  #rank: Rank = RANK.none;
  #isPermalink = false;
  #date: { readonly written: string; readonly rank: number } | null = null;

  get full(): boolean {
    return this.pages.size >= MAX_ENTRIES;
  }

  protected opened(name: string, parent: string, tag: string): void {
    if (isEntry(name)) this.#start(tag);
    else if (name === 'guid') this.#isPermalink = attributeOf(tag, 'ispermalink')?.trim().toLowerCase() !== 'false';
    else if (parent === 'entry' && name === 'link') this.#atomLink(tag);
    else if (parent === 'entry' && name === 'content' && isPage(tag)) this.#offer(attributeOf(tag, 'src'), RANK.content);
  }

  protected closed(name: string, parent: string): void {
    if (isEntry(name)) this.#add();
    if (!isEntry(parent)) return;
    if (DATES.includes(name)) this.#dated(name);
    if (name === 'title') this.#title = squeeze(this.value).slice(0, MAX_TITLE_CHARS);
    else if (parent === 'item' && name === 'link') this.#offer(this.value, RANK.page);
    else if (parent === 'item' && name === 'guid' && this.#isPermalink && WEB.test(this.value)) this.#offer(this.value, RANK.guid);
  }

  #start(tag: string): void {
    this.#title = '';
    this.#url = null;
    this.#rank = RANK.none;
    this.#date = null;
    const about = attributeOf(tag, 'rdf:about');
    if (about !== null && WEB.test(about)) this.#offer(about, RANK.about);
  }

  #atomLink(tag: string): void {
    if (ALTERNATE.test(attributeOf(tag, 'rel')?.trim() ?? ''))
      this.#offer(attributeOf(tag, 'href'), isPage(tag) ? RANK.page : RANK.otherType);
  }

  #dated(name: string): void {
    const rank = DATES.indexOf(name);
    if (this.#date === null || rank < this.#date.rank) this.#date = { written: this.value, rank };
  }

  #offer(written: string | null, rank: Rank): void {
    if (written === null || written.trim() === '' || rank <= this.#rank) return;
    const url = this.resolve(written);
    if (url === null) return;
    this.#url = url;
    this.#rank = rank;
  }

  #add(): void {
    if (this.#url === null || this.pages.has(this.#url)) return;
    this.pages.set(this.#url, this.#title);
    this.note(this.#url, this.#date?.written ?? null);
  }
}

function isEntry(name: string): boolean {
  return name === 'item' || name === 'entry';
}

function isPage(tag: string): boolean {
  return PAGE_TYPE.test(attributeOf(tag, 'type')?.trim() ?? '');
}
