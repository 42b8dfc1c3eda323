/** Labelled sets of files at hand, which neither npm nor Debian has: `{"label", "title", "text"}`, a line each, gzipped. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { DataError, EnvironmentError, messageOf } from '../../src/base/core/errors.ts';
import type { LabelledText, SetName } from './text-set.ts';

/** `chars`: characters of a text that are kept, for a set of texts as short as titles. */
export const GIVEN_SETS = {
  'agency-news': { file: 'news-agencies-en.jsonl.gz', chars: null },
  'articles-zh': { file: 'articles-zh.jsonl.gz', chars: null },
  'titles-zh': { file: 'articles-zh.jsonl.gz', chars: 20 },
} as const satisfies Partial<Record<SetName, { readonly file: string; readonly chars: number | null }>>;
export type GivenSetName = keyof typeof GIVEN_SETS;

const lineSchema = z.object({ label: z.string(), title: z.string(), text: z.string() });

export function isGivenSet(name: SetName): name is GivenSetName {
  return Object.hasOwn(GIVEN_SETS, name);
}

/** @throws EnvironmentError if there is no folder, or if it does not have the file; DataError for a line that is no text */
export function givenTexts(name: GivenSetName, dir: string | null): readonly LabelledText[] {
  const { file, chars } = GIVEN_SETS[name];
  const path = dir === null ? null : join(dir, file);
  if (path === null || !existsSync(path)) throw new EnvironmentError(`${file} is in no package: give its folder with --texts DIR`);
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line, at): LabelledText => {
    const { label, title, text } = lineOf(line, `${path}:${at + 1}`);
    const kept = chars === null ? { title, text } : { title: '', text: text.slice(0, chars) };
    return { ...kept, id: `${name}-${at + 1}`, group: null, labels: [label], url: null, side: null };
  });
}

function lineOf(line: string, where: string): z.infer<typeof lineSchema> {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new DataError(`${where}: not a text with label and title (${messageOf(error).replaceAll(/\s+/g, ' ')})`, { cause: error });
  }
}
