import { jsonLine } from '../select/json-line.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';

/** One CorpusRecord a line, in the order of keeping. */
export const CORPUS_FILE = 'corpus.jsonl';

export const jsonl = {
  name: 'jsonl',
  help: 'corpus.jsonl, one line of JSON a page',
  copies: false,
  async open({ folder }) {
    const file = await folder.file(CORPUS_FILE);
    return {
      write: (record) => file.write(jsonLine(record)),
      finish: async () => {
        await folder.finish(CORPUS_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;
