/** The thread of a page that the parser has just read. */
import { dateOrder } from '../../../base/text/date-order.ts';
import { normaliseLang } from '../../../base/text/language.ts';
import type { PageContent } from '../blocks.ts';
import type { HtmlParser } from '../html-parser.ts';
import { findThread, type Thread } from './thread.ts';
import { mayHaveThread } from './thread-gate.ts';
import { keepThread } from './thread-roles.ts';

/** A page as the parser has read it, with notes of the places of text, and the roles of its blocks. */
export interface ReadPage {
  readonly html: string;
  readonly content: PageContent;
  readonly roles: Uint8Array;
  readonly rules: Uint8Array | null;
  readonly url: string;
}

/** The thread, whose posts become text if they are most of it: changes the roles, unless all visible text is wanted. null for a page without one. */
export function readThread(parser: HtmlParser, { html, content, roles, rules, url }: ReadPage, takesAll = false): Thread | null {
  if (!mayHaveThread(content, html, roles)) return null;
  const order = () => dateOrder(normaliseLang(content.lang), new URL(url).hostname);
  const thread = findThread(html, content, parser.spans(), roles, order);
  if (thread !== null && !takesAll) keepThread(thread, content, roles, rules);
  return thread;
}
