import { join } from 'node:path';
import { DamageError, type OnDamaged } from '../core/errors.ts';
import { type Fingerprint, fingerprint } from '../core/fingerprint.ts';
import type { CanonicalUrl, CorpusRecord, RecordId } from '../core/types.ts';
import { RECORDS_FILE } from '../corpus/records.ts';
import { HashTable } from './hash-table.ts';

export interface ExpectedRecords {
  /** Records that must exist, with the URLs of their pages. If absent, no record is missed. */
  readonly expected?: ReadonlyMap<RecordId, CanonicalUrl>;
  /** Receives damaged or missing records. Without it they are errors. */
  readonly onDamaged?: OnDamaged;
}

/** The expected records that a first pass found. */
export class FoundRecords {
  readonly #dir: string;
  readonly #options: ExpectedRecords;
  /** Hashes of the ids of expected records. */
  readonly #found = new HashTable();
  readonly #hash: Fingerprint = { hi: 0, lo: 0 };
  #damaged = 0;
  readonly onDamaged: OnDamaged | undefined;

  constructor(dir: string, options: ExpectedRecords) {
    this.#dir = dir;
    this.#options = options;
    const { onDamaged } = options;
    this.onDamaged =
      onDamaged &&
      ((message) => {
        this.#damaged += 1;
        onDamaged(message);
      });
  }

  async *noted(records: AsyncIterable<CorpusRecord>): AsyncGenerator<CorpusRecord> {
    for await (const record of records) {
      if (this.#options.expected) {
        const { hi, lo } = fingerprint(record.id, this.#hash);
        this.#found.place(hi, lo);
      }
      yield record;
    }
  }

  /** Number of records that are not available. @throws DataError if there are some and no `onDamaged` */
  lost(): number {
    const { expected, onDamaged } = this.#options;
    if (expected === undefined) return this.#damaged;
    const missing = this.#missing(expected);
    const [first] = missing;
    if (first === undefined) return 0;
    const more = missing.length > 1 ? `, and those of ${missing.length - 1} more pages` : '';
    if (!onDamaged)
      throw new DamageError(
        `${join(this.#dir, RECORDS_FILE)}: the record of ${first} is missing${more}; restore the file from a copy, or leave them out with --skip-damaged`,
      );
    for (const url of missing) onDamaged(`${url}: its record is damaged or missing`);
    return missing.length;
  }

  #missing(expected: ReadonlyMap<RecordId, CanonicalUrl>): CanonicalUrl[] {
    const urls: CanonicalUrl[] = [];
    for (const [id, url] of expected) {
      const { hi, lo } = fingerprint(id, this.#hash);
      if (this.#found.find(hi, lo) < 0) urls.push(url);
    }
    return urls;
  }
}
