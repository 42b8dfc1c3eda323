/** The statements about rights and use of a harvest or a crawl. */
import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import type { ProtocolPages } from '../../corpus/select/protocol-counts.ts';
import { RightsLedger, type RightsRow } from '../../corpus/select/rights-ledger.ts';
import { openCorpus } from './open-corpora.ts';

export interface RightsOptions {
  /** Name of the only host whose statements are given, e.g. `example.org`. Default: all. */
  readonly host?: string;
  /** Receives damaged records, which are skipped. Without it, damage is an error. */
  readonly onDamaged?: OnDamaged;
  /** Receives the number of records that were read. */
  readonly progress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

export interface RightsReport {
  readonly corpus: string;
  readonly pages: number;
  /** Pages with a statement. */
  readonly stating: number;
  readonly protocols: readonly ProtocolPages[];
  /** Statements by host, word for word. */
  readonly statements: readonly RightsRow[];
}

/** See `statedRights` of the library. */
export async function statedRights(corpus: string, { host, onDamaged, progress, signal }: RightsOptions = {}): Promise<RightsReport> {
  const { source } = await openCorpus(corpus, onDamaged);
  const ledger = new RightsLedger();
  for await (const record of source.records(onDamaged)) {
    signal?.throwIfAborted();
    ledger.add(record);
    progress?.(ledger.pages);
  }
  const statements = ledger.rows(host);
  if (host !== undefined && statements.length === 0) throw new UsageError(`--host ${host}: no page of this host has a statement`);
  return { corpus, pages: ledger.pages, stating: ledger.stating, protocols: ledger.protocols(), statements };
}
