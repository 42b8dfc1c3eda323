import type { OnDamaged } from '../../base/core/errors.ts';
import type { Bytes, CorpusRecord, CrawlRecord } from '../../base/core/types.ts';
import { placedRecordsOf, type RecordPlace, recordOfFileAt } from '../records/records.ts';
import type { Withdrawals } from '../records/withdrawals.ts';
import type { CorpusSource, WarcFile } from './corpus-source.ts';

/** A source that is one folder with one file of records: a record can be read a second time. */
export abstract class StoredSource implements CorpusSource {
  readonly dir: string;
  readonly dirs: readonly string[];
  abstract readonly reservations: CorpusSource['reservations'];
  abstract readonly withdrawals: Withdrawals;
  readonly #path: string;
  readonly #end: Bytes;

  /** @param path of the file of records. @param end number of its valid bytes, so that each pass reads the same lines */
  protected constructor(dir: string, path: string, end: Bytes) {
    this.dir = dir;
    this.dirs = [dir];
    this.#path = path;
    this.#end = end;
  }

  abstract warcFiles(): Promise<readonly WarcFile[]>;

  /** The record as readers of the source get it. */
  protected abstract presented(record: CrawlRecord): CorpusRecord;

  /** Is it a record of this source? */
  protected has(_record: CorpusRecord): boolean {
    return true;
  }

  /** Records as they are stored. */
  protected async *stored(onDamaged?: OnDamaged): AsyncGenerator<CrawlRecord> {
    for await (const { record } of placedRecordsOf(this.#path, this.#end, onDamaged)) if (this.has(record)) yield record;
  }

  async *records(onDamaged?: OnDamaged): AsyncGenerator<CorpusRecord> {
    for await (const { record } of this.placed(onDamaged)) yield record;
  }

  /** Records as `records` gives them, each with its place. */
  async *placed(onDamaged?: OnDamaged): AsyncGenerator<{ readonly record: CorpusRecord; readonly place: RecordPlace }> {
    for await (const { record, place } of placedRecordsOf(this.#path, this.#end, onDamaged))
      if (this.has(record)) yield { record: this.presented(record), place };
  }

  /** @throws DataError if the file has changed */
  recordAt(place: RecordPlace): CorpusRecord {
    return this.presented(recordOfFileAt(this.#path, place));
  }
}
