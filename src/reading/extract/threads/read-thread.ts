/** The thread of a page that the parser has just read. */
import { dateOrder } from '../../../base/text/date-order.ts';
import { normaliseLang } from '../../../base/text/language.ts';
import type { PageContent } from '../blocks.ts';
import type { PageElements } from '../page-elements.ts';
import { findThread, type Thread } from './thread.ts';
import { mayFindThread } from './thread-evidence.ts';
import { mayHaveThread } from './thread-gate.ts';
import { keepThread } from './thread-roles.ts';

/** A page as the parser has read it, with the roles of its blocks. */
export interface ReadPage {
  readonly html: string;
  readonly content: PageContent;
  readonly elements: () => PageElements;
  readonly roles: Uint8Array;
  readonly rules: Uint8Array | null;
  readonly url: string;
}

/** The thread, whose posts become text if they are most of it: changes the roles, unless all visible text is wanted. null for a page without one. */
export function readThread({ html, content, elements, roles, rules, url }: ReadPage, takesAll = false): Thread | null {
  if (!mayHaveThread(content, html, roles)) return null;
  const order = () => dateOrder(normaliseLang(content.lang), new URL(url).hostname);
  const read = elements();
  if (!mayFindThread(read, content)) return null;
  const thread = findThread(read, content, roles, order);
  if (thread !== null && !takesAll) keepThread(thread, content, roles, rules);
  return thread;
}
