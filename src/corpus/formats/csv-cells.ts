import type { PageFields } from '../../base/core/types.ts';
import { csvCell, guarded } from '../../base/text/table-cells.ts';
import type { ColumnType, HarvestColumns, Member } from '../select/corpus-columns.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import { jsonOf } from '../select/json-line.ts';

/** A column of the file. */
export interface CsvCell {
  /** Members of structures have the name of their path: `metadata.published`. */
  readonly name: string;
  readonly type: ColumnType;
  readonly help: string;
  /** Writes the cell in the row of a page, quoted where needed. */
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

function memberCells({ type, help }: Member, name: string, value: (page: HarvestedPage) => unknown): CsvCell[] {
  if (typeof type !== 'object' || 'list' in type) return [{ name, type, help, of: (page) => cell(type, value(page)) }];
  return type.struct.flatMap((member) =>
    memberCells(member, `${name}.${member.name}`, (page) => (value(page) as Readonly<Record<string, unknown>> | undefined)?.[member.name]),
  );
}

function fieldCell(field: string): CsvCell {
  const found = (fields: PageFields) => (Object.hasOwn(fields, field) ? fields[field] : undefined);
  return {
    name: `fields.${field}`,
    type: 'string',
    help: `value of the field ${field}`,
    of: ({ fields }) => cell('string', found(fields)),
  };
}

function cell(type: ColumnType, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return csvCell(typeof value === 'object' ? jsonOf(value) : String(value));
  return csvCell(type === 'timestamp' ? value : guarded(value));
}
