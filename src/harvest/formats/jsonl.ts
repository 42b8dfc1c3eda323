import { join } from 'node:path';
import { recordLine } from '../../corpus/records.ts';
import { NO_FACTS, type OutputFormat } from '../output-format.ts';
import { idsInLines } from '../record-ids.ts';

/** One CorpusRecord a line, in the order of keeping. */
export const CORPUS_FILE = 'corpus.jsonl';

export const jsonl = {
  name: 'jsonl',
  help: 'corpus.jsonl, one line of JSON a page',
  copies: false,
  async open({ folder }) {
    const file = await folder.file(CORPUS_FILE);
    return {
      write: (record) => file.write(Buffer.from(wellFormed(recordLine(record)))),
      finish: async () => {
        await folder.finish(CORPUS_FILE);
        return NO_FACTS;
      },
    };
  },
  ids: (dir) => idsInLines(join(dir, CORPUS_FILE), /^\{"id":"([^"]+)"/),
} as const satisfies OutputFormat;

/** A lone half of a surrogate pair, as `JSON.stringify` writes it; `\\ud83c` after an even number of backslashes is text of the page. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** RFC 8259 §8.2 leaves a lone surrogate to the reader, and many refuse the whole file. All formats write U+FFFD instead. */
function wellFormed(line: string): string {
  return line.includes('\\ud') ? line.replace(LONE_SURROGATE, '$1\ufffd') : line;
}
