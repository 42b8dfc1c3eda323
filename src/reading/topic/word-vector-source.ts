/** The word vectors that a training asks for, as its model remembers them: a later training takes the same. */
import { resolve } from 'node:path';
import * as z from 'zod';
import { CrawlerError, DataError, messageOf, UsageError } from '../../base/core/errors.ts';
import { countText } from '../../base/text/number-text.ts';
import type { LinearTopicModel } from './model.ts';
import { readWordVectors, WORD_VECTOR_LIMITS } from './word-vector-file.ts';
import { loadWordVectors, type WordVectors } from './word-vectors.ts';

export const wordVectorSourceSchema = z.union([
  z.enum(['none', 'bundled']),
  /** A file of the user, by its absolute path. */
  z.strictObject({ path: z.string(), sha256: z.string() }),
]);
export type WordVectorSource = Readonly<z.infer<typeof wordVectorSourceSchema>>;

export interface OpenWordVectors {
  readonly source: WordVectorSource;
  /** null for `none`. */
  readonly vectors: WordVectors | null;
  /** The part of the file that is not read, and the reason. */
  readonly notes: readonly string[];
}

/** Word of the option if it is not given. */
export const DEFAULT_WORD_VECTORS = 'bundled';

const NONE: OpenWordVectors = { source: 'none', vectors: null, notes: [] };

/**
 * @param word `bundled`, `none`, or a file
 * @throws ModelError for damaged bundled vectors; UsageError, DataError as `readWordVectors`
 */
export async function openWordVectors(word: string): Promise<OpenWordVectors> {
  if (word === 'none') return NONE;
  if (word === 'bundled') return { source: 'bundled', vectors: await loadWordVectors(), notes: [] };
  const path = resolve(word);
  const { vectors, isCut } = await readWordVectors(path);
  const notes = isCut ? [`${path}: only its first ${countText(WORD_VECTOR_LIMITS.words)} rows are read`] : [];
  return { source: { path, sha256: vectors.sha256 }, vectors, notes };
}

const REMEDY = 'put that file back, or name another with --word-vectors (none goes without)';

/** The vectors that a model remembers. @throws ModelError as `openWordVectors`; UsageError, DataError for a file that is gone, or was changed */
export async function rememberedWordVectors(source: WordVectorSource): Promise<WordVectors | null> {
  if (typeof source === 'string') return (await openWordVectors(source)).vectors;
  const { vectors } = await readWordVectors(source.path).catch((error: unknown) => {
    throw new UsageError(`the topic was trained with the word vectors of ${source.path}: ${messageOf(error)}; ${REMEDY}`, { cause: error });
  });
  if (vectors.sha256 === source.sha256) return vectors;
  throw new DataError(`${source.path}: was changed since the topic was trained with its word vectors; ${REMEDY}`);
}

/** The vectors behind a model, for explanations; null if it has none, or if they cannot be read: it judges without them. @param source as its training remembers them */
export async function vectorsBehind(
  { settings }: Pick<LinearTopicModel, 'settings'>,
  source: WordVectorSource | null,
): Promise<WordVectors | null> {
  if (settings.wordVectors === undefined) return null;
  try {
    return await rememberedWordVectors(source ?? 'bundled');
  } catch (error) {
    if (error instanceof CrawlerError) return null;
    throw error;
  }
}
