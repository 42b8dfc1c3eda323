/** Bytes of a run on disk and in memory at some moments. The run stores them, so that another process can tell how long its room lasts. */
import { rmSync } from 'node:fs';
import * as z from 'zod';
import type { CrawlPaths } from './crawl-directory.ts';
import { readJsonList, writeList } from './json-list.ts';

const pointSchema = z.strictObject({
  at: z.number(),
  /** Bytes of corpus and frontier. */
  written: z.number(),
  /** Bytes free on the disk. */
  free: z.number(),
  /** Bytes of memory that the process of the crawl has. */
  resident: z.number(),
  /** Further bytes that it may have: of the container, otherwise of the machine. */
  available: z.number(),
});

export type RoomPoint = z.infer<typeof pointSchema>;

/** Oldest first. */
export function readRoomPoints({ room }: Pick<CrawlPaths, 'room'>): readonly RoomPoint[] {
  return readJsonList(room, pointSchema);
}

/** @throws the error of the file system */
export function writeRoomPoints({ room }: Pick<CrawlPaths, 'room'>, points: readonly RoomPoint[]): void {
  writeList(room, points);
}

export function removeRoomPoints({ room }: Pick<CrawlPaths, 'room'>): void {
  rmSync(room, { force: true });
}
