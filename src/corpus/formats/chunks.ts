import { pageNumberAt } from '../../base/text/page-numbers.ts';
import { chunksOf } from '../../base/text/text-chunks.ts';
import { jsonLine } from '../select/json-line.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';

const CHUNKS_FILE = 'chunks.jsonl';
/** A usual limit of models that embed texts, in words where they count tokens. */
export const DEFAULT_CHUNK_WORDS = 512;

/** Pieces of the main texts, with their places: `text` of a line is that range of the text of its page in `corpus.jsonl`. */
export const chunks = {
  name: 'chunks',
  help: 'chunks.jsonl, pieces of the main texts with their offsets',
  copies: false,
  async open({ folder, chunk = DEFAULT_CHUNK_WORDS, chunkBy = 'paragraph' }) {
    const file = await folder.file(CHUNKS_FILE);
    return {
      write: async ({ id: page, url, lang, text, split, weight, document }) => {
        let number = 0;
        for (const { start, end, words } of chunksOf(text, chunk, chunkBy)) {
          const id = `${page}#${number++}`;
          const pageNumber = document === undefined ? null : pageNumberAt(document.pageOffsets, start);
          const columns = {
            ...(pageNumber !== null && { pageNumber }),
            ...(weight !== undefined && { weight }),
            ...(split !== undefined && { split }),
          };
          const line = { id, page, url, lang, start, end, words, ...columns, text: text.slice(start, end) };
          await file.write(jsonLine(line));
        }
      },
      finish: async () => {
        await folder.finish(CHUNKS_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;
