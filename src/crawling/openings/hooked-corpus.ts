import type { AskBeforeKeep, CorpusEntry, CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { CrawlRecord } from '../../base/core/types.ts';
import type { HookResult } from './hook-names.ts';
import type { Hooks } from './hooks.ts';

/** Tells `onKept` of each page that is kept. A commit waits until it has ended for all its pages: after a crash it may be told again, and it misses none. */
export class HookedCorpus implements CorpusWriter {
  readonly recorded: boolean;
  readonly #corpus: CorpusWriter;
  readonly #hooks: Hooks;
  #calls: Promise<unknown> = Promise.resolve();

  constructor(corpus: CorpusWriter, hooks: Hooks) {
    [this.#corpus, this.#hooks, this.recorded] = [corpus, hooks, corpus.recorded];
  }

  append(entry: CorpusEntry): void {
    this.#corpus.append(entry);
    if (entry.kind === 'page' && this.#hooks.has('onKept')) this.#call(entry.record);
  }

  offsets(): CorpusOffsets {
    return this.#corpus.offsets();
  }

  async flush(commit?: number): Promise<void> {
    await Promise.all([this.#corpus.flush(commit), this.#calls]);
  }

  async close(): Promise<void> {
    await this.#calls;
    await this.#hooks.close();
    await this.#corpus.close();
  }

  #call({ votes: _, ...record }: CrawlRecord): void {
    // The calls are in one line, so that the last one ends last.
    this.#calls = this.#hooks.ask('onKept', record.url, record);
  }
}

/** Asks `beforeKeep`; null without that hook. */
export function askingBeforeKeep(hooks: Hooks): AskBeforeKeep | null {
  if (!hooks.has('beforeKeep')) return null;
  return async (record) => {
    const { votes: _, ...shown } = record;
    const reply = await hooks.ask('beforeKeep', record.url, shown);
    if (reply.kind === 'failed') return hooks.strict ? { kind: 'failed' } : { kind: 'keep', record, trouble: reply.trouble };
    if (reply.value === null) return { kind: 'keep', record, trouble: null };
    if ('drop' in reply.value) return { kind: 'drop', word: { hook: 'beforeKeep', word: reply.value.drop } };
    return { kind: 'keep', record: changedRecord(record, reply.value), trouble: null };
  };
}

type Change = Exclude<NonNullable<HookResult<'beforeKeep'>>, { drop: string }>;

/** Places in a text that is another one now, and posts of the former one, have no meaning. */
function changedRecord(record: CrawlRecord, { title, text, otherText, lang, fields, tags }: Change): CrawlRecord {
  const { otherText: _, tags: __, votes, posts, document, ...rest } = record;
  const isSame = text === record.text;
  return {
    ...rest,
    ...{ title, text, lang, fields },
    ...(otherText !== undefined && { otherText }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
    ...(isSame && posts && { posts }),
    ...(document && { document: isSame ? document : { ...document, pageOffsets: [] } }),
    ...(isSame && votes && { votes }),
  };
}
