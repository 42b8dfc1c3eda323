import type { Bytes } from '../../base/core/types.ts';
import type { HarvestedPage, SplitPart } from '../select/harvested-page.ts';
import { type FormatFacts, type FormatWriter, type HarvestContext, NO_FACTS, type OutputFormat } from './output-format.ts';
import { ParquetTable } from './parquet-table.ts';

/** Names that `load_dataset` of Hugging Face reads as splits (Datasets, "Structure your repository"). Pages without a split are of the first. */
const SPLITS: readonly SplitPart[] = ['train', 'validation', 'test'];
const GROUP_ROWS = 1000;
const MAX_FILE: Bytes = 512 * 1024 * 1024;

/** Streamed by row groups: memory for one of them for each split. */
export const parquet = {
  name: 'parquet',
  help: 'data/train-*.parquet, with --split also validation and test: typed columns with the names of corpus.jsonl',
  copies: false,
  async open(harvest): Promise<FormatWriter> {
    const files = new Map(SPLITS.map((split) => [split, new SplitFiles(harvest, split)]));
    return {
      write: async (page) => files.get(page.split ?? 'train')?.write(page),
      finish: () => finished([...files.values()]),
    };
  },
} as const satisfies OutputFormat;

/** A corpus without pages has a file without rows. */
async function finished(files: readonly SplitFiles[]): Promise<FormatFacts> {
  if (files.every(({ count }) => count === 0)) await files[0]?.start();
  for (const one of files) await one.finish();
  return NO_FACTS;
}

/** The files of one split. */
class SplitFiles {
  readonly #harvest: HarvestContext;
  readonly #split: SplitPart;
  readonly #names: string[] = [];
  #table: ParquetTable | null = null;

  constructor(harvest: HarvestContext, split: SplitPart) {
    this.#harvest = harvest;
    this.#split = split;
  }

  get count(): number {
    return this.#names.length;
  }

  async write(page: HarvestedPage): Promise<void> {
    if ((this.#table?.size ?? 0) >= (this.#harvest.maxParquetBytes ?? MAX_FILE)) await this.#end();
    await (this.#table ?? (await this.start())).write(page);
  }

  async start(): Promise<ParquetTable> {
    const name = `data/${this.#split}-${numbered(this.#names.length)}.parquet`;
    this.#names.push(name);
    this.#table = await ParquetTable.create(this.#harvest, { name, columns: this.#harvest.columns, groupRows: GROUP_ROWS });
    return this.#table;
  }

  async finish(): Promise<void> {
    await this.#end();
    const count = numbered(this.#names.length);
    for (const [i, name] of this.#names.entries())
      await this.#harvest.folder.rename(name, `data/${this.#split}-${numbered(i)}-of-${count}.parquet`);
  }

  async #end(): Promise<void> {
    await this.#table?.finish();
    this.#table = null;
  }
}

function numbered(number: number): string {
  return String(number).padStart(5, '0');
}
