/** Reasons for a URL's end or wait: the form in which they are written, and the reading of a stored one. */
import type { DocumentKindName } from './document-kind-names.ts';
import {
  type CanonicalUrl,
  type FailureCode,
  type HookWord,
  type ListKind,
  PAGE_WALLS,
  type PageWall,
  type RefusalReason,
  type RobotsTrouble,
} from './types.ts';

/** A word if that says everything; '' if the state does. */
export type Reason =
  | ''
  | RefusalReason
  | FailureCode
  | typeof EXCLUDED
  | typeof UNWANTED
  | { readonly kind: 'redirect'; readonly to: CanonicalUrl }
  /** Kept page of which this one is an alternate: it is kept with that page. */
  | { readonly kind: 'alternate'; readonly of: CanonicalUrl }
  /** URL of another page, which is kept and has the same payload. */
  | { readonly kind: 'copy'; readonly of: CanonicalUrl }
  | { readonly kind: 'robots-unreachable'; readonly cause: RobotsTrouble }
  /** A URL list with so many URLs was read. */
  | { readonly kind: 'list'; readonly list: ListKind; readonly links: number }
  | { readonly kind: 'reservations'; readonly rules: number }
  /** A document of a kind that the crawl does not read. */
  | { readonly kind: 'content-type'; readonly document: DocumentKindName }
  /** A document without text, of so many pages. */
  | { readonly kind: 'no-text'; readonly pages: number }
  /** The word of a hook of the user. */
  | ({ readonly kind: 'hook' } & HookWord);

/** The page would be on topic without the NOT of a rule. */
export const EXCLUDED = 'excluded-by-not';
/** The page would be on topic, but a person wants none of its subtopic. */
export const UNWANTED = 'unwanted-subtopic';

const REDIRECT = 'redirect:';
const COPY = 'payload of ';
const ALTERNATE = 'alternate:';
const UNREACHABLE = 'robots-unreachable:';
const OTHER_TYPE = 'content-type:';
const HOOK = 'hook:';
const COUNTED = /^(sitemap|feed|reservations|no-text):(\d+)$/;

/** The text in ledgers, events and the frontier's database. */
export function reasonText(reason: Reason): string {
  if (typeof reason === 'string') return reason;
  switch (reason.kind) {
    case 'redirect':
      return REDIRECT + reason.to;
    case 'copy':
      return COPY + reason.of;
    case 'alternate':
      return ALTERNATE + reason.of;
    case 'robots-unreachable':
      return UNREACHABLE + reason.cause;
    case 'list':
      return `${reason.list}:${reason.links}`;
    case 'reservations':
      return `reservations:${reason.rules}`;
    case 'content-type':
      return OTHER_TYPE + reason.document;
    case 'no-text':
      return `no-text:${reason.pages}`;
    case 'hook':
      return `${HOOK}${reason.hook}:${reason.word}`;
  }
}

/** Parses the output of `reasonText`, of this version or an earlier one. Only for the store. */
export function storedReason(text: string): Reason {
  if (text.startsWith(REDIRECT)) return { kind: 'redirect', to: text.slice(REDIRECT.length) as CanonicalUrl };
  if (text.startsWith(COPY)) return { kind: 'copy', of: text.slice(COPY.length) as CanonicalUrl };
  if (text.startsWith(ALTERNATE)) return { kind: 'alternate', of: text.slice(ALTERNATE.length) as CanonicalUrl };
  if (text.startsWith(UNREACHABLE)) return { kind: 'robots-unreachable', cause: text.slice(UNREACHABLE.length) as RobotsTrouble };
  if (text.startsWith(OTHER_TYPE)) return { kind: 'content-type', document: text.slice(OTHER_TYPE.length) as DocumentKindName };
  if (text.startsWith(HOOK)) return hookReason(text.slice(HOOK.length));
  const [, kind, count] = text.includes(':') ? (COUNTED.exec(text) ?? []) : [];
  if (kind === 'reservations') return { kind, rules: Number(count) };
  if (kind === 'no-text') return { kind, pages: Number(count) };
  return kind === undefined ? (text as Reason) : { kind: 'list', list: kind as ListKind, links: Number(count) };
}

function hookReason(text: string): Reason {
  const at = text.indexOf(':');
  return { kind: 'hook', hook: text.slice(0, at), word: text.slice(at + 1) };
}

/** Is there a wall in place of the page? */
export function isWall(reason: unknown): reason is PageWall {
  return PAGE_WALLS.some((wall) => wall === reason);
}

/** Was the page read and on topic, and is it not kept: since it asks not to be, or since an earlier corpus has it? */
export function isReadRefusal(reason: unknown): boolean {
  return reason === 'noindex' || reason === 'unchanged';
}

/** The kind of a reason, without its details. */
export function wordOf(reason: Reason): string {
  return typeof reason === 'string' ? reason : reason.kind;
}

/** Target of a URL's redirect; null for a URL that does not redirect. */
export function redirectIn(reason: Reason): CanonicalUrl | null {
  return typeof reason === 'object' && reason.kind === 'redirect' ? reason.to : null;
}
