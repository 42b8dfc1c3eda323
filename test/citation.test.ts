/** CITATION.cff: valid by the fields of its format, and of this version. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

/** The part of the schema of version 1.2.0 that we use; no other fields. */
const CITATION = z.strictObject({
  'cff-version': z.literal('1.2.0'),
  message: z.string().min(1),
  type: z.enum(['software', 'dataset']),
  title: z.string().min(1),
  abstract: z.string().min(1),
  version: z.string(),
  license: z.string(),
  authors: z.array(z.strictObject({ name: z.string().min(1) })).min(1),
  keywords: z.array(z.string().min(1)).min(1),
});

test('version, licence and abstract are those of package.json', () => {
  const { version, license, description } = JSON.parse(read('package.json')) as Record<string, string>;
  const cited = CITATION.parse(parse(read('CITATION.cff')));
  expect(cited).toMatchObject({ title: 'Forager', version, license, abstract: description });
});
