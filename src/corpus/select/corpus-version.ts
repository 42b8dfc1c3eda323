import { createHash } from 'node:crypto';
import type { RecordId } from '../../base/core/types.ts';
import { PackedIds } from './packed-ids.ts';

/**
 * The version of a corpus: SHA-256, in hex, of its record ids, sorted by their bytes, each with a line feed. Corpora with the same pages in the same versions
 * have the same one, regardless of order, format and place. Memory: the ids, in 16 bytes each.
 */
export class CorpusVersion {
  readonly #ids = new PackedIds();

  add(id: RecordId): void {
    this.#ids.add(id);
  }

  get pages(): number {
    return this.#ids.count;
  }

  /** Called once, at the end. */
  digest(): string {
    const hash = createHash('sha256');
    const order = Uint32Array.from({ length: this.#ids.count }, (_, i) => i).sort((a, b) => this.#ids.compare(a, b));
    for (const number of order) hash.update(`${this.#ids.at(number)}\n`);
    return hash.digest('hex');
  }
}
