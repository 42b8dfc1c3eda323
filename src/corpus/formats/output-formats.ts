/** The output formats themselves. To add one, add a file in this folder, its name in `format-names.ts`, and the object here. */
import { chunks } from './chunks.ts';
import { conllu } from './conllu.ts';
import { csl } from './csl.ts';
import { csv } from './csv.ts';
import { FORMAT_NAMES, type HarvestFormat } from './format-names.ts';
import { jsonl } from './jsonl.ts';
import { links } from './link-rows.ts';
import type { OutputFormat } from './output-format.ts';
import { bibtex } from './pages-bibtex.ts';
import { parquet } from './parquet.ts';
import { sqlite } from './sqlite.ts';
import { tei } from './tei.ts';
import { plainText } from './text.ts';
import { textZip } from './text-zip.ts';
import { vertical } from './vertical.ts';
import { wacz } from './wacz.ts';
import { warc } from './warc.ts';

const BY_NAME: { readonly [Name in HarvestFormat]: OutputFormat<Name> } = {
  jsonl,
  parquet,
  csv,
  warc,
  wacz,
  text: plainText,
  zip: textZip,
  tei,
  vertical,
  conllu,
  chunks,
  sqlite,
  links,
  csl,
  bibtex,
};

/** Formats in the order of their names. */
export const OUTPUT_FORMATS: readonly OutputFormat<HarvestFormat>[] = FORMAT_NAMES.map((name) => BY_NAME[name]);
