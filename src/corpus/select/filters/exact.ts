import { createHash } from 'node:crypto';
import type { CorpusRecord } from '../../../base/core/types.ts';
import { EqualTexts } from '../equal-texts.ts';
import type { HarvestFilter, OmissionGrounds } from '../harvest-filter.ts';

/** Memory: a hash and an id for each text. */
export const exact = {
  name: 'exact',
  leaves: 'same text as another page',
  begin({ dedupe, pages }) {
    if (dedupe === 'none') return null;
    let texts = new EqualTexts();
    return {
      see({ record, ordinal }) {
        texts.add(textHash(record), ordinal, Date.parse(record.fetchedAt), record.id);
        return null;
      },
      settle() {
        const copied = new Map<number, OmissionGrounds>();
        for (const { stays, first, others } of texts.groups())
          for (const ordinal of others) if (!pages.areOne(first, ordinal)) copied.set(ordinal, { duplicateOf: stays });
        texts = new EqualTexts();
        return copied;
      },
    };
  },
} as const satisfies HarvestFilter;

/** The main text with normalised white space, as a short string that other texts do not have. A page without text equals only a page with the same bytes. */
export function textKey(record: CorpusRecord): string {
  return textHash(record).toString('latin1', 0, 16);
}

/** SHA-256. */
function textHash(record: CorpusRecord): Buffer {
  const text = record.text.replace(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(text === '' ? `\u0000${record.payloadSha256}` : text)
    .digest();
}
