/** The only list of output formats. To add one, add a file in `formats/` and a name here. */
import { chunks } from './formats/chunks.ts';
import { conllu } from './formats/conllu.ts';
import { csl } from './formats/csl.ts';
import { csv } from './formats/csv.ts';
import { jsonl } from './formats/jsonl.ts';
import { links } from './formats/link-rows.ts';
import { bibtex } from './formats/pages-bibtex.ts';
import { parquet } from './formats/parquet.ts';
import { sqlite } from './formats/sqlite.ts';
import { tei } from './formats/tei.ts';
import { text } from './formats/text.ts';
import { vertical } from './formats/vertical.ts';
import { wacz } from './formats/wacz.ts';
import { warc } from './formats/warc.ts';
import type { OutputFormat } from './output-format.ts';

export const OUTPUT_FORMATS = [
  jsonl,
  parquet,
  csv,
  warc,
  wacz,
  text,
  tei,
  vertical,
  conllu,
  chunks,
  sqlite,
  links,
  csl,
  bibtex,
] as const satisfies readonly OutputFormat[];

export type HarvestFormat = (typeof OUTPUT_FORMATS)[number]['name'];
/** Their names, in that order. */
export const FORMAT_NAMES: readonly HarvestFormat[] = OUTPUT_FORMATS.map(({ name }) => name);
