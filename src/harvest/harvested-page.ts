import type { CorpusRecord } from '../core/types.ts';

/** A page as a harvest writes it, in all formats: its record, and the columns that filters add. */
export interface HarvestedPage extends CorpusRecord {
  /** As declared (BCP 47), else as detected; `und` for neither. */
  readonly lang: string;
}
