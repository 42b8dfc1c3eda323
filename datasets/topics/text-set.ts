/** A labelled set of texts: one JSON object a line. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, EnvironmentError, messageOf } from '../../src/base/core/errors.ts';

export const SET_NAMES = ['debian-web', 'reuters', 'brown', 'spam', 'manuals', 'agency-news', 'articles-zh', 'titles-zh'] as const;
export type SetName = (typeof SET_NAMES)[number];

/**
 * Characters of a text that are kept, some 3,300 English words: a few pages of the Debian web are whole manuals, and the slowest of the methods
 * compared would spend the run on them. All methods get the same.
 */
export const MAX_TEXT_CHARS = 20_000;

const textSchema = z.strictObject({
  id: z.string(),
  /** What must not stand on both sides of a split, such as a host; null where each text is by itself. */
  group: z.string().nullable(),
  /** Topics the text is on. */
  labels: z.array(z.string()),
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
  /** Where the set comes with a split of its own. */
  side: z.enum(['training', 'test']).nullable(),
  /** ISO 639-1, in a set where each language is a problem of its own: a topic's texts are told from others of their language only. */
  language: z.string().optional(),
});

export type LabelledText = Readonly<z.infer<typeof textSchema>>;

export interface TextSet {
  readonly name: SetName;
  readonly texts: readonly LabelledText[];
}

/** Where a set's file lies. */
export function setFile(dir: string, name: SetName): string {
  return join(dir, `${name}.jsonl`);
}

/** @throws EnvironmentError when the set is not built; DataError naming file and line that cannot be read. */
export function readSet(dir: string, name: SetName): TextSet {
  const file = setFile(dir, name);
  if (!existsSync(file)) throw new EnvironmentError(`${file}: not there; build the sets with npm run data -- topics-build --out ${dir}`);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return { name, texts: lines.map((line, at) => textOf(line, `${file}:${at + 1}`)) };
}

function textOf(line: string, where: string): LabelledText {
  try {
    return textSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new DataError(`${where}: not a text of a set (${messageOf(error).replaceAll(/\s+/g, ' ')}); build the set again`, {
      cause: error,
    });
  }
}

/**
 * The texts as they go into a file: cut to `MAX_TEXT_CHARS`, white space squeezed, those without a letter and those that say the same as one before left out. A text that
 * stood on both sides of a split would be known beforehand.
 */
export function distinctTexts(texts: Iterable<LabelledText>): readonly LabelledText[] {
  const kept = new Map<string, LabelledText>();
  for (const given of texts) {
    const text = given.text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT_CHARS);
    const key = createHash('sha256').update(text.toLowerCase()).digest('base64');
    if (/\p{L}/u.test(text) && !kept.has(key)) kept.set(key, { ...given, title: given.title.replaceAll(/\s+/g, ' ').trim(), text });
  }
  return [...kept.values()];
}
