/** Writes the database of a frontier whose steps are known: of a conversion, and of a purge. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import { DATABASE } from '../../base/disk/own-names.ts';
import { giveRoomBack, makeRoom } from './lmdb-file.ts';
import { putHead, type StoredHead } from './lmdb-head.ts';
import { openRoot } from './lmdb-read.ts';
import { type FrontierTables, OPTIONS, openTables } from './lmdb-tables.ts';
import type { LoggedStep } from './logged-step.ts';
import { toValue } from './logged-value.ts';
import type { RejudgementKey } from './rejudgement.ts';
import type { LinkPriorities } from './store.ts';

/** Steps of one transaction: some MB. */
const STEPS_AT_ONCE = 1000;

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
export function writeFrontier(to: string, { head, steps, priorities, rejudgements }: WholeFrontier): void {
  mkdirSync(to, { recursive: true });
  const root = openRoot({ path: to, ...OPTIONS });
  try {
    const tables = openTables(root, to, 'write');
    const write = <T>(some: readonly T[], put: (one: T) => void) => {
      makeRoom(to);
      root.transactionSync(() => {
        for (const one of some) put(one);
      });
    };
    let entries = 0;
    for (const some of inGroups(steps)) write(some, (step) => putStep(tables, ++entries, step));
    for (const some of inGroups(priorities)) write(some, ([index, given]) => tables.priorities.stored?.put(index, given));
    for (const some of inGroups(rejudgements)) write(some, ([key, value]) => tables.rejudgements.put(key, value));
    root.transactionSync(() => putHead(root, { ...head, entries }));
    root.transactionSync(() => giveRoomBack(to));
  } finally {
    void root.close();
  }
  flushAtOnce(join(to, DATABASE));
}

function putStep({ log, texts: pages }: FrontierTables, place: number, { key, entry, texts }: LoggedStep): void {
  log.stored?.put(place, toValue({ key, entry }));
  if (texts !== null) pages.stored?.put(place, texts);
}

function* inGroups<T>(all: Iterable<T>): Generator<T[]> {
  let group: T[] = [];
  for (const one of all) {
    group.push(one);
    if (group.length < STEPS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
