import { tsvLine } from '../../base/text/table-cells.ts';
import type { PairFormat } from './pair-format.ts';
import { pairColumns, pairRow } from './sentence-pair.ts';

const FILE = 'pairs.tsv';

export const tsv = {
  name: 'tsv',
  help: `${FILE}: a table, the texts in its first two columns`,
  async open({ folder, hasSplit }) {
    const file = await folder.file(FILE);
    const names = pairColumns(hasSplit).map(({ name }) => name);
    await file.write(tsvLine(names));
    return {
      write: (pair) => {
        const row = pairRow(pair);
        // Texts for training stay as they are; they have no tabs and no ends of lines.
        return file.write(`${row['left']}\t${row['right']}\t${tsvLine(names.slice(2).map((name) => String(row[name] ?? '')))}`);
      },
      finish: () => folder.finish(FILE),
    };
  },
} as const satisfies PairFormat;
