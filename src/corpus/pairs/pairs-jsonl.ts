import { jsonLine } from '../select/json-line.ts';
import type { PairFormat } from './pair-format.ts';
import { pairRow } from './sentence-pair.ts';

const FILE = 'pairs.jsonl';

export const pairLines = {
  name: 'jsonl',
  help: `${FILE}: one line of JSON a pair`,
  async open({ folder }) {
    const file = await folder.file(FILE);
    return { write: (pair) => file.write(jsonLine(pairRow(pair))), finish: () => folder.finish(FILE) };
  },
} as const satisfies PairFormat;
