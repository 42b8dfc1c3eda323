/** Lists the URLs of pages from any input. */
import type { CanonicalUrl } from '../../base/core/types.ts';
import { decodeText } from '../../base/web/charset.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { INPUT, type InputOptions, inputPages } from '../../crawling/input/inputs.ts';
import { UNKNOWN_URL } from '../../crawling/input/source-page.ts';
import { checkOptions } from '../../crawling/settings/check-options.ts';
import { type PageUrl, pageUrls } from '../../reading/extract/page-urls.ts';

/** The URLs of a page. */
export interface UrlsOfPage {
  /** File path, `path:line`, or URL. */
  readonly id: string;
  /** null if not known: then relative URLs are absent. */
  readonly page: CanonicalUrl | null;
  readonly urls: readonly PageUrl[];
}

/** See `listPageUrls` of the library. */
export async function* listPageUrls(input: string, options: InputOptions = {}): AsyncGenerator<UrlsOfPage> {
  checkOptions('listPageUrls', INPUT, options);
  for await (const { id, url, headers, body } of inputPages(input, options)) {
    const { mime, charset: declared } = parseContentType(headers['content-type']);
    const { text, charset } = decodeText(body, declared, mime !== 'text/plain');
    const found = mime === 'text/plain' ? [] : pageUrls(text, { url: url ?? UNKNOWN_URL, charset });
    yield { id, page: url, urls: url === null ? found.filter((one) => !one.url.startsWith(UNKNOWN_URL)) : found };
  }
}
