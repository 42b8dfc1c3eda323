import { getDomain } from 'tldts';
import type { CanonicalUrl } from '../core/types.ts';
import { hostNameOf } from './url.ts';

// The host comes out of a canonical URL, so there is nothing left to extract or to validate.
const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: true } as const;

/**
 * Public suffix plus one label, by the public suffix list with its private part (so `a.github.io` and `b.github.io` differ).
 * The host itself where there is none: addresses, single-label hosts, and hosts that are a public suffix.
 */
export function registrableDomain(url: CanonicalUrl): string {
  const host = hostNameOf(url);
  return getDomain(host, OPTIONS) ?? host;
}
