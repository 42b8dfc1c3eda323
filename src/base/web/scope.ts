import { RE2JS } from 're2js';
import { messageOf, UsageError } from '../core/errors.ts';
import type { Scope } from '../core/parts.ts';
import type { CanonicalUrl } from '../core/types.ts';
import { meantUrl, meantUrlText } from './bare-url.ts';
import { fileEnding, leadsToMedia } from './media-names.ts';
import { canonicalize, hostKeyOf, hostNameOf } from './url.ts';

const FORMS = 'a rule is host:NAME, domain:NAME, prefix:URL or regex:RE, with not: in front to exclude';

/** Rules of one sign, sorted by form, so that a thousand hosts cost one look-up. */
interface RuleSet {
  /** Host names, and `name:port` if the rule names a port. */
  readonly hosts: Set<string>;
  readonly domains: Set<string>;
  readonly prefixes: string[];
  readonly regexes: RE2JS[];
}

/**
 * A scope without the URLs of images, archives and the like: they are not worth a request.
 * @param read endings of documents that are read as pages, without their dots
 */
export function pagesWithin(scope: Scope, read: ReadonlySet<string> = new Set()): Scope {
  const isRead = (url: string) => read.has(fileEnding(url) ?? '');
  return { refuses: (url) => scope.refuses(url) ?? (leadsToMedia(url) && !isRead(url) ? 'content-type' : null) };
}

/**
 * The scope of `rules`. `host:NAME` (with `:port`, only that port), `domain:NAME` (the name and all below it), `prefix:URL`, `regex:RE` (JavaScript
 * syntax without look-around and back references, matched anywhere in the URL); `not:` in front excludes. Without an including rule, everything is
 * included; an excluding rule wins. O(length of the URL) for each pattern: RE2's automata match them, because JavaScript's own engine may take
 * exponential time.
 * @throws UsageError for a rule of no known form.
 */
export function parseScope(rules: readonly string[]): Scope {
  const include = newRuleSet();
  const exclude = newRuleSet();
  let includes = 0;
  for (const rule of rules) {
    const excluding = rule.startsWith('not:');
    addRule(excluding ? exclude : include, excluding ? rule.slice(4) : rule, rule);
    if (!excluding) includes++;
  }
  const open = includes === 0;
  return { refuses: (url) => ((open || matches(include, url)) && !matches(exclude, url) ? null : 'scope') };
}

function newRuleSet(): RuleSet {
  return { hosts: new Set(), domains: new Set(), prefixes: [], regexes: [] };
}

function addRule(set: RuleSet, plain: string, rule: string): void {
  const colon = plain.indexOf(':');
  const value = plain.slice(colon + 1).trim();
  const form = value === '' ? '' : plain.slice(0, colon).trim();
  if (form === 'host') set.hosts.add(authorityOf(hostUrl(value, rule)));
  else if (form === 'domain') set.domains.add(hostNameOf(hostUrl(value.replace(/^(\*?\.)+/, ''), rule)));
  else if (form === 'prefix') set.prefixes.push(canonicalize(value) ?? refuse(rule, `not an http(s) URL${meantUrlText(value)}`));
  else if (form === 'regex') set.regexes.push(regexOf(value, rule));
  else refuse(rule, `unknown form${meantRule(plain)}`);
}

/** The rule that a host name or a URL probably means. */
function meantRule(plain: string): string {
  if (/^https?:\/\//i.test(plain)) return `; did you mean prefix:${plain}?`;
  const url = meantUrl(plain);
  if (url === null) return '';
  const { host, pathname } = new URL(url);
  return pathname === '/' ? `; did you mean host:${host}?` : `; did you mean prefix:${url}?`;
}

function refuse(rule: string, why: string): never {
  throw new UsageError(`scope rule "${rule}": ${why}; ${FORMS}`);
}

/** A host name in canonical form (lower case, punycode), as the URL of its root. */
function hostUrl(name: string, rule: string): CanonicalUrl {
  const url = canonicalize(`http://${name}/`);
  if (url === null || url.indexOf('/', 8) !== url.length - 1 || /[/?#@\s]/.test(name)) refuse(rule, 'not a host name');
  return url;
}

function authorityOf(url: CanonicalUrl): string {
  return hostKeyOf(url).slice(url.indexOf('//') + 2);
}

/** `(?=`, `(?!`, `(?<=`, `(?<!`, `\1`, `\k<`: not matched by any automaton. Skips escapes in pairs, and whole classes. */
const NOT_REGULAR = /^(?:\\[^1-9k]|\[(?:\\.|[^\]\\])*\]|[^\\([]|\((?!\?<?[=!]))*(?:\\[1-9k]|\(\?<?[=!])/s;

function regexOf(source: string, rule: string): RE2JS {
  if (NOT_REGULAR.test(source))
    refuse(rule, 'look-ahead, look-behind and back references can take for ever on one URL; to exclude URLs, write a rule with not:');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    return refuse(rule, messageOf(error));
  }
}

function matches(set: RuleSet, url: CanonicalUrl): boolean {
  if (set.hosts.size > 0 && (set.hosts.has(hostNameOf(url)) || set.hosts.has(authorityOf(url)))) return true;
  if (set.domains.size > 0 && inDomains(set.domains, hostNameOf(url))) return true;
  return set.prefixes.some((prefix) => url.startsWith(prefix)) || set.regexes.some((regex) => regex.test(url));
}

function inDomains(domains: ReadonlySet<string>, host: string): boolean {
  for (let at = 0; ; ) {
    if (domains.has(host.slice(at))) return true;
    const dot = host.indexOf('.', at);
    if (dot < 0) return false;
    at = dot + 1;
  }
}
