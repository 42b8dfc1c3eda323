/** DuckDB as an independent reader of the files of a harvest. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { CorpusRecord } from '../../../src/base/core/types.ts';
import { type Column, ColumnsSeen, type ColumnType } from '../../../src/corpus/select/corpus-columns.ts';

export type Ask = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** @returns values as JSON has them; big integers as text */
export async function withDuckDb<T>(use: (ask: Ask) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', autoinstall_known_extensions: 'false' });
  const connection = await instance.connect();
  try {
    return await use(async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const SCALARS: Readonly<Record<Extract<ColumnType, string>, string>> = {
  string: 'VARCHAR',
  text: 'VARCHAR',
  timestamp: 'TIMESTAMPTZ',
  double: 'DOUBLE',
  int32: 'INTEGER',
  boolean: 'BOOLEAN',
  json: 'JSON',
};

/** Its type in DuckDB. */
export function sqlType(type: ColumnType): string {
  if (typeof type !== 'object') return SCALARS[type];
  if ('list' in type) return `${sqlType(type.list)}[]`;
  return `STRUCT(${type.struct.map((member) => `"${member.name}" ${sqlType(member.type)}`).join(', ')})`;
}

/** All columns that such records have. */
export function columnsOf(records: readonly CorpusRecord[], added: readonly Column['name'][] = []): readonly Column[] {
  const seen = new ColumnsSeen();
  for (const record of records) seen.see(record);
  return seen.columns(added).columns;
}

/** Number of rows of each that the other lacks, over all columns: equal rows are counted (`ALL`). */
export async function differences(ask: Ask, jsonl: string, parquet: string, columns: readonly Column[]): Promise<readonly number[]> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const types = columns.map(({ name, type }) => `"${name}": '${sqlType(type)}'`).join(', ');
  const left = `SELECT ${names} FROM read_json('${jsonl}', format = 'newline_delimited', columns = {${types}}, maximum_object_size = 67108864)`;
  const right = `SELECT ${names} FROM read_parquet('${parquet}')`;
  const counts =
    await ask(`SELECT (SELECT count(*) FROM (${left} EXCEPT ALL ${right})) AS l, (SELECT count(*) FROM (${right} EXCEPT ALL ${left})) AS r,
    (SELECT count(*) FROM (${left})) AS m, (SELECT count(*) FROM (${right})) AS n`);
  return Object.values(counts[0] ?? {}).map(Number);
}
