import { createHash } from 'node:crypto';
import type { CorpusRecord, EpochMs, RecordId } from '../../core/types.ts';
import type { Grounds, HarvestFilter } from '../harvest-filter.ts';

/** Pages with one main text. The first that was fetched stays. */
interface Copies {
  /** Those of the page that stays. */
  ordinal: number;
  id: RecordId;
  fetchedAt: EpochMs;
  /** null until there are two: most texts stand on one page. */
  others: number[] | null;
}

/** Two of 10^9 texts share 128 bits with a probability under 10^-20. */
const KEY_BYTES = 16;

/** Memory: a hash and an id for each text. */
export const exact = {
  name: 'exact',
  leaves: 'same text as another page',
  begin({ dedupe }) {
    if (dedupe === 'none') return null;
    const texts = new Map<string, Copies>();
    return {
      see({ record, ordinal }) {
        const key = textKey(record);
        const page = { ordinal, id: record.id, fetchedAt: Date.parse(record.fetchedAt) };
        const copies = texts.get(key);
        if (copies === undefined) texts.set(key, { ...page, others: null });
        else if (copies.fetchedAt <= page.fetchedAt) otherOf(copies, ordinal);
        else {
          otherOf(copies, copies.ordinal);
          Object.assign(copies, page);
        }
        return null;
      },
      settle() {
        const copied = [...texts.values()].flatMap(({ id, others }) =>
          (others ?? []).map((ordinal): [number, Grounds] => [ordinal, { duplicateOf: id }]),
        );
        texts.clear();
        return new Map(copied);
      },
    };
  },
} as const satisfies HarvestFilter;

function otherOf(copies: Copies, ordinal: number): void {
  if (copies.others === null) copies.others = [ordinal];
  else copies.others.push(ordinal);
}

/** The first 128 bits of the SHA-256 of the main text with normalised white space, a byte a character. A page without text equals only a page with the same bytes. */
export function textKey(record: CorpusRecord): string {
  const text = record.text.replace(/\s+/g, ' ').trim();
  return text === '' ? record.payloadSha256 : createHash('sha256').update(text).digest().toString('latin1', 0, KEY_BYTES);
}
