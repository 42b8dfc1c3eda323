import type { ByteWriter, KeyValue, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import type { Bytes } from '../../core/types.ts';
import { type Codec, codecOf, DEFAULT_COMPRESSION } from '../compression.ts';
import type { Column, ColumnType, Member } from '../corpus-columns.ts';
import type { HarvestFolder } from '../harvest-folder.ts';
import type { HarvestedPage } from '../harvested-page.ts';
import type { HashedFile } from '../hashed-file.ts';
import { type FormatFacts, type FormatWriter, type HarvestContext, NO_FACTS, type OutputFormat } from '../output-format.ts';

/** Names that `load_dataset` of Hugging Face reads as one split (Datasets, "Structure your repository"). */
const SPLIT = 'train';
/** A row group ends at the first of these: it is in memory until then. In characters. */
const MAX_GROUP = { rows: 1000, text: 8 * 1024 * 1024 };
const MAX_FILE: Bytes = 512 * 1024 * 1024;

type Library = typeof import('hyparquet-writer');

/** Streamed by row groups: memory for one of them. The library is loaded here and nowhere else. */
export const parquet = {
  name: 'parquet',
  help: 'data/train-*.parquet: typed columns with the names of corpus.jsonl',
  copies: false,
  async open(harvest): Promise<FormatWriter> {
    return new ParquetFiles(await import('hyparquet-writer'), harvest);
  },
} as const satisfies OutputFormat;

class ParquetFiles implements FormatWriter {
  readonly #library: Library;
  readonly #harvest: HarvestContext;
  readonly #names: string[] = [];
  #file: ParquetFile | null = null;
  #pages: HarvestedPage[] = [];
  #chars = 0;

  constructor(library: Library, harvest: HarvestContext) {
    this.#library = library;
    this.#harvest = harvest;
  }

  async write(page: HarvestedPage): Promise<void> {
    const chars = charsOf(page);
    if (this.#pages.length > 0 && this.#chars + chars > MAX_GROUP.text) await this.#endGroup();
    this.#pages.push(page);
    this.#chars += chars;
    if (this.#pages.length >= MAX_GROUP.rows) await this.#endGroup();
  }

  /** A corpus without pages has a file without rows. */
  async finish(): Promise<FormatFacts> {
    if (this.#pages.length > 0 || this.#names.length === 0) await this.#endGroup();
    await this.#endFile();
    for (const [i, name] of this.#names.entries()) await this.#harvest.folder.rename(name, finalName(i, this.#names.length));
    return NO_FACTS;
  }

  async #endGroup(): Promise<void> {
    this.#file ??= await this.#newFile();
    const pages = this.#pages;
    this.#pages = [];
    this.#chars = 0;
    await this.#file.writeGroup(pages);
    if (this.#file.size >= (this.#harvest.maxParquetBytes ?? MAX_FILE)) await this.#endFile();
  }

  async #newFile(): Promise<ParquetFile> {
    const name = `data/${SPLIT}-${numbered(this.#names.length)}.parquet`;
    this.#names.push(name);
    return ParquetFile.create(this.#library, this.#harvest, name);
  }

  async #endFile(): Promise<void> {
    await this.#file?.finish();
    this.#file = null;
  }
}

/** One file. */
class ParquetFile {
  readonly #folder: HarvestFolder;
  readonly #name: string;
  readonly #columns: readonly Column[];
  readonly #output: HashedFile;
  readonly #bytes: ByteWriter;
  readonly #parquet: ParquetWriter;

  private constructor(library: Library, { folder, columns, compression, crawl, now }: HarvestContext, name: string, output: HashedFile) {
    this.#folder = folder;
    this.#name = name;
    this.#columns = columns;
    this.#output = output;
    this.#bytes = new library.ByteWriter();
    const { name: codec, compress }: Codec = codecOf(compression ?? DEFAULT_COMPRESSION);
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

  static async create(library: Library, harvest: HarvestContext, name: string): Promise<ParquetFile> {
    return new ParquetFile(library, harvest, name, await harvest.folder.file(name));
  }

  get size(): Bytes {
    return this.#output.size;
  }

  async writeGroup(pages: readonly HarvestedPage[]): Promise<void> {
    if (pages.length > 0)
      await this.#parquet.write({
        columnData: this.#columns.map(({ name, type }) => ({
          name,
          data: pages.map((page) => parquetValue(type, page[name])),
          // The writer keeps the least and the greatest value of each row group until the end of the file: that would be text.
          statistics: !isLong(type),
          // Texts do not repeat: a dictionary of them would only cost memory.
          ...(type === 'text' && { encoding: 'PLAIN' as const }),
        })),
        rowGroupSize: pages.length,
      });
    await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#parquet.finish();
    await this.#flush();
    await this.#folder.finish(this.#name);
  }

  /** The bytes so far, and an empty buffer in their place: the next row group may be smaller. */
  async #flush(): Promise<void> {
    const bytes = new Uint8Array(this.#bytes.buffer, 0, this.#bytes.index);
    this.#bytes.buffer = new ArrayBuffer(1024);
    this.#bytes.view = new DataView(this.#bytes.buffer);
    this.#bytes.index = 0;
    await this.#output.write(bytes);
  }
}

function numbered(number: number): string {
  return String(number).padStart(5, '0');
}

/** `data/train-00000-of-00002.parquet`. */
function finalName(index: number, count: number): string {
  return `data/${SPLIT}-${numbered(index)}-of-${numbered(count)}.parquet`;
}

/** The parts of a page that can be long. */
function charsOf({ title, text, otherText = '', anchorText, fields }: HarvestedPage): number {
  const inFields = Object.values(fields).reduce((sum, value) => sum + [value].flat().reduce((chars, one) => chars + one.length, 0), 0);
  return title.length + text.length + otherText.length + anchorText.length + inFields;
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

/** As the writer expects it. Lists and structures have JSON's form; it turns a value of type `json` into text itself. */
function parquetValue(type: ColumnType, value: unknown): unknown {
  if (type === 'timestamp' && typeof value === 'string') return new Date(value);
  return value;
}
