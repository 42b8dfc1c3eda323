/** The only list of formats of sentence pairs. To add one, add its name to `formats/format-names.ts`, a file, and the object here. */

import type { PairFormatName } from '../formats/format-names.ts';
import type { PairFormat } from './pair-format.ts';
import { pairLines } from './pairs-jsonl.ts';
import { pairTable } from './pairs-parquet.ts';
import { tmx } from './pairs-tmx.ts';
import { tsv } from './pairs-tsv.ts';

export const PAIR_FORMATS: Readonly<Record<PairFormatName, PairFormat>> = { tmx, tsv, jsonl: pairLines, parquet: pairTable };
