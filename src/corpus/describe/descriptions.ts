/** The only list of descriptions, in the order in which they are written. To add one, add a file in `descriptions/` and a name here. */
import type { Description } from './description.ts';
import { cardData, cardPage } from './descriptions/card-files.ts';
import { checksums } from './descriptions/checksums.ts';
import { citationFile, corpusBibtex } from './descriptions/citation.ts';
import { croissant } from './descriptions/croissant.ts';
import { huggingFace } from './descriptions/hugging-face.ts';
import { roCrate } from './descriptions/ro-crate.ts';

/** RO-Crate lists all earlier ones with their hashes, and the list of checksums has those of all files. */
export const DESCRIPTIONS: readonly Description[] = [
  cardPage,
  cardData,
  huggingFace,
  croissant,
  citationFile,
  corpusBibtex,
  roCrate,
  checksums,
];
