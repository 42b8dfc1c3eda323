/** Agreement of Forager with poppler over many PDFs: text, pages, title, authors, links. */
import type { Extraction } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { bigramF1 } from './word-bigrams.ts';

export interface PopplerReading {
  /** null if it failed. */
  readonly text: string | null;
  /** Output of `pdfinfo`. */
  readonly info: string;
  /** Output of `pdfinfo -url`. */
  readonly urls: string;
}

export class PopplerTally {
  /** Are differing titles, authors and links printed? */
  readonly #isVerbose: boolean;
  readonly #scores: number[] = [];
  readonly #low: string[] = [];
  readonly #unread: string[] = [];
  readonly #equal = { pages: 0, titles: 0, authors: 0 };
  readonly #authors = { stated: 0, found: 0 };
  readonly #links = { stated: 0, found: 0 };

  constructor(isVerbose: boolean) {
    this.#isVerbose = isVerbose;
  }

  add(name: string, extraction: Extraction | null, poppler: PopplerReading): void {
    if (extraction === null || poppler.text === null) {
      const other = poppler.text === null ? 'failed' : `has ${poppler.text.trim().length} characters`;
      this.#unread.push(`${name}: ${extraction === null ? 'not read' : 'read'}, pdftotext ${other}`);
      return;
    }
    const f1 = bigramF1(extraction.text, unbroken(poppler.text));
    this.#scores.push(f1);
    if (f1 < 0.8) this.#low.push(`${f1.toFixed(3)} ${name}`);
    this.#addFacts(extraction, poppler.info);
    this.#addLinks(extraction, poppler.urls, name);
  }

  report(): string {
    const sorted = [...this.#scores].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(3);
    const { pages, titles, authors } = this.#equal;
    return [
      ...this.#unread,
      ...this.#low,
      `${sorted.length} files: median ${at(0.5)}, tenth percentile ${at(0.1)}; equal page counts ${pages}, equal titles ${titles}, equal authors ${authors}`,
      `authors: ${this.#authors.found} of the ${this.#authors.stated} files with one; addresses of links: ${this.#links.found} of ${this.#links.stated}`,
    ].join('\n');
  }

  #addFacts({ document, metadata }: Extraction, info: string): void {
    const field = (label: string) => squeezed(new RegExp(`^${label}:[^\\S\\n]*(.*)$`, 'm').exec(info)?.[1] ?? '');
    if (Number(field('Pages')) === document?.pages) this.#equal.pages += 1;
    if (field('Title') === squeezed(document?.declaredTitle ?? '')) this.#equal.titles += 1;
    else if (this.#isVerbose) console.log(`title: ${field('Title')} | ${document?.declaredTitle}`);
    const author = field('Author');
    const isWhole = metadata.authors.every((name) => author.includes(name)) && metadata.authors.length > 0 === /\p{L}/u.test(author);
    if (isWhole) this.#equal.authors += 1;
    if (!/\p{L}/u.test(author)) return;
    this.#authors.stated += 1;
    if (metadata.authors.length > 0) this.#authors.found += 1;
    else if (this.#isVerbose) console.log(`author: ${author}`);
  }

  /** Distinct addresses on the web; the rest are mails, files and places of the document. */
  #addLinks({ outlinks }: Extraction, urls: string, name: string): void {
    const stated = new Set(Array.from(urls.matchAll(/https?:\/\/\S+/g), ([url]) => canonicalize(url)).filter((url) => url !== null));
    const found = new Set(outlinks.map(({ url }) => url));
    const missing = [...stated].filter((url) => !found.has(url));
    this.#links.stated += stated.size;
    this.#links.found += stated.size - missing.length;
    if (missing.length > 0 && this.#isVerbose) console.log(`links: ${name} ${missing.slice(0, 3).join(' ')}`);
  }
}

function squeezed(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** Words that a line ends with a hyphen are joined, as Forager joins them. */
function unbroken(text: string): string {
  return text.replace(/(\p{L})[-\u00ad]\n(\p{Ll})/gu, '$1$2');
}
