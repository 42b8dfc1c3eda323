/** One ZIP of text files, and a table of them beside it: programs of corpus linguistics take both. */
import { csvCell, guarded } from '../../base/text/table-cells.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';
import { textFileName } from './page-names.ts';
import { ZipWriter } from './zip-writer.ts';

const TEXTS = 'texts.zip';
const METADATA = 'metadata.csv';
const COLUMNS = ['file', 'url', 'host', 'title', 'authors', 'published', 'fetchedAt', 'lang', 'relevance', 'id'];

/** The texts have the names and the content of those of `text`. */
export const textZip = {
  name: 'zip',
  help: 'texts.zip, one text file a page, and metadata.csv beside it: for AntConc, Voyant, Sketch Engine',
  copies: false,
  async open({ folder, now }) {
    const table = await folder.file(METADATA);
    const file = await folder.file(TEXTS);
    const zip = new ZipWriter((bytes) => file.write(bytes), now);
    await table.write(`${COLUMNS.join(',')}\r\n`);
    return {
      write: async (page) => {
        await zip.add(textFileName(page), Buffer.from(`${page.text}\n`));
        await table.write(`${rowOf(page).map(csvCell).join(',')}\r\n`);
      },
      finish: async () => {
        await zip.finish();
        for (const name of [TEXTS, METADATA]) await folder.finish(name);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;

function rowOf(page: HarvestedPage): string[] {
  const { url, title, metadata, fetchedAt, lang, relevance, id } = page;
  const words = [title, metadata.authors.join('; ')].map((text) => guarded(text.replace(/\s+/g, ' ')));
  return [textFileName(page), url, new URL(url).host, ...words, metadata.published ?? '', fetchedAt, lang, String(relevance), id];
}
