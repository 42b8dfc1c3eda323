import type { CorpusRecord, Unit } from '../core/types.ts';

/** A page as a harvest writes it, in all formats: its record, and the columns that filters add. */
export interface HarvestedPage extends CorpusRecord {
  /** As declared (BCP 47), else as detected; `und` for neither. */
  readonly lang: string;
  /** PageRank in the graph of the links between the pages of the corpus; all sum to 1. Absent if the harvest read no links. */
  readonly pageRank?: Unit;
  /** In a merged corpus, the name of the corpus that the page comes from. Absent otherwise. */
  readonly corpus?: string;
}
