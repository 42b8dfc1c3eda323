import { join } from 'node:path';
import { DamageError, type OnDamaged } from '../../base/core/errors.ts';
import type { CorpusRecord } from '../../base/core/types.ts';
import type { KeptRecords } from '../records/kept-records.ts';
import { RECORDS_FILE } from '../records/records.ts';

export interface ExpectedRecords {
  /** Records that must exist. If absent, no record is missed. */
  readonly expected?: KeptRecords;
  /** Receives damaged or missing records. Without it they are errors. */
  readonly onDamaged?: OnDamaged;
}

/** The expected records that a first pass found. */
export class MissingRecords {
  readonly #dir: string;
  readonly #options: ExpectedRecords;
  /** 1 for a page whose record was found. */
  readonly #found: Uint8Array;
  #damaged = 0;
  readonly onDamaged: OnDamaged | undefined;

  constructor(dir: string, options: ExpectedRecords) {
    this.#dir = dir;
    this.#options = options;
    this.#found = new Uint8Array(options.expected?.size ?? 0);
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
      const page = this.#options.expected?.pageOf(record.id) ?? -1;
      if (page >= 0) this.#found[page] = 1;
      yield record;
    }
  }

  /** Number of records that are not available. @throws DataError if there are some and no `onDamaged` */
  lost(): number {
    const { expected, onDamaged } = this.#options;
    if (expected === undefined) return this.#damaged;
    const missing = this.#found.reduce((sum, one) => sum + 1 - one, 0);
    if (missing === 0) return 0;
    const urls = [...expected.urls((page) => this.#found[page] === 0).values()];
    const more = missing > 1 ? `, and those of ${missing - 1} more pages` : '';
    if (!onDamaged)
      throw new DamageError(
        `${join(this.#dir, RECORDS_FILE)}: the record of ${urls[0]} is missing${more}; restore the file from a copy, or leave them out with --skip-damaged`,
      );
    for (const url of urls) onDamaged(`${url}: its record is damaged or missing`);
    return missing;
  }
}
