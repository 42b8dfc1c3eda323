/** The last word on a page before it is kept: that of a hook of the user. */
import type { Parts } from '../../base/core/parts.ts';
import type { CrawlRecord, Fate, HookWord } from '../../base/core/types.ts';
import { fateOf } from './settlements.ts';

/** A record to keep, with marks for its fate; or the fate of a page that is not kept. */
export type LastWord =
  | { readonly record: CrawlRecord; readonly marks: Pick<Fate, 'hooked'> }
  | { readonly record: null; readonly fate: Fate };

/** Asks the hook, if there is one. A page that is not kept gives its payload back. @param judged known facts of its fate */
export async function askBeforeKeep(record: CrawlRecord, judged: Partial<Fate>, { beforeKeep, kept }: Parts): Promise<LastWord> {
  if (beforeKeep === null) return { record, marks: {} };
  const verdict = await beforeKeep(record);
  if (verdict.kind === 'keep')
    return { record: verdict.record, marks: verdict.trouble === null ? {} : troubledBy(verdict.trouble, judged) };
  kept.release(record.payloadSha256, record.url);
  return { record: null, fate: verdict.kind === 'drop' ? droppedFate(verdict.word, judged) : fateOf('failed', 'hook', judged) };
}

/** The fate of a page that a hook keeps out of the corpus. */
export function droppedFate(word: HookWord, judged: Partial<Fate>): Fate {
  return fateOf('refused', { kind: 'hook', ...word }, judged);
}

function troubledBy(trouble: string, { hooked }: Partial<Fate>): Pick<Fate, 'hooked'> {
  return { hooked: { ...hooked, troubles: [...(hooked?.troubles ?? []), trouble] } };
}
