/**
 * Second reader of statements about use in header fields and robots.txt, written from draft-ietf-aipref-attach, draft-ietf-aipref-vocab, the policy of
 * Content Signals, the guide of RSL for robots.txt and RFC 9309 alone.
 */
import { fieldDictionary } from './field-dictionary.ts';

export type Preference = 'allow' | 'disallow';
/** Preferences by category; one that is unknown is absent. */
export type Preferences = Readonly<Record<string, Preference>>;

/** A statement that applies to a page. */
export interface Stated {
  readonly protocol: 'content-usage' | 'content-signal' | 'rsl';
  /** Words of the owner, without path and comment. */
  readonly words: string;
  /** Path as written; null without one. */
  readonly path: string | null;
  readonly preferences: Preferences;
}

/** Labels of section 6.1 of the vocabulary. Its AI use is the input of models. */
const CATEGORIES = { 'train-ai': 'train-ai', 'ai-use': 'ai-input', search: 'search' };

/** A value of `Content-Usage`. Section 6 of the vocabulary: only the tokens `y` and `n` state something. */
export function usagePreferences(bytes: string): Preferences {
  const found = fieldDictionary(bytes);
  const stated: Record<string, Preference> = {};
  for (const [label, category] of Object.entries(CATEGORIES)) {
    const value = found?.get(label);
    if (value?.type !== 'token') continue;
    if (value.text === 'y') stated[category] = 'allow';
    if (value.text === 'n') stated[category] = 'disallow';
  }
  return stated;
}

const SIGNALS: Readonly<Record<string, string>> = { search: 'search', 'ai-input': 'ai-input', 'ai-train': 'train-ai' };

/**
 * A value of `Content-Signal`: signals between commas. An absent signal grants nothing and restricts nothing. The policy is silent about case, which
 * matters nowhere else in a robots.txt, and about a signal given twice, where the refusal counts.
 */
export function signalPreferences(value: string): Preferences {
  const stated: Record<string, Preference> = {};
  for (const part of value.split(',')) {
    const [signal = '', word = '', ...more] = part.split('=').map((side) => side.trim().toLowerCase());
    const category = SIGNALS[signal];
    if (category === undefined || more.length > 0) continue;
    if (word === 'no') stated[category] = 'disallow';
    else if (word === 'yes' && stated[category] !== 'disallow') stated[category] = 'allow';
  }
  return stated;
}

/** Section 5.1 of the vocabulary: any refusal wins, else any permission counts. */
export function combined(all: readonly Preferences[]): Preferences {
  const result: Record<string, Preference> = {};
  for (const one of all)
    for (const [category, preference] of Object.entries(one)) if (result[category] !== 'disallow') result[category] = preference;
  return result;
}

interface Line {
  readonly label: string;
  readonly value: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Line[];
}

/** The rules of RFC 9309. Drafts do not change who may crawl before they are its update. */
const CRAWLING = ['allow', 'disallow'];
/** The rules of a group as the drafts want it. */
const STATING = [...CRAWLING, 'content-usage', 'content-signal'];

/**
 * Statements of a robots.txt about a page that state something. A page that must not be crawled has none.
 * @param text a character a byte @param token product token of the crawler @param target path and query, encoded
 */
export function statedByRobots(text: string, token: string, target: string): readonly Stated[] {
  const lines = text.split(/[\r\n]/).map(lineOf);
  if (!mayCrawl(rulesFor(groupsOf(lines, CRAWLING), token), target)) return [];
  const rules = rulesFor(groupsOf(lines, STATING), token);
  const licences = lines.filter((line) => line.label === 'license' && /^[a-z][a-z0-9+.-]*:\/\/./i.test(line.value)).map(licence);
  const stating = [...usageOf(rules, target), ...signalsOf(rules)].filter(({ preferences }) => Object.keys(preferences).length > 0);
  return [...stating, ...licences];
}

