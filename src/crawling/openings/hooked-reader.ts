import type { PageReader, ReadLink, ReadOutcome } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, FetchedPage, HookedPage } from '../../base/core/types.ts';
import { decodeText } from '../../base/web/charset.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import type { HookLink, HookResult } from './hook-names.ts';
import type { FetchTroubles } from './hooked-fetcher.ts';
import type { Hooks } from './hooks.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;
/** A page after a hook, with the failure of the hook; null without one. */
type Step = { readonly read: Read; readonly trouble: string | null };

const FAILED: ReadOutcome = { kind: 'failed', code: 'hook', detail: 'a hook failed' };

/** Asks `afterRead` about each page that was read, then `onLinks` about its links. */
export class HookedReader implements PageReader {
  readonly markSettled?: (url: CanonicalUrl) => void;
  readonly #reader: PageReader;
  readonly #hooks: Hooks;
  readonly #troubles: FetchTroubles;

  constructor(reader: PageReader, hooks: Hooks, troubles: FetchTroubles) {
    [this.#reader, this.#hooks, this.#troubles] = [reader, hooks, troubles];
    if (reader.markSettled) this.markSettled = (url) => reader.markSettled?.(url);
  }

  async read(page: FetchedPage): Promise<ReadOutcome> {
    const outcome = await this.#reader.read(page);
    if (outcome.kind !== 'read') return outcome;
    const judged = await this.#afterRead(page, outcome);
    if (judged.trouble !== null && this.#hooks.strict) return FAILED;
    const linked = await this.#onLinks(page.url, judged.read);
    if (linked.trouble !== null && this.#hooks.strict) return FAILED;
    return withTroubles(linked.read, [this.#troubles.get(page) ?? null, judged.trouble, linked.trouble]);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #afterRead(page: FetchedPage, read: Read): Promise<Step> {
    if (!this.#hooks.has('afterRead')) return { read, trouble: null };
    const { url } = page;
    const { title, text, lang, metadata, fields } = read.extraction;
    const links = read.links.map(asHookLink);
    const argument = { url, title, text, lang, markup: markupOf(page, read), metadata, fields, links, relevance: read.relevance };
    const reply = await this.#hooks.ask('afterRead', url, argument);
    if (reply.kind === 'failed') return { read, trouble: reply.trouble };
    if (reply.value === null) return { read, trouble: null };
    if (reply.value.relevance === undefined || read.relevances === undefined) return { read: withWord(read, reply.value), trouble: null };
    const detail = 'relevance: has no topic in a crawl of several';
    return { read, trouble: this.#hooks.failed('afterRead', url, { cause: 'rubbish', detail }).trouble };
  }

  async #onLinks(url: CanonicalUrl, read: Read): Promise<Step> {
    if (!this.#hooks.has('onLinks')) return { read, trouble: null };
    const reply = await this.#hooks.ask('onLinks', url, { url, links: read.links.map(asHookLink) });
    if (reply.kind === 'failed') return { read, trouble: reply.trouble };
    if (reply.value === null) return { read, trouble: null };
    const links = linksOf(read.links, reply.value, url);
    if (typeof links !== 'string') return { read: { ...read, links }, trouble: null };
    return { read, trouble: this.#hooks.failed('onLinks', url, { cause: 'rubbish', detail: links }).trouble };
  }
}

/** The page with the word of `afterRead`. */
function withWord(read: Read, { fields, tags, relevance, because, drop }: NonNullable<HookResult<'afterRead'>>): Read {
  const { judgedBy: _, because: __, ...judged } = read.hooked ?? {};
  const hooked: HookedPage = {
    ...(relevance === undefined ? read.hooked : { ...judged, modelRelevance: judged.modelRelevance ?? read.relevance }),
    ...(because !== undefined && { because }),
  };
  return {
    ...read,
    ...(fields && { extraction: { ...read.extraction, fields: { ...read.extraction.fields, ...fields } } }),
    ...(relevance !== undefined && { relevance }),
    ...(Object.keys(hooked).length > 0 && { hooked }),
    ...(drop !== undefined && { dropped: { hook: 'afterRead', word: drop } }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
  };
}

function withTroubles(read: Read, found: readonly (string | null)[]): Read {
  const troubles = found.filter((trouble) => trouble !== null);
  return troubles.length === 0 ? read : { ...read, hooked: { ...read.hooked, troubles: [...(read.hooked?.troubles ?? []), ...troubles] } };
}

function asHookLink({ url, text: { anchorText, context } }: ReadLink): HookLink {
  return { url, anchorText, context };
}

/** The HTML that was read. A document was turned into HTML by the crawl: that is not its markup. */
function markupOf({ body }: FetchedPage, { extraction: { document, charset }, rendering }: Read): string {
  return document === undefined ? decodeText(rendering?.document?.html ?? body, charset, true).text : '';
}

/** The links that a hook returns, each URL once. Its own words count for a URL that the page does not link to. @returns a text for one that is no URL */
function linksOf(found: readonly ReadLink[], given: NonNullable<HookResult<'onLinks'>>, page: CanonicalUrl): readonly ReadLink[] | string {
  const known = new Map(found.map((link) => [link.url, link]));
  const links = new Map<CanonicalUrl, ReadLink>();
  for (const { url: written, anchorText = '', weight } of given) {
    const url = canonicalizeWithRoute(written, page);
    if (url === null) return `${written.slice(0, 100)}: not an http(s) URL`;
    const { text } = known.get(url) ?? addedLink(url, anchorText);
    links.set(url, { url, text: weight === undefined ? text : { ...text, weight } });
  }
  return [...links.values()];
}

/** Longest words of a link, as of one that the crawl finds. */
const MAX_WORDS = 200;

function addedLink(url: CanonicalUrl, words: string): ReadLink {
  const anchorText = words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS);
  const text = { anchorText, context: '', imageAlt: '', zone: 'other', tagPath: '', anchorScore: null, contextScore: null } as const;
  return { url, text };
}
