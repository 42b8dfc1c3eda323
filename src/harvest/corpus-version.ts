import { createHash } from 'node:crypto';
import type { RecordId } from '../core/types.ts';

/**
 * The version of a corpus: SHA-256, in hex, of its record ids, sorted by code units, each with a line feed. Corpora with the same pages in the same versions
 * have the same one, regardless of order, format and place. Memory: the ids.
 */
export class CorpusVersion {
  readonly #ids: RecordId[] = [];

  add(id: RecordId): void {
    this.#ids.push(id);
  }

  get pages(): number {
    return this.#ids.length;
  }

  /** Called once, at the end. */
  digest(): string {
    const hash = createHash('sha256');
    for (const id of this.#ids.sort()) hash.update(`${id}\n`);
    return hash.digest('hex');
  }
}
