import { publishedDate } from '../select/declared-date.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import { jsonOf } from '../select/json-line.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';
import { ownTitle } from './page-names.ts';

export const CSL_FILE = 'pages.csl.json';

/** CSL-JSON (Citation Style Language 1.0.2, csl-data.json): Zotero, Mendeley and Pandoc read it. One item a page, written as the pages come. */
export const csl = {
  name: 'csl',
  help: 'pages.csl.json: one item a page, for Zotero',
  copies: false,
  async open({ folder }) {
    const file = await folder.file(CSL_FILE);
    let before = '[\n';
    return {
      write: async (page) => {
        await file.write(`${before}${jsonOf(cslItem(page))}`);
        before = ',\n';
      },
      finish: async () => {
        await file.write(before === '[\n' ? '[]\n' : '\n]\n');
        await folder.finish(CSL_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;

function cslItem(page: HarvestedPage): object {
  const { id, url, title, metadata, lang, langTag = lang, fetchedAt } = page;
  const { authors, siteName, published, description } = metadata;
  const issued = published === null ? null : publishedDate(published);
  return {
    id,
    type: 'webpage',
    title: title === '' ? url : ownTitle(page),
    ...(authors.length > 0 && { author: authors.map((literal) => ({ literal })) }),
    'container-title': siteName ?? new URL(url).host,
    URL: url,
    ...(issued !== null && { issued: cslDate(issued) }),
    accessed: cslDate(fetchedAt.slice(0, 10)),
    ...(lang !== 'und' && { language: langTag }),
    ...(description !== null && { abstract: description }),
  };
}

function cslDate(date: string): object {
  return { 'date-parts': [date.split('-').map(Number)] };
}
