/** A corpus that another one continues: the same pages without some, in the same formats, with its history. */
import type { CorpusCard } from '../describe/corpus-card.ts';
import { byteLines } from '../records/records.ts';
import type { Withdrawals } from '../records/withdrawals.ts';
import type { HarvestFacts, RecordTallies } from '../select/harvest-facts.ts';
import { jsonLine } from '../select/json-line.ts';
import { omittedRow } from '../select/omitted-row.ts';

export interface ContinuedCorpus {
  readonly card: CorpusCard;
  /** Path of its list of omitted pages; null if it has none. */
  readonly omittedPath: string | null;
}

/** A line for `left-out.jsonl`, and the reason that it has. */
interface OmittedLine {
  readonly line: string;
  readonly reason: string;
}

/** The omitted pages of an earlier corpus. Those that were taken back have no URL, and are no page's original. @throws DamageError */
export async function* omittedBefore(corpus: ContinuedCorpus | undefined, withdrawals: Withdrawals): AsyncGenerator<OmittedLine> {
  const { omittedPath = null } = corpus ?? {};
  if (omittedPath === null) return;
  let number = 0;
  const ids = new Set([...withdrawals].map(({ id }) => id));
  for await (const line of byteLines(omittedPath, Number.POSITIVE_INFINITY)) {
    const { id, url, reason, ...grounds } = omittedRow(line, `${omittedPath}:${++number}`);
    const found = url === undefined ? null : withdrawals.of(url);
    if (found !== null) {
      const { urlSha256, date, reason: because } = found;
      yield { line: jsonLine({ id, reason: 'withdrawn', urlSha256, date, because }), reason: 'withdrawn' };
    } else {
      const known = Object.entries(grounds).filter(([, value]) => typeof value !== 'string' || !(ids.has(value) || withdrawals.has(value)));
      yield { line: jsonLine({ id, ...(url !== undefined && { url }), reason, ...Object.fromEntries(known) }), reason };
    }
  }
}

/** Counts of the pages of an earlier corpus that are omitted here too, by reason. */
export type OmittedCounts = ReadonlyMap<string, number>;

/** The facts of a corpus that continues another: those of its own harvest, with the history of the other. */
export function continuedFacts(facts: HarvestFacts, corpus: ContinuedCorpus | undefined, omitted: OmittedCounts): HarvestFacts {
  if (corpus === undefined) return facts;
  const { card } = corpus;
  const notes = [...(card.harvest.notes ?? []).filter((note) => !note.startsWith('chunks:')), ...(facts.notes ?? [])];
  const { precision: _, ...rest } = facts;
  return {
    ...rest,
    // Measured on the pages before, of which some are gone.
    precision: null,
    filters: card.harvest.filters,
    notes,
    records: continuedTallies(facts.records, omitted),
    damaged: { ...facts.damaged, records: facts.damaged.records + card.damaged.records },
    ...(card.corpora && { corpora: card.corpora.map(({ taken: __, ...part }) => part) }),
    reservations: { ...facts.reservations, notAsked: card.reservations.notAsked },
  };
}

function continuedTallies({ read, leftOut, kept }: RecordTallies, omitted: OmittedCounts): RecordTallies {
  const before = [...omitted.values()].reduce((sum, count) => sum + count, 0);
  const counts: Record<string, number> = { ...leftOut };
  for (const [reason, count] of omitted) counts[reason] = (counts[reason] ?? 0) + count;
  return { read: read + before, leftOut: counts as RecordTallies['leftOut'], kept };
}
