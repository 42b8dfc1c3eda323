/** The wishes of persons about subtopics of a crawl: a file that only grows, one line a wish. A wish that is taken back gets a line of its own. */
import { appendFileSync, truncateSync } from 'node:fs';
import * as z from 'zod';
import { checkOf, checksummedLine } from '../../base/core/checksum.ts';
import { DamageError, storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import { completeLines, contentOfFile, fieldsOf } from '../../corpus/records/checked-lines.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { steerSchema } from '../../reading/topic/files.ts';
import type { Steer } from '../../reading/topic/steering.ts';

const byPerson = { at: z.string(), by: z.string().optional() };
const undoSchema = z.strictObject({ undo: z.literal(true), ...byPerson });
const lineSchema = z.union([steerSchema.extend(byPerson), undoSchema]);
type Undo = z.infer<typeof undoSchema>;
type WishLine = z.infer<typeof lineSchema>;

/** A wish, with its time and person. */
export type LoggedWish = Steer & { readonly at: string; readonly by?: string | undefined };

/**
 * Wishes that hold, the first one first. A later wish about the same subtopic replaces an earlier one. A line that a crash interrupted does not count: nobody
 * was told that it is stored. @throws DamageError for any other damage */
export function readWishes({ wishes: path }: Pick<CrawlPaths, 'wishes'>): readonly LoggedWish[] {
  const lines = completeLines(contentOfFile(path)).filter((line) => line.length > 0);
  let held: readonly (readonly LoggedWish[])[] = [[]];
  for (const [i, line] of lines.entries()) held = after(held, parsed(line, `${path}:${i + 1}`));
  return held.at(-1) ?? [];
}

/** States before and after each wish that was not taken back. */
function after(held: readonly (readonly LoggedWish[])[], line: WishLine): readonly (readonly LoggedWish[])[] {
  if ('undo' in line) return held.length > 1 ? held.slice(0, -1) : held;
  const now = held.at(-1) ?? [];
  return [...held, [...now.filter(({ id }) => id !== line.id), line]];
}

function parsed(line: Buffer, place: string): WishLine {
  const damaged = (why: string) => new DamageError(`${place}: is damaged (${why}); restore the file from a copy, or delete the line`);
  if (checkOf(line) === 'wrong') throw damaged('its checksum is another');
  const found = lineSchema.safeParse(fieldsOf(line.toString('utf8'), damaged));
  if (!found.success) throw damaged('it has no wish');
  return found.data;
}

/** Adds a wish, or takes the last one back; on disk when it returns. A broken line before it is cut off. @throws StoreError, DamageError */
export function logWish({ wishes: path }: Pick<CrawlPaths, 'wishes'>, wish: LoggedWish | Undo): void {
  const content = contentOfFile(path);
  try {
    if (content.length > 0) truncateSync(path, content.lastIndexOf('\n') + 1);
    appendFileSync(path, checksummedLine(wish));
    flushAtOnce(path);
  } catch (error) {
    throw storeErrorFrom(error, 'storing the wish', path);
  }
}
