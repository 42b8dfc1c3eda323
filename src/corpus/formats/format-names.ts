/** The only list of names of output formats, and of compressions. Options and manifests need no more; `output-formats.ts` has the formats themselves. */
export const FORMAT_NAMES = [
  'jsonl',
  'parquet',
  'csv',
  'warc',
  'wacz',
  'text',
  'zip',
  'tei',
  'vertical',
  'conllu',
  'chunks',
  'sqlite',
  'links',
  'csl',
  'bibtex',
] as const;
export type HarvestFormat = (typeof FORMAT_NAMES)[number];

/** Names of the formats of sentence pairs; `pair-formats.ts` has the formats themselves. */
export const PAIR_FORMAT_NAMES = ['tmx', 'tsv', 'jsonl', 'parquet'] as const;
export type PairFormatName = (typeof PAIR_FORMAT_NAMES)[number];

/** Names in `--compression`. */
export const COMPRESSIONS = ['snappy', 'gzip', 'brotli', 'zstd', 'none'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** Every reader of Parquet has it. */
export const DEFAULT_COMPRESSION: Compression = 'snappy';
