/** The form of lessons in the database: entries as link scorers read them. */
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { Lesson } from '../../base/core/parts/scoring.ts';
import type { FrontierEntry } from '../../base/core/types.ts';
import { BROTLI } from '../frontier/stored-texts.ts';
import type { LessonRow } from './worker.ts';

const packr = new Packr({});

/** null for no lessons. */
export function packLessons(lessons: readonly Lesson[]): Pick<LessonRow, 'count' | 'body'> | null {
  if (lessons.length === 0) return null;
  const packed = packr.pack(lessons.map(({ entry, relevance }) => [withoutHashes(entry), relevance]));
  return { count: lessons.length, body: brotliCompressSync(packed, BROTLI) };
}

/** @throws Error of any kind for bytes that `packLessons` did not make */
export function unpackLessons(body: Uint8Array): Lesson[] {
  const packed = packr.unpack(brotliDecompressSync(body)) as [FrontierEntry, number][];
  return packed.map(([entry, relevance]) => ({ entry, relevance }));
}

/** Hashes follow from the words. */
function withoutHashes(entry: FrontierEntry): FrontierEntry {
  if (!entry.edge?.link.hashes) return entry;
  const { hashes: _, ...link } = entry.edge.link;
  return { ...entry, edge: { ...entry.edge, link } };
}
