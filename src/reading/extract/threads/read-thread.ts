/** The thread of a page that the parser has just read. */
import { dateOrder } from '../../../base/text/date-order.ts';
import { normaliseLang } from '../../../base/text/language.ts';
import type { PageContent } from '../blocks.ts';
import type { HtmlParser } from '../html-parser.ts';
import { findThread, type Thread } from './thread.ts';
import { mayHaveThread } from './thread-gate.ts';
import { keepThread } from './thread-roles.ts';

export interface ThreadedPage {
  readonly content: PageContent;
  /** null for a page without a thread. */
  readonly thread: Thread | null;
}

/** A page as the parser has read it, and the roles of its blocks. */
export interface ReadPage {
  readonly html: string;
  readonly content: PageContent;
  /** Has the parser noted the places of text? */
  readonly isNoted: boolean;
  readonly roles: Uint8Array;
  readonly rules: Uint8Array | null;
  readonly url: string;
}

/**
 * The thread, whose posts become text if they are most of it: changes the roles, unless all visible text is wanted. Few pages need the places of text
 * for it: those are parsed again.
 */
export function readThread(parser: HtmlParser, page: ReadPage, takesAll = false): ThreadedPage {
  const { html, isNoted, roles, rules, url } = page;
  if (!mayHaveThread(page.content, roles)) return { content: page.content, thread: null };
  const content = isNoted ? page.content : parser.parse(html, true);
  const order = () => dateOrder(normaliseLang(content.lang), new URL(url).hostname);
  const thread = findThread(html, content, parser.spans(), roles, order);
  if (thread !== null && !takesAll) keepThread(thread, content, roles, rules);
  return { content, thread };
}
