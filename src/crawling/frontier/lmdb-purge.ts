/** A copy of a frontier without the texts of pages that were taken back. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { asBinary, type RootDatabase } from 'lmdb';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import type { CommitMark, CorpusOffsets } from '../../base/core/parts/queueing.ts';
import { DATABASE } from '../../base/disk/own-names.ts';
import type { Withdrawals } from '../../corpus/records/withdrawals.ts';
import { openRoot } from './lmdb-read.ts';
import { LmdbStore, TABLE_KEYS } from './lmdb-store.ts';
import type { StoredDiscovery, StoredFate } from './store.ts';
import { UrlTable } from './url-table.ts';

/**
 * Writes the purged database to the folder `to`. Its pages are new: pages of an LMDB file that are reused may still have old bytes.
 * @param sizes of the files of the purged corpus
 * @returns the commit that both belong to
 * @throws StoreError
 */
export async function purgedFrontier(from: string, to: string, withdrawals: Withdrawals, sizes: CorpusOffsets): Promise<CommitMark | null> {
  const work = join(to, 'work');
  mkdirSync(work, { recursive: true });
  copyFileSync(join(from, DATABASE), join(work, DATABASE));
  const commit = await purgeIn(work, withdrawals, sizes);
  await copyTables(work, to);
  rmSync(work, { recursive: true });
  rmSync(join(to, 'lock.mdb'), { force: true });
  flushAtOnce(join(to, DATABASE));
  return commit;
}

async function purgeIn(folder: string, withdrawals: Withdrawals, sizes: CorpusOffsets): Promise<CommitMark | null> {
  const store = LmdbStore.open(folder, null, null);
  try {
    const table = new UrlTable();
    for (const [index, discovery] of [...store.discoveries()]) {
      for (const { url } of discovery.links) {
        const { slot, isNew } = table.claim(url);
        if (isNew && withdrawals.has(url)) forget(store, slot);
      }
      if (discovery.referrer !== null && withdrawals.has(discovery.referrer.url)) store.appendDiscovery(index, withoutWords(discovery));
    }
    await store.commit(sizes, Promise.resolve());
    return store.lastCommit();
  } finally {
    await store.close();
  }
}

function forget(store: LmdbStore, slot: number): void {
  const stored = store.fate(slot);
  if (stored === null || stored.fate.reason === 'withdrawn') return;
  store.purge(slot, refused(stored));
}

function refused(stored: StoredFate): StoredFate {
  const { status, fetchedAt, visited } = stored.fate;
  const facts = { status, fetchedAt, visited, relevance: null, recordId: null, payloadSha256: null, page: null };
  return { ...stored, fate: { state: 'refused', reason: 'withdrawn', ...facts } };
}

/** The discovery with its links, without their words. */
function withoutWords(discovery: StoredDiscovery): StoredDiscovery {
  const { referrer, links } = discovery;
  return {
    ...discovery,
    referrer: referrer && { ...referrer, title: '' },
    links: links.map((link) => ({ ...link, text: { ...link.text, anchorText: '', context: '', imageAlt: '' } })),
  };
}

async function copyTables(from: string, to: string): Promise<void> {
  const [source, target] = [rootOf(from), rootOf(to)];
  try {
    const names = new Set(Object.keys(TABLE_KEYS));
    for (const key of [...source.getKeys()]) {
      if (!names.has(String(key))) await target.put(String(key), asBinary(source.getBinary(String(key)) as Buffer));
      else await copyTable(source, target, String(key));
    }
    await target.flushed;
  } finally {
    await source.close();
    await target.close();
  }
}

function rootOf(path: string): RootDatabase<unknown, string> {
  return openRoot({ path, maxDbs: 12, eventTurnBatching: false });
}

async function copyTable(source: RootDatabase<unknown, string>, target: RootDatabase<unknown, string>, name: string): Promise<void> {
  const form = { name, encoding: 'binary' as const, ...TABLE_KEYS[name] };
  const [from, to] = [source.openDB<Uint8Array, number>(form), target.openDB<Uint8Array, number>(form)];
  await target.transaction(() => {
    for (const { key, value } of from.getRange()) to.put(key, value);
  });
}
