/** robots.txt by RFC 9309. */
import type { CanonicalUrl, Ms, WrittenStatement } from '../core/types.ts';
import { comparablePaths, matchesPath, type PathPattern, parsePatterns } from './robots-pattern.ts';
import { NO_STATEMENTS, type StatementFinder, type StatementKey, type StatementLine, statementFinder } from './robots-statements.ts';

export interface RobotsRules {
  /** May this absolute URL (or path with query) be fetched? `/robots.txt` always may (§2.2.2). */
  allows(url: CanonicalUrl | string): boolean;
  /** The longest Crawl-delay of the matching groups; null without one. Not part of the RFC. */
  readonly crawlDelay: Ms | null;
  /** `Sitemap:` values as written, distinct, in order. They apply to every group (sitemaps.org). */
  readonly sitemaps: readonly string[];
  /** Statements about the use of the page at an absolute URL. A page that may not be fetched has none. */
  statements(url: CanonicalUrl | string): readonly WrittenStatement[];
}

export const ALLOW_ALL: RobotsRules = { allows: () => true, crawlDelay: null, sitemaps: [], statements: NO_STATEMENTS };
/** Rules for hosts whose robots.txt cannot be reached (§2.3.1.4). */
export const DENY_ALL: RobotsRules = {
  allows: (url) => isRobotsTxt(targetOf(url)),
  crawlDelay: null,
  sitemaps: [],
  statements: NO_STATEMENTS,
};

/** The least that a crawler must read (§2.5), and the limit here. */
const MAX_BYTES = 500 * 1024;

interface Rule {
  readonly allow: boolean;
  readonly pattern: PathPattern;
}

/** The rules collected for one agent: our product token, or `*`. */
interface Gathered {
  named: boolean;
  rules: Rule[];
  statements: StatementLine[];
  crawlDelay: Ms | null;
}

type Agent = 'ours' | 'any' | 'other';
type RuleKey = 'allow' | 'disallow' | 'crawl-delay' | StatementKey;
type Key = 'user-agent' | 'sitemap' | RuleKey;

/** Spellings outside the RFC that Google's parser also reads; a site that writes them means them. */
const KEYS: ReadonlyMap<string, Key> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['content-usage', 'content-usage'],
  ['content-signal', 'content-signal'],
  ['license', 'license'],
] as const);

/**
 * The rules that apply to a crawler called `productToken` (matched without regard to case, §2.2.1). Groups of the same agent are merged; the `*`
 * groups count only if no group names us. Reads 500 KiB and skips lines that are not rules. Never throws.
 */
export function parseRobots(body: Uint8Array | string, productToken: string): RobotsRules {
  const ours: Gathered = { named: false, rules: [], statements: [], crawlDelay: null };
  const any: Gathered = { named: false, rules: [], statements: [], crawlDelay: null };
  const sitemaps = new Set<string>();
  const ofAll: StatementLine[] = [];
  const token = productToken.toLowerCase();
  const lists: AgentLists = { rules: new AgentList(), statements: new AgentList(), delays: new AgentList() };
  let grouped = false;
  for (const [key, value] of records(textOf(body))) {
    if (key === 'sitemap') {
      if (value !== '') sitemaps.add(value);
    } else if (key === 'license') {
      ofAll.push({ key, value, ungrouped: false });
    } else if (key === 'user-agent') {
      grouped = true;
      const agent = agentOf(value, token);
      for (const list of Object.values(lists)) list.add(agent);
      if (agent === 'ours') ours.named = true;
    } else {
      const named = closedBy(key, lists);
      if (isStatement(key) && !grouped) ofAll.push({ key, value, ungrouped: true });
      if (named.has('ours')) gather(ours, key, value);
      if (named.has('any')) gather(any, key, value);
    }
  }
  const holds = ours.named ? ours : any;
  return rulesOf(holds, [...sitemaps], statementFinder([...holds.statements, ...ofAll]));
}

function rulesOf(gathered: Gathered, sitemaps: readonly string[], find: StatementFinder): RobotsRules {
  // Longest first, Allow before Disallow of the same length (§2.2.2): the first match decides.
  const rules = gathered.rules.toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
  const allows = (url: string): boolean => {
    if (rules.length === 0) return true;
    const target = targetOf(url);
    if (isRobotsTxt(target)) return true;
    const paths = comparablePaths(target);
    return rules.find(({ pattern }) => paths.some((path) => matchesPath(pattern, path)))?.allow ?? true;
  };
  const statements = (url: string) => (find === NO_STATEMENTS || !allows(url) ? [] : find(targetOf(url)));
  return { allows, crawlDelay: gathered.crawlDelay, sitemaps, statements };
}

/** The agents of a group: those named one after another. The first line after them closes the list. */
class AgentList {
  readonly #agents = new Set<Agent>();
  #closed = false;

