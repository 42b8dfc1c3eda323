/** URLs of a bookmark file as all browsers export it (Netscape), with titles, folders, descriptions and tags. */
import { decodeHTML } from 'entities';
import { attributeOf, type XmlHandlers, XmlScanner } from '../../reading/extract/xml-scanner.ts';
import { type LineReader, type ListedUrl, listed } from './listed-url.ts';

/** Folders within folders whose names count. */
const MOST_FOLDERS = 20;
/** Characters of a name or description that are held. */
const MOST_TEXT = 4096;

export class Bookmarks implements LineReader, XmlHandlers {
  readonly inPieces = true;
  readonly #scanner = new XmlScanner(this, decodeHTML);
  #found: ListedUrl[] = [];
  /** Names of the open lists; '' for one without a name. */
  readonly #folders: string[] = [];
  #folder = '';
  #text = '';
  #link: { readonly url: string; readonly tags: string; readonly title: string; readonly about: string } | null = null;
  #element = '';

  read(line: string, isWhole: boolean): readonly ListedUrl[] {
    this.#scanner.push(isWhole ? `${line}\n` : line);
    return this.#taken();
  }

  end(): readonly ListedUrl[] {
    this.#endText();
    this.#endLink();
    return this.#taken();
  }

  /** Ends a description too: its element is never closed. */
  open(name: string, _prefix: string, tag: string): void {
    if (!OURS.has(name)) return;
    this.#endText();
    if (name !== 'dd') this.#endLink();
    if (name === 'a') this.#link = { url: attributeOf(tag, 'href') ?? '', tags: attributeOf(tag, 'tags') ?? '', title: '', about: '' };
    if (name === 'dl' && this.#folders.length < MOST_FOLDERS) this.#folders.push(this.#folder);
    if (name === 'dl') this.#folder = '';
    this.#element = name;
  }

  close(name: string): void {
    if (!OURS.has(name)) return;
    this.#endText();
    if (name !== 'dl') return;
    this.#endLink();
    this.#folders.pop();
  }

  text(text: string): void {
    if (this.#text.length < MOST_TEXT) this.#text += text;
  }

  #endText(): void {
    const text = this.#text;
    if (this.#element === 'h3') this.#folder = text;
    if (this.#element === 'a' && this.#link !== null) this.#link = { ...this.#link, title: text };
    if (this.#element === 'dd' && this.#link !== null) this.#link = { ...this.#link, about: text };
    [this.#text, this.#element] = ['', ''];
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = null;
    if (link !== null) this.#found.push(...listed(link.url, link.title, [link.about, link.tags, ...this.#folders].join(' ')));
  }

  #taken(): readonly ListedUrl[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

const OURS: ReadonlySet<string> = new Set(['a', 'h3', 'dl', 'dt', 'dd']);