/** The longest rule that matches decides, of two equal ones `Allow`. */
function mayCrawl(rules: readonly Line[], target: string): boolean {
  const lengthOf = (label: string) => {
    const matching = rules.filter((rule) => rule.label === label && rule.value !== '' && pathMatches(rule.value, target));
    return Math.max(-1, ...matching.map((rule) => pathLength(rule.value)));
  };
  return lengthOf('allow') >= lengthOf('disallow');
}

function lineOf(line: string): Line {
  const body = line.replace(/#.*$/, '');
  const colon = body.indexOf(':');
  if (colon < 0) return { label: '', value: '' };
  return { label: trim(body.slice(0, colon)).toLowerCase(), value: trim(body.slice(colon + 1)) };
}

const trim = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

/** Groups of RFC 9309: user-agent lines one after another start one. Lines that are no rules of a group neither end nor start any. */
function groupsOf(lines: readonly Line[], rules: readonly string[]): readonly Group[] {
  const groups: Group[] = [];
  let naming = false;
  for (const line of lines) {
    if (line.label === 'user-agent') {
      if (!naming) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(line.value.toLowerCase());
      naming = true;
    } else if (rules.includes(line.label)) {
      groups.at(-1)?.rules.push(line);
      naming = false;
    }
  }
  return groups;
}

function rulesFor(groups: readonly Group[], token: string): readonly Line[] {
  const own = groups.filter((group) => group.agents.includes(token.toLowerCase()));
  const chosen = own.length > 0 ? own : groups.filter((group) => group.agents.includes('*'));
  return chosen.flatMap((group) => group.rules);
}

/** Section 3.1 of the draft: of the rules that match those with the longest path, each a statement of its own. */
function usageOf(rules: readonly Line[], target: string): readonly Stated[] {
  const found = rules.filter((rule) => rule.label === 'content-usage').map(usageRule);
  const matching = found.filter((rule) => rule.path === null || pathMatches(rule.path, target));
  const longest = Math.max(0, ...matching.map((rule) => pathLength(rule.path)));
  return matching.filter((rule) => pathLength(rule.path) === longest);
}

/** Section 3.2: a value that starts with a slash has a path, up to the first blank or tab. */
function usageRule(rule: Line): Stated {
  const path = rule.value.startsWith('/') ? (/^[^ \t]*/.exec(rule.value)?.[0] ?? '') : null;
  const words = trim(rule.value.slice(path?.length ?? 0));
  return { protocol: 'content-usage', words, path, preferences: usagePreferences(words) };
}

function signalsOf(rules: readonly Line[]): readonly Stated[] {
  const found = rules.filter((rule) => rule.label === 'content-signal');
  return found.map(({ value }) => ({ protocol: 'content-signal', words: value, path: null, preferences: signalPreferences(value) }));
}

function licence({ value }: Line): Stated {
  return { protocol: 'rsl', words: value, path: null, preferences: {} };
}

/** Length of a path in bytes, as encoded; no path is the shortest. */
export function pathLength(path: string | null): number {
  return path === null ? 0 : encoded(path).length;
}

/** Matching of RFC 9309: a prefix, `*` for any signs, `$` at the end for the end. Neither is a sign of that kind in the address of a page. */
export function pathMatches(path: string, target: string): boolean {
  const ends = path.endsWith('$');
  const parts = encoded(ends ? path.slice(0, -1) : path).split('*');
  const source = parts.map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*');
  const page = encoded(target).replaceAll('*', '%2A').replaceAll('$', '%24');
  return new RegExp(`^${source}${ends ? '$' : ''}`).test(page);
}

/** A path in one spelling: signs that no address has are encoded, unreserved ones are not, hexadecimal digits are capital letters. */
function encoded(path: string): string {
  const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
  const bytes = path.replace(/[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]/g, hex);
  return bytes.replace(/%[0-9a-fA-F]{2}/g, (written) => {
    const sign = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(sign) ? sign : written.toUpperCase();
  });
}
