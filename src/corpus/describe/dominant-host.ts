/** A host that has most of the pages: figures of the corpus are then mostly figures of that host. */
import { countText } from '../../base/text/number-text.ts';

/** Half of the pages: any figure of them can be that of one host. */
const MOST = 0.5;
/** Pages of which a host rarely has half by chance. */
const LEAST_PAGES = 20;

/** @param hosts number of hosts with pages @returns null without such a host, and for pages of one host alone, which is a choice */
export function dominantHostText(
  top: { readonly host: string; readonly pages: number } | undefined,
  pages: number,
  hosts: number,
): string | null {
  if (top === undefined || hosts < 2 || pages < LEAST_PAGES || top.pages < MOST * pages) return null;
  return `${top.host} has ${countText(top.pages)} of the ${countText(pages)} pages, so figures of all pages are mostly of that host; harvest --per-host 200 takes at most so many pages of each, crawl --max-share-per-host visits at most a share of --max-pages on one`;
}
