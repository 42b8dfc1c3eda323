/** Our extractor as the benches run it: the whole of it, from bytes. */

import type { Extractor } from '../../src/base/core/parts/reading.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { MAIN_TEXT_METHODS, type MainTextMethod } from '../../src/reading/extract/text-method-names.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';

/** The one to be proven first. */
export const MODES: readonly MainTextMethod[] = MAIN_TEXT_METHODS;

/** A page as a method gets it: its text, and the bytes of that in UTF-8. */
export interface PageInput {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  readonly body: Uint8Array;
}

/** The extractor as a crawl makes it. */
export function ourExtractor(mode: MainTextMethod): Extractor {
  return pageExtractor({ productToken: 'forager', extractor: mode });
}

/** @returns a function to the main text; one page after another. */
export function ourExtract(mode: MainTextMethod): (page: PageInput) => string {
  const extractor = ourExtractor(mode);
  return ({ id, url, body }) => {
    const canonical = canonicalize(urlOr(id, url)) ?? canonicalize('https://page.example/');
    if (canonical === null) return '';
    return extractor.extract({ url: canonical, headers: { 'content-type': 'text/html; charset=utf-8' }, body }).text;
  };
}

/** The page's URL; where it is not known, one that no site has. */
export function urlOr(id: string, url: string): string {
  return url === '' ? `https://page.example/${id}` : url;
}
