/** The tables of a frontier's database, and how they are opened. */
import type { DatabaseOptions, RootDatabase } from 'lmdb';
import { messageOf } from '../../base/core/errors.ts';
import { AS_BYTES, CheckedTable, type ValueForm } from './checked-table.ts';
import { undecodable } from './lmdb-file.ts';
import { AS_LOGGED, type LoggedEntry, type LoggedValue, toValue } from './logged-value.ts';
import { AS_PRIORITIES } from './packed-priorities.ts';
import { PendingTable } from './pending-table.ts';
import type { RejudgementKey, RejudgementTable } from './rejudgement.ts';
import type { LinkPriorities } from './store.ts';

/** Batches by event turn have a promise that nobody holds: if their commit fails, that ends the process. For reading ahead see `readThrough`. */
export const OPTIONS = { maxDbs: 4, noReadAhead: true, eventTurnBatching: false };

/**
 * All tables, with the options of their keys.
 * - `log`: every step, by its number from 1. Only added to.
 * - `texts`: title and text of judged pages, compressed, under the number of the fate. They are most of the bytes and seldom read.
 * - `priorities`: the current priorities of links, by discovery. They are replaced.
 * - `rejudgements`: the judgements of later models. They are replaced.
 */
export const TABLE_KEYS: Readonly<Record<'log' | 'texts' | 'priorities' | 'rejudgements', DatabaseOptions>> = {
  log: { keyEncoding: 'uint32' },
  texts: { keyEncoding: 'uint32' },
  priorities: { keyEncoding: 'uint32' },
  rejudgements: {},
};
export const TABLES = Object.keys(TABLE_KEYS);

export interface FrontierTables {
  readonly log: PendingTable<LoggedEntry, LoggedValue>;
  readonly texts: PendingTable<Uint8Array>;
  readonly priorities: PendingTable<LinkPriorities>;
  readonly rejudgements: RejudgementTable;
}

/** Opens the tables. A writer makes all of them in one transaction, since each of its own would be flushed to disk alone. */
export function openTables(root: RootDatabase<unknown, string>, path: string, use: 'read' | 'write'): FrontierTables {
  return use === 'write' ? root.transactionSync(() => tablesOf(root, path)) : tablesOf(root, path);
}

function tablesOf(root: RootDatabase<unknown, string>, path: string): FrontierTables {
  const table = <V, K extends number | RejudgementKey>(name: keyof typeof TABLE_KEYS, form: ValueForm<V>) =>
    new CheckedTable<V, K>(root.openDB<Uint8Array, K>({ name, encoding: 'binary', ...TABLE_KEYS[name] }), form, true, (why) =>
      undecodable(path, new Error(`${name}: ${messageOf(why)}`, { cause: why })),
    );
  return {
    log: new PendingTable(table<LoggedValue, number>('log', AS_LOGGED), toValue),
    texts: new PendingTable(table<Uint8Array, number>('texts', AS_BYTES), (bytes) => bytes),
    priorities: new PendingTable(table<LinkPriorities, number>('priorities', AS_PRIORITIES), (given) => given),
    rejudgements: table<Uint8Array, RejudgementKey>('rejudgements', AS_BYTES),
  };
}
