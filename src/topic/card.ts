import { z } from 'zod';
import { ADVICE_CODES, SEVERITIES } from './advice.ts';
import { UNIT } from './schema.ts';
import { METHOD_NAMES } from './training-methods.ts';

const count = z.number().int().nonnegative();
const term = z.strictObject({ feature: z.string(), contribution: z.number() });

/** How a card calls the host of pages whose URL is not known. */
export const UNKNOWN_HOST = '(unknown)';

/** What a model is, how it was made and how good it is. Stored as card.json beside it. */
export const modelCardSchema = z.strictObject({
  name: z.string(),
  modelId: z.string(),
  /** ISO 8601. */
  created: z.string(),
  /** Name and version of the program that trained it. */
  software: z.string(),
  /** Program parts the figures may hang on, by name. */
  versions: z.record(z.string(), z.string()),
  /** The training method. */
  method: z.enum(METHOD_NAMES),
  /** Of a topic of keywords the query, as `ruleText` writes it. Cards of other topics have none. */
  query: z.string().optional(),
  /** The rule that was asked for besides, as `ruleText` writes it; null without. */
  rule: z.string().nullable(),
  /** How the method computes the model. */
  description: z.string(),
  /** How main text was found in the training pages, and is to be found in pages to be judged. */
  extractor: z.string(),
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
    /**
     * What the figures tell the examples from: `pages` of the user's, given as irrelevant; or the bundled `background`, of other hosts and registers. Neither is a
     * crawl: its precision is measured by labels. Cards of Forager 0.1 do not say.
     */
    against: z.enum(['pages', 'background']).optional(),
    averagePrecision: UNIT.nullable(),
    rocAuc: UNIT.nullable(),
    /** null also where the hosts of the examples make it meaningless: see `hostDoubt`. */
    precision: UNIT.nullable(),
    recall: UNIT.nullable(),
    /** Of relevance as the chance to be on topic, were half of all pages on topic. */
    brier: UNIT.nullable(),
    calibrationError: UNIT.nullable(),
    /** From strict to lenient; thresholds of relevance. */
    curve: z.array(z.strictObject({ threshold: UNIT, precision: UNIT, recall: UNIT })),
    /** Average precision with fewer examples. Empty when it was not measured. */
    learningCurve: z.array(z.strictObject({ examples: count, averagePrecision: UNIT })),
  }),
  threshold: UNIT,
  thresholdRule: z.string(),
  /** Mean contribution to the logit over the examples. */
  termsFor: z.array(term),
  /** Mean contribution to the logit over irrelevant and extra background pages; over the examples where there are none. */
  termsAgainst: z.array(term),
  backend: z.string(),
  seed: z.number(),
  /** SHA-256, hex, of all training pages used but those of the bundled background, in order. */
  dataSha256: z.string(),
  /** What was left out of what was given, and why. */
  warnings: z.array(z.string()),
  advice: z.array(z.strictObject({ code: z.enum(ADVICE_CODES), severity: z.enum(SEVERITIES), message: z.string(), remedy: z.string() })),
});

export type ModelCard = z.infer<typeof modelCardSchema>;

/** A card as a file has it: in Forager 0.1, `rung` was the training method, and `method` its description. */
export const storedCardSchema = z.preprocess((card) => {
  if (typeof card !== 'object' || card === null || !('rung' in card)) return card;
  const { rung, method, ...others } = card as Record<string, unknown>;
  return { ...others, method: rung, description: method };
}, modelCardSchema);
