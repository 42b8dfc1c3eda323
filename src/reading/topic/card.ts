import * as z from 'zod';
import { ADVICE_CODES, SEVERITIES } from './advice.ts';
import { UNIT } from './schema.ts';
import { METHOD_NAMES } from './training-method-names.ts';

const count = z.number().int().nonnegative();
const term = z.strictObject({ feature: z.string(), contribution: z.number() });

/** The host of pages with unknown URLs, on a card. */
export const UNKNOWN_HOST = '(unknown)';

/** Describes a model, its training and its quality. Stored as card.json in the folder of the model. */
export const modelCardSchema = z.strictObject({
  name: z.string(),
  /** The subject, in the words of the user. Absent if they gave none. */
  subject: z.string().optional(),
  modelId: z.string(),
  /** ISO 8601. */
  created: z.string(),
  /** Name and version of the program that trained it. */
  software: z.string(),
  /** Versions of program parts that may affect the figures, by name. */
  versions: z.record(z.string(), z.string()),
  /** The training method. */
  method: z.enum(METHOD_NAMES),
  /** The query of a topic of keywords, as `ruleText` writes it. Cards of other topics have none. */
  query: z.string().optional(),
  /** The additional rule, as `ruleText` writes it; null without one. */
  rule: z.string().nullable(),
  /** Way in which the method computes the model. */
  description: z.string(),
  /** The word vectors of the training. Absent without any, and where they are of other languages than the examples. */
  wordVectors: z
    .strictObject({
      /** `bundled`, or the name of a file. */
      name: z.string(),
      /** SHA-256, hex, of words and vectors. */
      sha256: z.string(),
      dimensions: count,
      /** Distinct words of the examples, and how many of them have a vector. */
      exampleWords: z.strictObject({ words: count, covered: count }),
      /** Does the model judge by them? False if labels of the crawl have chosen the form without. */
      used: z.boolean(),
      /** Average precision of held-out pages without and with them; null if it was not measured. */
      averagePrecision: z.strictObject({ without: UNIT, with: UNIT }).nullable(),
      /** The choice by labels of the crawl: average precision of labelled pages, each judged without its host, and the interval of the change; null with fewer than 20 labels. */
      choice: z
        .strictObject({
          pages: count,
          hosts: count,
          without: UNIT,
          with: UNIT,
          change: z.strictObject({ low: z.number(), high: z.number() }),
        })
        .nullable(),
    })
    .optional(),
  /** Method that found the main text in the training pages; pages to be judged are read in the same way. */
  extractor: z.string(),
  counts: z.strictObject({
    examples: count,
    irrelevant: count,
    background: count,
    extraBackground: count,
    /** Number of examples and irrelevant pages whose role a language model guessed; absent for none. */
    guessed: count.optional(),
    /** Number of background pages that were omitted because they look like the examples. */
    backgroundDropped: count,
    duplicates: count,
    empty: count,
  }),
  examplesByHost: z.array(z.strictObject({ host: z.string(), examples: count })),
  /** Figures of held-out pages: examples against irrelevant and bundled background pages. null if nothing could be held out. */
  validation: z.strictObject({
    folds: z.enum(['by-host', 'by-example', 'none']),
    count,
    /**
     * The pages that the examples were compared with: `pages` of the user, given as irrelevant; or the bundled `background`, of other hosts and
     * registers. Neither is a crawl, whose precision labels measure. Absent on cards of Forager 0.1.
     */
    against: z.enum(['pages', 'background']).optional(),
    averagePrecision: UNIT.nullable(),
    rocAuc: UNIT.nullable(),
    /** Also null if the hosts of the examples make it meaningless: see `hostDoubt`. */
    precision: UNIT.nullable(),
    recall: UNIT.nullable(),
    /** Errors of relevance as the probability to be on topic, if half of all pages were on topic. */
    brier: UNIT.nullable(),
    calibrationError: UNIT.nullable(),
    /** Thresholds of relevance, from strict to lenient. */
    curve: z.array(z.strictObject({ threshold: UNIT, precision: UNIT, recall: UNIT })),
    /** Average precision with fewer examples. Empty if it was not measured. */
    learningCurve: z.array(z.strictObject({ examples: count, averagePrecision: UNIT })),
    /**
     * Held-out examples against the unlabelled pages of the training, each judged without itself; null without such pages. `onTopic`: number of
     * unlabelled pages at or above the threshold, by the model. Wanted pages among them count as errors, so average precision is at least this.
     */
    unlabelled: z.strictObject({ pages: count, onTopic: count, averagePrecision: UNIT }).nullable().default(null),
  }),
  threshold: UNIT,
  thresholdRule: z.string(),
  /** Mean contribution to the logit over the examples. */
  termsFor: z.array(term),
  /** Mean contribution to the logit over irrelevant and extra background pages; over the examples if there are none. */
  termsAgainst: z.array(term),
  backend: z.string(),
  seed: z.number(),
  /** SHA-256, hex, of all used training pages in order, except those of the bundled background. */
  dataSha256: z.string(),
  /** The parts of the input that were omitted, and why. */
  warnings: z.array(z.string()),
  advice: z.array(z.strictObject({ code: z.enum(ADVICE_CODES), severity: z.enum(SEVERITIES), message: z.string(), remedy: z.string() })),
});

export type ModelCard = z.infer<typeof modelCardSchema>;

/** A stored card: in Forager 0.1, `rung` was the training method, and `method` its description. */
export const storedCardSchema = z.preprocess((card) => {
  if (typeof card !== 'object' || card === null || !('rung' in card)) return card;
  const { rung, method, ...others } = card as Record<string, unknown>;
  return { ...others, method: rung, description: method };
}, modelCardSchema);
