/** Results of search engines: JSON objects with `url`, or lines with a URL. */
import * as z from 'zod';

export interface SearchResult {
  readonly url: string;
  readonly title: string;
  /** Words of the page around those of the query; '' without any. */
  readonly snippet: string;
  /** Place of the result, from 1. */
  readonly rank: number;
}

/** Results of a query that are read: five pages of an engine of twenty results a page. */
export const MOST_RESULTS = 100;
/** Characters of a title, and of a snippet. */
const MOST_TITLE = 300;
const MOST_SNIPPET = 2000;

const resultSchema = z.object({
  url: z.string().min(1).max(4096),
  title: z.string().nullish(),
  snippet: z.string().nullish(),
  /** The name of SearXNG. */
  content: z.string().nullish(),
  rank: z.number().int().positive().optional(),
});

/** A result; null for a value without a URL. @param place the rank of a result that has none */
export function resultOf(value: unknown, place: number): SearchResult | null {
  const { success, data } = resultSchema.safeParse(value);
  if (!success) return null;
  const { url, title, snippet, content, rank } = data;
  return {
    url,
    title: (title ?? '').slice(0, MOST_TITLE),
    snippet: (snippet ?? content ?? '').slice(0, MOST_SNIPPET),
    rank: rank ?? place,
  };
}

/** The result in a line: a JSON object, or a URL with a title behind a space or tab; null for other lines. */
export function resultIn(line: string, place: number): SearchResult | null {
  const text = line.trim();
  if (!text.startsWith('{')) {
    const [, url, title = ''] = /^(https?:\/\/\S+)(?:\s+(.*))?$/i.exec(text) ?? [];
    return url === undefined ? null : resultOf({ url, title }, place);
  }
  try {
    return resultOf(JSON.parse(text), place);
  } catch {
    return null;
  }
}
