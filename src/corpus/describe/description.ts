/** The interface of a description of a corpus: one object in one file of `descriptions/`. `descriptions.ts` lists them. */

import type { CsvCell } from '../formats/csv-cells.ts';
import type { HarvestColumns } from '../select/corpus-columns.ts';
import type { CorpusFileFacts } from '../select/harvest-facts.ts';
import type { CorpusCard } from './corpus-card.ts';
import type { Publication } from './publication.ts';

/** A corpus whose formats are all written. */
export interface DescribedCorpus extends HarvestColumns {
  readonly card: CorpusCard;
  readonly publication: Publication;
  /** The columns of `corpus.csv`, whether it exists or not. */
  readonly csvCells: readonly CsvCell[];
  /** The descriptions that are written before this one. */
  readonly earlier: readonly CorpusFileFacts[];
}

export interface Description {
  /** Name of the file in the folder. */
  readonly file: string;
  /** Reader of the file, in one line. */
  readonly help: string;
  /** The whole file: a description is short, also that of a large corpus. */
  content(corpus: DescribedCorpus): string;
}
