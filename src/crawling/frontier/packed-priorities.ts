import { InvariantError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import type { ValueForm } from './checked-table.ts';
import type { LinkPriorities } from './store.ts';

/** Bytes of a link: its priority, and the number of pages the scorer had learned from. */
const OF_A_LINK: Bytes = 8;

/** The form in the database: all priorities, then all counts, little-endian. */
export const AS_PRIORITIES: ValueForm<LinkPriorities> = {
  encode: ({ priorities, learnedFrom }) => {
    const bytes = new Uint8Array(OF_A_LINK * priorities.length);
    bytes.set(bytesIn(priorities));
    bytes.set(bytesIn(learnedFrom), priorities.byteLength);
    return bytes;
  },
  decode: (bytes) => {
    const links = bytes.length / OF_A_LINK;
    if (!Number.isInteger(links)) throw new InvariantError(`${bytes.length} bytes are not priorities`);
    const own = Uint8Array.from(bytes).buffer;
    return { priorities: new Float32Array(own, 0, links), learnedFrom: new Uint32Array(own, 4 * links, links) };
  },
};

function bytesIn({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
