import type { HarvestedPage } from './harvested-page.ts';

/** Functions for the two kinds of strings of a page that may have personal data. */
export interface StringChange {
  readonly text: (text: string) => string;
  readonly url: (url: string) => string;
}

/** Columns and members whose strings are names, codes, dates and numbers of things: they stay. `url` is the name of the page in all files. */
const KEPT: ReadonlySet<string> = new Set([
  ...['id', 'url', 'fetchedAt', 'lang', 'langTag', 'modelId', 'payloadSha256', 'textSource', 'corpus', 'split', 'certificate', 'rendering'],
  ...['topics', 'reservation', 'creditSources', 'quality', 'repeated', 'foreign', 'personal', 'personalRanges'],
]);
const KEPT_MEMBERS: ReadonlySet<string> = new Set([
  ...['published', 'modified', 'robots', 'lang', 'sku', 'gtin', 'mpn', 'currency', 'availability', 'condition', 'sources'],
  ...['protocol', 'from', 'path', 'fetchedAt', 'uses', 'kind', 'language', 'pageOffsets', 'method'],
]);
const URLS: ReadonlySet<string> = new Set(['referrer', 'canonical', 'licences', 'url', 'endpoints']);

/** A page with each string changed in which it may have personal data. A new column is among them unless a list here names it. */
export function withStrings(page: HarvestedPage, change: StringChange): HarvestedPage {
  const columns = Object.entries(page).map(([name, value]) => {
    if (KEPT.has(name)) return [name, value];
    return [name, changed(value, URLS.has(name) ? change.url : change.text, change, name === 'fields')];
  });
  return Object.fromEntries(columns) as HarvestedPage;
}

/** @param areOwnNames are the names of members those of the user? Then all values are texts. */
function changed(value: unknown, onString: (text: string) => string, change: StringChange, areOwnNames: boolean): unknown {
  if (typeof value === 'string') return onString(value);
  if (Array.isArray(value)) return value.map((one) => changed(one, onString, change, areOwnNames));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => {
    if (areOwnNames) return [name, changed(one, change.text, change, true)];
    if (KEPT_MEMBERS.has(name)) return [name, one];
    return [name, changed(one, URLS.has(name) ? change.url : change.text, change, false)];
  });
  return Object.fromEntries(members);
}
