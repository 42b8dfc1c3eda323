/** Directives that take a value after a colon, so that the colon does not end an agent's name. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * What meta robots contents and X-Robots-Tag values ask of a crawler called `productToken`.
 * Pass each header line as a value of its own: an `agent:` prefix holds to the end of its line, or to the next prefix.
 */
export function robotsDirectives(values: readonly string[], productToken: string): { noindex: boolean; nofollow: boolean } {
  const asked = { noindex: false, nofollow: false };
  const token = productToken.toLowerCase();
  for (const value of values) {
    let forUs = true;
    for (const part of value.toLowerCase().split(',')) {
      const colon = part.indexOf(':');
      const head = colon < 0 ? '' : part.slice(0, colon).trim();
      const prefixed = colon >= 0 && !VALUED.has(head);
      if (prefixed) forUs = head === token || head === '*' || head === 'robots';
      if (forUs) addDirectives(asked, prefixed ? part.slice(colon + 1) : part);
    }
  }
  return asked;
}

/** White space separates directives too: pages write `noindex nofollow`. */
function addDirectives(asked: { noindex: boolean; nofollow: boolean }, part: string): void {
  for (const word of part.split(/\s+/)) {
    if (word === 'noindex' || word === 'none') asked.noindex = true;
    if (word === 'nofollow' || word === 'none') asked.nofollow = true;
  }
}
