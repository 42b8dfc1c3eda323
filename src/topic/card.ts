import { z } from 'zod';
import { UNSTATED_EXTRACTOR } from './model.ts';
import { UNIT } from './schema.ts';

const count = z.number().int().nonnegative();
const term = z.strictObject({ feature: z.string(), contribution: z.number() });

/** What a model is, how it was made and how good it is. Stored as card.json beside it. */
export const modelCardSchema = z.strictObject({
  name: z.string(),
  modelId: z.string(),
  /** ISO 8601. */
  created: z.string(),
  /** Name and version of the program that trained it. */
  software: z.string(),
  /** From good examples and the bundled background alone, or with examples of what is not wanted. */
  mode: z.enum(['positives-only', 'supervised']),
  method: z.string(),
  /** How main text was found in the training pages, and is to be found in pages to be judged. Cards of Forager 0.1 have none. */
  extractor: z.string().default(UNSTATED_EXTRACTOR),
  counts: z.strictObject({
    examples: count,
    irrelevant: count,
    background: count,
    extraBackground: count,
    /** Background pages left out because they look like the examples. */
    backgroundDropped: count,
    duplicates: count,
    empty: count,
  }),
  examplesByHost: z.array(z.strictObject({ host: z.string(), examples: count })),
  /** Of held-out pages: examples against irrelevant and bundled background pages. null where nothing could be held out. */
  validation: z.strictObject({
    folds: z.enum(['by-host', 'by-example', 'none']),
    count,
    averagePrecision: UNIT.nullable(),
    rocAuc: UNIT.nullable(),
    precision: UNIT.nullable(),
    recall: UNIT.nullable(),
  }),
  threshold: UNIT,
  thresholdRule: z.string(),
  /** Mean contribution to the logit over the examples. */
  termsFor: z.array(term),
  /** Mean contribution to the logit over irrelevant and extra background pages; over the examples where there are none. */
  termsAgainst: z.array(term),
  backend: z.string(),
  seed: z.number(),
  /** SHA-256, hex, of all training pages given, in order. */
  dataSha256: z.string(),
  warnings: z.array(z.string()),
});

export type ModelCard = z.infer<typeof modelCardSchema>;
