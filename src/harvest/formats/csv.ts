import type { PageFields } from '../../core/types.ts';
import type { ColumnType, HarvestColumns, Member } from '../corpus-columns.ts';
import type { HarvestedPage } from '../harvested-page.ts';
import { NO_FACTS, type OutputFormat } from '../output-format.ts';

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
    await file.write(Buffer.from(`${csvBom ? BYTE_ORDER_MARK : ''}${line(cells.map(({ name }) => quoted(name)))}`));
    return {
      write: (page) => file.write(Buffer.from(line(cells.map(({ of }) => of(page))))),
      finish: async () => {
        await folder.finish(CSV_FILE);
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;

/** A column of the file. */
export interface CsvCell {
  /** Members of structures have the name of their path: `metadata.published`. */
  readonly name: string;
  /** Its cell in the row of a page, quoted where needed. */
  of(page: HarvestedPage): string;
}

/** The columns of the file, in order. @param withText include the texts of the pages */
export function csvCells({ columns, fieldNames }: HarvestColumns, withText: boolean): readonly CsvCell[] {
  return columns.flatMap((column): CsvCell[] => {
    if (column.type === 'text' && !withText) return [];
    if (column.name === 'fields') return fieldNames.map(fieldCell);
    return memberCells(column, column.name, (page) => page[column.name]);
  });
}

function memberCells({ type }: Member, name: string, value: (page: HarvestedPage) => unknown): CsvCell[] {
  if (typeof type !== 'object' || 'list' in type) return [{ name, of: (page) => cell(type, value(page)) }];
  return type.struct.flatMap((member) =>
    memberCells(member, `${name}.${member.name}`, (page) => (value(page) as Readonly<Record<string, unknown>> | undefined)?.[member.name]),
  );
}

function fieldCell(field: string): CsvCell {
  const found = (fields: PageFields) => (Object.hasOwn(fields, field) ? fields[field] : undefined);
  return { name: `fields.${field}`, of: ({ fields }) => cell('string', found(fields)) };
}

function cell(type: ColumnType, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
  return quoted(type === 'timestamp' ? value : unformulated(value));
}

/** First characters by which spreadsheets tell a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

function unformulated(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

const SPECIAL = /[",\r\n]/;

/** An empty string is quoted, since an empty cell is null. */
function quoted(text: string): string {
  return text === '' || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
