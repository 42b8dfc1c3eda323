/** The checkpoint beside a frontier's database: the head names it as long as nothing else was written. */
import { join } from 'node:path';
import { DATABASE } from '../../base/disk/own-names.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { makeRoom } from './lmdb-file.ts';
import { putCheckpoint } from './lmdb-head.ts';
import type { OpenDatabase } from './lmdb-opening.ts';

export class LmdbCheckpoint {
  readonly #database: OpenDatabase;
  readonly #judgedBy: string | null;
  /** Id of the one that was read; null for none. */
  #known: string | null = null;

  /** @param judgedBy the model whose judgements the columns follow; null for the stored ones */
  constructor(database: OpenDatabase, judgedBy: string | null) {
    [this.#database, this.#judgedBy] = [database, judgedBy];
  }

  /** null for none that belongs to the last commit and the model. */
  read(): Checkpoint | null {
    const { head, path } = this.#database;
    const found = head.checkpoint === null ? null : readCheckpoint(path, head.checkpoint, { judgedBy: [this.#judgedBy] });
    if (found !== null) this.#known = head.checkpoint;
    return found;
  }

  /** Writes one of a commit if there is room for it, unless the one that was read is still right. Without it, the next opening repeats the whole log. */
  write(checkpoint: Checkpoint, commit: number): void {
    const { path, root } = this.#database;
    try {
      makeRoom(path);
    } catch {
      return;
    }
    const write = () => writeCheckpoint(path, this.#judgedBy, checkpoint);
    root.transactionSync(() => putCheckpoint(root, join(path, DATABASE), commit, this.#known, write));
  }
}
