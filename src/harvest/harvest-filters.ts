/**
 * The only list of filters, in the order in which they decide: a page is omitted for the first reason. Those that judge a page alone come before those that
 * compare pages, so that no page is omitted as a copy of one that is omitted itself. To add one, add a file in `filters/` and a name here.
 */
import { exact } from './filters/exact.ts';
import { language } from './filters/page-languages.ts';
import { relevance } from './filters/relevance.ts';
import { rights } from './filters/rights.ts';
import type { HarvestFilter } from './harvest-filter.ts';

export const HARVEST_FILTERS = [rights, language, relevance, exact] as const satisfies readonly HarvestFilter[];

/** Why a page is omitted. */
export type LeftOutReason = (typeof HARVEST_FILTERS)[number]['name'];
