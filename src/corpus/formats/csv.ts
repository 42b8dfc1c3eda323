import { csvCell } from '../../base/text/table-cells.ts';
import { csvCells } from './csv-cells.ts';
import { NO_FACTS, type OutputFormat } from './output-format.ts';

export const CSV_FILE = 'corpus.csv';
/** Programs such as Excel read a file as UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * RFC 4180: lines end with CR LF. A null is an empty cell, an empty string is `""`. Lists are JSON. A string that a spreadsheet would run as a formula gets
 * a leading apostrophe.
 */
export const csv = {
  name: 'csv',
  help: 'corpus.csv: one row a page, metadata and fields as columns; texts with --csv-text',
  copies: false,
  async open({ folder, csvText = false, csvBom = false, ...columns }) {
    const file = await folder.file(CSV_FILE);
    const cells = csvCells(columns, csvText);
    await file.write(`${csvBom ? BYTE_ORDER_MARK : ''}${line(cells.map(({ name }) => csvCell(name)))}`);
    return {
      write: (page) => file.write(line(cells.map(({ of }) => of(page)))),
      finish: async () => {
        await folder.finish(CSV_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
