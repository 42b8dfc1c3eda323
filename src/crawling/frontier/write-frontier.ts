/** Writes the database of a frontier whose steps are known: of a conversion, and of a purge. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inGroups } from '../../base/core/in-groups.ts';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { DATABASE } from '../../base/disk/own-names.ts';
import { giveRoomBack, makeRoom } from './lmdb-file.ts';
import { putHead, type StoredHead } from './lmdb-head.ts';
import { openRoot } from './lmdb-read.ts';
import { type FrontierTables, OPTIONS, openTables } from './lmdb-tables.ts';
import type { LoggedStep } from './logged-step.ts';
import { toValue } from './logged-value.ts';
import type { RejudgementKey } from './rejudgement.ts';
import type { LinkPriorities } from './store.ts';

/** Bytes of values that are written in one transaction. */
const AT_ONCE: Bytes = 1024 * 1024;
/** Bytes of a file for each byte of its values: a value with pages of its own may fill little more than half of them. */
const ROOM_OF_A_BYTE = 2;

/** Everything that the database of a frontier holds. */
export interface WholeFrontier {
  readonly head: Omit<StoredHead, 'entries' | 'checkpoint'>;
  readonly steps: Iterable<LoggedStep>;
  readonly priorities: Iterable<readonly [index: number, given: LinkPriorities]>;
  readonly rejudgements: Iterable<readonly [key: RejudgementKey, value: Uint8Array]>;
}

/**
 * Writes a database whose pages are all new. It is on disk when the function returns. O(steps); nothing else happens in this process meanwhile.
 * @param to an empty folder
 * @throws the error of LMDB or of the disk, StoreError
 */
export function writeFrontier(to: string, whole: WholeFrontier): void {
  mkdirSync(to, { recursive: true });
  const root = openRoot({ path: to, ...OPTIONS });
  try {
    const tables = openTables(root, to, 'write');
    for (const some of inGroups(valuesOf(tables, whole), AT_ONCE, ({ bytes }) => bytes)) {
      makeRoom(to, ROOM_OF_A_BYTE * some.reduce((sum, { bytes }) => sum + bytes, 0));
      root.transactionSync(() => {
        for (const { put } of some) put();
      });
    }
    root.transactionSync(() => putHead(root, { ...whole.head, entries: tables.log.stored?.size ?? 0 }));
    root.transactionSync(() => giveRoomBack(to));
  } finally {
    void root.close();
  }
  flushAtOnce(join(to, DATABASE));
}

/** A value that is not written yet. */
interface UnwrittenValue {
  readonly bytes: Bytes;
  /** Call it within a transaction. */
  put(): void;
}

function* valuesOf(tables: FrontierTables, { steps, priorities, rejudgements }: WholeFrontier): Generator<UnwrittenValue> {
  let place = 0;
  for (const step of steps) yield stepOf(tables, ++place, step);
  for (const [index, given] of priorities)
    yield { bytes: 2 * given.priorities.byteLength, put: () => tables.priorities.stored?.put(index, given) };
  for (const [key, value] of rejudgements) yield { bytes: value.length, put: () => tables.rejudgements.put(key, value) };
}

function stepOf({ log, texts: pages }: FrontierTables, place: number, { key, entry, texts }: LoggedStep): UnwrittenValue {
  const value = toValue({ key, entry });
  const put = () => {
    log.stored?.put(place, value);
    if (texts !== null) pages.stored?.put(place, texts);
  };
  return { bytes: value.packed.length + (texts?.length ?? 0), put };
}
