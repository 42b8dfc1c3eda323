/** The report of a watch: pages that a crawl found new, changed or gone between two moments. */
import * as z from 'zod';
import type { CanonicalUrl, IsoTime, RecordId } from '../../base/core/types.ts';

/** Kinds of items, in the order of a report. */
export const ITEM_KINDS = ['new', 'changed', 'moved', 'gone', 'noindex', 'back'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

const url = z.custom<CanonicalUrl>((value) => typeof value === 'string' && URL.canParse(value));
const recordId = z.custom<RecordId>((value) => typeof value === 'string');
const time = z.custom<IsoTime>((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));
const count = z.number().int().nonnegative();

const itemSchema = z.strictObject({
  kind: z.enum(ITEM_KINDS),
  url,
  title: z.string(),
  /** Start of the request that saw it first. */
  at: time,
  /** Record of the page before; null for a new page. */
  before: recordId.nullable(),
  /** Record of the page now: of a moved page, that of the target if the crawl kept it with the same text. null for a page that is gone. */
  after: recordId.nullable(),
  /** Is the page on topic now? Absent for one without a record of its own in the period. */
  onTopic: z.boolean().exactOptional(),
  /** Target of the redirect of a moved page. */
  to: url.exactOptional(),
  /** HTTP status of a page that is gone or moved. */
  status: z.number().exactOptional(),
  /** The words that differ, of a changed page: see `wordDiff`. */
  words: z
    .strictObject({
      added: count,
      removed: count,
      /** The first edits; long ones are cut. */
      edits: z.array(z.strictObject({ removed: z.string(), added: z.string() })),
      /** Number of all edits. */
      editCount: count,
    })
    .exactOptional(),
});
export type WatchItem = Readonly<z.infer<typeof itemSchema>>;

const termSchema = z.strictObject({
  term: z.string(),
  /** Pages of the period that have it, and of the corpus before. */
  now: count,
  before: count,
  /** Dunning's log-likelihood ratio. */
  g2: z.number(),
});
export type DriftingTerm = Readonly<z.infer<typeof termSchema>>;

const termsSchema = z.strictObject({
  /** Pages of the period, and pages of the corpus before that were counted. */
  now: count,
  before: count,
  /** Terms that are in a larger share of the pages now, and in a smaller one; the surest first. */
  more: z.array(termSchema),
  less: z.array(termSchema),
});
export type TermDrift = Readonly<z.infer<typeof termsSchema>>;

/** Place in a file of the corpus that only grows: the number of lines before it, and the keys of the last ones, the last one last. */
const placeSchema = z.strictObject({ lines: count, tail: z.array(z.string()) });
export type FilePlace = Readonly<z.infer<typeof placeSchema>>;

export const reportSchema = z.strictObject({
  format: z.literal('forager-watch/1'),
  /** Number of the report; 0 for the state at the start of the watch, which reports nothing. */
  number: count,
  /** Id of the crawl; null for one of Forager 0.1. */
  crawl: z.string().nullable(),
  /** Start of the look. */
  startedAt: time,
  /** The period: from the moment of the report before to that of this one. null for number 0. */
  from: time.nullable(),
  to: time,
  /** Number of pages in the corpus at the end. */
  pages: count,
  /** Ends of the files of the corpus that it covers. */
  covers: z.strictObject({ records: placeSchema, absences: placeSchema }),
  terms: termsSchema,
  items: z.array(itemSchema),
});
export type WatchReport = Readonly<z.infer<typeof reportSchema>>;

/** Number of items of each kind. */
export function itemCounts({ items }: Pick<WatchReport, 'items'>): Readonly<Record<ItemKind, number>> {
  const counts = { new: 0, changed: 0, moved: 0, gone: 0, noindex: 0, back: 0 };
  for (const { kind } of items) counts[kind] += 1;
  return counts;
}
