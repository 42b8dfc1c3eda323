import { writeInLinks } from '../in-links.ts';
import { NO_FACTS, type OutputFormat } from '../output-format.ts';

/** One `LinkRow` a line. */
export const LINKS_FILE = 'links.jsonl';
/** One `InLinkRow` a line. */
export const IN_LINKS_FILE = 'in-links.jsonl';

/** The rows are read before the pages are written: each page has its PageRank, in all formats. */
export const links = {
  name: 'links',
  help: 'links.jsonl and in-links.jsonl: links of the pages, and anchor texts by target; adds the column pageRank to the pages',
  copies: false,
  links: 'needed',
  async open({ folder, links }) {
    return {
      write: async () => undefined,
      finish: async () => {
        if (links === null) return NO_FACTS;
        folder.list(LINKS_FILE, links.file);
        const file = await folder.file(IN_LINKS_FILE);
        await writeInLinks(links.rows(), links.facts.links, folder.path('in-links.part'), file);
        await folder.finish(IN_LINKS_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;
