/** The questions of a crawl, in its directory. Only the crawl writes the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { checkOf, checksummed } from '../core/checksum.ts';
import { DamageError, messageOf, storeErrorFrom } from '../core/errors.ts';
import { flushAtOnce, isThere } from '../core/on-disk.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { makeDirectory } from '../disk/directories.ts';
import { replaceFile } from '../disk/replaced-file.ts';
import type { CrawlQuestion } from './question-choice.ts';

const batchSchema = z.strictObject({
  /** The moment of `--ask`: number of visits. */
  visits: z.number().int().positive(),
  at: z.string(),
  /** Time of the newest page that a draw could have chosen. Absent in earlier versions of Forager, and without a page. */
  newest: z.string().optional(),
  questions: z.array(z.strictObject({ url: z.string(), queue: z.enum(['random', 'spread']) })),
});
const fileSchema = z.strictObject({ format: z.literal('forager-questions'), version: z.literal(1), batches: z.array(batchSchema) });

/** The questions of one moment. */
export type QuestionBatch = z.infer<typeof batchSchema>;

function pathOf({ labelling }: Pick<CrawlPaths, 'labelling'>): string {
  return join(labelling, 'questions.json');
}

/** In order of their moments; empty if the crawl asked nothing. @throws DataError if the file is damaged */
export function readQuestions(paths: Pick<CrawlPaths, 'labelling'>): readonly QuestionBatch[] {
  const path = pathOf(paths);
  if (!isThere(path)) return [];
  try {
    const bytes = readFileSync(path);
    if (checkOf(bytes) !== 'right') throw new Error('its checksum is wrong');
    const { crc32: _, ...content } = JSON.parse(bytes.toString('utf8')) as { readonly crc32: unknown };
    return fileSchema.parse(content).batches;
  } catch (error) {
    throw new DamageError(`${path}: is no file of questions (${messageOf(error)}); delete it, and the crawl asks again`, { cause: error });
  }
}

/** Replaces the file in one step: a crash leaves the old questions or the new ones. @throws StoreError */
export function writeQuestions(paths: Pick<CrawlPaths, 'labelling'>, batches: readonly QuestionBatch[]): void {
  const path = pathOf(paths);
  makeDirectory(paths.labelling);
  try {
    replaceFile(path, checksummed({ format: 'forager-questions', version: 1, batches }));
    flushAtOnce(paths.labelling);
  } catch (error) {
    throw storeErrorFrom(error, 'writing the questions', path);
  }
}

/** For each page that was drawn at random, the time of the newest page that the draw could have chosen. */
export function newestOfDraws(batches: readonly QuestionBatch[]): Map<string, string> {
  const draws = batches.flatMap(({ questions, at, newest = at }) =>
    questions.filter(({ queue }) => queue === 'random').map(({ url }) => [url, newest] as const),
  );
  return new Map(draws);
}

/** Those without an answer or a skip, in order; each page once. */
export function openQuestions(batches: readonly QuestionBatch[], answers: ReadonlyMap<string, unknown>): CrawlQuestion[] {
  const all = batches.flatMap(({ questions }) => questions.filter(({ url }) => !answers.has(url)));
  return [...new Map(all.map((question) => [question.url, question])).values()];
}
