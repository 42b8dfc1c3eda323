/** Directives that take a value after a colon, so that the colon does not end an agent's name. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/** The requests of a page to a crawler. `noai`: not to train models with the page. */
export interface RobotsDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noai: boolean;
}

const NO_REQUESTS: RobotsDirectives = { noindex: false, nofollow: false, noai: false };

/** The requests in directives that apply to a crawler, as `directivesFor` gives them. */
export function robotsDirectives(directives: readonly string[]): RobotsDirectives {
  // Most pages.
  if (directives.length === 0) return NO_REQUESTS;
  // White space also separates directives: pages write `noindex nofollow`.
  const words = new Set(directives.flatMap((directive) => directive.split(/\s+/)));
  const none = words.has('none');
  return { noindex: none || words.has('noindex'), nofollow: none || words.has('nofollow'), noai: words.has('noai') };
}

/**
 * The directives that apply to a crawler called `productToken`, lower case, split at commas. Header lines are separate values, or separated by line
 * feeds: an `agent:` prefix applies to the end of its line, or to the next prefix.
 */
export function directivesFor(values: readonly string[], productToken: string): readonly string[] {
  const token = productToken.toLowerCase();
  return values.flatMap((value) => value.toLowerCase().split('\n')).flatMap((line) => directivesOfLine(line, token));
}

function directivesOfLine(line: string, token: string): readonly string[] {
  let forUs = true;
  const found: string[] = [];
  for (const part of line.split(',')) {
    const colon = part.indexOf(':');
    const head = colon < 0 ? '' : part.slice(0, colon).trim();
    const prefixed = colon >= 0 && !VALUED.has(head);
    if (prefixed) forUs = head === token || head === '*' || head === 'robots';
    const directive = (prefixed ? part.slice(colon + 1) : part).trim();
    if (forUs && directive !== '') found.push(directive);
  }
  return found;
}
