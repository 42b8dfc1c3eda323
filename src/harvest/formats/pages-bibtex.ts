import { join } from 'node:path';
import { bibEntry } from '../bibtex.ts';
import { publishedDate } from '../declared-date.ts';
import { NO_FACTS, type OutputFormat } from '../output-format.ts';
import { idsInLines } from '../record-ids.ts';

export const BIBTEX_FILE = 'pages.bib';

/** One `@online` entry of biblatex a page; the key is the id of the page. */
export const bibtex = {
  name: 'bibtex',
  help: 'pages.bib: one entry a page, for LaTeX and JabRef',
  copies: false,
  async open({ folder }) {
    const file = await folder.file(BIBTEX_FILE);
    return {
      write: ({ id, url, title, metadata, lang, fetchedAt }) => {
        const { authors, siteName, published, description } = metadata;
        const entry = bibEntry('online', id, {
          title: title === '' ? url : title,
          author: authors,
          organization: siteName,
          date: published === null ? null : publishedDate(published),
          url,
          urldate: fetchedAt.slice(0, 10),
          langid: lang === 'und' ? null : lang,
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
  ids: (dir) => idsInLines(join(dir, BIBTEX_FILE), /^@online\{([^,]+),/, /^(?!@)/),
} as const satisfies OutputFormat;
