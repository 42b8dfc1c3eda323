import { publishedDate } from '../select/declared-date.ts';
import { babelName } from './babel-names.ts';
import { bibEntry } from './bibtex.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';
import { citationKey, ownTitle } from './page-names.ts';

export const BIBTEX_FILE = 'pages.bib';

/** One `@online` entry of biblatex a page; `ids` has the id of the page, which works as a key too. */
export const bibtex = {
  name: 'bibtex',
  help: 'pages.bib: one entry a page, for LaTeX and JabRef',
  copies: false,
  async open({ folder }) {
    const file = await folder.file(BIBTEX_FILE);
    return {
      write: (page) => {
        const { id, url, title, metadata, lang, langTag = lang, fetchedAt } = page;
        const { authors, siteName, published, description } = metadata;
        const entry = bibEntry('online', citationKey(page), {
          ids: id,
          title: title === '' ? url : ownTitle(page),
          author: authors,
          organization: siteName,
          date: published === null ? null : publishedDate(published),
          url,
          urldate: fetchedAt.slice(0, 10),
          langid: babelName(langTag),
          abstract: description,
        });
        return file.write(`${entry}\n`);
      },
      finish: async () => {
        await folder.finish(BIBTEX_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;
