/** The links of pages and lists get their scores by a strategy of the user where they are read: a strategy that hangs does not hold the crawl's own thread. */
import type { ListOutcome, ListSource, PageReader, ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, FetchedPage, ListKind, Referrer } from '../../base/core/types.ts';
import { LIST_RELEVANCE } from '../crawl/lists.ts';
import { referrerOf } from '../crawl/page-records.ts';
import type { OwnStrategy } from './own-strategy.ts';

type Known = Pick<Parts, 'frontier' | 'topic'>;

/** Asks the strategy about the links of each page that was read, except those to URLs that are settled. */
export class ScoredReader implements PageReader {
  readonly markSettled?: (url: CanonicalUrl) => void;
  readonly #reader: PageReader;
  readonly #strategy: OwnStrategy;
  readonly #known: Known;

  constructor(reader: PageReader, strategy: OwnStrategy, known: Known) {
    [this.#reader, this.#strategy, this.#known] = [reader, strategy, known];
    if (reader.markSettled) this.markSettled = (url) => reader.markSettled?.(url);
  }

  async read(page: FetchedPage): Promise<ReadOutcome> {
    const outcome = await this.#reader.read(page);
    if (outcome.kind !== 'read' || outcome.extraction.nofollow) return outcome;
    const { relevance, extraction } = outcome;
    const { title } = extraction;
    const { links, troubles } = await scoredLinks(this.#strategy, this.#known, { url: page.url, title, relevance }, outcome.links);
    if (troubles.length === 0) return { ...outcome, links };
    return { ...outcome, links, hooked: { ...outcome.hooked, troubles: [...(outcome.hooked?.troubles ?? []), ...troubles] } };
  }

  async close(): Promise<void> {
    await this.#strategy.close();
    await this.#reader.close();
  }
}

/** Lists whose links are scored. A list has the relevance that the crawl gives lists. */
export function scoredLists(lists: ListSource, strategy: OwnStrategy, known: Known): ListSource {
  return {
    ...lists,
    read: async (page: FetchedPage, kind: ListKind): Promise<ListOutcome> => {
      const outcome = await lists.read(page, kind);
      if (outcome.kind !== 'list') return outcome;
      const { links } = await scoredLinks(strategy, known, { url: page.url, title: '', relevance: LIST_RELEVANCE }, outcome.links);
      return { ...outcome, links };
    },
  };
}

/** Links that nobody wants any more keep their place, and need no score. */
async function scoredLinks(
  strategy: OwnStrategy,
  { frontier, topic }: Known,
  page: Pick<Referrer, 'url' | 'title' | 'relevance'>,
  links: readonly ReadLink[],
): Promise<{ readonly links: readonly ReadLink[]; readonly troubles: readonly string[] }> {
  const { depth = 0, offTopicDepth = 0 } = frontier.find(page.url)?.entry ?? {};
  const referrer = referrerOf({ url: page.url, depth, offTopicDepth }, page.title, page.relevance, page.relevance >= topic.threshold);
  const wanted = links.filter(({ url }) => frontier.wants(url));
  if (wanted.length === 0) return { links, troubles: [] };
  const scored = await strategy.scored(referrer, wanted);
  const byUrl = new Map(scored.links.map((link) => [link.url, link]));
  return { links: links.map((link) => byUrl.get(link.url) ?? link), troubles: scored.troubles };
}
