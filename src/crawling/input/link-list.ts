/** Texts that are lists of links and not pages: a model of one would learn the words of addresses. */
import { bareHost, meantUrl } from '../../base/web/bare-url.ts';

/** A line with more words beside its link is a sentence or an entry of a bibliography. */
const MOST_WORDS = 8;
/** Lists have headings and a line for the columns; pages have links in a few of their lines. */
const LEAST_SHARE = 0.75;
/** Lines of a text that are looked at: the rest of a list is no different. */
const MOST_LINES = 1000;
/** Signs around a link in Markdown, tables, mail and CSV. */
const AROUND = /[\s,;|\t"'<>()[\]{}*`]+/;

/** A link that was found in a line. */
export interface LineLink {
  /** The text as written. */
  readonly text: string;
  /** Has it a scheme? */
  readonly isUrl: boolean;
}

/** The link of a line that is hardly more than one, as in lists and tables; null for other lines. */
export function linkInLine(line: string): LineLink | null {
  const words = line.split(AROUND).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length > MOST_WORDS + 1) return null;
  const url = words.find((word) => /^https?:\/\/\S/i.test(word));
  if (url !== undefined) return { text: url, isUrl: true };
  const host = words.find((word) => (words.length === 1 ? bareHost(word) : meantUrl(word)) !== null);
  return host === undefined ? null : { text: host, isUrl: false };
}

/** The first link of a text that is a list of links, and its line, counted from 1; null for other texts. */
export function listOfLinks(lines: readonly string[]): (LineLink & { readonly line: number }) | null {
  const content = lines
    .map((line, i) => ({ text: line.trim(), line: i + 1 }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .slice(0, MOST_LINES);
  const found = content.flatMap(({ text, line }) => {
    const link = linkInLine(text);
    return link === null ? [] : [{ ...link, line }];
  });
  return found.length < LEAST_SHARE * content.length && !isTable(content.length, found.length) ? null : (found[0] ?? null);
}

/** A list of one or two links below the names of its columns. */
function isTable(lines: number, links: number): boolean {
  return links > 0 && lines === links + 1;
}
