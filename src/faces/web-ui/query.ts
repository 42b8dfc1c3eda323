/** Values that several screens read from an address. */

/** Start of a list: a whole number from 0, which is also the answer to anything else. */
export function firstLineIn(query: URLSearchParams): number {
  const given = Number(query.get('from') ?? 0);
  return Number.isSafeInteger(given) && given >= 0 ? given : 0;
}
