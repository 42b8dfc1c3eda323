/** Reservations of rights for text and data mining: the TDM Reservation Protocol (W3C community group, final report of 10 May 2024), and `noai`. */
import type { Bytes, CanonicalUrl, HostKey, Reservation, ReservationRule } from '../core/types.ts';
import { unpacked } from './content-coding.ts';
import { comparablePaths, matchesPath, parsePatterns } from './robots-pattern.ts';
import { canonicalize, MAX_URL_CHARS } from './url.ts';

/** The declaration of one source in the words of the protocol, as written; null or undefined without one. */
export interface TdmStatement {
  readonly reservation: string | null | undefined;
  readonly policy: string | null | undefined;
}

/** Largest file that is read: as for a robots.txt. Known files have a few rules. */
export const MAX_RESERVATIONS_BYTES: Bytes = 500 * 1024;
/** Number of rules read from one file. Each is matched against each kept page of the host. */
const MAX_RULES = 1000;

/**
 * The declaration of a page itself: each value of its metas replaces that of its headers (“Processing priority”). `noai` always reserves.
 * @returns null if the page declares nothing
 */
export function reservationOfPage(meta: TdmStatement, header: TdmStatement, noai: boolean, base: string): Reservation | null {
  const ofMeta = reservedIn(meta.reservation);
  const reserved = ofMeta ?? reservedIn(header.reservation);
  if (reserved === true) {
    const policy = policyOf(meta.policy, base) ?? policyOf(header.policy, base);
    return { reserved, by: ofMeta === null ? 'header' : 'meta', policy };
  }
  if (noai) return { reserved: true, by: 'noai', policy: null };
  return reserved === null ? null : { reserved, by: ofMeta === null ? 'header' : 'meta', policy: null };
}

/**
 * The declaration that applies to a page: the page's own values replace those of its host's file, one by one.
 * @param rule the rule of that file that applies to it
 */
export function reservationWithFile(page: Reservation | null, rule: ReservationRule | null): Reservation | null {
  if (rule === null) return page;
  const policy = rule.reserved ? rule.policy : null;
  if (page === null) return { reserved: rule.reserved, by: 'file', policy };
  return page.reserved && page.policy === null ? { ...page, policy } : page;
}

/** `1` or `0`; other values count as none. Of several values, as when a cache and a server both set a header, a reserving one wins. */
export function reservedIn(written: string | null | undefined): boolean | null {
  if (!written) return null;
  const values = written.split(',', 20).map((value) => value.trim());
  return values.includes('1') ? true : values.includes('0') ? false : null;
}

function policyOf(written: string | null | undefined, base: string): CanonicalUrl | null {
  return written ? canonicalize(written, base) : null;
}

/** The URL of a host's file: a host key plus a path without encoding is a canonical URL. */
export function reservationsUrlOf(host: HostKey): CanonicalUrl {
  return `${host}/.well-known/tdmrep.json` as CanonicalUrl;
}

/** The rules of a `tdmrep.json` at `url`, in order; [] for any other file. Skips invalid parts. Never throws. */
export function parseReservations(body: Uint8Array, url: CanonicalUrl): readonly ReservationRule[] {
  const file = unpacked(body, MAX_RESERVATIONS_BYTES + 1);
  if (file.byteLength > MAX_RESERVATIONS_BYTES) return [];
  const found = listIn(new TextDecoder().decode(file));
  return found.slice(0, MAX_RULES).flatMap((entry) => ruleOf(entry, url) ?? []);
}

function listIn(text: string): readonly unknown[] {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function ruleOf(entry: unknown, url: CanonicalUrl): ReservationRule | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { location, 'tdm-reservation': reservation, 'tdm-policy': policy } = entry as Readonly<Record<string, unknown>>;
  if (typeof location !== 'string' || location === '' || location.length > MAX_URL_CHARS) return null;
  const reserved = typeof reservation === 'number' || typeof reservation === 'string' ? reservedIn(String(reservation)) : null;
  if (reserved === null) return null;
  return { location, reserved, policy: policyOf(typeof policy === 'string' ? policy : null, url) };
}

/** Finds the rule that applies to a URL: the first in the file that matches (“the most specific match is the first in sequence”); null if none does. */
export function ruleFinder(rules: readonly ReservationRule[]): (url: CanonicalUrl) => ReservationRule | null {
  const read = rules.map((rule) => ({ rule, patterns: parsePatterns(rule.location.trim()) }));
  return (url) => {
    const { pathname, search } = new URL(url);
    const paths = comparablePaths(pathname + search);
    const holds = ({ patterns }: (typeof read)[number]) => patterns.some((pattern) => paths.some((path) => matchesPath(pattern, path)));
    return read.find(holds)?.rule ?? null;
  };
}
