/** A Parquet file that is written row by row. Texts wait outside of the heap, so that the garbage collector does not see them. */
import type { ByteWriter, KeyValue, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import type { Bytes } from '../../base/core/types.ts';
import type { ColumnType, Member } from '../select/corpus-columns.ts';
import type { HashedFile } from '../select/hashed-file.ts';
import { PackedStrings } from '../select/packed-strings.ts';
import { codecOf } from './compression.ts';
import { DEFAULT_COMPRESSION } from './format-names.ts';
import type { HarvestFolder } from './harvest-folder.ts';
import type { HarvestContext } from './output-format.ts';

/** A row group ends after the row that reaches it: it is in memory until then. */
const MAX_GROUP: Bytes = 8 * 1024 * 1024;
/** A buffer larger than this is released after a row group: the next one may be smaller. */
const MAX_REUSED: Bytes = 32 * 1024 * 1024;
const FIRST_BUFFER: Bytes = 64 * 1024;

type Library = typeof import('hyparquet-writer');

export interface ParquetTableOptions {
  /** Path inside the folder of the harvest. */
  readonly name: string;
  readonly columns: readonly Member[];
  /** Rows of a row group, if they do not reach 8 MB before. */
  readonly groupRows: number;
}

/** The part of a harvest that a table needs. */
type TableContext = Pick<HarvestContext, 'folder' | 'compression' | 'crawl' | 'now'>;

/** Memory: one row group, and some 10 KB for each one that was written. */
export class ParquetTable {
  readonly name: string;
  readonly #folder: HarvestFolder;
  readonly #columns: readonly Member[];
  readonly #groupRows: number;
  readonly #output: HashedFile;
  readonly #bytes: ByteWriter;
  readonly #parquet: ParquetWriter;
  readonly #texts = new PackedStrings();
  /** Values by column. A string has its number in `#texts`, and a list or structure that of its JSON. */
  #values: unknown[][];
  #rows = 0;

  private constructor(library: Library, harvest: TableContext, { name, columns, groupRows }: ParquetTableOptions, output: HashedFile) {
    const { folder, compression = DEFAULT_COMPRESSION, crawl, now } = harvest;
    this.name = name;
    this.#folder = folder;
    this.#columns = columns;
    this.#groupRows = groupRows;
    this.#values = columns.map(() => []);
    this.#output = output;
    this.#bytes = new library.ByteWriter();
    const { name: codec, compress } = codecOf(compression);
    const facts = { topic: crawl.topicName, model: crawl.modelId, software: crawl.software, harvested: new Date(now).toISOString() };
    this.#parquet = new library.ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(columns),
      codec,
      ...(compress && { compressors: { [codec]: compress } }),
      kvMetadata: Object.entries(facts).map(([key, value]): KeyValue => ({ key: `forager.${key}`, value })),
      createdBy: crawl.software,
    });
  }

  /** Creates the file. The library is loaded here and nowhere else. @throws StoreError */
  static async create(harvest: TableContext, options: ParquetTableOptions): Promise<ParquetTable> {
    return new ParquetTable(await import('hyparquet-writer'), harvest, options, await harvest.folder.file(options.name));
  }

  /** Size of the row groups that were written. */
  get size(): Bytes {
    return this.#output.size;
  }

  /** @param row values by name of the column, as JSON has them @throws StoreError */
  async write(row: object): Promise<void> {
    const values = row as Readonly<Record<string, unknown>>;
    for (const [i, { name, type }] of this.#columns.entries()) this.#values[i]?.push(this.#held(type, values[name]));
    this.#rows++;
    if (this.#rows >= this.#groupRows || this.#texts.size >= MAX_GROUP) await this.endGroup();
  }

  /** Writes the rest, and lists the file. @throws StoreError */
  async finish(): Promise<void> {
    await this.endGroup();
    await this.#parquet.finish();
    await this.#flush();
    await this.#folder.finish(this.name);
  }

  #held(type: ColumnType, value: unknown): unknown {
    if (type === 'timestamp') return typeof value === 'string' ? Date.parse(value) : value;
    if (typeof value === 'string' && type !== 'json') return this.#texts.add(value);
    return value !== null && value !== undefined && isLong(type) ? this.#texts.add(JSON.stringify(value)) : value;
  }

  /** Value as the writer expects it. Lists and structures have JSON's form; it turns a value of type `json` into text itself. */
  #given(type: ColumnType, held: unknown): unknown {
    if (typeof held !== 'number') return held;
    if (type === 'timestamp') return new Date(held);
    if (type === 'text') return this.#texts.bytesOf(held);
    if (type === 'string') return this.#texts.at(held);
    return isLong(type) ? JSON.parse(this.#texts.at(held)) : held;
  }

  /** Writes the rows that are in memory. @throws StoreError */
  async endGroup(): Promise<void> {
    if (this.#rows === 0) return;
    const values = this.#values;
    const rows = this.#rows;
    this.#values = this.#columns.map(() => []);
    this.#rows = 0;
    const given = (type: ColumnType, column: number) => (values[column] ?? []).map((held) => this.#given(type, held));
    await this.#parquet.write({
      columnData: this.#columns.map(({ name, type }, i) => ({
        name,
        // A column is made when the writer asks for it: objects of all columns at once would be garbage that the collector finds late.
        get data() {
          return given(type, i);
        },
        // The writer keeps the least and the greatest value of each row group until the end of the file: that would be text.
        statistics: !isLong(type),
        // Texts do not repeat: a dictionary of them would only cost memory.
        ...(type === 'text' && { encoding: 'PLAIN' as const }),
      })),
      rowGroupSize: rows,
    });
    this.#texts.clear(MAX_REUSED);
    await this.#flush();
  }

  /** The buffer is used again: large buffers for each row group fragment memory, which then grows with the file. */
  async #flush(): Promise<void> {
    await this.#output.write(new Uint8Array(this.#bytes.buffer, 0, this.#bytes.index));
    this.#bytes.index = 0;
    if (this.#bytes.buffer.byteLength <= MAX_REUSED) return;
    this.#bytes.buffer = new ArrayBuffer(FIRST_BUFFER);
    this.#bytes.view = new DataView(this.#bytes.buffer);
  }
}

/** Strings, and structures of them. */
function isLong(type: ColumnType): boolean {
  return typeof type === 'object' || type === 'string' || type === 'text' || type === 'json';
}

function schemaOf(columns: readonly Member[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

/** A column with its members, depth first (parquet-format, LogicalTypes.md: a list has three levels). */
function elementsOf({ name, type, nullable }: Pick<Member, 'name' | 'type' | 'nullable'>): SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (typeof type !== 'object') return [{ name, repetition_type, ...SCALARS[type] }];
  if ('struct' in type) return [{ name, repetition_type, num_children: type.struct.length }, ...type.struct.flatMap(elementsOf)];
  return [
    { name, repetition_type, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...elementsOf({ name: 'element', type: type.list, nullable: false }),
  ];
}

const UTF8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const SCALARS: Readonly<Record<Extract<ColumnType, string>, Omit<SchemaElement, 'name'>>> = {
  string: UTF8,
  text: UTF8,
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  double: { type: 'DOUBLE' },
  int32: { type: 'INT32' },
  boolean: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
};
