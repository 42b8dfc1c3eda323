/** The only list of output formats. To add one, add a file in `formats/` and a name here. */
import { chunks } from './chunks.ts';
import { conllu } from './conllu.ts';
import { csl } from './csl.ts';
import { csv } from './csv.ts';
import { jsonl } from './jsonl.ts';
import { links } from './link-rows.ts';
import type { OutputFormat } from './output-format.ts';
import { bibtex } from './pages-bibtex.ts';
import { parquet } from './parquet.ts';
import { sqlite } from './sqlite.ts';
import { tei } from './tei.ts';
import { text } from './text.ts';
import { vertical } from './vertical.ts';
import { wacz } from './wacz.ts';
import { warc } from './warc.ts';

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
