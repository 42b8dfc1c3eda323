import type { HashedFile } from '../select/hashed-file.ts';
import { type HarvestContext, NO_FACTS, type OutputFormat } from './output-format.ts';

/** The index of the WARC files. */
export const CDXJ_FILE = 'corpus.cdxj';
const LINE_FEED = Buffer.from('\n');

/** Records are copied when all ids are known, in one pass over the crawl's files. */
export const warc = {
  name: 'warc',
  help: 'corpus-00000.warc.gz and on: the responses with their requests, metadata and revisits, as the crawl stored them; corpus.cdxj, their index',
  copies: true,
  async open({ folder, warcPass }: Pick<HarvestContext, 'folder' | 'warcPass'>) {
    let file: HashedFile | null = null;
    warcPass.to({
      start: async (name) => {
        file = await folder.file(name);
      },
      write: async (bytes) => file?.write(bytes),
      finish: (name) => folder.finish(name),
    });
    return {
      write: async (page) => warcPass.want(page),
      finish: async () => {
        const { missing, index } = await warcPass.run();
        const cdxj = await folder.file(CDXJ_FILE);
        for await (const line of index.lines()) await cdxj.write(Buffer.concat([line, LINE_FEED]));
        await folder.finish(CDXJ_FILE);
        return { ...NO_FACTS, lost: missing.size };
      },
    };
  },
} as const satisfies OutputFormat;
