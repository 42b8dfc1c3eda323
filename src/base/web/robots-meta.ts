const EXPIRY = 'unavailable_after';
/** Directives that take a value after a colon, so that the colon does not end an agent's name. */
const VALUED = new Set([EXPIRY, 'max-snippet', 'max-image-preview', 'max-video-preview']);
/** Directives that nobody has listed take numbers: `max-pages: 5`, `revisit-after: 7 days`. No directive behind an agent's name starts so. */
const NUMBER = /^\s*[-+]?\d/;
/** A date continues behind a comma: `Sat, 01 Jan 2022`, `Saturday, 01-Jan-22`, `Jan 1, 2022`. No directive starts with a digit. */
const REST_OF_DATE = /^\s*(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d)/;

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
  for (const part of partsOf(line)) {
    const colon = part.indexOf(':');
    const head = colon < 0 ? '' : part.slice(0, colon).trim();
    const prefixed = colon >= 0 && !VALUED.has(head) && !NUMBER.test(part.slice(colon + 1));
    if (prefixed) forUs = head === token || head === '*' || head === 'robots';
    const directive = (prefixed ? part.slice(colon + 1) : part).trim();
    if (forUs && directive !== '') found.push(directive);
  }
  return found;
}

/** The parts between commas; the commas of a date are part of it. */
function partsOf(line: string): readonly string[] {
  const parts: string[] = [];
  for (const part of line.split(',')) {
    const last = parts.at(-1);
    if (last?.includes(EXPIRY) && REST_OF_DATE.test(part)) parts[parts.length - 1] = `${last},${part}`;
    else parts.push(part);
  }
  return parts;
}
