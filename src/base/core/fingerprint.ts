/** Two 32-bit halves of one fingerprint. */
export interface Fingerprint {
  hi: number;
  lo: number;
}

/**
 * 64-bit fingerprint of a URL: cyrb53's two multiply–xorshift lanes (bryc, public domain), both kept whole.
 * Of 10^7 URLs two share one with probability about 3·10^-6 (birthday bound). O(length).
 * @param into is overwritten and returned, so that the hot path allocates nothing.
 */
export function fingerprint(url: string, into: Fingerprint): Fingerprint {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  into.hi = h2 >>> 0;
  into.lo = h1 >>> 0;
  return into;
}
