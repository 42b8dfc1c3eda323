/** The authors and days of a page: as it states them, else by its text, its URL and its header fields, with the source of each. */
import type { CreditSources, EpochMs, PageMetadata } from '../../base/core/types.ts';
import { dateOrder } from '../../base/text/date-order.ts';
import { namesIn } from './author-names.ts';
import type { PageContent } from './blocks.ts';
import { Byline } from './byline.ts';
import type { Credits } from './credits.ts';
import { lastModified } from './last-modified.ts';
import { type Statements, statedDate } from './statements.ts';
import { isBelievable, isToCome } from './times.ts';
import { dateOfUrl } from './url-date.ts';

const MAX_AUTHORS = 20;

type Found<Field extends keyof CreditSources, T = string | null> = readonly [found: T, source: CreditSources[Field]];

export interface CreditedPage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: PageContent;
  readonly lang: string | null;
}

type Credited = { readonly metadata: Pick<PageMetadata, 'authors' | 'published' | 'modified'>; readonly creditSources?: CreditSources };

/** @param now the date: a later day is none of publication */
export function creditsOf({ content, lang, url, headers }: CreditedPage, stated: Statements, credits: Credits, now: EpochMs): Credited {
  const byline = new Byline(content, () => dateOrder(lang, new URL(url).hostname), now);
  // The page of a site itself shows the credits of its newest pages.
  const isHome = /^[^/]*\/\/[^/?]*\/?(?:\?|$)/.test(url);
  const pastDate = (written: string) => {
    const date = statedDate(written);
    return date === null || isToCome(date, now) ? null : date;
  };
  const [authors, authorsBy] = authorsOf(content, stated, credits, () => (isHome ? [] : byline.authors));
  const [shown, shownBy] = firstFound<'published'>(
    () => [stated.first('published', pastDate), null],
    () => [credits.times(now).published, 'time'],
    () => [isHome ? null : byline.days.published, 'text'],
  );
  const [modified, modifiedBy] = firstFound<'modified'>(
    () => [stated.first('modified', pastDate), null],
    () => [credits.times(now).modified, 'time'],
    () => [shown === null ? byline.days.modified : byline.modified, 'text'],
    () => [httpDate(headers, shown, now), 'http'],
  );
  const [published, publishedBy] = firstFound<'published'>(
    () => [shown, shownBy],
    () => [urlDate(url, modified, now), 'url'],
  );
  const sources = { authors: authorsBy, published: publishedBy, modified: modifiedBy };
  return {
    metadata: { authors: [...new Set(authors)].slice(0, MAX_AUTHORS), published, modified },
    ...(Object.values(sources).some((source) => source !== null) && { creditSources: sources }),
  };
}

function httpDate(headers: CreditedPage['headers'], published: string | null, now: EpochMs): string | null {
  const date = lastModified(headers, now);
  return inOrder(published, date) ? date : null;
}

function urlDate(url: string, modified: string | null, now: EpochMs): string | null {
  const date = dateOfUrl(url);
  return date !== null && isBelievable(date, now) && inOrder(date, modified) ? date : null;
}

/** Does the change follow the publication? Yes, if one of them is unknown. */
function inOrder(published: string | null, modified: string | null): boolean {
  if (published === null || modified === null) return true;
  const chars = Math.min(published.length, modified.length, 'YYYY-MM-DD'.length);
  return published.slice(0, chars) <= modified.slice(0, chars);
}

function firstFound<Field extends keyof CreditSources>(...finds: readonly (() => Found<Field>)[]): Found<Field> {
  for (const find of finds) {
    const found = find();
    if (found[0] !== null) return found;
  }
  return [null, null];
}

function authorsOf(
  { links }: PageContent,
  stated: Statements,
  credits: Credits,
  writtenNames: () => readonly string[],
): Found<'authors', readonly string[]> {
  const named = stated.all('authors', namesIn);
  if (named.length > 0) return [named, null];
  const linked = links.some(({ rel }) => rel.includes('author')) ? credits.authors.flatMap(namesIn) : [];
  if (linked.length > 0) return [linked, 'rel'];
  const written = writtenNames();
  return [written, written.length > 0 ? 'text' : null];
}
