/**
 * The only list of filters, in the order in which they decide: a page is omitted for the first reason. Those that judge a page alone come before those that
 * compare pages, so that no page is omitted as a copy of one that is omitted itself. To add one, add a file in `filters/` and a name here.
 */
import { contained } from './filters/contained.ts';
import { exact } from './filters/exact.ts';
import { foreignParagraphs } from './filters/foreign-paragraphs.ts';
import { measuredColumns } from './filters/measured-columns.ts';
import { near } from './filters/near.ts';
import { language } from './filters/page-languages.ts';
import { personal, personalData } from './filters/personal.ts';
import { published } from './filters/published.ts';
import { quality } from './filters/quality.ts';
import { relevance } from './filters/relevance.ts';
import { repeatedParagraphs } from './filters/repeated-paragraphs.ts';
import { rights } from './filters/rights.ts';
import { perHost, sample } from './filters/sample.ts';
import { split } from './filters/split.ts';
import { versions } from './filters/versions.ts';
import { withdrawn } from './filters/withdrawn.ts';
import { withoutUse } from './filters/without-use.ts';
import type { HarvestColumn, HarvestFilter } from './harvest-filter.ts';

export const HARVEST_FILTERS = [
  withdrawn,
  rights,
  withoutUse,
  language,
  published,
  relevance,
  quality,
  personal,
  exact,
  near,
  contained,
  perHost,
  sample,
] as const satisfies readonly HarvestFilter[];

/** Steps after the filters, in this order. They omit no page: they change the text of pages, or add columns. */
export const HARVEST_COLUMNS = [
  versions,
  foreignParagraphs,
  repeatedParagraphs,
  personalData,
  measuredColumns,
  split,
] as const satisfies readonly HarvestColumn[];

/** Reason for the omission of a page. */
export type OmissionReason = (typeof HARVEST_FILTERS)[number]['name'];
