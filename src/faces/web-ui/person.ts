/** The person at a browser: two people on one page have names, questions and an undo of their own. */
import { randomBytes } from 'node:crypto';
import type { Ms } from '../../base/core/types.ts';
import { person } from '../../crawling/settings/kinds.ts';

export interface Person {
  /** Tells browsers apart; empty for a program without cookies. */
  readonly browser: string;
  /** Stored with each answer; null without one. */
  readonly name: string | null;
}

/** Cookie of all pages: a person has the same name in all crawls, and after the next start. */
const NAME_COOKIE = 'forager-name';
/** A label project takes months. */
const NAME_KEPT: Ms = 365 * 24 * 3_600_000;
/** Enough to tell some browsers apart. It lets nobody in. */
const ID_BYTES = 12;
/** No script reads them, and no other site's link or form sends them. */
const GUARDED = 'HttpOnly; SameSite=Strict; Path=/';

/** Cookies of a request by name; of two with one name, the first. */
export function cookiesIn(header = ''): ReadonlyMap<string, string> {
  const pairs = header
    .split(/;\s*/)
    .map((pair) => [pair.slice(0, Math.max(0, pair.indexOf('='))), pair.slice(pair.indexOf('=') + 1)] as const);
  return new Map(pairs.reverse());
}

export function cookie(name: string, value: string): string {
  return `${name}=${value}; ${GUARDED}`;
}

/** Makes an id for a browser that comes for the first time. */
export function newBrowser(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** @param name null removes it */
export function nameCookie(name: string | null): string {
  const age = name === null ? 0 : NAME_KEPT / 1000;
  return `${cookie(NAME_COOKIE, encodeURIComponent(name ?? ''))}; Max-Age=${age}`;
}

/** null without one, and for an invalid one: a browser may send any text. */
export function nameIn(cookies: ReadonlyMap<string, string>): string | null {
  try {
    const name = decodeURIComponent(cookies.get(NAME_COOKIE) ?? '');
    return name === '' ? null : person.read([name], NAME_COOKIE);
  } catch {
    return null;
  }
}
