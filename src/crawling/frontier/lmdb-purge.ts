/** A copy of a frontier without the texts of pages that were taken back. */
import type { CommitMark, CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Withdrawals } from '../../corpus/records/withdrawals.ts';
import { LmdbStore } from './lmdb-store.ts';
import type { LogEntry } from './log-entry.ts';
import type { LoggedStep } from './logged-step.ts';
import type { StoredDiscovery, StoredFate } from './store.ts';
import { writeFrontier } from './write-frontier.ts';

/**
 * Writes the purged database to the folder `to`. Its pages are new: pages of an LMDB file that are reused may still have old bytes.
 * @param sizes of the files of the purged corpus
 * @returns the commit that both belong to
 * @throws StoreError
 */
export async function purgedFrontier(from: string, to: string, withdrawals: Withdrawals, sizes: CorpusOffsets): Promise<CommitMark | null> {
  const store = LmdbStore.open(from, null, null, 'read');
  try {
    const whole = store.whole();
    const commit = { number: (store.lastCommit()?.number ?? 0) + 1, offsets: sizes };
    writeFrontier(to, { ...whole, head: { ...whole.head, ...commit }, steps: purged(whole.steps, withdrawals) });
    return commit;
  } finally {
    await store.close();
  }
}

function* purged(steps: Iterable<LoggedStep>, withdrawals: Withdrawals): Generator<LoggedStep> {
  for (const step of steps) {
    const { entry } = step;
    if (!('url' in entry) || !withdrawals.has(entry.url)) yield { ...step, entry: withoutWords(entry, withdrawals) };
    else if (entry.kind === 'fate') yield { ...step, entry: { ...entry, stored: refused(entry.stored) }, texts: null };
    else if (entry.kind === 'retry') yield step;
  }
}

function refused(stored: StoredFate): StoredFate {
  if (stored.fate.reason === 'withdrawn') return stored;
  const { status, fetchedAt, visited } = stored.fate;
  const facts = { status, fetchedAt, visited, relevance: null, recordId: null, payloadSha256: null, page: null };
  return { ...stored, fate: { state: 'refused', reason: 'withdrawn', ...facts } };
}

/** The links of a page that was taken back stay, without their words. */
function withoutWords(entry: LogEntry, withdrawals: Withdrawals): LogEntry {
  const isOfIt = entry.kind === 'discovery' && entry.discovery.referrer !== null && withdrawals.has(entry.discovery.referrer.url);
  return isOfIt ? { kind: 'discovery', discovery: withoutTexts(entry.discovery) } : entry;
}

function withoutTexts(discovery: StoredDiscovery): StoredDiscovery {
  const { referrer, links } = discovery;
  return {
    ...discovery,
    referrer: referrer && { ...referrer, title: '' },
    links: links.map((link) => ({ ...link, text: { ...link.text, anchorText: '', context: '', imageAlt: '' } })),
  };
}
