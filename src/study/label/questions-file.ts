/** The questions of a crawl, in its directory. Only the crawl writes the file. */
import { join } from 'node:path';
import * as z from 'zod';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type CheckedFile, readChecked, writeChecked } from './checked-json.ts';
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
const FILE: CheckedFile = { what: 'questions', remedy: 'delete it, and the crawl asks again' };

/** The questions of one moment. */
export type QuestionBatch = z.infer<typeof batchSchema>;

function pathOf({ labelling }: Pick<CrawlPaths, 'labelling'>): string {
  return join(labelling, 'questions.json');
}

/** Batches in order of their moments; empty if the crawl asked nothing. @throws DataError if the file is damaged */
export function readQuestions(paths: Pick<CrawlPaths, 'labelling'>): readonly QuestionBatch[] {
  return readChecked(pathOf(paths), fileSchema, FILE)?.batches ?? [];
}

/** Replaces the file in one step: a crash leaves the old questions or the new ones. @throws StoreError */
export function writeQuestions(paths: Pick<CrawlPaths, 'labelling'>, batches: readonly QuestionBatch[]): void {
  writeChecked(pathOf(paths), { format: 'forager-questions', version: 1, batches }, FILE);
}

/** Time of the newest page that the draw of each page drawn at random could have chosen. */
export function newestOfDraws(batches: readonly QuestionBatch[]): Map<string, string> {
  const draws = batches.flatMap(({ questions, at, newest = at }) =>
    questions.filter(({ queue }) => queue === 'random').map(({ url }) => [url, newest] as const),
  );
  return new Map(draws);
}

/** Questions without an answer or a skip, in order; each page once. */
export function openQuestions(batches: readonly QuestionBatch[], answers: ReadonlyMap<string, unknown>): CrawlQuestion[] {
  const all = batches.flatMap(({ questions }) => questions.filter(({ url }) => !answers.has(url)));
  return [...new Map(all.map((question) => [question.url, question])).values()];
}
