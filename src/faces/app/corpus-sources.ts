/** Sources of the bytes of a worker's corpus: its folder, if this machine has it, or the bucket of the crawl. */
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError, storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { crcOf } from '../../crawling/cluster/corpus-checksums.ts';
import type { CorpusState, EngineCorpus } from '../../crawling/cluster/engine-log.ts';
import type { GatheredPart } from './merged-corpus.ts';

const READ_AT_ONCE: Bytes = 8 * 2 ** 20;

/**
 * Is the folder on this machine or a disk that it shares? Its id tells it from one that came after it. A path of another machine may lead to a place here
 * that nobody may look into, or below a file.
 */
export function isHere({ id, path }: Pick<EngineCorpus, 'id' | 'path'>): boolean {
  try {
    return readFileSync(join(dirname(path), 'corpus-id'), 'utf8').trim() === id;
  } catch {
    return false;
  }
}

/** Bytes of a file on a disk, some MB at a time. @throws StoreError also for a file that ends before */
export async function* bytesOfFile(path: string, start: Bytes, end: Bytes): AsyncGenerator<Buffer> {
  const source = await open(path, 'r').catch((error: unknown) => {
    throw storeErrorFrom(error, 'reading a corpus', path);
  });
  try {
    for (let at = start; at < end; ) {
      const wanted = Math.min(READ_AT_ONCE, end - at);
      const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(wanted), 0, wanted, at).catch((error: unknown) => {
        throw storeErrorFrom(error, 'reading a corpus', path);
      });
      if (bytesRead === 0)
        throw new StoreError('STORE_CORRUPT', `${path}: has ${at} bytes, but ${end} were committed; restore the file from a copy`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await source.close();
  }
}

/**
 * The last state of a damaged corpus of which the folder still has all bytes; null if it has those of none. Reads each file once.
 * @param states oldest first
 * @param partOf the part of a file that is not asked for
 */
export async function lastWholeState(
  states: readonly CorpusState[],
  folder: string,
  partOf: (file: string) => GatheredPart | null,
): Promise<CorpusState | null> {
  const repairs = states.at(-1)?.repairs;
  const own = states.filter((state) => state.repairs === repairs && state.sums !== null);
  const whole = new Map<string, Bytes>();
  for (const name of new Set(own.flatMap(({ sizes }) => Object.keys(sizes))))
    whole.set(name, await wholeBytes(own, folder, name, partOf(name)));
  return own.findLast(({ sizes }) => Object.entries(sizes).every(([name, size]) => size <= (whole.get(name) ?? 0))) ?? null;
}

/** Up to the last size whose sum is right. */
async function wholeBytes(states: readonly CorpusState[], folder: string, name: string, part: GatheredPart | null): Promise<Bytes> {
  let [at, crc]: [Bytes, number] = part?.crc32 === undefined ? [0, 0] : [part.bytes, part.crc32];
  for (const { sizes, sums } of states) {
    const size = sizes[name] ?? 0;
    if (size <= at) continue;
    const next = await crcOf(join(folder, name), at, size, crc).catch(() => null);
    if (next === null || next !== sums?.[name]) return at;
    [at, crc] = [size, next];
  }
  return at;
}
