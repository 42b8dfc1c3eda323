/** `results.json` of `forager eval`, as it is read back: it may come from another version, or from elsewhere. */
import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import type { FinalState } from './final-states.ts';
import type { Evaluation } from './report.ts';

/** Fifteen strategies on ten seeds take 300 KB. */
const MAX_RESULTS: Bytes = 64 * 1024 * 1024;
/** More points than any curve has. */
const MAX_POINTS = 10_000;

const count = z.number().int().nonnegative();
const unit = z.number().min(0).max(1);
const points = z.array(unit).max(MAX_POINTS);
const urlSchema = z.custom<CanonicalUrl>((value) => typeof value === 'string' && URL.canParse(value));

const ends: Readonly<Record<FinalState, typeof count>> = {
  kept: count,
  judgedOff: count,
  refused: count,
  failed: count,
  parked: count,
  waiting: count,
  undiscovered: count,
  unreachable: count,
};

const resultSchema = z.object({
  topic: z.string(),
  seed: z.number(),
  strategy: z.string(),
  measures: z.object({ recallAuc: unit, recall: points, harvestRate: points }),
  curve: points,
  budget: z.number().positive(),
  total: count,
  found: count,
  kept: count,
  keptOnTopic: count,
  visits: count,
  tunnelled: count,
  orderSha256: z.string(),
  answers: count,
  whereabouts: z.object({ ...ends, onTopic: count, refusals: z.record(z.string(), count) }).nullable(),
});

const evaluationSchema = z.object({
  software: z.string(),
  web: z.object({ path: z.string(), urls: count, pages: count }),
  guide: z.object({ name: z.string(), id: z.string(), threshold: unit, pages: z.enum(['model', 'labels']) }),
  judge: z.object({ name: z.string(), isGuide: z.boolean(), onTopic: count }),
  strategies: z.array(z.string()),
  tunnel: z.number(),
  starts: z.array(z.object({ seed: z.number(), urls: z.array(urlSchema) })),
  startsGiven: z.boolean(),
  notes: z.array(z.string()),
  results: z.array(resultSchema),
});

/** @throws Error for a file that cannot be read, is too large, or is not an evaluation of this version */
export function evaluationIn(path: string): Evaluation {
  const { size } = statSync(path);
  if (size > MAX_RESULTS) throw new Error(`it has ${size} bytes, and an evaluation has at most ${MAX_RESULTS}`);
  const parsed = evaluationSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') || 'its content'}: ${issue?.message ?? 'not understood'}`);
  }
  return parsed.data;
}
