import type { Bytes } from '../../base/core/types.ts';

/** Id as a crawl gives it. */
const UUID = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DASHES = /-/g;
const PREFIX = 'urn:uuid:';
const ID_BYTES: Bytes = 16;
const FIRST_IDS = 1024;

/** Record ids, outside of the heap: 16 to 32 bytes each. Ids of another form than `urn:uuid:` are strings in a map. */
export class PackedIds {
  #bytes = Buffer.alloc(FIRST_IDS * ID_BYTES);
  readonly #others = new Map<number, string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @returns the number of the id, from 0 */
  add(id: string): number {
    const start = this.#count * ID_BYTES;
    if (start === this.#bytes.length) {
      const larger = Buffer.alloc(2 * start);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (UUID.test(id)) this.#bytes.write(id.slice(PREFIX.length).replace(DASHES, ''), start, 'hex');
    else this.#others.set(this.#count, id);
    return this.#count++;
  }

  at(number: number): string {
    const other = this.#others.get(number);
    if (other !== undefined) return other;
    const hex = this.#bytes.toString('hex', number * ID_BYTES, (number + 1) * ID_BYTES);
    return `${PREFIX}${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Compares the bytes of two ids in UTF-8, as `LC_ALL=C sort` does. */
  compare(a: number, b: number): number {
    if (this.#others.size > 0) return Buffer.compare(Buffer.from(this.at(a)), Buffer.from(this.at(b)));
    return this.#bytes.compare(this.#bytes, b * ID_BYTES, (b + 1) * ID_BYTES, a * ID_BYTES, (a + 1) * ID_BYTES);
  }
}