  add(agent: Agent): void {
    if (this.#closed) this.#agents.clear();
    this.#closed = false;
    this.#agents.add(agent);
  }

  close(): void {
    this.#closed = true;
  }

  has(agent: Agent): boolean {
    return this.#agents.has(agent);
  }
}

/** The agents to whom a line applies, by kind of line. */
type AgentLists = Readonly<Record<'rules' | 'statements' | 'delays', AgentList>>;

/**
 * Closes the lists that a line of this kind closes. §2.2.4: records that the RFC does not define must not end the list of agents for `Allow` and
 * `Disallow`; statements are rules to their drafts alone, and Crawl-delay ends its own list only, as files use it.
 * @returns the agents to whom the line applies
 */
function closedBy(key: Exclude<RuleKey, 'license'>, lists: AgentLists): AgentList {
  const isRule = key === 'allow' || key === 'disallow';
  if (isRule) lists.rules.close();
  if (isRule || isStatement(key)) lists.statements.close();
  lists.delays.close();
  return isRule ? lists.rules : isStatement(key) ? lists.statements : lists.delays;
}

function isStatement(key: Key): key is Exclude<StatementKey, 'license'> {
  return key === 'content-usage' || key === 'content-signal';
}

function gather(into: Gathered, key: Exclude<RuleKey, 'license'>, value: string): void {
  if (isStatement(key)) {
    into.statements.push({ key, value, ungrouped: false });
  } else if (key === 'crawl-delay') {
    const delay = Number.parseFloat(value) * 1000;
    if (Number.isFinite(delay) && delay >= 0) into.crawlDelay = Math.max(into.crawlDelay ?? 0, delay);
  } else if (value !== '') {
    for (const pattern of parsePatterns(value)) into.rules.push({ allow: key === 'allow', pattern });
  }
}

/** A user-agent value counts up to the first character that a product token must not contain, so `Forager/1.0` names `forager`. */
function agentOf(value: string, token: string): Agent {
  if (/^\*(?:\s|$)/.test(value)) return 'any';
  let end = 0;
  while (end < value.length && isTokenChar(value.charCodeAt(end))) end++;
  return end > 0 && value.slice(0, end).toLowerCase() === token ? 'ours' : 'other';
}

function isTokenChar(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || code === 0x2d || code === 0x5f;
}

/** The records of a file, in order: known key, trimmed value, no comment. */
function* records(text: string): Generator<readonly [Key, string]> {
  for (let from = 0; from < text.length; ) {
    let to = from;
    while (to < text.length && text.charCodeAt(to) !== 10 && text.charCodeAt(to) !== 13) to++;
    const record = to > from ? recordOf(text.slice(from, to)) : null;
    if (record !== null) yield record;
    from = to + 1;
  }
}

function recordOf(line: string): readonly [Key, string] | null {
  const hash = line.indexOf('#');
  const plain = (hash < 0 ? line : line.slice(0, hash)).trim();
  const colon = plain.indexOf(':');
  // `Disallow /x`, without its colon, is read as intended.
  const split = colon >= 0 ? colon : plain.search(/\s/);
  if (split <= 0) return null;
  const key = KEYS.get(plain.slice(0, split).trimEnd().toLowerCase());
  if (key === undefined || (colon < 0 && (key === 'license' || isStatement(key)))) return null;
  return [key, plain.slice(split + 1).trim()];
}

/** Text of at most 500 KiB of a file. A line that is cut there is omitted, because half a path is a different rule. */
function textOf(body: Uint8Array | string): string {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body.slice(0, MAX_BYTES + 1)) : body;
  const text = decoderFor(bytes).decode(bytes.subarray(partOfMark(bytes), MAX_BYTES));
  if (bytes.length <= MAX_BYTES) return text;
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** Number of bytes of a UTF-8 byte order mark at the start, 0 to 3. Google's parser also skips a part of one; otherwise its line would not be a record. */
function partOfMark(bytes: Uint8Array): number {
  const differs = UTF8_MARK.findIndex((byte, i) => bytes[i] !== byte);
  return differs < 0 ? UTF8_MARK.length : differs;
}

/** The RFC knows only UTF-8; UTF-16 files with a byte order mark exist nevertheless. */
function decoderFor(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  return new TextDecoder('utf-8');
}

/** Path and query of an absolute URL; a string that starts with `/` is one already. */
function targetOf(url: string): string {
  const hash = url.indexOf('#');
  const plain = hash < 0 ? url : url.slice(0, hash);
  if (plain.startsWith('/')) return plain;
  const scheme = plain.indexOf('://');
  const start = plain.slice(scheme + 3).search(/[/?]/);
  if (start < 0) return '/';
  const target = plain.slice(scheme + 3 + start);
  return target.startsWith('/') ? target : `/${target}`;
}

function isRobotsTxt(target: string): boolean {
  return target === '/robots.txt' || target.startsWith('/robots.txt?');
}
