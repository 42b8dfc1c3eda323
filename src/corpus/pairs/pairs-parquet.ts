import { ParquetTable } from '../formats/parquet-table.ts';
import type { PairFormat } from './pair-format.ts';
import { pairColumns, pairRow } from './sentence-pair.ts';

/** A row has some 600 bytes: a row group has a few megabytes. */
const GROUP_ROWS = 10_000;

export const pairTable = {
  name: 'parquet',
  help: 'pairs.parquet: the same table as Parquet',
  async open(output) {
    const table = await ParquetTable.create(output, {
      name: 'pairs.parquet',
      columns: pairColumns(output.hasSplit),
      groupRows: GROUP_ROWS,
    });
    return { write: (pair) => table.write(pairRow(pair)), finish: () => table.finish() };
  },
} as const satisfies PairFormat;
