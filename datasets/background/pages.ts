import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { canonicalize } from '../../src/base/web/url.ts';
import type { PageExtractor } from '../../src/reading/extract/extractor.ts';
import type { MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';

/** Larger files are whole manuals in one page. */
const MAX_FILE_BYTES = 2_000_000;
/** Lists of identifiers rather than pages. */
const LISTING = /(^|\/)(genindex|py-modindex|search|searchindex|contents-all)\b|\/_static\//;

/** HTML files under a folder, as paths relative to it, sorted. */
export function htmlFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.x?html?(\.[\w-]+)?$/.test(entry.name))
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .filter((path) => !LISTING.test(path) && statSync(join(dir, path)).size <= MAX_FILE_BYTES)
    .sort();
}

export interface PageFile {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly otherText: string;
}

/** Pages of a web laid out as <root>/<host>/<path>, extracted by one method. */
export class PageFiles {
  readonly root: string;
  readonly #extractor: PageExtractor;

  constructor(root: string, method: MainTextMethod) {
    this.root = root;
    this.#extractor = pageExtractor({ productToken: 'forager', extractor: method });
  }

  read(host: string, path: string): PageFile {
    const url = canonicalize(`https://${host}/${path.split('/').map(encodeURIComponent).join('/')}`);
    if (url === null) throw new Error(`${host}/${path}: makes no URL`);
    return { url, ...this.extract(url, readFileSync(join(this.root, host, path))) };
  }

  /** Title, main text and other text of a page at hand. */
  extract(url: string, body: Buffer): Omit<PageFile, 'url'> {
    const address = canonicalize(url);
    if (address === null) throw new Error(`${url}: no URL`);
    const { title, text, otherText } = this.#extractor.extract({ url: address, headers: { 'content-type': 'text/html' }, body });
    return { title, text, otherText };
  }
}
