import { getDomain } from 'tldts';
import type { CanonicalUrl } from '../core/types.ts';
import { hostNameOf } from './url.ts';

// The host comes from a canonical URL, so nothing is left to extract or validate.
const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: true } as const;

/**
 * Public suffix plus one label, by the public suffix list with its private part (so `a.github.io` and `b.github.io` differ). The host itself if there
 * is none: addresses, hosts with one label, and hosts that are a public suffix.
 */
export function registrableDomain(url: CanonicalUrl): string {
  const host = hostNameOf(url);
  return getDomain(host, OPTIONS) ?? host;
}
