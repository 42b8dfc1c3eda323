/** Pages that a browser has rendered: their scripts ran, and every request of theirs was answered by the crawl. */
import type { CorpusEntry } from './parts/keeping.ts';
import type { Bytes, FetchedPage, Ms, RecordId } from './types.ts';

/** The pages that a browser renders. `auto`: those that look empty without scripts, and URLs whose siblings gained by it. */
export const RENDER_CHOICES = ['never', 'auto', 'always'] as const;
export type RenderChoice = (typeof RENDER_CHOICES)[number];

/**
 * Ground for rendering a page. `always`: the user wants all. `shell`: the page looks empty without scripts. `pattern`: pages of its URL pattern
 * gained text or links before. `check`: one of the visits in twenty that test whether pages of the pattern gain.
 */
export const RENDER_GROUNDS = ['always', 'shell', 'pattern', 'check'] as const;
export type RenderGround = (typeof RENDER_GROUNDS)[number];

/**
 * Trouble that ended a rendering. `render-crash`: the browser or its page ended. `render-hung`: scripts let no question through. `render-memory`:
 * the browser grew over its limit. `render-left`: a script led elsewhere. `render-unsettled`: requests or changes of the text did not end in time.
 * After the last two the rendered document counts; after the others the page stands as the server sent it.
 */
export const RENDER_TROUBLES = ['render-crash', 'render-hung', 'render-memory', 'render-left', 'render-unsettled'] as const;
export type RenderTrouble = (typeof RENDER_TROUBLES)[number];

/** Cost of a rendering. */
export interface RenderCost {
  /** Time from the start of the rendering to its document. */
  readonly ms: Ms;
  /** Requests that were sent for it: answers from memory do not count. */
  readonly requests: number;
  /** Bytes of their bodies, as they came over the wire. */
  readonly bytes: Bytes;
}

/** The part of the browser in a visit, as the fate has it. */
export interface RenderedVisit extends RenderCost {
  readonly because: RenderGround;
  /** UTF-16 units of main text without scripts, and with them; the second is null if there is no rendered document. */
  readonly text: readonly [plain: number, rendered: number | null];
  /** Number of outlinks without scripts, and with those of the rendered document; links to settled URLs may be omitted. */
  readonly links: readonly [plain: number, rendered: number | null];
  /** True if the page was judged and kept by its rendered document: it has more text. */
  readonly used: boolean;
  /** Absent if the rendering settled. */
  readonly trouble?: RenderTrouble;
}

/** The rendered document by which a page is judged and kept. */
export interface RenderedDocument {
  /** Serialised document, UTF-8. */
  readonly html: Uint8Array;
  /** The responses that its scripts got, each URL once: fetched for this page, or before it for another. Those of one fetch are one object. */
  readonly resources: readonly FetchedPage[];
}

/** The rendering of a page, on its way from the reader to the settlement. */
export interface Rendering {
  readonly visit: RenderedVisit;
  /** null if the page stands as the server sent it. */
  readonly document: RenderedDocument | null;
  /** The answers about robots.txt of other hosts, for the corpus. */
  readonly answers: readonly Extract<CorpusEntry, { kind: 'robots' }>[];
}

/** Ids of the WARC records of a rendered page, apart from its response. */
export interface RenderingRecords {
  /** The rendered document. */
  readonly document: RecordId;
  /** The responses that its scripts got. Pages share those that came from memory. */
  readonly resources: readonly RecordId[];
}

/** Cost of a rendering alone. */
export function costOf({ ms, requests, bytes }: RenderCost): RenderCost {
  return { ms, requests, bytes };
}

/** A page with the rendered document in place of its body. */
export function withDocument(page: FetchedPage, html: Uint8Array): FetchedPage {
  return { ...page, headers: renderedHeaders(page.headers), body: html, wireBody: html, truncated: false, rendered: true };
}

type Headers = Readonly<Record<string, string>>;

/** The header fields of a response, as they are for its rendered document. Statements about rights, dates and languages stay. */
export function renderedHeaders({ 'content-encoding': _, ...headers }: Headers): Headers {
  return { ...headers, 'content-type': RENDERED_TYPE };
}

/** Type of every rendered document: a browser serialises it as such. */
export const RENDERED_TYPE = 'text/html; charset=utf-8';
