/** Cuts a corpus folder back to a commit. The cut-off part is moved to another folder, never deleted. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { flush } from '../../base/core/on-disk.ts';
import type { CommitMark } from '../../base/core/parts/queueing.ts';
import type { Bytes } from '../../base/core/types.ts';

/** Bytes of a file beyond a commit. */
export interface Tail {
  readonly name: string;
  /** Number of committed bytes. */
  readonly from: Bytes;
  readonly size: Bytes;
}

/** The parts of our files beyond a commit; files without such a part are omitted. */
export async function tailsOf(dir: string, committed: CommitMark | null, isOurs: (name: string) => boolean): Promise<readonly Tail[]> {
  const tails: Tail[] = [];
  for (const name of (await readdir(dir)).sort()) {
    if (!isOurs(name)) continue;
    const from = committed?.offsets[name] ?? 0;
    const { size } = await stat(join(dir, name));
    // A file that no commit knows is moved as a whole, even an empty one.
    if (size > from || (committed !== null && committed.offsets[name] === undefined)) tails.push({ name, from, size });
  }
  return tails;
}

/**
 * Cuts files to the committed bytes. Before that, the tails are on disk in `cut-<time>/`, each as `<name>.from-<byte>`, or under its own name if the
 * whole file goes. If it is killed, it can be run again.
 * @param mayDrop a full disk has no room for the tails; then they are dropped, because they were never committed
 * @returns the folder; null if there was nothing to cut, or if it was dropped
 */
export async function cutTails(dir: string, tails: readonly Tail[], now: Date, mayDrop: boolean): Promise<string | null> {
  if (tails.every(({ size }) => size === 0)) return null;
  const aside = join(dir, `cut-${now.toISOString().replaceAll(':', '-')}`);
  let isKept = true;
  try {
    await moveAside(dir, aside, tails);
  } catch (error) {
    if (!mayDrop || storeErrorFrom(error, 'cutting the corpus', dir).code !== 'STORE_FULL') throw error;
    await rm(aside, { recursive: true, force: true });
    isKept = false;
  }
  for (const { name, from } of tails) {
    if (from === 0) await rm(join(dir, name), { force: true });
    else await truncate(join(dir, name), from);
  }
  await flush(dir);
  return isKept ? aside : null;
}

async function moveAside(dir: string, aside: string, tails: readonly Tail[]): Promise<void> {
  await mkdir(aside);
  for (const { name, from } of tails) {
    const copy = join(aside, from === 0 ? name : `${name}.from-${from}`);
    await pipeline(createReadStream(join(dir, name), { start: from }), createWriteStream(copy));
    await flush(copy);
  }
  await flush(aside);
  await flush(dir);
}
