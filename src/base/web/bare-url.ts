/** URLs without their scheme, and their likely meaning. */
import { parse } from 'tldts';
import { canonicalize } from './url.ts';

/** `www.example.org/page?x`, `//example.org`, `bücher.example:8080`, `localhost:3000`, `192.0.2.1/a`; also behind a scheme that is written wrong. */
const BARE =
  /^(?:(?:[a-z]{0,6}:\/{0,3}|[a-z]{3,6}\/\/|\/\/)(?=\p{L}|\d))?((?:[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}])?[.。])+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+|\d{1,3})\.?|localhost)(?::\d{1,5})?(?:[/?#]\S*)?$/iu;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Endings of file names that are also domains of countries or companies: a name with one of them, and without a path, is a file. */
const FILES: ReadonlySet<string> = new Set('md py pl sh rs ps ai zip mov cc so app bz gz page pub rip sc st'.split(' '));

/** Endings that private networks use (RFC 2606, RFC 6762, and endings that ICANN never gives out). */
const OWN: ReadonlySet<string> = new Set('example test local internal lan home corp intranet'.split(' '));

/** Schemes that are meant as they are written. Any other one in front of a host is more likely http, written wrong. */
const OTHER_SCHEME = /^(?:ftps?|sftp|gopher|gemini|wss?):\/\//i;

/** Is it a URL of another scheme than http(s)? */
export function hasOtherScheme(word: string): boolean {
  return OTHER_SCHEME.test(word);
}

/** The host of a word that has the form of a URL without its scheme, such as `www.example.org/page`; null for other words, and for URLs. */
export function bareHost(word: string): string | null {
  if (/^https?:\/\//i.test(word)) return null;
  const host = BARE.exec(word)?.[1]?.toLowerCase() ?? null;
  if (host === null || canonicalize(`http://${host}`) === null) return null;
  return /\d\.?$/.test(host) && !IPV4.test(host) ? null : host;
}

/**
 * The URL that a word without a scheme probably means: `https://www.example.org/page`; null if it is more likely something else, such as the name
 * of a file. Its host ends in a public suffix.
 */
export function meantUrl(word: string): string | null {
  const host = bareHost(word);
  if (host === null || (host !== 'localhost' && !IPV4.test(host) && !isDomain(host, word))) return null;
  return `https://${word.slice(word.toLowerCase().indexOf(host))}`;
}

function isDomain(host: string, word: string): boolean {
  const labels = host.replace(/\.$/, '').split(/[.。]/);
  const ending = labels.at(-1) ?? '';
  if (labels.length === 2 && labels[0] !== 'www' && FILES.has(ending) && word.length === host.length) return false;
  const { isIcann, isPrivate } = parse(host, { validateHostname: false, allowPrivateDomains: true });
  return isIcann === true || isPrivate === true || OWN.has(ending);
}

/** `; did you mean https://example.org?` for the end of an error about a word that is no URL; '' if it means none. */
export function meantUrlText(word: string): string {
  const url = meantUrl(word.trim());
  return url === null ? '' : `; did you mean ${url}?`;
}
