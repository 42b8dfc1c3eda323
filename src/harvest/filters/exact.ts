import { createHash } from 'node:crypto';
import type { CorpusRecord, IsoTime, RecordId } from '../../core/types.ts';
import type { Grounds, HarvestFilter } from '../harvest-filter.ts';

/** Pages with one main text. The first that was fetched stays. */
interface Copies {
  stays: { readonly ordinal: number; readonly id: RecordId; readonly fetchedAt: IsoTime };
  /** null until there are two: most texts stand on one page. */
  others: number[] | null;
}

/** Memory: a hash for each text. */
export const exact = {
  name: 'exact',
  leaves: 'same text as another page',
  begin({ dedupe }) {
    if (dedupe === 'none') return null;
    const texts = new Map<string, Copies>();
    return {
      see({ record, ordinal }) {
        const key = textKey(record);
        const page = { ordinal, id: record.id, fetchedAt: record.fetchedAt };
        const copies = texts.get(key);
        if (copies === undefined) texts.set(key, { stays: page, others: null });
        else if (copies.stays.fetchedAt <= page.fetchedAt) otherOf(copies, ordinal);
        else {
          otherOf(copies, copies.stays.ordinal);
          copies.stays = page;
        }
        return null;
      },
      settle() {
        const copied = [...texts.values()].flatMap(({ stays, others }) =>
          (others ?? []).map((ordinal): [number, Grounds] => [ordinal, { duplicateOf: stays.id }]),
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

/** SHA-256 of the main text with normalised white space. A page without text equals only a page with the same bytes. */
export function textKey(record: CorpusRecord): string {
  const text = record.text.replace(/\s+/g, ' ').trim();
  return text === '' ? record.payloadSha256 : createHash('sha256').update(text).digest('base64');
}
